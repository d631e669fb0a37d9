/** What decides which chunks a page needs first. */
interface Page {
  path: string;
  signedIn: boolean;
  locale: string;
}

/**
 * Addresses of the chunks a page needs, from the build's JSON list by chunk name; none where there is no build.
 * A view's chunk has the name of its file: the first part of the path. One of another name comes a moment later.
 */
export function chunksFor(list: string | undefined, { path, signedIn, locale }: Page): string[] {
  const chunks = parseList(list);
  const first = path.split('/')[1] || 'home';
  const inside = [locale, 'shell', first, `${locale}/${first}`];
  const names = signedIn && path !== '/login' ? inside : ['login'];
  return [...new Set([`${locale}/sign-in`, ...names].flatMap((name) => chunks[name] ?? []))];
}

function parseList(list: string | undefined): Record<string, string[]> {
  try {
    return JSON.parse(list ?? '{}') as Record<string, string[]>;
  } catch {
    return {};
  }
}
