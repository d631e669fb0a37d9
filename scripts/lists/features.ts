import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { flatMenu, ownScreens } from '../../api/menu.ts';

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
  const [home, ...others] = flatMenu();
  const order = [...others, ...ownScreens].map((node) => node.path);
  const firstOf = (feature: string) => {
    const own = ownFeatures.indexOf(feature);
    if (own !== -1) return order.length + own;
    const path = `src/commands/${feature}/resource.ts`;
    const places = sources.has(path) ? placesIn(sources.read(path)).filter((place) => place !== home?.path) : [];
    return Math.min(order.length + ownFeatures.length, ...places.map((place) => order.indexOf(place as `/${string}`)));
  };
  return features.toSorted((one, other) => firstOf(one) - firstOf(other) || (one < other ? -1 : 1));
}

export const placesIn = (source: string): string[] => [...source.matchAll(/^  '(\/[^']*)':/gm)].map(([, path = '']) => path);

/** `price-alerts` as an identifier. */
export const toCamelCase = (name: string): string => name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());

export const generatedNotice = '// Made by npm run lists from the folders of the features: not by hand.\n';

export const listEntries = (all: readonly string[]): string => all.map((entry) => `  ${entry},\n`).join('');

/** Node 20 lacks `Map.groupBy`. */
export function groupBy<T>(all: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return groups;
}
