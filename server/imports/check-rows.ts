import { setImmediate as breathe } from 'node:timers/promises';
import { timeFields, type DecimalMark, type ImportKind, type ImportTotals } from '../../api/imports/contract.ts';
import { parseTimeText } from '../../api/time-text.ts';
import type { Queries } from '../platform/db/db.ts';
import { createFieldError } from '../platform/core/errors.ts';
import { linesBeforeData, csvRows, type CsvFile, type CsvRow } from './file.ts';
import { importHandlers, type InvalidRow, type ValidRow } from './import-handlers.ts';
import { isAmbiguousNumber, numberTextsOf } from './numbers.ts';
import { presentRow, type RowPreview } from './present.ts';

export interface CheckedRows {
  rows: CsvRow[];
  good: ValidRow[];
  bad: InvalidRow[];
}

interface CheckOptions {
  after?: number;
  size?: number;
  onComment?: () => void;
}

/** Starts after the line number `after`, and yields to the event loop between batches. */
export async function* checkRows(
  kind: ImportKind,
  file: CsvFile,
  { after: afterLine = 0, size = 500, onComment }: CheckOptions = {},
): AsyncGenerator<CheckedRows> {
  let batch: CheckedRows = { rows: [], good: [], bad: [] };
  for (const row of csvRows(file, afterLine, onComment)) {
    const checkedRow = importHandlers[kind].judge(row, file.reading);
    batch.rows.push(row);
    if ('issues' in checkedRow) batch.bad.push(checkedRow);
    else batch.good.push(checkedRow);
    if (batch.rows.length < size) continue;
    yield batch;
    batch = { rows: [], good: [], bad: [] };
    await breathe();
  }
  if (batch.rows.length > 0) yield batch;
}

interface FileCheck extends Omit<RowPreview, 'samples'> {
  total: number;
  good: number;
  bad: number;
  totals: ImportTotals;
}

const maxPreviewRows = { first: 10, uncertain: 20, bad: 100 };

/** Checks nothing while a field has no source. `detectedDecimal`: the decimal mark proved by the file's numbers. */
export async function checkFile(
  queries: Queries,
  kind: ImportKind,
  file: CsvFile,
  detectedDecimal: DecimalMark | null,
): Promise<FileCheck> {
  const missingFields = Object.entries(file.mapping).flatMap(([field, columnIndex]) =>
    columnIndex === null && file.fills[field] === undefined ? [field] : [],
  );
  const hasAllFields = missingFields.length === 0;
  const totals = createTotals(kind);
  const preview: Pick<RowPreview, 'uncertain' | 'first' | 'badRows' | 'repaired'> = {
    uncertain: [],
    first: [],
    badRows: [],
    repaired: [],
  };
  const check = { total: 0, bad: 0, shortRows: 0, joinedRows: 0, unclearNumbers: 0, timesWithoutZone: 0 };
  let comments = 0;
  for await (const { rows, good: validRows, bad: invalidRows } of screenRows(queries, kind, file, () => comments++)) {
    check.total += rows.length;
    const issues = new Map(invalidRows.map((row) => [row.line, row.issues]));
    const validByLine = new Map(hasAllFields ? validRows.map((row) => [row.line, row]) : []);
    for (const row of rows.slice(0, Math.max(0, maxPreviewRows.first - preview.first.length)))
      preview.first.push(presentRow(kind, validByLine.get(row.line) ?? row, hasAllFields ? (issues.get(row.line) ?? []) : []));
    if (!hasAllFields) continue;
    check.bad += invalidRows.length;
    for (const row of invalidRows.slice(0, Math.max(0, maxPreviewRows.bad - preview.badRows.length)))
      preview.badRows.push(presentRow(kind, row, row.issues));
    for (const row of validRows) {
      totals.add(row);
      const uncertainties = findUncertainties(kind, row, detectedDecimal === file.reading.decimal);
      for (const uncertainty of uncertainties) check[uncertainty]++;
      if (uncertainties.length > 0 && preview.uncertain.length < maxPreviewRows.uncertain)
        preview.uncertain.push(presentRow(kind, row, []));
      if (row.edited && preview.repaired.length < maxPreviewRows.bad) preview.repaired.push(presentRow(kind, row, []));
    }
  }
  if (check.total === 0) throw createFieldError('file', 'fileEmpty');
  const validCount = hasAllFields ? check.total - check.bad : 0;
  return {
    ...check,
    ...preview,
    good: validCount,
    missing: missingFields,
    skipped: { above: linesBeforeData(file), comments },
    totals: totals.totals(),
  };
}

/** Points of a valid row that a person must confirm. */
function findUncertainties(kind: ImportKind, row: ValidRow, isDecimalDetected: boolean) {
  const hasNoZone = (field: string) => parseTimeText(row.texts[field] ?? '')?.hasZone === false;
  return [
    ...(row.isShort ? (['shortRows'] as const) : []),
    ...(row.isJoined ? (['joinedRows'] as const) : []),
    ...(!isDecimalDetected && numberTextsOf(kind, row).some(isAmbiguousNumber) ? (['unclearNumbers'] as const) : []),
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
  const largerOf = (current: Row | null, candidate: Row): Row =>
    current && size(current) >= size(candidate) ? current : candidate;
  return {
    add({ line, values }: ValidRow) {
      const row = { line, amount: amountOf(values) };
      const key = keyOf(values);
      if (rows.has(key)) duplicates++;
      if (rows.has(key) && lastCounts) added -= rows.get(key)?.amount ?? 0n;
      rows.set(key, row);
      if (row.amount < 0n) removed -= row.amount;
      else added += row.amount;
      if (!lastCounts) largest = largerOf(largest, row);
    },
    totals: (): ImportTotals => {
      const largestRow = lastCounts ? [...rows.values()].reduce<Row | null>(largerOf, null) : largest;
      return {
        added: String(added),
        removed: String(removed),
        largest: largestRow && { line: largestRow.line, amount: String(largestRow.amount) },
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
  const screening = importHandlers[kind].screen(queries);
  for await (const { rows, good: validRows, bad: invalidRows } of checkRows(kind, file, onComment ? { onComment } : {})) {
    const rejectedRows = await screening.refuse(validRows);
    const rejectedLines = new Set(rejectedRows.map(({ line }) => line));
    yield {
      rows,
      good: validRows.filter(({ line }) => !rejectedLines.has(line)),
      bad: [...invalidRows, ...rejectedRows].sort((a, b) => a.line - b.line),
    };
  }
}
