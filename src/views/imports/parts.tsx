import TriangleAlert from 'lucide-react/icons/triangle-exclamation-point';
import type { ReactNode } from 'react';
import type { ImportKind, ImportRow } from '../../../api/imports/contract.ts';
import { amountOf } from '../../commands/imports/files.ts';
import { groupDigits } from '../../lib/format.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { Chip } from '../../lib/ui/value/chip.tsx';

const chipStates = {
  checked: 'pending',
  running: 'processing',
  canceled: 'refused',
  failed: 'failed',
  done: 'done',
  undone: 'off',
} as const;

export const ImportStatus = ({ row: { state } }: { row: ImportRow }) => (
  <Chip state={chipStates[state]}>{t(`imports.state.${state}`)}</Chip>
);

/** Row counts, before or after the import. */
export const countsText = ({ state, total, good, bad, worked, imported }: ImportRow): string =>
  state === 'checked'
    ? t('imports.counts', { n: total, total: groupDigits(total), good: groupDigits(good), bad: groupDigits(bad) })
    : t('imports.result', {
        n: total,
        total: groupDigits(total),
        imported: groupDigits(imported),
        refused: groupDigits(worked - imported),
      });

export const ImportWarning = ({ children }: { children: ReactNode }) => (
  <div role="note" className="flex items-start gap-2 rounded-control bg-warn-bg px-2 py-1.5 text-body text-warn-text">
    <TriangleAlert size={14} aria-hidden="true" className="mt-0.5 shrink-0 text-warn-icon" />
    <div className="min-w-0 flex-1 break-words">{children}</div>
  </div>
);

/** Totals of the valid rows. */
export function Totals({ kind, row }: { kind: ImportKind; row: ImportRow }) {
  const { good, edited, totals } = row;
  const totalFigures: [label: string, value: string][] = [
    [t('imports.total.rows'), groupDigits(good)],
    [t(`imports.total.added.${kind}`), amountOf(kind, totals.added)],
    ...(totals.removed === '0' ? [] : [[t('imports.total.removed'), amountOf(kind, totals.removed)] as [string, string]]),
    ...(totals.largest
      ? [
          [t('imports.total.largest', { line: groupDigits(totals.largest.line) }), amountOf(kind, totals.largest.amount)] as [
            string,
            string,
          ],
        ]
      : []),
    [t('imports.total.duplicates'), groupDigits(totals.duplicates)],
    ...(edited > 0 ? [[t('imports.total.edited'), groupDigits(edited)] as [string, string]] : []),
  ];
  return (
    <section data-totals aria-label={t('imports.totals')}>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-2 rounded-control border border-hairline px-3 py-2 sm:grid-cols-3 md:grid-cols-5">
        {totalFigures.map(([label, value]) => (
          <div key={label} className="flex min-w-0 flex-col">
            <dt className="text-meta text-2">{label}</dt>
            <dd translate="no" className="text-label font-semibold break-all tabular-nums">
              {value}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
