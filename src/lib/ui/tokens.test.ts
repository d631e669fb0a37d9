import { describe, expect, it } from 'vitest';
import { tokens, type Token } from './tokens.ts';

const themes = ['light', 'dark', 'lightContrast', 'darkContrast'] as const;

/** High contrast falls back to its plain theme. */
const readColor = (name: keyof typeof tokens, theme: (typeof themes)[number]): string => {
  const token: Token = tokens[name];
  return token[theme] ?? token[theme.startsWith('light') ? 'light' : 'dark'];
};

/** WCAG 2.2 contrast ratio of two opaque colors. */
function contrastRatio(firstColor: string, secondColor: string): number {
  const [lowLuminance = 0, highLuminance = 0] = [luminance(firstColor), luminance(secondColor)].sort((a, b) => a - b);
  return (highLuminance + 0.05) / (lowLuminance + 0.05);
}

function luminance(hex: string): number {
  const channel = (offset: number) => {
    const value = Number.parseInt(hex.slice(offset, offset + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
}

const backgrounds = ['canvas', 'surface', 'overlay', 'layer', 'layer-hover', 'layer-active', 'layer-selected'] as const;
const createTextPairs = (min: number, name: keyof typeof tokens, surfaces: readonly (keyof typeof tokens)[]) =>
  surfaces.map((background) => [name, background, min] as const);

const colorPairs = [
  ...createTextPairs(7, 'text-1', backgrounds),
  ...createTextPairs(4.5, 'text-2', backgrounds),
  ...createTextPairs(4.5, 'accent-text', ['canvas', 'surface', 'overlay', 'layer-selected']),
  ...createTextPairs(4.5, 'danger-text', ['canvas', 'surface', 'overlay']),
  ...createTextPairs(4.5, 'on-accent', ['accent', 'accent-hover']),
  ...createTextPairs(4.5, 'on-danger', ['danger', 'danger-hover']),
  ...createTextPairs(3, 'control', ['canvas', 'surface']),
  ...createTextPairs(3, 'focus', backgrounds),
  ...(['ok', 'warn', 'bad', 'info', 'neutral'] as const).flatMap((state) => [
    ...createTextPairs(7, `${state}-text`, [`${state}-bg`]),
    ...createTextPairs(3, `${state}-icon`, [`${state}-bg`]),
  ]),
];

describe.each(themes)('contrast in %s', (theme) => {
  it.each(colorPairs)('%s on %s is at least %d', (name, background, min) => {
    expect(contrastRatio(readColor(name, theme), readColor(background, theme))).toBeGreaterThanOrEqual(min);
  });
});

it.each(['lightContrast', 'darkContrast'] as const)(
  'in %s text has a contrast of at least 7 and lines of at least 4.5',
  (theme) => {
    expect(contrastRatio(readColor('text-2', theme), readColor('surface', theme))).toBeGreaterThanOrEqual(7);
    expect(contrastRatio(readColor('control', theme), readColor('surface', theme))).toBeGreaterThanOrEqual(7);
    expect(contrastRatio(readColor('hairline', theme), readColor('surface', theme))).toBeGreaterThanOrEqual(4.5);
  },
);
