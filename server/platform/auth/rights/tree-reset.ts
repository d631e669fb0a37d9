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
  const visitNodes = (nodes: readonly BuiltInNode[], parent: string | null): void => {
    const positionByIdentifier = new Map(nodes.map(({ identifier }, position) => [identifier, position]));
    const presentRows = rows.filter(
      (row) =>
        (row.parentId === null ? null : identifierOf.get(row.parentId)) === parent && positionByIdentifier.has(row.identifier),
    );
    const keptInOrder = longestOrderedSubset(
      presentRows.map(({ identifier }) => identifier),
      (identifier) => positionByIdentifier.get(identifier) ?? 0,
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
        moved: row !== null && !keptInOrder.has(identifier),
      });
      visitNodes(children, identifier);
    }
  };
  visitNodes(builtIn, null);
  return { wanted: targets, removed: rows.filter(({ identifier }) => !keptIds.has(identifier)) };
}

/** The longest run already in order stays. */
function longestOrderedSubset(items: readonly string[], rankOf: (item: string) => number): Set<string> {
  let depthOf: string[] = [];
  const bestRuns: string[][] = [];
  for (const item of items) {
    const longestRun =
      bestRuns
        .filter((orderedRun) => rankOf(orderedRun.at(-1) ?? '') < rankOf(item))
        .toSorted((a, b) => b.length - a.length)[0] ?? [];
    const orderedRun = [...longestRun, item];
    bestRuns.push(orderedRun);
    if (orderedRun.length > depthOf.length) depthOf = orderedRun;
  }
  return new Set(depthOf);
}
