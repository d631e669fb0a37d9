import { atom } from 'nanostores';
import { readStored, readStoredJson, writeStored } from './storage.ts';
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

/** On narrower windows the sidebar is a rail until the person expands it there. */
const narrowQuery = globalThis.matchMedia?.('(width < 72rem)');
const sidebarKey = () => (narrowQuery?.matches ? 'prefs.sidebar.narrow' : 'prefs.sidebar');
const closedGroupsKey = 'prefs.closedGroups';
const expertKey = 'prefs.expert';

function storedSidebar(): 'full' | 'rail' {
  const storedValue = readStored(sidebarKey());
  return storedValue === 'rail' || storedValue === 'full' ? storedValue : narrowQuery?.matches ? 'rail' : 'full';
}
const storedClosedGroups = () => new Set(readStoredJson(closedGroupsKey, isTextList) ?? []);
const isTextList = (value: unknown): value is string[] => Array.isArray(value) && value.every((item) => typeof item === 'string');

export const $theme = atom<Theme>(storedTheme());
export const $density = atom<Density>(storedDensity());
/** 'full' with titles (224 px), 'rail' with icons only (56 px). */
export const $sidebar = atom<'full' | 'rail'>(storedSidebar());
/** Whether commands for QA and experts are offered (`expert` of a command). */
export const $expert = atom(readStored(expertKey) === 'on');
export const $closedGroups = atom<ReadonlySet<string>>(storedClosedGroups());

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

export function toggleSidebar(): void {
  const nextSidebar = $sidebar.get() === 'rail' ? 'full' : 'rail';
  writeStored(sidebarKey(), nextSidebar);
  $sidebar.set(nextSidebar);
}

export function showExpert(isEnabled = true): boolean {
  $expert.set(isEnabled);
  writeStored(expertKey, isEnabled ? 'on' : null);
  return isEnabled;
}

export function toggleGroup(path: string): void {
  const closedGroups = new Set($closedGroups.get());
  if (!closedGroups.delete(path)) closedGroups.add(path);
  writeStored(closedGroupsKey, JSON.stringify([...closedGroups]));
  $closedGroups.set(closedGroups);
}

/** Follows the system's theme and other tabs. */
export function watchPrefs(): void {
  applyPrefs();
  onSystemTheme(applyPrefs);
  narrowQuery?.addEventListener('change', () => $sidebar.set(storedSidebar()));
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
  $sidebar.set(storedSidebar());
  $closedGroups.set(storedClosedGroups());
  applyPrefs();
}

const applyPrefs = () => applyAppearance(document.documentElement, $theme.get(), $density.get());
