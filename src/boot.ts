/**
 * Runs before the first paint, as a blocking script of its own because the content policy allows none inline.
 * Sets language, direction, theme and density, and asks at once for the chunks and the rows this page is going to need.
 */
import { applyLocale, askedLocale, dictionaryFor } from './lib/i18n/locale.ts';
import { chunkTimeout } from './lib/chunks/timeout.ts';
import { chunksFor, type ChunkList } from './lib/chunks/list.ts';
import { askEarly } from './lib/net/early.ts';
import { readStored } from './lib/prefs/storage.ts';
import { applyAppearance, storedDensity, storedTheme } from './lib/prefs/theme.ts';

// What the newest of what the panel uses came with: Chromium 117, Firefox 128, Safari 17.4 (README). This file alone also runs in older ones.
const isOld = !(
  window.AbortSignal &&
  'any' in AbortSignal &&
  'registerProperty' in CSS &&
  CSS.supports('grid-template-rows', 'subgrid')
);
if (isOld) {
  document.documentElement.dataset['old'] = ''; // main.tsx stays away
  addEventListener('DOMContentLoaded', () => {
    for (const words of document.querySelectorAll('#start > p')) words.toggleAttribute('hidden');
  });
}

declare global {
  interface Window {
    /** What imports what; none while developing. */
    chunks?: ChunkList;
    earlyKeys?: {
      /** From here on, what is pressed while nobody listens is kept. */
      keep(): void;
      /** What was kept; no more is. */
      take(): KeyboardEvent[];
    };
  }
}

const asked = askedLocale();
applyLocale(document.documentElement, asked);
applyAppearance(document.documentElement, storedTheme(), storedDensity());

/** As long as the panel does not stand, index.html's own words say what is missing: nothing else is there to. */
function failed(part: string, cause: string): void {
  const start = document.getElementById('start');
  if (!start) return addEventListener('DOMContentLoaded', () => failed(part, cause));
  start.dataset['failed'] = '';
  start.firstElementChild?.replaceChildren(`Loading ${part} failed (${cause})`);
}

/** Whether a file is the panel's own. Extensions bring files and errors of theirs, and put code into the page itself. */
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
// As long as any chunk may take (lib/chunks/timeout.ts). A stylesheet that hangs keeps the page blank: away with it.
setTimeout(() => {
  if (isStarted()) return;
  const hanging = Array.from(document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')).filter(({ sheet }) => !sheet);
  failed(hanging.length ? 'CSS chunk' : 'chunk', 'timeout');
  for (const sheet of hanging) sheet.remove();
}, chunkTimeout);

/** The cause is missing, or the type of what came in its place. */
async function tell(part: string, address: string): Promise<void> {
  failed(part, 'missing'); // at once: the panel leaves the words of what failed where they are
  const answer = await fetch(address, { method: 'HEAD' }).catch(() => null);
  const type = answer?.ok && answer.headers.get('content-type')?.split(';')[0];
  if (type && !/script|css/.test(type)) failed(part, type);
}

// Who is quicker than the page: keys pressed before anybody listens are kept for whoever comes (key-listener.ts), in their order.
// Also those pressed while a sign-in is under way, whose button has the focus then, and those for the palette that was clicked
// open; never what is typed into a field.
const early: KeyboardEvent[] = [];
const note = (event: KeyboardEvent) => {
  const { target, key, altKey } = event;
  const isMod = event.ctrlKey || event.metaKey;
  const isOpening = isMod && key.toLowerCase() === 'k';
  const isNobodys =
    target === document.body || (target as Element).matches('button[aria-busy=true],[data-command="palette.open"]');
  if (!isNobodys || (key.length > 1 && key !== 'Escape') || altKey || (isMod && !isOpening)) return;
  if (isOpening) event.preventDefault(); // the browser's own search
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
if (!isOld) askEarly(location, authorization, readStored('permittedRoutes'));

const page = { path: location.pathname, signedIn: Boolean(authorization), locale: dictionaryFor(asked) };
const { chunks = '{}' } = (document.currentScript as HTMLScriptElement).dataset;
window.chunks = JSON.parse(chunks) as ChunkList;
// Not as modules: a failure would stand in the way of every later import (lib/chunks/import-with-styles.ts).
for (const href of chunksFor(window.chunks, page))
  document.head.append(Object.assign(document.createElement('link'), { rel: 'preload', as: 'script', crossOrigin: '', href }));
