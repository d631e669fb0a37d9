import { createRoot, type Root } from 'react-dom/client';
import { afterEach, expect, vi } from 'vitest';
import { locators, page, type Locator } from 'vitest/browser';
import type { CommandId } from '../../api/names.ts';
import type { RoleName } from '../../server/seed/roles.ts';
import { $history } from '../commands/engine/dispatch/history.ts';
import { $overrides, $singleKeys } from '../commands/app/keymap.ts';
import type { AdminScript } from '../commands/app/script.ts';
import { loadSignInDictionary } from '../lib/i18n/boot.ts';
import { applyLocale, requestedLocale, type Locale } from '../lib/i18n/locale.ts';
import { watchPrefs } from '../lib/prefs/prefs.ts';
import { queryClient } from '../lib/net/query.ts';
import { clearSession, setAccess } from '../lib/session/session.ts';
import { $loginNotice, syncSession, watchSession } from '../lib/session/watch-session.ts';
import { App } from '../views/layout/app.tsx';
import { registerSession, leavePage, startApi } from './api.ts';
import { press, typeText } from './keys.ts';
import { newsRoutes } from './news.ts';
import { accessOfRole } from './roles.ts';
import '../styles.css';

declare module 'vitest/browser' {
  interface LocatorSelectors {
    css(selector: string): Locator;
  }
}
locators.extend({ css: (selector) => `css=${selector}` });

watchPrefs();
watchSession();

let root: Root | null = null;
let personCount = 0;
let justOpened: string | null = null;
let dictionaryLoaded: Promise<void> | null = null; // once per page, like main.tsx
let language: Locale | null = null;

export const setTestLocale = (locale: Locale): void => void (language = locale);

/** With a seeded role in a fresh browser. */
export async function signIn(role: RoleName = 'all', path = '/', routes: Parameters<typeof startApi>[0] = {}): Promise<void> {
  resetPanel();
  startApi(routes.news ? routes : { news: newsRoutes(), ...routes });
  // A new person each time, because the panel stores data per person.
  personCount += 1;
  const access = accessOfRole(role, `${role}-${personCount}@demo.local`);
  const authorization = `session ${personCount}`;
  registerSession(authorization, access);
  setAccess(access, authorization);
  await openPage(path);
  justOpened = path;
}

/** False unless `signIn` just opened the page. */
export function consumeJustOpened(path: string): boolean {
  const isAlreadyOpen = justOpened === path;
  justOpened = null;
  return isAlreadyOpen;
}

export async function openSignedOut(path: string): Promise<void> {
  resetPanel();
  startApi({});
  await loadPage(path);
}

export async function openPage(path: string): Promise<void> {
  await loadPage(path);
  await vi.waitUntil(() => window.admin, { timeout: 25_000 }); // the first test of a run compiles the panel
}

export async function loadPage(path: string): Promise<void> {
  unmountPage();
  history.replaceState(null, '', path);
  syncSession();
  applyLocale(document.documentElement, requestedLocale());
  await (dictionaryLoaded ??= loadSignInDictionary());
  const element = document.body.appendChild(document.createElement('div'));
  element.id = 'root';
  root = createRoot(element);
  root.render(<App />); // without StrictMode, as in production
  window.focus();
}

function unmountPage(): void {
  justOpened = null;
  leavePage();
  root?.unmount();
  root = null;
  document.getElementById('root')?.remove();
  delete window.admin;
  queryClient.clear();
}

function resetPanel(): void {
  unmountPage();
  clearSession();
  localStorage.clear();
  sessionStorage.clear();
  if (language) localStorage.setItem('locale', language);
  localStorage.setItem('prefs.expert', 'on');
  $loginNotice.set(null);
  $overrides.set({});
  $singleKeys.set(true);
  $history.set([]);
  dispatchEvent(new StorageEvent('storage'));
  $loginNotice.set(null);
}

export const adminScript = (): AdminScript => {
  if (!window.admin) throw new Error('no one is signed in here');
  return window.admin;
};

/** The exact id of a command is always the first row. */
export async function runInPalette(id: CommandId): Promise<void> {
  await press('Control+k');
  await expect.element(page.css('[data-palette-input]')).toHaveFocus();
  await typeText(id);
  await expect.element(page.css('[data-palette] [role="option"]').first()).toHaveAttribute('data-row', id);
  await press('Enter');
}

/** Uncaught errors and console errors fail the test. */
const consoleErrors: string[] = [];
const consoleError = console.error.bind(console);
console.error = (...consoleArgs: unknown[]) => {
  consoleErrors.push(consoleArgs.map(String).join(' '));
  consoleError(...consoleArgs);
};

afterEach(() => {
  unmountPage();
  const messages = consoleErrors.splice(0);
  if (messages.length > 0) throw new Error(`the page complained: ${messages.join('; ')}`);
});
