import * as radix from '@radix-ui/colors';

type Scale = 'slate' | 'indigo' | 'jade' | 'amber' | 'red' | 'blue';
type Step = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12;

const light = (scale: Scale, step: Step): string => shade(radix[scale], `${scale}${step}`);
const dark = (scale: Scale, step: Step): string => shade(radix[`${scale}Dark`], `${scale}${step}`);

function shade(scale: Record<string, string>, name: string): string {
  const value = scale[name];
  if (!value) throw new Error(`no color ${name} in @radix-ui/colors`);
  return value;
}

/** High contrast follows light or dark, and overrides only the listed colors. */
export interface Token {
  light: string;
  dark: string;
  lightContrast?: string;
  darkContrast?: string;
}

const both = (scale: Scale, step: Step): Token => ({ light: light(scale, step), dark: dark(scale, step) });
const grey = (step: Step, contrastStep?: Step): Token =>
  contrastStep
    ? { ...both('slate', step), lightContrast: light('slate', contrastStep), darkContrast: dark('slate', contrastStep) }
    : both('slate', step);
const white = '#ffffff';

/** Step-3 background, step-12 text, step-11 icon. Step-11 text on step 3 is under 4.5 (look.md). */
const chip = <Name extends string>(name: Name, scale: Scale) =>
  ({
    [`${name}-bg`]: both(scale, 3),
    [`${name}-text`]: both(scale, 12),
    [`${name}-icon`]: { ...both(scale, 11), lightContrast: light(scale, 12), darkContrast: dark(scale, 12) },
  }) as Record<`${Name}-${'bg' | 'text' | 'icon'}`, Token>;

/** All colors by purpose (look.md), also their Tailwind names. Components use no others. */
export const tokens = {
  canvas: { ...grey(1), lightContrast: white, darkContrast: '#000000' },
  surface: { light: white, dark: dark('slate', 2), darkContrast: '#000000' },
  overlay: { light: white, dark: dark('slate', 3), darkContrast: '#000000' },
  scrim: { light: '#1c202466', dark: '#000000a3' },
  layer: grey(3),
  'layer-hover': grey(3, 4),
  'layer-active': grey(4, 5),
  'layer-selected': both('indigo', 3),
  hairline: grey(6, 11),
  control: grey(9, 12),
  'text-1': { ...grey(12), lightContrast: '#000000', darkContrast: white },
  'text-2': grey(11, 12),
  // Placeholders and disabled text, never information.
  'text-3': grey(10, 11),
  accent: { ...both('indigo', 9), lightContrast: light('indigo', 12), darkContrast: light('indigo', 9) },
  'accent-hover': { light: light('indigo', 10), dark: dark('indigo', 8) },
  'accent-text': { ...both('indigo', 11), lightContrast: light('indigo', 12), darkContrast: dark('indigo', 12) },
  'on-accent': { light: white, dark: white },
  danger: { light: light('red', 11), dark: dark('red', 8), lightContrast: light('red', 12) },
  'danger-hover': { light: light('red', 12), dark: dark('red', 7) },
  'danger-text': { ...both('red', 11), lightContrast: light('red', 12), darkContrast: dark('red', 12) },
  'on-danger': { light: white, dark: white },
  focus: { light: light('indigo', 9), dark: dark('indigo', 11), lightContrast: '#000000', darkContrast: white },
  ...chip('ok', 'jade'),
  ...chip('warn', 'amber'),
  ...chip('bad', 'red'),
  ...chip('info', 'indigo'),
  ...chip('neutral', 'slate'),
} satisfies Record<string, Token>;

/** In the shape of a Tailwind plugin's `addBase`. */
export function propertiesOf(theme: keyof Token): Record<string, string> {
  const properties: Record<string, string> = {};
  for (const [name, token] of Object.entries<Token>(tokens)) {
    const value = token[theme];
    if (value) properties[`--${name}`] = value;
  }
  return properties;
}
