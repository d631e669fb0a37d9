import { useId } from 'react';
import type { FileRow, ImportDetails, ImportKind } from '../../../api/imports/contract.ts';
import { columnName, issuesText } from '../../commands/imports/files.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { groupDigits } from '../../lib/format.ts';

interface FileRowsProps {
  kind: ImportKind;
  details: ImportDetails;
  rows: readonly FileRow[];
  title: string;
  note: string | false;
}

/** Rows of the file as they would go in, and under each what is wrong with it. */
export function FileRows({ kind, details, rows, title, note }: FileRowsProps) {
  const titleId = useId();
  const fields = Object.entries(details.mapping);
  const isWrong = (row: FileRow, field: string) => row.issues.some(({ path }) => path === field);
  return (
    <section className="flex flex-col gap-1.5">
      <h3 id={titleId} className="text-label font-semibold">
        {title}
      </h3>
      <div
        role="region"
        aria-labelledby={titleId}
        tabIndex={0} // oxlint-disable-line jsx-a11y/no-noninteractive-tabindex -- reached by Tab, so that the keyboard can scroll it
        className="max-h-80 overflow-auto rounded-control border border-hairline"
      >
        <table className="w-full border-collapse text-body">
          <thead className="sticky top-0 bg-surface text-meta text-2">
            <tr>
              <th scope="col" className="px-2 py-1 text-end font-medium">
                {t('imports.line')}
              </th>
              {fields.map(([field]) => (
                <th key={field} scope="col" className="px-2 py-1 text-start font-medium whitespace-nowrap">
                  {columnName(kind, field)}
                </th>
              ))}
            </tr>
          </thead>
          {rows.map((row) => (
            <tbody key={row.line} data-line={row.line} className="border-t border-hairline">
              <tr>
                <td className="px-2 py-1 text-end text-2 tabular-nums">{groupDigits(row.line)}</td>
                {fields.map(([field, at]) => (
                  <td
                    key={field}
                    className={`max-w-48 truncate px-2 py-1 tabular-nums ${field === 'address' ? 'font-mono' : ''} ${isWrong(row, field) ? 'text-danger-text' : ''}`}
                    title={at === null ? undefined : row.cells[at]}
                  >
                    {(at === null ? '' : row.cells[at]) || '—'}
                  </td>
                ))}
              </tr>
              {row.issues.length > 0 && (
                <tr>
                  <td />
                  <td colSpan={fields.length} className="px-2 pb-1 text-meta break-words text-danger-text">
                    {issuesText(kind, row)}
                  </td>
                </tr>
              )}
            </tbody>
          ))}
        </table>
      </div>
      {note && <p className="text-meta text-2">{note}</p>}
    </section>
  );
}
