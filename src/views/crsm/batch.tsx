import { useStore } from '@nanostores/react';
import { X } from 'lucide-react';
import { useEffect } from 'react';
import { $batch, putBatchAway, stopBatch, type BatchRow } from '../../lib/batch.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { nameOf } from '../../lib/i18n/name-of.ts';
import { Address } from '../../lib/ui/address.tsx';
import { Button, IconButton } from '../../lib/ui/button.tsx';
import { Chip } from '../../lib/ui/chip.tsx';

const looks = { waiting: 'off', working: 'processing', done: 'done', failed: 'failed', skipped: 'refused' } as const;

/** A batch under way and, until it is put away, how each of its records fared. Escape stops it before the next signature. */
export function BatchReport() {
  const batch = useStore($batch);
  const isRunning = batch?.isRunning === true;
  useEffect(() => {
    if (!isRunning) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      // What stands open over the page takes its own Escape.
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
  const done = rows.filter(({ state }) => state === 'done').length;
  const settled = rows.filter(({ state }) => state !== 'waiting' && state !== 'working').length;
  const values = { done: isRunning ? settled : done, all: rows.length };
  return (
    <section
      data-batch={isRunning ? 'running' : 'finished'}
      aria-label={t('crsm.batch.progress')}
      className="flex max-h-64 flex-col gap-2 border-y border-hairline bg-surface px-4 py-2.5"
    >
      <div className="flex flex-wrap items-center gap-3">
        <strong className="font-semibold">{nameOf(batch.command)}</strong>
        <span role="status" className="text-2 tabular-nums">
          {t(isRunning ? (isStopping ? 'crsm.batch.stopping' : 'crsm.batch.running') : 'crsm.batch.finished', values)}
        </span>
        <progress className="h-1.5 min-w-24 flex-1 accent-accent" value={settled} max={rows.length} aria-hidden="true" />
        {isRunning ? (
          <Button keys="escape" aria-keyshortcuts="Escape" aria-disabled={isStopping || undefined} onClick={stopBatch}>
            {t('crsm.batch.stop')}
          </Button>
        ) : (
          <IconButton label={t('crsm.batch.close')} icon={<X size={16} aria-hidden="true" />} onClick={putBatchAway} />
        )}
      </div>
      <ul className="min-h-0 overflow-y-auto">
        {rows.map((row) => (
          <Line key={row.id} row={row} />
        ))}
      </ul>
    </section>
  );
}

const Line = ({ row: { id, name, state, note } }: { row: BatchRow }) => (
  <li data-batch-row={id} data-state={state} className="flex flex-wrap items-center gap-x-3 gap-y-0.5 py-1">
    <Chip state={looks[state]}>{t(`crsm.batch.state.${state}`)}</Chip>
    <span className="min-w-0 truncate text-meta">{name}</span>
    {note !== null && (state === 'done' ? <Address value={note} /> : <span className="text-2">{note}</span>)}
  </li>
);
