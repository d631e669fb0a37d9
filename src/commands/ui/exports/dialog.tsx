import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import type { ExportJobRow } from '../../../../api/exports/contract.ts';
import { readExports, watchExports } from '../../../lib/exports/follow.ts';
import { $exportJobs, $exportsOpen, $pendingExports, isUnfinished, setPendingExports } from '../../../lib/exports/store.ts';
import { formatBytes } from '../../../lib/format.ts';
import { t, tMaybe } from '../../../lib/i18n/i18n.ts';
import { Chip } from '../../../lib/ui/value/chip.tsx';
import { EmptyState } from '../../../lib/ui/empty.tsx';
import { LoadFailed } from '../../../lib/ui/list/table/states.tsx';
import { Dialog } from '../../../lib/ui/overlay/dialog.tsx';
import { Skeleton } from '../../../lib/ui/skeleton.tsx';
import { TimeText } from '../../../lib/ui/value/time.tsx';
import { CommandTrigger } from '../controls/command-trigger.tsx';
import { ExportProgress } from './progress.tsx';

const chipStates = {
  queued: 'pending',
  running: 'processing',
  done: 'done',
  failed: 'failed',
  canceled: 'off',
  expired: 'off',
} as const;

export function ExportsDialog() {
  const jobs = useStore($exportJobs);
  const [error, setError] = useState<Error | null>(null);
  const [hasLoaded, setLoaded] = useState(false);
  const loadJobs = () => {
    setError(null);
    readExports().then(
      () => setLoaded(true),
      (cause: unknown) => setError(cause instanceof Error ? cause : new Error(String(cause))),
    );
  };
  useEffect(loadJobs, []);
  useEffect(watchExports, []);
  const close = () => {
    const unfinishedIds = new Set(jobs.filter(isUnfinished).map(({ id }) => id));
    setPendingExports($pendingExports.get().filter((id) => unfinishedIds.has(id)));
    $exportsOpen.set(false);
  };
  return (
    <Dialog open onClose={close} title={t('exportJobs.title')} description={t('exportJobs.intro')} size="large">
      {!hasLoaded && !error && <Skeleton lines={4} />}
      {!hasLoaded && error && <LoadFailed error={error} retry={loadJobs} />}
      {hasLoaded && jobs.length === 0 && <EmptyState title={t('exportJobs.none')}>{t('exportJobs.empty')}</EmptyState>}
      <ul aria-label={t('exportJobs.title')} className="min-h-0 overflow-y-auto">
        {hasLoaded && jobs.map((job) => <ExportEntry key={job.id} job={job} />)}
      </ul>
    </Dialog>
  );
}

function ExportEntry({ job }: { job: ExportJobRow }) {
  const { id, list, format, state, problem, rows, bytes, createdAt, expiresAt } = job;
  const params = { export: id };
  return (
    <li data-export={state} className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-hairline py-2 first:border-0">
      <span className="min-w-0 flex-1 basis-72">
        <span className="flex flex-wrap items-center gap-2">
          <span className="font-medium text-1">{tMaybe(`exportJobs.list.${list}`) ?? list}</span>
          <span className="text-meta text-2">{format.toUpperCase()}</span>
          <Chip state={chipStates[state]}>{t(`exportJobs.state.${state}`)}</Chip>
        </span>
        <span className="flex flex-wrap items-center gap-x-3 text-meta text-2">
          <TimeText iso={createdAt} />
          {isUnfinished(job) && <ExportProgress job={job} />}
          {state === 'done' && (
            <span className="tabular-nums">
              {t('exportJobs.size', { rows: t('exportJobs.rows', { count: rows }), size: formatBytes(bytes) })}
            </span>
          )}
          {expiresAt && (
            <span>
              {t('exportJobs.until')} <TimeText iso={expiresAt} />
            </span>
          )}
          {state === 'failed' && <span>{t('errors.code.EXPORT_FAILED', { problem: problem ?? '' })}</span>}
        </span>
      </span>
      <span className="flex items-center gap-2">
        {isUnfinished(job) && <CommandTrigger id="exportJobs.cancel" params={params} />}
        {state === 'done' && <CommandTrigger id="exportJobs.download" params={params} look="primary" />}
        {!isUnfinished(job) && <CommandTrigger id="exportJobs.remove" params={params} />}
      </span>
    </li>
  );
}
