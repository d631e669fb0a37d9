import type { BuiltInNode } from './built-in-tree.ts';
import type { TreeRow } from './permission-tree.ts';

/** A node as the built-in tree wants it. `row` is the one that is there; null where it is missing. */
export interface Wanted {
  identifier: string;
  kind: 'menu' | 'function';
  zh: string;
  en: string;
  /** Identifier of the menu above it. */
  parent: string | null;
  position: number;
  row: TreeRow | null;
  renamed: boolean;
  moved: boolean;
}

export interface ResetPlan {
  /** Parents before their children. */
  wanted: Wanted[];
  /** What the built-in tree does not have. */
  removed: TreeRow[];
}

/** What it takes to make the tree the built-in one. `rows` stand in the order of the tree. */
export function planReset(rows: readonly TreeRow[], builtIn: readonly BuiltInNode[]): ResetPlan {
  const byIdentifier = new Map(rows.map((row) => [row.identifier, row]));
  const identifierOf = new Map(rows.map((row) => [row.id, row.identifier]));
  const kept = new Set<string>();
  const wanted: Wanted[] = [];
  const walk = (nodes: readonly BuiltInNode[], parent: string | null): void => {
    const order = new Map(nodes.map(({ identifier }, position) => [identifier, position]));
    const here = rows.filter(
      (row) => (row.parentId === null ? null : identifierOf.get(row.parentId)) === parent && order.has(row.identifier),
    );
    const inPlace = inOrder(
      here.map(({ identifier }) => identifier),
      (identifier) => order.get(identifier) ?? 0,
    );
    for (const [position, { kind, identifier, zh, en, children }] of nodes.entries()) {
      const row = byIdentifier.get(identifier) ?? null;
      kept.add(identifier);
      wanted.push({
        identifier,
        kind,
        zh,
        en,
        parent,
        position,
        row,
        renamed: row !== null && (row.nameZh !== zh || row.nameEn !== en || row.kind !== kind),
        moved: row !== null && !inPlace.has(identifier),
      });
      walk(children, identifier);
    }
  };
  walk(builtIn, null);
  return { wanted, removed: rows.filter(({ identifier }) => !kept.has(identifier)) };
}

/** The most that may stay where they are: the longest run that is in order already. Own nodes between them are no move. */
function inOrder(items: readonly string[], rank: (item: string) => number): Set<string> {
  let longest: string[] = [];
  const best: string[][] = [];
  for (const item of items) {
    const before = best.filter((run) => rank(run.at(-1) ?? '') < rank(item)).toSorted((a, b) => b.length - a.length)[0] ?? [];
    const run = [...before, item];
    best.push(run);
    if (run.length > longest.length) longest = run;
  }
  return new Set(longest);
}
