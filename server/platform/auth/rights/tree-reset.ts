import type { BuiltInNode } from './built-in-tree.ts';
import type { TreeRow } from './permission-tree.ts';

/** `row` is null if missing. */
export interface Wanted {
  identifier: string;
  kind: 'menu' | 'function';
  zh: string;
  en: string;
  /** Identifier of the parent menu. */
  parent: string | null;
  position: number;
  row: TreeRow | null;
  renamed: boolean;
  moved: boolean;
}

export interface ResetPlan {
  /** Parents before children. */
  wanted: Wanted[];
  /** Not in the built-in tree. */
  removed: TreeRow[];
}

/** `rows` in tree order. */
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

/** The longest subsequence already in order stays. Custom nodes between are ignored. */
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
