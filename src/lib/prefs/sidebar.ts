import { atom } from 'nanostores';
import { readStored, readStoredJson, writeStored } from './storage.ts';

/** On narrower windows the sidebar is a rail until the person expands it there. */
const narrowQuery = globalThis.matchMedia?.('(width < 72rem)');
const sidebarKey = () => (narrowQuery?.matches ? 'prefs.sidebar.narrow' : 'prefs.sidebar');
const closedGroupsKey = 'prefs.closedGroups';

function storedSidebar(): 'full' | 'rail' {
  const storedValue = readStored(sidebarKey());
  return storedValue === 'rail' || storedValue === 'full' ? storedValue : narrowQuery?.matches ? 'rail' : 'full';
}
const storedClosedGroups = () => new Set(readStoredJson(closedGroupsKey, isTextList) ?? []);
const isTextList = (value: unknown): value is string[] => Array.isArray(value) && value.every((item) => typeof item === 'string');

/** 'full' with titles (224 px), 'rail' with icons only (56 px). */
export const $sidebar = atom<'full' | 'rail'>(storedSidebar());
export const $closedGroups = atom<ReadonlySet<string>>(storedClosedGroups());

export function toggleSidebar(): void {
  const nextSidebar = $sidebar.get() === 'rail' ? 'full' : 'rail';
  writeStored(sidebarKey(), nextSidebar);
  $sidebar.set(nextSidebar);
}

export function toggleGroup(path: string): void {
  const closedGroups = new Set($closedGroups.get());
  if (!closedGroups.delete(path)) closedGroups.add(path);
  writeStored(closedGroupsKey, JSON.stringify([...closedGroups]));
  $closedGroups.set(closedGroups);
}

/** Follows the window's width and other tabs. Returns a function that stops it. */
export function watchSidebar(): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  const readSidebar = () => {
    $sidebar.set(storedSidebar());
    $closedGroups.set(storedClosedGroups());
  };
  readSidebar(); // changes since the page loaded
  narrowQuery?.addEventListener('change', readSidebar, { signal });
  addEventListener('storage', ({ key }) => (key === null || key.startsWith('prefs.')) && readSidebar(), { signal });
  // Pages in the back/forward cache miss storage events.
  addEventListener('pageshow', ({ persisted }) => persisted && readSidebar(), { signal });
  return () => controller.abort();
}
