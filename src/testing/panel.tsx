import { createRoot, type Root } from 'react-dom/client';
import { afterEach, expect, vi } from 'vitest';
import { locators, page, type Locator } from 'vitest/browser';
import type { CommandId } from '../../api/names.ts';
import type { RoleName } from '../../server/seed/roles.ts';
import { $history } from '../commands/engine/dispatch/history.ts';
import { $overrides, $singleKeys } from '../commands/app/keymap.ts';
import type { AdminScript } from '../commands/app/script.ts';
import { loadSignInDictionary } from '../lib/i18n/boot.ts';
import { applyLocale, askedLocale, type Locale } from '../lib/i18n/locale.ts';
import { watchPrefs } from '../lib/prefs/prefs.ts';
import { queryClient } from '../lib/net/query.ts';
import { clearSession, setAccess } from '../lib/session/session.ts';
import { $loginNotice, syncSession, watchSession } from '../lib/session/watch-session.ts';
import { App } from '../views/layout/app.tsx';
import { knowSession, leavePage, startApi } from './api.ts';
import { press, type } from './keys.ts';
import { newsRoutes } from './news.ts';
import { accessOf } from './roles.ts';
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
let people = 0;
let justOpened: string | null = null;
let words: Promise<void> | null = null; // once a page, as main.tsx does
let language: Locale | null = null;

/** The language of a file's tests, as the browser's storage says it: a page has one. Without it, the browser's. */
export const speak = (locale: Locale): void => void (language = locale);

/** Opens a screen as somebody with a seeded role, at a browser that has never seen the panel. */
export async function signIn(role: RoleName = 'all', path = '/', routes: Parameters<typeof startApi>[0] = {}): Promise<void> {
  forget();
  startApi(routes.news ? routes : { news: newsRoutes(), ...routes });
  // Another person each time: what the panel keeps by person begins anew.
  people += 1;
  const access = accessOf(role, `${role}-${people}@demo.local`);
  const authorization = `session ${people}`;
  knowSession(authorization, access);
  setAccess(access, authorization);
  await open(path);
  justOpened = path;
}

/** Takes the page as `signIn` has just opened it there; false where it has not, or was taken already. */
export function takeOpened(path: string): boolean {
  const isThere = justOpened === path;
  justOpened = null;
  return isThere;
}

/** Opens an address in a browser where nobody is signed in. */
export async function visit(path: string): Promise<void> {
  forget();
  startApi({});
  await load(path);
}

/** Opens a screen and waits until commands can be given. */
export async function open(path: string): Promise<void> {
  await load(path);
  await vi.waitUntil(() => window.admin, { timeout: 25_000 }); // the first of a run compiles the panel
}

/** Opens an address as if the page were loaded anew: from what storage holds. */
export async function load(path: string): Promise<void> {
  leave();
  history.replaceState(null, '', path);
  syncSession();
  applyLocale(document.documentElement, askedLocale());
  await (words ??= loadSignInDictionary());
  const element = document.body.appendChild(document.createElement('div'));
  element.id = 'root';
  root = createRoot(element);
  root.render(<App />); // without StrictMode: what is shipped runs every effect once
  window.focus();
}

function leave(): void {
  justOpened = null;
  leavePage();
  root?.unmount();
  root = null;
  document.getElementById('root')?.remove();
  delete window.admin;
  queryClient.clear();
}

/** The browser is as if it had never seen the panel. */
function forget(): void {
  leave();
  clearSession();
  localStorage.clear();
  sessionStorage.clear();
  if (language) localStorage.setItem('locale', language);
  localStorage.setItem('prefs.expert', 'on');
  $loginNotice.set(null);
  $overrides.set({});
  $singleKeys.set(true);
  $history.set([]);
  dispatchEvent(new StorageEvent('storage')); // preferences are read again
  $loginNotice.set(null);
}

/** The panel's own script API. */
export const admin = (): AdminScript => {
  if (!window.admin) throw new Error('no one is signed in here');
  return window.admin;
};

/** Runs a command through the palette: its exact id is always the first row. */
export async function palette(id: CommandId): Promise<void> {
  await press('Control+k');
  await expect.element(page.css('[data-palette-input]')).toHaveFocus();
  await type(id);
  await expect.element(page.css('[data-palette] [role="option"]').first()).toHaveAttribute('data-row', id);
  await press('Enter');
}

/** What a test does not say is wrong: uncaught errors fail it by themselves, and so does what the console complains of. */
const complaints: string[] = [];
const consoleError = console.error.bind(console);
console.error = (...said: unknown[]) => {
  complaints.push(said.map(String).join(' '));
  consoleError(...said);
};

afterEach(() => {
  leave();
  const said = complaints.splice(0);
  if (said.length > 0) throw new Error(`the page complained: ${said.join('; ')}`);
});
