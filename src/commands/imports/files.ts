import { byteOrderMark, csvLine } from '../../../api/csv.ts';
import { importColumns, type FileRow, type ImportKind, type ImportRow } from '../../../api/imports/contract.ts';
import type { Api } from '../../lib/net/client.ts';
import { saveFile } from '../../lib/net/download.ts';
import { amountText } from '../../lib/money/amount-text.ts';
import { tApart } from '../../lib/i18n/apart.ts';
import { inLocale, t } from '../../lib/i18n/i18n.ts';

/** What a field of an import is called. */
export const columnName = (kind: ImportKind, field: string): string => {
  const name = importColumns[kind][field];
  return name ? inLocale(name) : field;
};

/** An amount of the kind: YU from wei, berries as they are. */
export const amountOf = (kind: ImportKind, amount: string): string => amountText(BigInt(amount), kind === 'teams' ? 18 : 0);

/** What is wrong with a row, in words. */
export const issuesText = (kind: ImportKind, { issues }: Pick<FileRow, 'issues'>): string =>
  issues
    .map(({ path, rule }) => tApart(`form.rule.${rule}`, 'label', path === '' ? '' : columnName(kind, path)))
    .join(t('imports.and'));

const page = 5000;

/** Saves the rows that did not go in: their cells as they came, the line, and why. Answers how many, and the text. */
export async function badRowsFile(
  api: Api,
  kind: ImportKind,
  { id, name }: ImportRow,
  signal: AbortSignal,
): Promise<{ rows: number; text: string }> {
  const parts: string[] = [];
  let rows = 0;
  for (let after: number | null = 0; after !== null;) {
    const found = await api[`${kind}Imports`].badRows({ id, after, limit: page }, { signal });
    const { head, headed, mapping } = found;
    if (rows === 0) {
      // Columns without names get those an import finds again.
      const fields = new Map(Object.entries(mapping).map(([field, at]) => [at, columnName(kind, field)]));
      const names = head.map((cell, at) => (headed ? cell : (fields.get(at) ?? cell)));
      parts.push(csvLine([...names, t('imports.lineInFile'), t('imports.why')]));
    }
    for (const row of found.rows) {
      const repaired = new Map(Object.entries(mapping).map(([field, at]) => [at, row.texts[field]]));
      const cells = head.map((_, at) => (row.edited ? repaired.get(at) : undefined) ?? row.cells[at] ?? '');
      // A row with more cells than the table keeps them, behind the reason.
      const more = row.edited ? [] : row.cells.slice(head.length);
      parts.push(csvLine([...cells.map(plainNumber), row.line, issuesText(kind, row), ...more.map(plainNumber)]));
    }
    rows += found.rows.length;
    after = found.next;
  }
  const text = byteOrderMark + parts.join('');
  saveFile(new Blob([text], { type: 'text/csv' }), `${name.replace(/\.\w+$/, '')}-${t('imports.badFile')}.csv`);
  return { rows, text };
}

/** A number below zero is no formula. */
const plainNumber = (cell: string): string | bigint => (/^-[1-9]\d{0,30}$/.test(cell) ? BigInt(cell) : cell);

/** Saves a CSV that holds nothing but the names of the columns. */
export function saveTemplate(kind: ImportKind): { text: string } {
  const text = byteOrderMark + csvLine(Object.keys(importColumns[kind]).map((field) => columnName(kind, field)));
  saveFile(new Blob([text], { type: 'text/csv' }), `${t(`imports.template.${kind}`)}.csv`);
  return { text };
}
