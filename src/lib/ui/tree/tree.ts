/** Sorted parents first, siblings in order. */
export interface TreeItem {
  id: string;
  parentId: string | null;
}

/** A visible item, with its position for screen readers. */
export interface TreeRow<Item> {
  item: Item;
  level: number;
  hasChildren: boolean;
  isOpen: boolean;
  /** From 1, among visible siblings. */
  position: number;
  size: number;
}

/** Children only of open items. With `only`, just these items, all open. */
export function treeRowsOf<Item extends TreeItem>(
  items: readonly Item[],
  closed: ReadonlySet<string>,
  only: ReadonlySet<string> | null = null,
): TreeRow<Item>[] {
  const children = new Map<string | null, Item[]>();
  for (const item of items) {
    if (only && !only.has(item.id)) continue;
    children.set(item.parentId, [...(children.get(item.parentId) ?? []), item]);
  }
  const under = (parentId: string | null, level: number): TreeRow<Item>[] => {
    const siblings = children.get(parentId) ?? [];
    return siblings.flatMap((item, at) => {
      const hasChildren = children.has(item.id);
      const isOpen = hasChildren && (only !== null || !closed.has(item.id));
      const line = { item, level, hasChildren, isOpen, position: at + 1, size: siblings.length };
      return isOpen ? [line, ...under(item.id, level + 1)] : [line];
    });
  };
  return under(null, 1);
}

/** Includes all ancestors. */
export function matchingIds<Item extends TreeItem>(items: readonly Item[], isMatch: (item: Item) => boolean): Set<string> {
  const byId = new Map(items.map((item) => [item.id, item]));
  const found = new Set<string>();
  for (const item of items) {
    if (!isMatch(item)) continue;
    for (let at: Item | undefined = item; at && !found.has(at.id); at = at.parentId === null ? undefined : byId.get(at.parentId))
      found.add(at.id);
  }
  return found;
}

export function subtreeOf<Item extends TreeItem>(items: readonly Item[], id: string): Item[] {
  const inside = new Set([id]);
  return items.filter((item) => {
    const isInside = item.id === id || (item.parentId !== null && inside.has(item.parentId));
    if (isInside) inside.add(item.id);
    return isInside;
  });
}

/** Null: the key does nothing. */
export type TreeStep = { go: number } | { open: string } | { close: string } | null;

/** `key` as in KeyboardEvent. Sideways arrows swap in right-to-left pages. */
export function treeStep<Item extends TreeItem>(
  lines: readonly TreeRow<Item>[],
  at: number,
  key: string,
  isRtl = false,
): TreeStep {
  const line = lines[at];
  const inward = isRtl ? 'ArrowLeft' : 'ArrowRight';
  const outward = isRtl ? 'ArrowRight' : 'ArrowLeft';
  const go = (to: number): TreeStep => (to >= 0 && to < lines.length && to !== at ? { go: to } : null);
  if (key === 'ArrowDown') return go(at + 1);
  if (key === 'ArrowUp') return go(at - 1);
  if (key === 'Home') return go(0);
  if (key === 'End') return go(lines.length - 1);
  if (!line) return null;
  if (key === inward) return line.hasChildren ? (line.isOpen ? go(at + 1) : { open: line.item.id }) : null;
  if (key !== outward) return null;
  if (line.isOpen) return { close: line.item.id };
  return go(lines.findIndex(({ item }) => item.id === line.item.parentId));
}

export function checkStateOf<Item extends TreeItem>(
  items: readonly Item[],
  chosen: ReadonlySet<string>,
  id: string,
): boolean | 'mixed' {
  const inside = subtreeOf(items, id);
  const count = inside.filter((item) => chosen.has(item.id)).length;
  return count === inside.length ? true : count > 0 ? 'mixed' : false;
}

/**
 * Checks all free items below, or unchecks them if all are checked. Checking also checks the ancestors, because a permission
 * needs its screen.
 */
export function toggleTree<Item extends TreeItem>(
  items: readonly Item[],
  chosen: ReadonlySet<string>,
  id: string,
  isFree: (item: Item) => boolean,
): Set<string> {
  const next = new Set(chosen);
  const inside = subtreeOf(items, id).filter(isFree);
  const isAll = inside.every((item) => chosen.has(item.id));
  for (const item of inside) {
    if (isAll) next.delete(item.id);
    else next.add(item.id);
  }
  if (isAll) return next;
  const byId = new Map(items.map((item) => [item.id, item]));
  for (let above = byId.get(byId.get(id)?.parentId ?? ''); above; above = byId.get(above.parentId ?? '')) {
    if (isFree(above)) next.add(above.id);
  }
  return next;
}
