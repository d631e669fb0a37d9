import { readStored } from './storage.ts';

/** `systemTheme` follows the system's light or dark, and its contrast setting. */
export const themes = ['light', 'dark', 'system', 'contrast'] as const;
export type Theme = (typeof themes)[number];

export const densities = ['compact', 'default', 'roomy'] as const;
export type Density = (typeof densities)[number];

export const isTheme = (value: unknown): value is Theme => themes.some((theme) => theme === value);
export const isDensity = (value: unknown): value is Density => densities.some((density) => density === value);

export const themeKey = 'prefs.theme';
export const densityKey = 'prefs.density';

export function storedTheme(): Theme {
  const storedValue = readStored(themeKey);
  return isTheme(storedValue) ? storedValue : 'system';
}

export function storedDensity(): Density {
  const storedValue = readStored(densityKey);
  return isDensity(storedValue) ? storedValue : 'default';
}

export interface SystemTheme {
  dark: boolean;
  moreContrast: boolean;
}

export interface Appearance {
  theme: 'light' | 'dark';
  contrast: 'more' | 'normal';
}

/** High contrast keeps the system's light or dark. */
export function resolveAppearance(theme: Theme, systemTheme: SystemTheme): Appearance {
  const followsSystem = theme === 'system' || theme === 'contrast';
  return {
    theme: (followsSystem ? systemTheme.dark : theme === 'dark') ? 'dark' : 'light',
    contrast: theme === 'contrast' || (theme === 'system' && systemTheme.moreContrast) ? 'more' : 'normal',
  };
}

const darkQuery = '(prefers-color-scheme: dark)';
const contrastQuery = '(prefers-contrast: more)';

export const systemTheme = (): SystemTheme => ({
  dark: matchMedia(darkQuery).matches,
  moreContrast: matchMedia(contrastQuery).matches,
});

export function onSystemTheme(listener: () => void): void {
  for (const query of [darkQuery, contrastQuery]) matchMedia(query).addEventListener('change', listener);
}

/** The styles depend on these attributes. */
export function applyAppearance(root: HTMLElement, theme: Theme, density: Density): void {
  const appearance = resolveAppearance(theme, systemTheme());
  root.dataset['theme'] = appearance.theme;
  root.dataset['contrast'] = appearance.contrast;
  root.dataset['density'] = density;
  const themeColorMeta = root.ownerDocument.querySelector('meta[name="theme-color"]');
  themeColorMeta?.setAttribute('content', appearance.theme === 'dark' ? '#111113' : '#fcfcfd');
}
