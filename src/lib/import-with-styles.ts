import { chunkTimeout } from './chunk-timeout.ts';

/** Stylesheets that are on the page or on their way, by address. */
const styles = new Map<string, Promise<void>>();

/**
 * Stands for Vite's own preload helper (vite.config.ts): loads a chunk together with its stylesheets, in a quarter
 * of the weight. Vite's takes a stylesheet that failed once for loaded ever after; this one asks for it again.
 */
export async function importWithStyles<T>(
  load: () => Promise<T>,
  files: readonly string[] = [],
  attach: (href: string) => Promise<void> = attachStylesheet,
): Promise<T> {
  const [loaded] = await Promise.all([
    load(),
    ...files.filter((file) => file.endsWith('.css')).map((file) => style(`/${file}`, attach)),
  ]);
  return loaded;
}

function style(href: string, attach: (href: string) => Promise<void>): Promise<void> {
  const known = styles.get(href);
  if (known) return known;
  const pending = attach(href).catch((error: unknown) => {
    styles.delete(href);
    throw error;
  });
  styles.set(href, pending);
  return pending;
}

function attachStylesheet(href: string): Promise<void> {
  return new Promise((resolve, reject) => {
    if (document.querySelector(`link[rel="stylesheet"][href="${href}"]`)) return resolve();
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = href;
    const fail = (cause = '') => {
      clearTimeout(timer);
      link.remove();
      reject(new Error(`Unable to preload CSS for ${href}${cause}`));
    };
    const timer = setTimeout(fail, chunkTimeout, ' (timeout)');
    link.onload = () => {
      clearTimeout(timer);
      resolve();
    };
    link.onerror = () => fail();
    document.head.append(link);
  });
}
