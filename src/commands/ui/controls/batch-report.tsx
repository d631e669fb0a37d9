import { useStore } from '@nanostores/react';
import X from 'lucide-react/icons/x';
import { useEffect } from 'react';
import { $batch, remainingRows, dismissBatch, stopBatch, type BatchRow } from '../../../lib/batch.ts';
import { groupDigits } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { bilingualName } from '../../../lib/i18n/name-of.ts';
import { Address } from '../../../lib/ui/value/address.tsx';
import { Button, IconButton } from '../../../lib/ui/button.tsx';
import { Chip } from '../../../lib/ui/value/chip.tsx';
import { CommandTrigger } from './command-trigger.tsx';

const chipStates = { waiting: 'off', working: 'processing', done: 'done', failed: 'failed', skipped: 'refused' } as const;
/** A long batch lists only failures. */
const maxShortRows = 50;
const maxReportRows = 200;

/** Escape stops it before the next step. */
export function BatchReport() {
  const batch = useStore($batch);
  const isRunning = batch?.isRunning === true;
  useEffect(() => {
    if (!isRunning) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      // An open dialog handles its own Escape first.
      if (event.target instanceof Element && event.target.closest('[role="dialog"],[role="alertdialog"],[role="menu"]')) return;
      event.preventDefault();
      event.stopPropagation();
      stopBatch();
    };
    addEventListener('keydown', onKey, true);
    return () => removeEventListener('keydown', onKey, true);
  }, [isRunning]);
  if (!batch) return null;
  const { rows, isStopping } = batch;
  const countOf = (...states: BatchRow['state'][]) => rows.filter(({ state }) => states.includes(state)).length;
  const remainingCount = countOf('waiting', 'working');
  const unfinishedCount = countOf('failed', 'skipped');
  const retryCount = remainingRows(batch).length;
  const listedRows = rows.length <= maxShortRows ? rows : rows.filter(({ state }) => state === 'failed' || state === 'skipped');
  return (
    <section
      data-batch={isRunning ? 'running' : 'finished'}
      aria-label={t('batch.progress')}
      className="fixed start-4 bottom-14 z-30 max-md:bottom-24 flex max-h-72 w-144 max-w-[calc(100vw-2rem)] flex-col gap-2 rounded-card border border-hairline bg-overlay px-4 py-3 text-body text-1 shadow-menu print:hidden"
    >
      <div className="flex flex-wrap items-center gap-3">
        <strong className="font-semibold">{bilingualName(batch.command)}</strong>
        <span role="status" className="text-2 tabular-nums">
          {t(isRunning ? (isStopping ? 'batch.stopping' : 'batch.running') : 'batch.finished', {
            done: groupDigits(countOf('done')),
            failed: groupDigits(unfinishedCount),
            left: groupDigits(remainingCount),
            all: groupDigits(rows.length),
          })}
        </span>
        <span className="flex-1" />
        {isRunning && (
          <Button keys="escape" aria-keyshortcuts="Escape" aria-disabled={isStopping || undefined} onClick={stopBatch}>
            {t('batch.stop')}
          </Button>
        )}
        {!isRunning && retryCount > 0 && (
          <CommandTrigger id="batch.retry" label={t('batch.retry', { n: groupDigits(retryCount) })} />
        )}
        {!isRunning && <IconButton label={t('batch.close')} icon={<X size={16} aria-hidden="true" />} onClick={dismissBatch} />}
      </div>
      {isRunning && (
        <progress
          className="h-1.5 w-full accent-accent"
          value={rows.length - remainingCount}
          max={rows.length}
          aria-hidden="true"
        />
      )}
      {listedRows.length > 0 && (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keys
        <ul tabIndex={0} aria-label={t('batch.title')} className="min-h-0 overflow-y-auto">
          {listedRows.slice(0, maxReportRows).map((row) => (
            <ReportRow key={row.id} row={row} />
          ))}
          {listedRows.length > maxReportRows && (
            <li className="py-1 text-2">{t('form.itemsMore', { n: groupDigits(listedRows.length - maxReportRows) })}</li>
          )}
        </ul>
      )}
    </section>
  );
}

const ReportRow = ({ row: { id, name, state, note } }: { row: BatchRow }) => (
  <li data-batch-row={id} data-state={state} className="flex flex-wrap items-center gap-x-3 gap-y-0.5 py-1">
    <Chip state={chipStates[state]}>{t(`batch.state.${state}`)}</Chip>
    <span className="min-w-0 truncate text-meta">{name}</span>
    {note !== null && (state === 'done' ? <Address value={note} /> : <span className="text-2">{note}</span>)}
  </li>
);
