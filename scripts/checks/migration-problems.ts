import type { Migration } from '../../server/platform/db/migrations.ts';

const breakingPatterns: readonly (readonly [RegExp, string])[] = [
  [/\bdrop (table|column|view|schema|type)\b/i, 'drops what the older version uses'],
  [/\brename\b/i, 'renames what the older version uses'],
  [/\bset data type\b|\balter column "\w+" type\b/i, 'changes the type of a column that the older version uses'],
  [/\bset not null\b/i, 'requires a value that the older version does not write'],
];

/**
 * Why a migration cannot run beside the older version. Breaking changes are allowed if it names the oldest version it supports,
 * but long table locks never are.
 */
export function problemsOf({ name, statements, oldestVersion }: Migration): string[] {
  const newTables = new Set(statements.flatMap((text) => /^\s*create table (?:if not exists )?"?(\w+)/im.exec(text)?.[1] ?? []));
  return statements.flatMap((text) => {
    const table = /\b(?:alter table|on) (?:only )?(?:"?public"?\.)?"?(\w+)/i.exec(text)?.[1] ?? '';
    if (newTables.has(table)) return [];
    const matchedProblems =
      oldestVersion === null ? breakingPatterns.filter(([pattern]) => pattern.test(text)).map(([, problem]) => problem) : [];
    if (oldestVersion === null && /\badd column\b/i.test(text) && /\bnot null\b/i.test(text) && !/\bdefault\b/i.test(text))
      matchedProblems.push('requires a value that the older version does not write');
    if (/^\s*create (unique )?index (?!concurrently if not exists)/im.test(text))
      matchedProblems.push('locks the table while it builds an index: use create index concurrently if not exists');
    if (/\badd constraint\b/i.test(text) && /\b(check|foreign key)\b/i.test(text) && !/\bnot valid\b/i.test(text))
      matchedProblems.push('checks all rows under a lock: add the constraint not valid, and validate it in a later migration');
    return matchedProblems.map((problem) => `${name} ${problem}: ${text.trim().slice(0, 80)}`);
  });
}
