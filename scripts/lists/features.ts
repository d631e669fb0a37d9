import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { flattenMenu, ownScreens } from '../../api/menu.ts';

/** A feature is a folder, and its file names say what it has. */
export interface Sources {
  root: string;
  read: (path: string) => string;
  has: (path: string) => boolean;
  folders: (folder: string) => string[];
  /** Without tests. */
  files: (folder: string) => string[];
  load: (path: string) => Promise<Record<string, unknown>>;
}

/** Not features. */
const notFeatures = ['app', 'engine', 'ui', 'layout', 'platform'];

export const sourcesOf = (root: string): Sources => ({
  root,
  read: (path) => readFileSync(join(root, path), 'utf8'),
  has: (path) => existsSync(join(root, path)),
  folders: (folder) =>
    readdirSync(join(root, folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .filter((name) => !notFeatures.includes(name))
      .toSorted(),
  files: (folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
      .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
      .toSorted(),
  load: async (path) => (await import(pathToFileURL(join(root, path)).href)) as Record<string, unknown>,
});

/** `src/commands/news/search.ts`. Features without it are left out. */
export const filesNamed = ({ folders, has }: Sources, folder: string, file: string): { feature: string; path: string }[] =>
  folders(folder)
    .map((feature) => ({ feature, path: `${folder}/${feature}/${file}` }))
    .filter(({ path }) => has(path));

/** Of two commands that match equally, the first is found first. */
const ownFeatures = ['home', 'panel', 'lists', 'saved-views', 'macros', 'qa', 'shortcuts'];

/** In the order of the menu, then the panel's own, then those without a screen. */
export function inMenuOrder(sources: Sources, features: readonly string[]): string[] {
  const [homeNode, ...otherNodes] = flattenMenu();
  const order = [...otherNodes, ...ownScreens].map((node) => node.path);
  const menuPositionOf = (feature: string) => {
    const ownIndex = ownFeatures.indexOf(feature);
    if (ownIndex !== -1) return order.length + ownIndex;
    const path = `src/commands/${feature}/resource.ts`;
    const screenPaths = sources.has(path)
      ? screenPathsIn(sources.read(path)).filter((screenPath) => screenPath !== homeNode?.path)
      : [];
    return Math.min(
      order.length + ownFeatures.length,
      ...screenPaths.map((screenPath) => order.indexOf(screenPath as `/${string}`)),
    );
  };
  return features.toSorted((a, b) => menuPositionOf(a) - menuPositionOf(b) || (a < b ? -1 : 1));
}

export const screenPathsIn = (source: string): string[] => [...source.matchAll(/^  '(\/[^']*)':/gm)].map(([, path = '']) => path);

/** `price-alerts` as an identifier. */
export const toCamelCase = (name: string): string => name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());

export const generatedNotice = '// Made by npm run lists from the folders of the features: not by hand.\n';

export const listEntries = (entries: readonly string[]): string => entries.map((entry) => `  ${entry},\n`).join('');

/** Node 20 lacks `Map.groupBy`. */
export function groupBy<T>(items: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const a of items) groups.set(keyOf(a), [...(groups.get(keyOf(a)) ?? []), a]);
  return groups;
}
