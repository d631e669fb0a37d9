import { allNames, functions } from '../../../../api/all-names.ts';
import type { CommandId } from '../../../../api/names.ts';
import { flattenMenu, menu, ownScreens, type MenuNode } from '../../../../api/menu.ts';

export interface BuiltInNode {
  kind: 'menu' | 'function';
  identifier: string;
  zh: string;
  en: string;
  children: BuiltInNode[];
}

export function buildBuiltInTree(nodes: readonly MenuNode[] = menu): BuiltInNode[] {
  const byScreen: Readonly<Record<string, readonly CommandId[]>> = functions;
  return nodes.map(({ path, zh, en, children }) => ({
    kind: 'menu',
    identifier: path,
    zh,
    en,
    children: [
      ...buildBuiltInTree(children ?? []),
      ...(byScreen[path] ?? []).map((id): BuiltInNode => ({
        kind: 'function',
        identifier: id,
        zh: allNames[id].zh,
        en: allNames[id].en,
        children: [],
      })),
    ],
  }));
}

const screenPaths = new Set<string>(flattenMenu().flatMap(({ path, children }) => (children ? [] : [path])));
const menuPaths = new Set<string>(flattenMenu().map(({ path }) => path));
const functionIdentifiers = new Set<string>(Object.values(functions).flat());
const ownPaths = new Set<string>(ownScreens.map(({ path }) => path));

export const isScreen = (identifier: string): boolean => screenPaths.has(identifier) || ownPaths.has(identifier);

export const hasEffect = ({ kind, identifier }: { kind: 'menu' | 'function'; identifier: string }): boolean =>
  (kind === 'menu' ? menuPaths : functionIdentifiers).has(identifier);
