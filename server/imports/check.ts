import { setImmediate as breathe } from 'node:timers/promises';
import type { FileRow, ImportKind } from '../../api/imports/contract.ts';
import type { Queries } from '../platform/db/db.ts';
import { badField } from '../platform/core/errors.ts';
import { rowsOf, type CsvFile, type Line } from './file.ts';
import { kinds, type BadRow, type GoodRow } from './kinds.ts';

/** Rows of the file, some at a time. */
export interface Judged {
  rows: Line[];
  good: GoodRow[];
  bad: BadRow[];
}

/** The rows behind a line, `size` at a time, each judged. Others get their turn in between. */
export async function* judge(kind: ImportKind, file: CsvFile, { after = 0, size = 500 } = {}): AsyncGenerator<Judged> {
  let some: Judged = { rows: [], good: [], bad: [] };
  for (const row of rowsOf(file, after)) {
    const judged = kinds[kind].judge(row, file.mapping);
    some.rows.push(row);
    if ('issues' in judged) some.bad.push(judged);
    else some.good.push(judged);
    if (some.rows.length < size) continue;
    yield some;
    some = { rows: [], good: [], bad: [] };
    await breathe();
  }
  if (some.rows.length > 0) yield some;
}

/** What a check found. */
export interface Check {
  total: number;
  good: number;
  bad: number;
  missing: string[];
  first: FileRow[];
  badRows: FileRow[];
}

const shown = { first: 10, bad: 100 };

/** Judges every row as an import would. With a field that is read from no column there is nothing to judge yet. */
export async function checkFile(queries: Queries, kind: ImportKind, file: CsvFile): Promise<Check> {
  const missing = Object.entries(file.mapping).flatMap(([field, at]) => (at === null ? [field] : []));
  const check: Check = { total: 0, good: 0, bad: 0, missing, first: [], badRows: [] };
  for await (const { rows, bad } of screened(queries, kind, file)) {
    check.total += rows.length;
    const issues = new Map(bad.map((row) => [row.line, row.issues]));
    for (const { line, cells } of rows.slice(0, Math.max(0, shown.first - check.first.length)))
      check.first.push({ line, cells, issues: missing.length > 0 ? [] : (issues.get(line) ?? []) });
    if (missing.length > 0) continue;
    check.bad += bad.length;
    check.badRows.push(...bad.slice(0, Math.max(0, shown.bad - check.badRows.length)));
  }
  if (check.total === 0) throw badField('file', 'fileEmpty');
  check.good = missing.length > 0 ? 0 : check.total - check.bad;
  return check;
}

/** Rows some at a time, with all that is wrong with them, in the order of the file. */
export async function* screened(
  queries: Queries,
  kind: ImportKind,
  file: CsvFile,
): AsyncGenerator<{ rows: Line[]; bad: BadRow[] }> {
  const screen = kinds[kind].screen(queries);
  for await (const { rows, good, bad } of judge(kind, file)) {
    const refused = await screen.refuse(good);
    yield { rows, bad: [...bad, ...refused].sort((a, b) => a.line - b.line) };
  }
}
