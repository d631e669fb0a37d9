import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import Undo2 from 'lucide-react/icons/undo-2';
import {
  numberFields,
  timeFields,
  type EditRowsInput,
  type FileRow,
  type ImportDetails,
  type ImportKind,
} from '../../../api/imports/contract.ts';
import { columnName, issuesText } from '../../commands/imports/files.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { tSpaced } from '../../lib/i18n/cjk-spacing.ts';
import { formatTime, formatUtc, groupDigits } from '../../lib/format.ts';
import { dropDraft, readDraft, saveDraft } from '../../lib/prefs/drafts.ts';
import { Button, IconButton } from '../../lib/ui/button.tsx';
import { lineClass } from '../../lib/ui/form/line-class.ts';
import type { Recheck } from './use-recheck.ts';

interface FileRowsProps {
  kind: ImportKind;
  details: ImportDetails;
  rows: readonly FileRow[];
  title: string;
  note?: ReactNode;
  /** Shows full texts with line breaks. */
  isWhole?: boolean;
  /** Undoes a repair. Absent: read-only. */
  onUndo?: (line: number) => void;
}

/** Rows as they would be imported, each with its errors. */
export function FileRows({ kind, details, rows, title, note, isWhole, onUndo }: FileRowsProps) {
  const fields = Object.keys(details.mapping);
  return (
    <Grid kind={kind} fields={fields} title={title} note={note} hasEnd={onUndo !== undefined}>
      {rows.map((row) => (
        <tbody key={row.line} data-line={row.line} className="border-t border-hairline">
          <tr>
            <td className="px-2 py-1 text-end text-2 tabular-nums">{groupDigits(row.line)}</td>
            {fields.map((field) => (
              <td
                key={field}
                translate="no"
                className={`max-w-96 px-2 py-1 tabular-nums ${alignOf(kind, field)} ${isWhole && !isAddress(field) ? 'break-words whitespace-pre-line' : 'truncate'} ${isAddress(field) ? 'font-mono' : ''} ${isWrong(row, field) ? 'text-danger-text' : ''}`}
                title={titleOf(kind, row, field)}
              >
                <bdi>{shownText(kind, row, field) || '—'}</bdi>
              </td>
            ))}
            {onUndo && (
              <td className="px-1 text-end">
                <IconButton
                  label={t('imports.undoRepairOf', { line: groupDigits(row.line) })}
                  icon={<Undo2 size={14} aria-hidden="true" />}
                  onClick={() => onUndo(row.line)}
                />
              </td>
            )}
          </tr>
          <Issues kind={kind} row={row} span={fields.length + (onUndo ? 1 : 0)} hasCells={details.row.state !== 'checked'} />
        </tbody>
      ))}
    </Grid>
  );
}

interface RepairRowsProps extends Omit<FileRowsProps, 'onUndo' | 'isWhole'> {
  recheck: Recheck;
}

/** Typed text belongs to line numbers of this reading. */
export const importDraftKey = ({ row, reading }: ImportDetails): string =>
  `import ${row.id} ${reading.encoding} ${reading.delimiter}`;

type EnteredTexts = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Invalid rows to repair. Typed text survives a reload until it is checked. */
export function RepairRows({ kind, details, rows, title, note, recheck }: RepairRowsProps) {
  const fields = Object.keys(details.mapping);
  const draftKey = importDraftKey(details);
  const [enteredTexts, setEnteredTexts] = useState<EnteredTexts>(() => (readDraft(draftKey)?.values ?? {}) as EnteredTexts);
  const latestTexts = useRef(enteredTexts); // more may be typed during a recheck
  const table = useRef<HTMLDivElement>(null);
  const focusLine = useRef<number | null>(null);
  const editedCount = rows.filter(({ line }) => enteredTexts[line]).length;

  function storeTexts(nextTexts: EnteredTexts) {
    latestTexts.current = nextTexts;
    setEnteredTexts(nextTexts);
    if (Object.keys(nextTexts).length > 0) saveDraft(draftKey, { values: nextTexts, base: {} });
    else dropDraft(draftKey);
  }

  async function recheckRows() {
    const changedRows = rows.filter(({ line }) => enteredTexts[line]);
    if (changedRows.length === 0) return;
    const focusedLine = document.activeElement?.closest('[data-line]')?.getAttribute('data-line');
    focusLine.current = rows.findIndex(({ line }) => String(line) === focusedLine);
    const sentRows = await recheck.editRows(
      changedRows.map(({ line, texts }) => ({ line, texts: { ...texts, ...enteredTexts[line] } })),
    );
    storeTexts(withoutSent(latestTexts.current, sentRows));
  }

  // A repaired row leaves the list, so focus the one that takes its place.
  useEffect(() => {
    const lineNumber = focusLine.current;
    if (lineNumber === null || recheck.isBusy) return;
    focusLine.current = null;
    const rowBodies = table.current?.querySelectorAll('[data-line]') ?? [];
    const body = rowBodies[Math.min(lineNumber, rowBodies.length - 1)];
    body?.querySelector<HTMLElement>('[aria-invalid], input')?.focus();
  }, [recheck.isBusy, rows]);

  return (
    <div ref={table}>
      <Grid
        kind={kind}
        fields={fields}
        title={title}
        hasEnd={rows.some(({ edited }) => edited)}
        note={
          <>
            {t('imports.repairHint')} {note}
          </>
        }
        footer={
          editedCount > 0 && (
            <Button busy={recheck.isBusy} onClick={() => void recheckRows()}>
              {t('imports.recheck', { n: editedCount, count: groupDigits(editedCount) })}
            </Button>
          )
        }
      >
        {rows.map((row) => (
          <tbody key={row.line} data-line={row.line} className="border-t border-hairline">
            <tr>
              <td className="px-2 py-1 text-end text-2 tabular-nums">{groupDigits(row.line)}</td>
              {fields.map((field) => (
                <td key={field} className="px-1 py-1">
                  <input
                    type="text"
                    autoComplete="off"
                    spellCheck={false}
                    translate="no"
                    dir="auto"
                    aria-label={tSpaced('imports.cellOf', 'field', columnName(kind, field), { line: groupDigits(row.line) })}
                    aria-invalid={isWrong(row, field) || undefined}
                    className={`${lineClass} tabular-nums ${alignOf(kind, field)} ${isAddress(field) ? 'min-w-96 font-mono' : 'min-w-28'}`}
                    value={enteredTexts[row.line]?.[field] ?? row.texts[field] ?? ''}
                    onChange={({ target }) =>
                      storeTexts({
                        ...latestTexts.current,
                        [row.line]: { ...latestTexts.current[row.line], [field]: target.value },
                      })
                    }
                    onKeyDown={(event) => {
                      if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
                      event.preventDefault();
                      void recheckRows();
                    }}
                  />
                </td>
              ))}
              {row.edited && (
                <td className="px-1 text-end">
                  <IconButton
                    label={t('imports.undoRepairOf', { line: groupDigits(row.line) })}
                    icon={<Undo2 size={14} aria-hidden="true" />}
                    onClick={() => void recheck.editRows([{ line: row.line, texts: null }])}
                  />
                </td>
              )}
            </tr>
            <Issues kind={kind} row={row} span={fields.length + (row.edited ? 1 : 0)} hasCells />
          </tbody>
        ))}
      </Grid>
    </div>
  );
}

/** Removes lines that equal what was sent. */
const withoutSent = (enteredTexts: EnteredTexts, sentRows: EditRowsInput['rows']): EnteredTexts =>
  Object.fromEntries(
    Object.entries(enteredTexts).filter(([line, values]) => {
      const texts = sentRows.find((row) => String(row.line) === line)?.texts;
      return !texts || Object.entries(values).some(([field, text]) => texts[field] !== text);
    }),
  );

const isWrong = (row: FileRow, field: string) => row.issues.some(({ path }) => path === field);
const alignOf = (kind: ImportKind, field: string) => (numberFields[kind].includes(field) ? 'text-end' : 'text-start');

/** The parsed number or time if valid, else the file's text. */
function shownText(kind: ImportKind, { texts, values }: FileRow, field: string): string | undefined {
  const value = values?.[field];
  if (value === undefined) return texts[field];
  return timeFields[kind].includes(field) ? formatTime(value) : groupDigits(BigInt(value));
}

function titleOf(kind: ImportKind, { texts, values }: FileRow, field: string): string | undefined {
  const value = values?.[field];
  return value !== undefined && timeFields[kind].includes(field) ? `${texts[field]} → ${formatUtc(value)}` : texts[field];
}

const isAddress = (field: string) => field === 'address' || field === 'captain';

/** `hasCells`: also the file's cells, for a malformed row. */
function Issues({ kind, row, span, hasCells }: { kind: ImportKind; row: FileRow; span: number; hasCells: boolean }) {
  if (row.issues.length === 0) return null;
  const isMalformed = hasCells && row.issues.some(({ path }) => path === '');
  return (
    <tr>
      <td />
      <td colSpan={span} className="px-2 pb-1 text-meta break-words text-danger-text">
        {issuesText(kind, row)}
        {isMalformed && (
          <span translate="no" className="block text-2">
            {t('imports.cellsOfRow', {
              n: row.cells.length,
              count: groupDigits(row.cells.length),
              cells: row.cells.join(' | '),
            })}
          </span>
        )}
      </td>
    </tr>
  );
}

interface GridProps {
  kind: ImportKind;
  fields: readonly string[];
  title: string;
  note?: ReactNode;
  footer?: ReactNode;
  hasEnd: boolean;
  children: ReactNode;
}

function Grid({ kind, fields, title, note, footer, hasEnd, children }: GridProps) {
  const titleId = useId();
  return (
    <section className="flex flex-col gap-1.5">
      <h3 id={titleId} className="text-label font-semibold">
        {title}
      </h3>
      {note && <p className="text-meta text-2">{note}</p>}
      <div
        role="region"
        aria-labelledby={titleId}
        tabIndex={0} // oxlint-disable-line jsx-a11y/no-noninteractive-tabindex -- reached by Tab, so that the keyboard can scroll it
        className="max-h-80 overflow-auto rounded-control border border-hairline"
      >
        <table className="w-full border-collapse text-body">
          <thead className="sticky top-0 z-10 bg-surface text-meta text-2">
            <tr>
              <th scope="col" className="px-2 py-1 text-end font-medium">
                {t('imports.line')}
              </th>
              {fields.map((field) => (
                <th key={field} scope="col" className={`px-2 py-1 font-medium whitespace-nowrap ${alignOf(kind, field)}`}>
                  {columnName(kind, field)}
                </th>
              ))}
              {hasEnd && (
                <th scope="col">
                  <span className="sr-only">{t('imports.undoRepair')}</span>
                </th>
              )}
            </tr>
          </thead>
          {children}
        </table>
      </div>
      {footer && <div className="flex">{footer}</div>}
    </section>
  );
}
