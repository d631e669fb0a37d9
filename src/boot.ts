/**
 * Runs before the first paint, as a blocking script of its own because the content policy allows none inline.
 * Sets language, direction, theme and density, and asks at once for the chunks this page is going to need.
 */
import { applyLocale, askedLocale, dictionaryFor } from './lib/i18n/locale.ts';
import { chunkTimeout } from './lib/chunk-timeout.ts';
import { chunksFor } from './lib/preload.ts';
import { readStored } from './lib/storage.ts';
import { applyAppearance, storedDensity, storedTheme } from './lib/theme.ts';

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

const isStarted = () => document.getElementById('root')?.firstChild;

addEventListener(
  'error',
  ({ target, error }: ErrorEvent) => {
    if (isStarted()) return;
    if (target instanceof HTMLScriptElement) void tell('chunk', target.src);
    else if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') void tell('CSS chunk', target.href);
    else if (error) failed('chunk', error.reason ?? error.name);
  },
  true,
);
// As long as any chunk may take (lib/loader.ts). A stylesheet that hangs keeps the page blank: away with it.
setTimeout(() => {
  const sheet = document.querySelector<HTMLLinkElement>('link[rel=stylesheet]');
  if (isStarted()) return;
  failed(sheet?.sheet ? 'chunk' : 'CSS chunk', 'timeout');
  if (!sheet?.sheet) sheet?.remove();
}, chunkTimeout);

/** The cause is missing, or the type of what came in its place. */
async function tell(part: string, address: string): Promise<void> {
  failed(part, 'missing'); // at once: the panel leaves the words of what failed where they are
  const answer = await fetch(address, { method: 'HEAD' }).catch(() => null);
  const type = answer?.ok && answer.headers.get('content-type')?.split(';')[0];
  if (type && !/script|css/.test(type)) failed(part, type);
}

const page = { path: location.pathname, signedIn: Boolean(readStored('Authorization')), locale: dictionaryFor(asked) };
for (const href of chunksFor(document.currentScript?.dataset['chunks'], page)) {
  const link = document.createElement('link');
  link.rel = 'modulepreload';
  link.href = href;
  document.head.append(link);
}
