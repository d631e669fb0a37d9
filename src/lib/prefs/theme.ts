import { readStored } from './storage.ts';

/** What a person may choose. `system` follows the system's light or dark, and its wish for more contrast. */
export const themes = ['light', 'dark', 'system', 'contrast'] as const;
export type Theme = (typeof themes)[number];

export const densities = ['compact', 'default', 'roomy'] as const;
export type Density = (typeof densities)[number];

export const isTheme = (value: unknown): value is Theme => themes.some((theme) => theme === value);
export const isDensity = (value: unknown): value is Density => densities.some((density) => density === value);

export const themeKey = 'prefs.theme';
export const densityKey = 'prefs.density';

/** The stored theme; `system` when there is none or it is corrupt. */
export function storedTheme(): Theme {
  const stored = readStored(themeKey);
  return isTheme(stored) ? stored : 'system';
}

/** The stored density; `default` when there is none or it is corrupt. */
export function storedDensity(): Density {
  const stored = readStored(densityKey);
  return isDensity(stored) ? stored : 'default';
}

/** What the system asks for, by its media queries. */
export interface SystemTheme {
  dark: boolean;
  moreContrast: boolean;
}

export interface Appearance {
  theme: 'light' | 'dark';
  contrast: 'more' | 'normal';
}

/** The choice, made plain: high contrast keeps the system's light or dark. */
export function appearanceOf(theme: Theme, system: SystemTheme): Appearance {
  const followsSystem = theme === 'system' || theme === 'contrast';
  return {
    theme: (followsSystem ? system.dark : theme === 'dark') ? 'dark' : 'light',
    contrast: theme === 'contrast' || (theme === 'system' && system.moreContrast) ? 'more' : 'normal',
  };
}

const darkQuery = '(prefers-color-scheme: dark)';
const contrastQuery = '(prefers-contrast: more)';

export const systemTheme = (): SystemTheme => ({
  dark: matchMedia(darkQuery).matches,
  moreContrast: matchMedia(contrastQuery).matches,
});

/** Calls back when the system changes its mind. */
export function onSystemTheme(listener: () => void): void {
  for (const query of [darkQuery, contrastQuery]) matchMedia(query).addEventListener('change', listener);
}

/** Puts theme and density on the document; the styles hang on these attributes. */
export function applyAppearance(root: HTMLElement, theme: Theme, density: Density): void {
  const appearance = appearanceOf(theme, systemTheme());
  root.dataset['theme'] = appearance.theme;
  root.dataset['contrast'] = appearance.contrast;
  root.dataset['density'] = density;
  const bar = root.ownerDocument.querySelector('meta[name="theme-color"]');
  bar?.setAttribute('content', appearance.theme === 'dark' ? '#111113' : '#fcfcfd');
}
