import { ask, hear } from '../net/connectivity.ts';
import { ChunkError, inTime } from './loader.ts';
import { chunkTimeout } from './timeout.ts';

/** Files of the build that are here or on their way, by address; null for one that did not come. */
const files = new Map<string, Promise<unknown> | null>();

/**
 * Stands for Vite's own preload helper (vite.config.ts). Many browsers remember an import that failed for as long as the page
 * stands: so one is begun only when its script, all that imports and its stylesheets are here. Those can be asked for again.
 */
export async function importWithStyles<T>(load: () => Promise<T>, parts: readonly string[] = [], page: Page = ours): Promise<T> {
  // The call itself says which script it imports: a list of them beside the calls would weigh more than all of this.
  const name = /import\(.\.(\/[\w.-]+)/.exec(String(load))?.[1];
  const scripts = name ? [`/assets${name}`] : [];
  const styles = parts.filter(isStyles).map((file) => `/${file}`);
  await Promise.all([...scripts, ...styles].map((href) => bring(href, page)));
  try {
    return await load();
  } catch (error) {
    // What came may be no script, but a page in its place: that is said.
    if (error instanceof TypeError) await Promise.all(scripts.map((href) => look(href, page)));
    throw error;
  }
}

/** Where files come from. */
interface Page {
  /** The scripts that one imports before it runs, without those that the page began with. */
  importsOf: (href: string) => readonly string[];
  /** Brings a script to where an import finds it, or puts a stylesheet in; false where it does not come. */
  link: (href: string) => Promise<boolean>;
  /** Brings a file past the browser's cache into it; rejects with what is wrong with it. */
  download: (href: string) => Promise<void>;
}

const ours: Page = { importsOf: (href) => window.chunks?.[href] ?? [], link, download };

const isStyles = (file: string) => file.endsWith('.css');

const fail = (href: string, reason: string, cause?: unknown) =>
  new ChunkError(isStyles(href) ? 'styles' : 'chunk', reason, cause);

/** A stylesheet, or a script with those it imports: they never import each other in a circle (scripts/size.mjs). */
function bring(href: string, page: Page): Promise<unknown> {
  const known = files.get(href);
  if (known) return known;
  // As what it is, not as text: a script would be fetched twice, which was half the work of a page's whole start. One that did not
  // come is asked for past the browser's cache, which may hold something broken.
  const own = async () => {
    if (known !== null && (await page.link(href))) return;
    await page.download(href);
    if (isStyles(href) && !(await page.link(href))) throw fail(href, 'missing');
  };
  const late = fail(href, 'timeout');
  const pending = Promise.all([inTime(own, late), ...page.importsOf(href).map((imported) => bring(imported, page))]).catch(
    (error: unknown) => {
      files.set(href, null);
      throw error;
    },
  );
  files.set(href, pending);
  return pending;
}

/** Downloads a script and all it imports once more; rejects with what is wrong with one of them. */
async function look(href: string, page: Page): Promise<unknown> {
  return Promise.all([page.download(href), ...page.importsOf(href).map((imported) => look(imported, page))]);
}

function link(href: string, rel = isStyles(href) ? 'stylesheet' : 'preload'): Promise<boolean> {
  return new Promise((resolve) => {
    if (document.querySelector(`link[rel="stylesheet"][href="${href}"]`)) return resolve(true);
    const element = Object.assign(document.createElement('link'), { rel, as: 'script', crossOrigin: '', href });
    element.onload = () => resolve(true);
    // Whoever asks next for a script that could not be preloaded fails with it, in Chromium: let that be one by a name of its own.
    element.onerror = () => resolve(rel === 'preload' && link(`${href}#`, 'modulepreload').then(() => false));
    document.head.append(element);
  });
}

async function download(href: string): Promise<void> {
  // An import would wait with one that hangs; taken out, it is broken off.
  for (const element of document.querySelectorAll(`link[href="${href}"]`)) element.remove();
  try {
    // Nobody waits for it by then (inTime).
    const answer = await fetch(href, { cache: 'reload', signal: AbortSignal.timeout(2 * chunkTimeout) });
    hear(answer);
    const type = answer.headers.get('content-type')?.split(';')[0];
    if (!answer.ok || !type) throw fail(href, 'missing');
    if (!/script|css/.test(type)) throw fail(href, type);
    await answer.text();
  } catch (error) {
    if (error instanceof ChunkError) throw error;
    void ask();
    throw fail(href, 'missing', error);
  }
}
