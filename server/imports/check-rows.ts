import { setImmediate as breathe } from 'node:timers/promises';
import { timeFields, type DecimalMark, type ImportKind, type ImportTotals } from '../../api/imports/contract.ts';
import { parseTimeText } from '../../api/time-text.ts';
import type { Queries } from '../platform/db/db.ts';
import { badField } from '../platform/core/errors.ts';
import { linesBeforeData, csvRows, type CsvFile, type CsvLine } from './file.ts';
import { importHandlers, type BadRow, type GoodRow } from './import-handlers.ts';
import { isUnclear, numbersOf } from './numbers.ts';
import { presentLine, type RowPreview } from './present.ts';

export interface CheckedRows {
  rows: CsvLine[];
  good: GoodRow[];
  bad: BadRow[];
}

interface CheckOptions {
  after?: number;
  size?: number;
  onComment?: () => void;
}

/** Starts after line `after`, and yields to the event loop between batches. */
export async function* checkRows(
  kind: ImportKind,
  file: CsvFile,
  { after = 0, size = 500, onComment }: CheckOptions = {},
): AsyncGenerator<CheckedRows> {
  let some: CheckedRows = { rows: [], good: [], bad: [] };
  for (const row of csvRows(file, after, onComment)) {
    const checked = importHandlers[kind].judge(row, file.reading);
    some.rows.push(row);
    if ('issues' in checked) some.bad.push(checked);
    else some.good.push(checked);
    if (some.rows.length < size) continue;
    yield some;
    some = { rows: [], good: [], bad: [] };
    await breathe();
  }
  if (some.rows.length > 0) yield some;
}

interface Check extends Omit<RowPreview, 'samples'> {
  total: number;
  good: number;
  bad: number;
  totals: ImportTotals;
}

const maxShownRows = { first: 10, uncertain: 20, bad: 100 };

/** Checks nothing while a field has no source. `proven`: the decimal mark proved by the file's numbers. */
export async function checkFile(queries: Queries, kind: ImportKind, file: CsvFile, proven: DecimalMark | null): Promise<Check> {
  const missing = Object.entries(file.mapping).flatMap(([field, at]) =>
    at === null && file.fills[field] === undefined ? [field] : [],
  );
  const isJudged = missing.length === 0;
  const sums = createTotals(kind);
  const found: Pick<RowPreview, 'uncertain' | 'first' | 'badRows' | 'repaired'> = {
    uncertain: [],
    first: [],
    badRows: [],
    repaired: [],
  };
  const check = { total: 0, bad: 0, shortRows: 0, joinedRows: 0, unclearNumbers: 0, timesWithoutZone: 0 };
  let comments = 0;
  for await (const { rows, good, bad } of screenRows(queries, kind, file, () => comments++)) {
    check.total += rows.length;
    const issues = new Map(bad.map((row) => [row.line, row.issues]));
    const valid = new Map(isJudged ? good.map((row) => [row.line, row]) : []);
    for (const row of rows.slice(0, Math.max(0, maxShownRows.first - found.first.length)))
      found.first.push(presentLine(kind, valid.get(row.line) ?? row, isJudged ? (issues.get(row.line) ?? []) : []));
    if (!isJudged) continue;
    check.bad += bad.length;
    for (const row of bad.slice(0, Math.max(0, maxShownRows.bad - found.badRows.length)))
      found.badRows.push(presentLine(kind, row, row.issues));
    for (const row of good) {
      sums.add(row);
      const doubts = findDoubts(kind, row, proven === file.reading.decimal);
      for (const doubt of doubts) check[doubt]++;
      if (doubts.length > 0 && found.uncertain.length < maxShownRows.uncertain) found.uncertain.push(presentLine(kind, row, []));
      if (row.edited && found.repaired.length < maxShownRows.bad) found.repaired.push(presentLine(kind, row, []));
    }
  }
  if (check.total === 0) throw badField('file', 'fileEmpty');
  const good = isJudged ? check.total - check.bad : 0;
  return { ...check, ...found, good, missing, skipped: { above: linesBeforeData(file), comments }, totals: sums.totals() };
}

/** Points of a valid row that a person must confirm. */
function findDoubts(kind: ImportKind, row: GoodRow, isProven: boolean) {
  const hasNoZone = (field: string) => parseTimeText(row.texts[field] ?? '')?.hasZone === false;
  return [
    ...(row.isShort ? (['shortRows'] as const) : []),
    ...(row.isJoined ? (['joinedRows'] as const) : []),
    ...(!isProven && numbersOf(kind, row).some(isUnclear) ? (['unclearNumbers'] as const) : []),
    ...(timeFields[kind].some(hasNoZone) ? (['timesWithoutZone'] as const) : []),
  ];
}

function createTotals(kind: ImportKind) {
  const { amountOf, keyOf, lastCounts = false } = importHandlers[kind];
  type Row = { line: number; amount: bigint };
  const rows = new Map<string, Row>();
  let added = 0n;
  let removed = 0n;
  let duplicates = 0;
  let largest: Row | null = null;
  const size = ({ amount }: Row) => (amount < 0n ? -amount : amount);
  const larger = (one: Row | null, other: Row): Row => (one && size(one) >= size(other) ? one : other);
  return {
    add({ line, values }: GoodRow) {
      const row = { line, amount: amountOf(values) };
      const key = keyOf(values);
      if (rows.has(key)) duplicates++;
      if (rows.has(key) && lastCounts) added -= rows.get(key)?.amount ?? 0n;
      rows.set(key, row);
      if (row.amount < 0n) removed -= row.amount;
      else added += row.amount;
      if (!lastCounts) largest = larger(largest, row);
    },
    totals: (): ImportTotals => {
      const found = lastCounts ? [...rows.values()].reduce<Row | null>(larger, null) : largest;
      return {
        added: String(added),
        removed: String(removed),
        largest: found && { line: found.line, amount: String(found.amount) },
        duplicates,
      };
    },
  };
}

/** Batches in file order. */
export async function* screenRows(
  queries: Queries,
  kind: ImportKind,
  file: CsvFile,
  onComment?: () => void,
): AsyncGenerator<CheckedRows> {
  const screen = importHandlers[kind].screen(queries);
  for await (const { rows, good, bad } of checkRows(kind, file, onComment ? { onComment } : {})) {
    const refused = await screen.refuse(good);
    const out = new Set(refused.map(({ line }) => line));
    yield {
      rows,
      good: good.filter(({ line }) => !out.has(line)),
      bad: [...bad, ...refused].sort((a, b) => a.line - b.line),
    };
  }
}
