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

type Typed = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Invalid rows to repair. Typed text survives a reload until it is checked. */
export function RepairRows({ kind, details, rows, title, note, recheck }: RepairRowsProps) {
  const fields = Object.keys(details.mapping);
  const draftKey = importDraftKey(details);
  const [typed, setTyped] = useState<Typed>(() => (readDraft(draftKey)?.values ?? {}) as Typed);
  const latest = useRef(typed); // more may be typed during a recheck
  const table = useRef<HTMLDivElement>(null);
  const focusAt = useRef<number | null>(null);
  const shown = rows.filter(({ line }) => typed[line]).length;

  function keep(next: Typed) {
    latest.current = next;
    setTyped(next);
    if (Object.keys(next).length > 0) saveDraft(draftKey, { values: next, base: {} });
    else dropDraft(draftKey);
  }

  async function check() {
    const changed = rows.filter(({ line }) => typed[line]);
    if (changed.length === 0) return;
    const focused = document.activeElement?.closest('[data-line]')?.getAttribute('data-line');
    focusAt.current = rows.findIndex(({ line }) => String(line) === focused);
    const done = await recheck.editRows(changed.map(({ line, texts }) => ({ line, texts: { ...texts, ...typed[line] } })));
    keep(withoutSent(latest.current, done));
  }

  // A repaired row leaves the list, so focus the one that takes its place.
  useEffect(() => {
    const at = focusAt.current;
    if (at === null || recheck.isBusy) return;
    focusAt.current = null;
    const bodies = table.current?.querySelectorAll('[data-line]') ?? [];
    const body = bodies[Math.min(at, bodies.length - 1)];
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
          shown > 0 && (
            <Button busy={recheck.isBusy} onClick={() => void check()}>
              {t('imports.recheck', { n: shown, count: groupDigits(shown) })}
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
                    value={typed[row.line]?.[field] ?? row.texts[field] ?? ''}
                    onChange={({ target }) =>
                      keep({ ...latest.current, [row.line]: { ...latest.current[row.line], [field]: target.value } })
                    }
                    onKeyDown={(event) => {
                      if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
                      event.preventDefault();
                      void check();
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
const withoutSent = (typed: Typed, sent: EditRowsInput['rows']): Typed =>
  Object.fromEntries(
    Object.entries(typed).filter(([line, values]) => {
      const texts = sent.find((row) => String(row.line) === line)?.texts;
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
