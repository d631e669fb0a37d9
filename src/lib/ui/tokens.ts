import * as radix from '@radix-ui/colors';

type Scale = 'slate' | 'indigo' | 'jade' | 'amber' | 'red' | 'blue';
type Step = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12;

const lightShade = (scale: Scale, step: Step): string => readShade(radix[scale], `${scale}${step}`);
const darkShade = (scale: Scale, step: Step): string => readShade(radix[`${scale}Dark`], `${scale}${step}`);

function readShade(scale: Record<string, string>, name: string): string {
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

const createToken = (scale: Scale, step: Step): Token => ({ light: lightShade(scale, step), dark: darkShade(scale, step) });
const greyToken = (step: Step, contrastStep?: Step): Token =>
  contrastStep
    ? {
        ...createToken('slate', step),
        lightContrast: lightShade('slate', contrastStep),
        darkContrast: darkShade('slate', contrastStep),
      }
    : createToken('slate', step);
const whiteToken = '#ffffff';

/** Step-3 background, step-12 text, step-11 icon. Step-11 text on step 3 is under 4.5 (look.md). */
const chipTokens = <Name extends string>(name: Name, scale: Scale) =>
  ({
    [`${name}-bg`]: createToken(scale, 3),
    [`${name}-text`]: createToken(scale, 12),
    [`${name}-icon`]: { ...createToken(scale, 11), lightContrast: lightShade(scale, 12), darkContrast: darkShade(scale, 12) },
  }) as Record<`${Name}-${'bg' | 'text' | 'icon'}`, Token>;

/** All colors by purpose (look.md), also their Tailwind names. Components use no others. */
export const tokens = {
  canvas: { ...greyToken(1), lightContrast: whiteToken, darkContrast: '#000000' },
  surface: { light: whiteToken, dark: darkShade('slate', 2), darkContrast: '#000000' },
  overlay: { light: whiteToken, dark: darkShade('slate', 3), darkContrast: '#000000' },
  scrim: { light: '#1c202466', dark: '#000000a3' },
  layer: greyToken(3),
  'layer-hover': greyToken(3, 4),
  'layer-active': greyToken(4, 5),
  'layer-selected': createToken('indigo', 3),
  hairline: greyToken(6, 11),
  control: greyToken(9, 12),
  'text-1': { ...greyToken(12), lightContrast: '#000000', darkContrast: whiteToken },
  'text-2': greyToken(11, 12),
  // Placeholders and disabled text, never information.
  'text-3': greyToken(10, 11),
  accent: { ...createToken('indigo', 9), lightContrast: lightShade('indigo', 12), darkContrast: lightShade('indigo', 9) },
  'accent-hover': { light: lightShade('indigo', 10), dark: darkShade('indigo', 8) },
  'accent-text': { ...createToken('indigo', 11), lightContrast: lightShade('indigo', 12), darkContrast: darkShade('indigo', 12) },
  'on-accent': { light: whiteToken, dark: whiteToken },
  danger: { light: lightShade('red', 11), dark: darkShade('red', 8), lightContrast: lightShade('red', 12) },
  'danger-hover': { light: lightShade('red', 12), dark: darkShade('red', 7) },
  'danger-text': { ...createToken('red', 11), lightContrast: lightShade('red', 12), darkContrast: darkShade('red', 12) },
  'on-danger': { light: whiteToken, dark: whiteToken },
  focus: { light: lightShade('indigo', 9), dark: darkShade('indigo', 11), lightContrast: '#000000', darkContrast: whiteToken },
  ...chipTokens('ok', 'jade'),
  ...chipTokens('warn', 'amber'),
  ...chipTokens('bad', 'red'),
  ...chipTokens('info', 'indigo'),
  ...chipTokens('neutral', 'slate'),
} satisfies Record<string, Token>;

/** In the shape of a Tailwind plugin's `addBase`. */
export function createProperties(theme: keyof Token): Record<string, string> {
  const properties: Record<string, string> = {};
  for (const [name, token] of Object.entries<Token>(tokens)) {
    const value = token[theme];
    if (value) properties[`--${name}`] = value;
  }
  return properties;
}
