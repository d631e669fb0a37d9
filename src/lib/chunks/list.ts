/** Scripts that each script, view or language imports, by address or name (vite.config.ts). Without the entry's imports. */
export type ChunkList = Readonly<Record<string, readonly string[]>>;

interface Page {
  path: string;
  signedIn: boolean;
  locale: string;
}

/**
 * Chunk addresses, dependencies first, empty without a build. A view's chunk is named after its folder, the first part of the
 * path.
 */
export function chunksFor(list: ChunkList, { path, signedIn, locale }: Page): Set<string> {
  const first = path.split('/')[1] || 'home';
  const inside = [locale, 'shell', first, `${locale}/${first}`];
  const names = signedIn && path !== '/login' ? inside : ['login'];
  const needed = new Set<string>();
  const add = (key: string) => {
    for (const file of list[key] ?? [])
      if (!needed.has(file)) {
        needed.add(file);
        add(file);
      }
  };
  for (const name of [`${locale}/sign-in`, ...names]) add(name);
  return needed;
}
