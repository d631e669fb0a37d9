import { describe, expect, it } from 'vitest';
import { tokens, type Token } from './tokens.ts';

const themes = ['light', 'dark', 'lightContrast', 'darkContrast'] as const;

/** High contrast falls back to its plain theme. */
const colour = (name: keyof typeof tokens, theme: (typeof themes)[number]): string => {
  const token: Token = tokens[name];
  return token[theme] ?? token[theme.startsWith('light') ? 'light' : 'dark'];
};

/** WCAG 2.2 contrast ratio of two opaque colors. */
function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

function luminance(hex: string): number {
  const channel = (at: number) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
}

const grounds = ['canvas', 'surface', 'overlay', 'layer', 'layer-hover', 'layer-active', 'layer-selected'] as const;
const text = (min: number, name: keyof typeof tokens, on: readonly (keyof typeof tokens)[]) =>
  on.map((ground) => [name, ground, min] as const);

const pairs = [
  ...text(7, 'text-1', grounds),
  ...text(4.5, 'text-2', grounds),
  ...text(4.5, 'accent-text', ['canvas', 'surface', 'overlay', 'layer-selected']),
  ...text(4.5, 'danger-text', ['canvas', 'surface', 'overlay']),
  ...text(4.5, 'on-accent', ['accent', 'accent-hover']),
  ...text(4.5, 'on-danger', ['danger', 'danger-hover']),
  ...text(3, 'control', ['canvas', 'surface']),
  ...text(3, 'focus', grounds),
  ...(['ok', 'warn', 'bad', 'info', 'neutral'] as const).flatMap((state) => [
    ...text(7, `${state}-text`, [`${state}-bg`]),
    ...text(3, `${state}-icon`, [`${state}-bg`]),
  ]),
];

describe.each(themes)('contrast in %s', (theme) => {
  it.each(pairs)('%s on %s is at least %d', (name, ground, min) => {
    expect(contrast(colour(name, theme), colour(ground, theme))).toBeGreaterThanOrEqual(min);
  });
});

it.each(['lightContrast', 'darkContrast'] as const)(
  'in %s text has a contrast of at least 7 and lines of at least 4.5',
  (theme) => {
    expect(contrast(colour('text-2', theme), colour('surface', theme))).toBeGreaterThanOrEqual(7);
    expect(contrast(colour('control', theme), colour('surface', theme))).toBeGreaterThanOrEqual(7);
    expect(contrast(colour('hairline', theme), colour('surface', theme))).toBeGreaterThanOrEqual(4.5);
  },
);
