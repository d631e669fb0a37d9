import { byteOrderMark, formatCsvLine } from '../../../api/csv.ts';
import { importColumns, type FileRow, type ImportKind, type ImportRow } from '../../../api/imports/contract.ts';
import type { Api } from '../../lib/net/client.ts';
import { saveFile } from '../../lib/net/download.ts';
import { amountText } from '../../lib/money/amount-text.ts';
import { tSpaced } from '../../lib/i18n/cjk-spacing.ts';
import { pickLocaleName, t } from '../../lib/i18n/i18n.ts';

export const columnName = (kind: ImportKind, field: string): string => {
  const name = importColumns[kind][field];
  return name ? pickLocaleName(name) : field;
};

export const amountOf = (kind: ImportKind, amount: string): string => amountText(BigInt(amount), kind === 'teams' ? 18 : 0);

export const issuesText = (kind: ImportKind, { issues }: Pick<FileRow, 'issues'>): string =>
  issues
    .map(({ path, rule }) => tSpaced(`form.rule.${rule}`, 'label', path === '' ? '' : columnName(kind, path)))
    .join(t('imports.and'));

type InvalidRows = Awaited<ReturnType<Api['pointsImports']['badRows']>>;

export async function downloadInvalidRows(
  api: Api,
  kind: ImportKind,
  { id, name }: ImportRow,
  signal: AbortSignal,
): Promise<{ rows: number; text: string }> {
  const invalidRows = await api[`${kind}Imports`].badRows({ id }, { signal });
  const text = invalidRowsText(kind, invalidRows);
  saveFile(new Blob([text], { type: 'text/csv' }), `${name.replace(/\.\w+$/, '')}-${t('imports.badFile')}.csv`);
  return { rows: invalidRows.rows.length, text };
}

/** Repaired cells replace the original. An import of this file finds the same columns. */
export function invalidRowsText(kind: ImportKind, { head, headed, mapping, rows }: InvalidRows): string {
  const fields = Object.entries(mapping);
  const fieldAt = new Map(fields.map(([field, columnIndex]) => [columnIndex, field]));
  const nameAt = (cell: string, columnIndex: number): string =>
    headed ? cell : columnName(kind, fieldAt.get(columnIndex) ?? '') || cell;
  const addedFields = fields.flatMap(([field, columnIndex]) =>
    columnIndex === null && rows.some(({ texts }) => texts[field]) ? [field] : [],
  );
  const names = [...head.map(nameAt), ...addedFields.map((field) => columnName(kind, field))];
  const lines = rows.map((row) => {
    const editedTextAt = (columnIndex: number) => (row.edited ? row.texts[fieldAt.get(columnIndex) ?? ''] : undefined);
    const cells = [
      ...head.map((_, columnIndex) => editedTextAt(columnIndex) ?? row.cells[columnIndex] ?? ''),
      ...addedFields.map((field) => row.texts[field] ?? ''),
    ];
    const extraCells = row.cells.slice(head.length); // extra cells follow the reason
    return formatCsvLine([...cells.map(toPlainNumber), row.line, issuesText(kind, row), ...extraCells.map(toPlainNumber)]);
  });
  return byteOrderMark + formatCsvLine([...names, t('imports.lineInFile'), t('imports.why')]) + lines.join('');
}

/** Negative numbers are not formulas. */
const toPlainNumber = (cell: string): string | bigint => (/^-[1-9]\d{0,30}$/.test(cell) ? BigInt(cell) : cell);

export function saveTemplate(kind: ImportKind): { text: string } {
  const text = byteOrderMark + formatCsvLine(Object.keys(importColumns[kind]).map((field) => columnName(kind, field)));
  saveFile(new Blob([text], { type: 'text/csv' }), `${t(`imports.template.${kind}`)}.csv`);
  return { text };
}
