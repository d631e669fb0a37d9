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
export function findChunks(list: ChunkList, { path, signedIn, locale }: Page): Set<string> {
  const firstSegment = path.split('/')[1] || 'home';
  const chunkKeys = [locale, 'shell', firstSegment, `${locale}/${firstSegment}`];
  const names = signedIn && path !== '/login' ? chunkKeys : ['login'];
  const neededFiles = new Set<string>();
  const addFiles = (key: string) => {
    for (const file of list[key] ?? [])
      if (!neededFiles.has(file)) {
        neededFiles.add(file);
        addFiles(file);
      }
  };
  for (const name of [`${locale}/sign-in`, ...names]) addFiles(name);
  return neededFiles;
}
