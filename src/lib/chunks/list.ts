/**
 * What imports what in the build (vite.config.ts): the scripts, by address, that one imports before it runs; and those of a view or
 * a language, by its name. What every page begins with is not in it, nor a script that imports nothing else.
 */
export type ChunkList = Readonly<Record<string, readonly string[]>>;

/** What decides which chunks a page needs first. */
interface Page {
  path: string;
  signedIn: boolean;
  locale: string;
}

/**
 * Addresses of the chunks a page needs, each before those it imports; none where there is no build.
 * A view's chunk has the name of its folder: the first part of the path. One of another name comes a moment later.
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
