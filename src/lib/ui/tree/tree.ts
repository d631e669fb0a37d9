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

/** Children only of open items. With `onlyIds`, just these items, all open. */
export function flattenTree<Item extends TreeItem>(
  items: readonly Item[],
  closedIds: ReadonlySet<string>,
  onlyIds: ReadonlySet<string> | null = null,
): TreeRow<Item>[] {
  const children = new Map<string | null, Item[]>();
  for (const item of items) {
    if (onlyIds && !onlyIds.has(item.id)) continue;
    children.set(item.parentId, [...(children.get(item.parentId) ?? []), item]);
  }
  const rowsUnder = (parentId: string | null, level: number): TreeRow<Item>[] => {
    const siblings = children.get(parentId) ?? [];
    return siblings.flatMap((item, index) => {
      const hasChildren = children.has(item.id);
      const isOpen = hasChildren && (onlyIds !== null || !closedIds.has(item.id));
      const line = { item, level, hasChildren, isOpen, position: index + 1, size: siblings.length };
      return isOpen ? [line, ...rowsUnder(item.id, level + 1)] : [line];
    });
  };
  return rowsUnder(null, 1);
}

/** Includes all ancestors. */
export function matchingIds<Item extends TreeItem>(items: readonly Item[], isMatch: (item: Item) => boolean): Set<string> {
  const byId = new Map(items.map((item) => [item.id, item]));
  const matches = new Set<string>();
  for (const item of items) {
    if (!isMatch(item)) continue;
    for (
      let current: Item | undefined = item;
      current && !matches.has(current.id);
      current = current.parentId === null ? undefined : byId.get(current.parentId)
    )
      matches.add(current.id);
  }
  return matches;
}

export function readSubtree<Item extends TreeItem>(items: readonly Item[], id: string): Item[] {
  const subtreeIds = new Set([id]);
  return items.filter((item) => {
    const isInSubtree = item.id === id || (item.parentId !== null && subtreeIds.has(item.parentId));
    if (isInSubtree) subtreeIds.add(item.id);
    return isInSubtree;
  });
}

/** Null: the key does nothing. */
export type TreeStep = { go: number } | { open: string } | { close: string } | null;

/** `key` as in KeyboardEvent. Sideways arrows swap in right-to-left pages. */
export function computeTreeStep<Item extends TreeItem>(
  lines: readonly TreeRow<Item>[],
  currentIndex: number,
  key: string,
  isRtl = false,
): TreeStep {
  const line = lines[currentIndex];
  const expandKey = isRtl ? 'ArrowLeft' : 'ArrowRight';
  const collapseKey = isRtl ? 'ArrowRight' : 'ArrowLeft';
  const moveTo = (targetIndex: number): TreeStep =>
    targetIndex >= 0 && targetIndex < lines.length && targetIndex !== currentIndex ? { go: targetIndex } : null;
  if (key === 'ArrowDown') return moveTo(currentIndex + 1);
  if (key === 'ArrowUp') return moveTo(currentIndex - 1);
  if (key === 'Home') return moveTo(0);
  if (key === 'End') return moveTo(lines.length - 1);
  if (!line) return null;
  if (key === expandKey) return line.hasChildren ? (line.isOpen ? moveTo(currentIndex + 1) : { open: line.item.id }) : null;
  if (key !== collapseKey) return null;
  if (line.isOpen) return { close: line.item.id };
  return moveTo(lines.findIndex(({ item }) => item.id === line.item.parentId));
}

export function computeCheckState<Item extends TreeItem>(
  items: readonly Item[],
  checkedIds: ReadonlySet<string>,
  id: string,
): boolean | 'mixed' {
  const subtree = readSubtree(items, id);
  const count = subtree.filter((item) => checkedIds.has(item.id)).length;
  return count === subtree.length ? true : count > 0 ? 'mixed' : false;
}

/**
 * Checks all free items below, or unchecks them if all are checked. Checking also checks the ancestors, because a permission
 * needs its screen.
 */
export function toggleTree<Item extends TreeItem>(
  items: readonly Item[],
  checkedIds: ReadonlySet<string>,
  id: string,
  isSelectable: (item: Item) => boolean,
): Set<string> {
  const nextIds = new Set(checkedIds);
  const subtree = readSubtree(items, id).filter(isSelectable);
  const areAllChecked = subtree.every((item) => checkedIds.has(item.id));
  for (const item of subtree) {
    if (areAllChecked) nextIds.delete(item.id);
    else nextIds.add(item.id);
  }
  if (areAllChecked) return nextIds;
  const byId = new Map(items.map((item) => [item.id, item]));
  for (let ancestor = byId.get(byId.get(id)?.parentId ?? ''); ancestor; ancestor = byId.get(ancestor.parentId ?? '')) {
    if (isSelectable(ancestor)) nextIds.add(ancestor.id);
  }
  return nextIds;
}
