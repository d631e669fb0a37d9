/** Blocking, before the first paint. */
import { applyLocale, requestedLocale, dictionaryFor } from './lib/i18n/locale.ts';
import { chunkTimeout } from './lib/chunks/timeout.ts';
import { chunksFor, type ChunkList } from './lib/chunks/list.ts';
import { prefetchList } from './lib/net/prefetch-list.ts';
import { readStored } from './lib/prefs/storage.ts';
import { applyAppearance, storedDensity, storedTheme } from './lib/prefs/theme.ts';

// Chromium 117, Firefox 128, Safari 17.4. Older browsers run this file too.
const isOld = !(
  window.AbortSignal &&
  'any' in AbortSignal &&
  'registerProperty' in CSS &&
  CSS.supports('grid-template-rows', 'subgrid')
);
if (isOld) {
  document.documentElement.dataset['old'] = '';
  addEventListener('DOMContentLoaded', () => {
    for (const words of document.querySelectorAll('#start > p')) words.toggleAttribute('hidden');
  });
}

declare global {
  interface Window {
    chunks?: ChunkList;
    earlyKeys?: {
      keep(): void;
      take(): KeyboardEvent[];
    };
  }
}

const asked = requestedLocale();
applyLocale(document.documentElement, asked);
applyAppearance(document.documentElement, storedTheme(), storedDensity());

function failed(part: string, cause: string): void {
  const start = document.getElementById('start');
  if (!start) return addEventListener('DOMContentLoaded', () => failed(part, cause));
  start.dataset['failed'] = '';
  start.firstElementChild?.replaceChildren(`Loading ${part} failed (${cause})`);
}

const isOwn = (address: string) => {
  const { origin, pathname } = new URL(address, location.href);
  return origin === location.origin && pathname !== location.pathname;
};

const isStarted = () => document.querySelector('#root > *');

addEventListener(
  'error',
  ({ target, error, filename }: ErrorEvent) => {
    if (isStarted()) return;
    if (target instanceof HTMLScriptElement) {
      if (isOwn(target.src)) void tell('chunk', target.src);
    } else if (target instanceof HTMLLinkElement) {
      if (target.rel === 'stylesheet' && isOwn(target.href)) void tell('CSS chunk', target.href);
    } else if (error && (error.name === 'ChunkError' || (filename && isOwn(filename))))
      failed('chunk', error.reason ?? error.name);
  },
  true,
);
// A hanging stylesheet blocks rendering.
setTimeout(() => {
  if (isStarted()) return;
  const hanging = Array.from(document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')).filter(({ sheet }) => !sheet);
  failed(hanging.length ? 'CSS chunk' : 'chunk', 'timeout');
  for (const sheet of hanging) sheet.remove();
}, chunkTimeout);

async function tell(part: string, address: string): Promise<void> {
  failed(part, 'missing');
  const response = await fetch(address, { method: 'HEAD' }).catch(() => null);
  const type = response?.ok && response.headers.get('content-type')?.split(';')[0];
  if (type && !/script|css/.test(type)) failed(part, type);
}

// Never keys typed into a field.
const early: KeyboardEvent[] = [];
const note = (event: KeyboardEvent) => {
  const { target, key, altKey } = event;
  const isMod = event.ctrlKey || event.metaKey;
  const isOpening = isMod && key.toLowerCase() === 'k';
  const isNobodys =
    target === document.body || (target as Element).matches('button[aria-busy=true],[data-command="palette.open"]');
  if (!isNobodys || (key.length > 1 && key !== 'Escape') || altKey || (isMod && !isOpening)) return;
  if (isOpening) event.preventDefault();
  if (early.length < 20) early.push(event);
};
window.earlyKeys = {
  keep: () => addEventListener('keydown', note),
  take: () => {
    removeEventListener('keydown', note);
    return early.splice(0);
  },
};
const authorization = readStored('Authorization');
if (authorization) window.earlyKeys.keep();
if (!isOld) prefetchList(location, authorization, readStored('permittedRoutes'));

const page = { path: location.pathname, signedIn: Boolean(authorization), locale: dictionaryFor(asked) };
const { chunks = '{}' } = (document.currentScript as HTMLScriptElement).dataset;
window.chunks = JSON.parse(chunks) as ChunkList;
// A failed module would break later imports (lib/chunks/import-with-styles.ts).
for (const href of chunksFor(window.chunks, page))
  document.head.append(Object.assign(document.createElement('link'), { rel: 'preload', as: 'script', crossOrigin: '', href }));
