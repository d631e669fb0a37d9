import { allNames, functions } from '../../../../api/all-names.ts';
import type { CommandId } from '../../../../api/names.ts';
import { flatMenu, menu, ownScreens, type MenuNode } from '../../../../api/menu.ts';

export interface BuiltInNode {
  kind: 'menu' | 'function';
  identifier: string;
  zh: string;
  en: string;
  children: BuiltInNode[];
}

export function builtInTree(nodes: readonly MenuNode[] = menu): BuiltInNode[] {
  const byScreen: Readonly<Record<string, readonly CommandId[]>> = functions;
  return nodes.map(({ path, zh, en, children }) => ({
    kind: 'menu',
    identifier: path,
    zh,
    en,
    children: [
      ...builtInTree(children ?? []),
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

const screens = new Set<string>(flatMenu().flatMap(({ path, children }) => (children ? [] : [path])));
const menus = new Set<string>(flatMenu().map(({ path }) => path));
const rights = new Set<string>(Object.values(functions).flat());
const own = new Set<string>(ownScreens.map(({ path }) => path));

export const isScreen = (identifier: string): boolean => screens.has(identifier) || own.has(identifier);

export const hasEffect = ({ kind, identifier }: { kind: 'menu' | 'function'; identifier: string }): boolean =>
  (kind === 'menu' ? menus : rights).has(identifier);
