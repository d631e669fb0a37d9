import { describe, expect, it } from 'vitest';
import { resolveAppearance, isDensity, isTheme } from './theme.ts';

describe('the chosen theme', () => {
  it.each([
    ['light', { dark: true, moreContrast: true }, { theme: 'light', contrast: 'normal' }],
    ['dark', { dark: false, moreContrast: true }, { theme: 'dark', contrast: 'normal' }],
    ['system', { dark: false, moreContrast: false }, { theme: 'light', contrast: 'normal' }],
    ['system', { dark: true, moreContrast: false }, { theme: 'dark', contrast: 'normal' }],
    ['system', { dark: true, moreContrast: true }, { theme: 'dark', contrast: 'more' }],
    ['contrast', { dark: false, moreContrast: false }, { theme: 'light', contrast: 'more' }],
    ['contrast', { dark: true, moreContrast: false }, { theme: 'dark', contrast: 'more' }],
  ] as const)('%s on a system with %o renders as %s', (theme, systemTheme, expectedAppearance) => {
    expect(resolveAppearance(theme, systemTheme)).toEqual(expectedAppearance);
  });

  it('accepts only its own names', () => {
    expect(['light', 'dark', 'system', 'contrast', 'Dark', '', null].filter(isTheme)).toEqual([
      'light',
      'dark',
      'system',
      'contrast',
    ]);
    expect(['compact', 'default', 'roomy', 'huge', 3].filter(isDensity)).toEqual(['compact', 'default', 'roomy']);
  });
});
