import { chunkTimeout } from './timeout.ts';
import { ChunkError } from './loader.ts';
import { ask, hear } from '../net/connectivity.ts';

/** Files of the build that are here or on their way, by address. */
const files = new Map<string, Promise<unknown>>();
const asked = new Set<string>();

/**
 * Stands for Vite's own preload helper (vite.config.ts). Browsers remember an import that failed, many of them for as long as
 * the page stands: so one is begun only when its script, all that imports and its stylesheets are here. A fetch can be asked again.
 */
export async function importWithStyles<T>(
  load: () => Promise<T>,
  parts: readonly string[] = [],
  page: Page = { download, attach },
): Promise<T> {
  // The call itself says which script it imports: a list of them beside the calls would weigh more than all of this.
  const name = /import\(.\.(\/[\w.-]+)/.exec(String(load))?.[1];
  const styles = parts.filter((file) => file.endsWith('.css'));
  await Promise.all([...(name ? [`/assets${name}`] : []), ...styles.map((file) => `/${file}`)].map((href) => bring(href, page)));
  return load();
}

/** Where files come from and stylesheets go to. */
interface Page {
  download: (href: string) => Promise<string>;
  attach: (href: string) => Promise<void>;
}

/** A stylesheet, or a script with those it imports: they never import each other in a circle (scripts/size.mjs). */
function bring(href: string, page: Page): Promise<unknown> {
  const known = files.get(href);
  if (known) return known;
  const work = async () => {
    const text = await page.download(href);
    if (href.endsWith('.css')) return page.attach(href);
    return Promise.all([...text.matchAll(/(?:from|import)"\.(\/[^"]+)/g)].map(([, name]) => bring(`/assets${name}`, page)));
  };
  const pending = work().catch((error: unknown) => {
    files.delete(href);
    throw error;
  });
  files.set(href, pending);
  return pending;
}

/** Its text, into the browser's cache too; none of what the page began with. The second time past that cache: it may hold something broken. */
async function download(href: string): Promise<string> {
  if (document.querySelector(`link[href="${href}"]:not([rel=preload])`)) return '';
  const isScript = href.endsWith('.js');
  const fail = (reason: string, cause?: unknown) => new ChunkError(isScript ? 'chunk' : 'styles', reason, cause);
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(fail('timeout')), chunkTimeout);
  try {
    const answer = await fetch(href, { cache: asked.has(href) ? 'reload' : 'default', signal: stop.signal });
    hear(answer);
    const type = answer.headers.get('content-type')?.split(';')[0];
    if (!answer.ok || !type) throw fail('missing');
    if (!/script|css/.test(type)) throw fail(type);
    const text = await answer.text();
    // Each script of the build ends with what it exports (scripts/size.mjs): one that does not was cut short.
    if (isScript && !/export\{[^}]*\}(from"[^"]+")?;\s*$/.test(text)) throw fail('SyntaxError');
    return text;
  } catch (error) {
    if (error instanceof ChunkError) throw error;
    void ask();
    throw fail('missing', error);
  } finally {
    asked.add(href);
    clearTimeout(timer);
  }
}

function attach(href: string): Promise<void> {
  return new Promise((resolve, reject) => {
    if (document.querySelector(`link[rel="stylesheet"][href="${href}"]`)) return resolve();
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = href;
    link.onload = () => resolve();
    link.onerror = () => {
      link.remove();
      reject(new ChunkError('styles', 'missing'));
    };
    document.head.append(link);
  });
}
