import { byteOrderMark, csvLine } from '../../../api/csv.ts';
import { importColumns, type FileRow, type ImportKind, type ImportRow } from '../../../api/imports/contract.ts';
import type { Api } from '../../lib/net/client.ts';
import { saveFile } from '../../lib/net/download.ts';
import { amountText } from '../../lib/money/amount-text.ts';
import { tSpaced } from '../../lib/i18n/cjk-spacing.ts';
import { inLocale, t } from '../../lib/i18n/i18n.ts';

export const columnName = (kind: ImportKind, field: string): string => {
  const name = importColumns[kind][field];
  return name ? inLocale(name) : field;
};

export const amountOf = (kind: ImportKind, amount: string): string => amountText(BigInt(amount), kind === 'teams' ? 18 : 0);

export const issuesText = (kind: ImportKind, { issues }: Pick<FileRow, 'issues'>): string =>
  issues
    .map(({ path, rule }) => tSpaced(`form.rule.${rule}`, 'label', path === '' ? '' : columnName(kind, path)))
    .join(t('imports.and'));

type BadRows = Awaited<ReturnType<Api['pointsImports']['badRows']>>;

export async function badRowsFile(
  api: Api,
  kind: ImportKind,
  { id, name }: ImportRow,
  signal: AbortSignal,
): Promise<{ rows: number; text: string }> {
  const found = await api[`${kind}Imports`].badRows({ id }, { signal });
  const text = badRowsText(kind, found);
  saveFile(new Blob([text], { type: 'text/csv' }), `${name.replace(/\.\w+$/, '')}-${t('imports.badFile')}.csv`);
  return { rows: found.rows.length, text };
}

/** Repaired cells replace the original. An import of this file finds the same columns. */
export function badRowsText(kind: ImportKind, { head, headed, mapping, rows }: BadRows): string {
  const fields = Object.entries(mapping);
  const fieldAt = new Map(fields.map(([field, at]) => [at, field]));
  const nameAt = (cell: string, at: number): string => (headed ? cell : columnName(kind, fieldAt.get(at) ?? '') || cell);
  const added = fields.flatMap(([field, at]) => (at === null && rows.some(({ texts }) => texts[field]) ? [field] : []));
  const names = [...head.map(nameAt), ...added.map((field) => columnName(kind, field))];
  const lines = rows.map((row) => {
    const repaired = (at: number) => (row.edited ? row.texts[fieldAt.get(at) ?? ''] : undefined);
    const cells = [...head.map((_, at) => repaired(at) ?? row.cells[at] ?? ''), ...added.map((field) => row.texts[field] ?? '')];
    const more = row.cells.slice(head.length); // extra cells follow the reason
    return csvLine([...cells.map(plainNumber), row.line, issuesText(kind, row), ...more.map(plainNumber)]);
  });
  return byteOrderMark + csvLine([...names, t('imports.lineInFile'), t('imports.why')]) + lines.join('');
}

/** Negative numbers are not formulas. */
const plainNumber = (cell: string): string | bigint => (/^-[1-9]\d{0,30}$/.test(cell) ? BigInt(cell) : cell);

export function saveTemplate(kind: ImportKind): { text: string } {
  const text = byteOrderMark + csvLine(Object.keys(importColumns[kind]).map((field) => columnName(kind, field)));
  saveFile(new Blob([text], { type: 'text/csv' }), `${t(`imports.template.${kind}`)}.csv`);
  return { text };
}
