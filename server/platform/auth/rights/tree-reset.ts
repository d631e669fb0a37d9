import type { BuiltInNode } from './built-in-tree.ts';
import type { PermissionNodeRow } from './permission-tree.ts';

/** Null: missing. */
export interface TreeTarget {
  identifier: string;
  kind: 'menu' | 'function';
  zh: string;
  en: string;
  parent: string | null;
  position: number;
  row: PermissionNodeRow | null;
  renamed: boolean;
  moved: boolean;
}

export interface ResetPlan {
  wanted: TreeTarget[];
  removed: PermissionNodeRow[];
}

export function planReset(rows: readonly PermissionNodeRow[], builtIn: readonly BuiltInNode[]): ResetPlan {
  const byIdentifier = new Map(rows.map((row) => [row.identifier, row]));
  const identifierOf = new Map(rows.map((row) => [row.id, row.identifier]));
  const keptIds = new Set<string>();
  const targets: TreeTarget[] = [];
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
      keptIds.add(identifier);
      targets.push({
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
  return { wanted: targets, removed: rows.filter(({ identifier }) => !keptIds.has(identifier)) };
}

/** The longest run already in order stays. */
function inOrder(items: readonly string[], rank: (item: string) => number): Set<string> {
  let longestChain: string[] = [];
  const best: string[][] = [];
  for (const item of items) {
    const before = best.filter((run) => rank(run.at(-1) ?? '') < rank(item)).toSorted((a, b) => b.length - a.length)[0] ?? [];
    const run = [...before, item];
    best.push(run);
    if (run.length > longestChain.length) longestChain = run;
  }
  return new Set(longestChain);
}
