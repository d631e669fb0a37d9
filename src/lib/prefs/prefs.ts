import { atom } from 'nanostores';
import { readStored, writeStored } from './storage.ts';
import {
  applyAppearance,
  densityKey,
  onSystemTheme,
  storedDensity,
  storedTheme,
  themeKey,
  type Density,
  type Theme,
} from './theme.ts';

const expertKey = 'prefs.expert';

export const $theme = atom<Theme>(storedTheme());
export const $density = atom<Density>(storedDensity());
/** Whether commands for QA and experts are offered (`expert` of a command). */
export const $expert = atom(readStored(expertKey) === 'on');

export function setTheme(theme: Theme): void {
  writeStored(themeKey, theme);
  $theme.set(theme);
  applyPrefs();
}

export function setDensity(density: Density): void {
  writeStored(densityKey, density);
  $density.set(density);
  applyPrefs();
}

export function showExpert(isEnabled = true): boolean {
  $expert.set(isEnabled);
  writeStored(expertKey, isEnabled ? 'on' : null);
  return isEnabled;
}

/** Follows the system's theme and other tabs. */
export function watchPrefs(): void {
  applyPrefs();
  onSystemTheme(applyPrefs);
  addEventListener('storage', ({ key }) => {
    if (key === null || key.startsWith('prefs.')) readPrefs();
  });
  // Pages in the back/forward cache miss storage events.
  addEventListener('pageshow', ({ persisted }) => persisted && readPrefs());
}

function readPrefs(): void {
  $theme.set(storedTheme());
  $density.set(storedDensity());
  $expert.set(readStored(expertKey) === 'on');
  applyPrefs();
}

const applyPrefs = () => applyAppearance(document.documentElement, $theme.get(), $density.get());
