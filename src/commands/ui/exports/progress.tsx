import type { ExportJobRow } from '../../../../api/exports/contract.ts';
import { groupDigits } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n/i18n.ts';

/** Less than 100 until the file is whole. */
export const percentOf = ({ rows, total }: ExportJobRow): number =>
  total === 0 ? 0 : Math.min(99, Math.floor((rows * 100) / total));

export function ExportProgress({ job }: { job: ExportJobRow }) {
  const { rows, total } = job;
  const text = t('exportJobs.progress', { n: groupDigits(rows), of: groupDigits(total) });
  return (
    <span className="flex items-center gap-3">
      <progress className="h-1.5 w-40 accent-accent" value={percentOf(job)} max={100} aria-label={text} />
      <span className="text-meta text-2 tabular-nums">{text}</span>
    </span>
  );
}
