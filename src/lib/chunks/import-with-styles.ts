import { pingServer, recordResponse } from '../net/connectivity.ts';
import { ChunkError, withTimeout } from './loader.ts';
import { chunkTimeout } from './timeout.ts';

/** Files loaded or loading, by address. Null after a failure. */
const files = new Map<string, Promise<unknown> | null>();

/**
 * Replaces Vite's preload helper (vite.config.ts). Browsers cache a failed import, so import only after all files have loaded.
 */
export async function importWithStyles<T>(
  importModule: () => Promise<T>,
  files: readonly string[] = [],
  page: Page = currentPage,
): Promise<T> {
  // Keeps a list of scripts out of the bundle.
  const name = /import\(.\.(\/[\w.-]+)/.exec(String(importModule))?.[1];
  const scripts = name ? [`/assets${name}`] : [];
  const styles = files.filter(isStylesheet).map((file) => `/${file}`);
  await Promise.all([...scripts, ...styles].map((href) => loadChunk(href, page)));
  try {
    return await importModule();
  } catch (error) {
    // A TypeError may mean an error page instead of a script.
    if (error instanceof TypeError) await Promise.all(scripts.map((href) => checkFile(href, page)));
    throw error;
  }
}

interface Page {
  /** Scripts imported before this one runs, without those loaded at the start. */
  importsOf: (href: string) => readonly string[];
  /** False on failure. */
  link: (href: string) => Promise<boolean>;
  /** Bypasses the browser's cache. Throws if the file is unusable. */
  download: (href: string) => Promise<void>;
}

const currentPage: Page = { importsOf: (href) => window.chunks?.[href] ?? [], link: linkFile, download: downloadFile };

const isStylesheet = (file: string) => file.endsWith('.css');

const chunkError = (href: string, reason: string, cause?: unknown) =>
  new ChunkError(isStylesheet(href) ? 'styles' : 'chunk', reason, cause);

/** Scripts never import each other in a circle (scripts/size.mjs). */
function loadChunk(href: string, page: Page): Promise<unknown> {
  const pendingFile = files.get(href);
  if (pendingFile) return pendingFile;
  // Preload as a script, because a fetched text would be loaded twice. Retries bypass a possibly broken cache.
  const loadFile = async () => {
    if (pendingFile !== null && (await page.link(href))) return;
    await page.download(href);
    if (isStylesheet(href) && !(await page.link(href))) throw chunkError(href, 'missing');
  };
  const timeoutError = chunkError(href, 'timeout');
  const pending = Promise.all([
    withTimeout(loadFile, timeoutError),
    ...page.importsOf(href).map((imported) => loadChunk(imported, page)),
  ]).catch((error: unknown) => {
    files.set(href, null);
    throw error;
  });
  files.set(href, pending);
  return pending;
}

/** Throws for the first unusable script. */
async function checkFile(href: string, page: Page): Promise<unknown> {
  return Promise.all([page.download(href), ...page.importsOf(href).map((imported) => checkFile(imported, page))]);
}

function linkFile(href: string, rel = isStylesheet(href) ? 'stylesheet' : 'preload'): Promise<boolean> {
  return new Promise((resolve) => {
    if (document.querySelector(`link[rel="stylesheet"][href="${href}"]`)) return resolve(true);
    const element = Object.assign(document.createElement('link'), { rel, as: 'script', crossOrigin: '', href });
    element.onload = () => resolve(true);
    // Chromium fails the next request after a failed preload, so use up that failure under another URL.
    element.onerror = () => resolve(rel === 'preload' && linkFile(`${href}#`, 'modulepreload').then(() => false));
    document.head.append(element);
  });
}

async function downloadFile(href: string): Promise<void> {
  // Removing the link aborts a hanging request, which the import would wait for.
  for (const element of document.querySelectorAll(`link[href="${href}"]`)) element.remove();
  try {
    const response = await fetch(href, { cache: 'reload', signal: AbortSignal.timeout(2 * chunkTimeout) });
    recordResponse(response);
    const type = response.headers.get('content-type')?.split(';')[0];
    if (!response.ok || !type) throw chunkError(href, 'missing');
    if (!/script|css/.test(type)) throw chunkError(href, type);
    await response.text();
  } catch (error) {
    if (error instanceof ChunkError) throw error;
    void pingServer();
    throw chunkError(href, 'missing', error);
  }
}
