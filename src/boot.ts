/** Blocking, before the first paint. */
import { applyLocale, requestedLocale, resolveDictionaryLocale } from './lib/i18n/locale.ts';
import { chunkTimeout } from './lib/chunks/timeout.ts';
import { findChunks, type ChunkList } from './lib/chunks/list.ts';
import { prefetchList } from './lib/net/prefetch-list.ts';
import { readStored } from './lib/prefs/storage.ts';
import { applyAppearance, storedDensity, storedTheme } from './lib/prefs/theme.ts';

// Chromium 117, Firefox 128, Safari 17.4. Older browsers run this file too.
const isUnsupported = !(
  window.AbortSignal &&
  'any' in AbortSignal &&
  'registerProperty' in CSS &&
  CSS.supports('grid-template-rows', 'subgrid')
);
if (isUnsupported) {
  document.documentElement.dataset['old'] = '';
  addEventListener('DOMContentLoaded', () => {
    for (const messageElement of document.querySelectorAll('#start > p')) messageElement.toggleAttribute('hidden');
  });
}

declare global {
  interface Window {
    chunks?: ChunkList;
    /** The identity provider's answer, or its request to start a sign-in. */
    ssoQuery?: string;
    earlyKeys?: {
      keep(): void;
      take(): KeyboardEvent[];
    };
  }
}

// Before the first request, so that the code reaches no history and no other server.
const ssoQuery = location.pathname === '/login' && /[?&](code|error|iss)=/.test(location.search) && location.search.slice(1);
if (ssoQuery) {
  window.ssoQuery = ssoQuery;
  history.replaceState(history.state, '', location.pathname + location.hash);
}

const locale = requestedLocale();
applyLocale(document.documentElement, locale);
applyAppearance(document.documentElement, storedTheme(), storedDensity());

function reportScriptError(assetKind: string, cause: string): void {
  const startElement = document.getElementById('start');
  if (!startElement) return addEventListener('DOMContentLoaded', () => reportScriptError(assetKind, cause));
  startElement.dataset['failed'] = '';
  startElement.firstElementChild?.replaceChildren(`Loading ${assetKind} failed (${cause})`);
}

const isBundledScript = (address: string) => {
  const { origin, pathname } = new URL(address, location.href);
  return origin === location.origin && pathname !== location.pathname;
};

const isStarted = () => document.querySelector('#root > *');

addEventListener(
  'error',
  ({ target, error, filename }: ErrorEvent) => {
    if (isStarted()) return;
    if (target instanceof HTMLScriptElement) {
      if (isBundledScript(target.src)) void reportLoadFailure('chunk', target.src);
    } else if (target instanceof HTMLLinkElement) {
      if (target.rel === 'stylesheet' && isBundledScript(target.href)) void reportLoadFailure('CSS chunk', target.href);
    } else if (error && (error.name === 'ChunkError' || (filename && isBundledScript(filename))))
      reportScriptError('chunk', error.reason ?? error.name);
  },
  true,
);
// A hanging stylesheet blocks rendering.
setTimeout(() => {
  if (isStarted()) return;
  const pendingStylesheets = Array.from(document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')).filter(
    ({ sheet }) => !sheet,
  );
  reportScriptError(pendingStylesheets.length ? 'CSS chunk' : 'chunk', 'timeout');
  for (const sheet of pendingStylesheets) sheet.remove();
}, chunkTimeout);

async function reportLoadFailure(assetKind: string, address: string): Promise<void> {
  reportScriptError(assetKind, 'missing');
  const response = await fetch(address, { method: 'HEAD' }).catch(() => null);
  const type = response?.ok && response.headers.get('content-type')?.split(';')[0];
  if (type && !/script|css/.test(type)) reportScriptError(assetKind, type);
}

// Never keys typed into a field.
const earlyKeys: KeyboardEvent[] = [];
const recordEarlyKey = (event: KeyboardEvent) => {
  const { target, key, altKey } = event;
  const isModifierPressed = event.ctrlKey || event.metaKey;
  const isPaletteShortcut = isModifierPressed && key.toLowerCase() === 'k';
  const isUnfocused =
    target === document.body || (target as Element).matches('button[aria-busy=true],[data-command="palette.open"]');
  if (!isUnfocused || (key.length > 1 && key !== 'Escape') || altKey || (isModifierPressed && !isPaletteShortcut)) return;
  if (isPaletteShortcut) event.preventDefault();
  if (earlyKeys.length < 20) earlyKeys.push(event);
};
window.earlyKeys = {
  keep: () => addEventListener('keydown', recordEarlyKey),
  take: () => {
    removeEventListener('keydown', recordEarlyKey);
    return earlyKeys.splice(0);
  },
};
const authorization = readStored('Authorization');
if (authorization) window.earlyKeys.keep();
if (!isUnsupported) prefetchList(location, authorization, readStored('permittedRoutes'));

const page = { path: location.pathname, signedIn: Boolean(authorization), locale: resolveDictionaryLocale(locale) };
const { chunks = '{}' } = (document.currentScript as HTMLScriptElement).dataset;
window.chunks = JSON.parse(chunks) as ChunkList;
// A failed module would break later imports (lib/chunks/import-with-styles.ts).
for (const href of findChunks(window.chunks, page))
  document.head.append(Object.assign(document.createElement('link'), { rel: 'preload', as: 'script', crossOrigin: '', href }));
