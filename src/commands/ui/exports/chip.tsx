import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import { watchExports } from '../../../lib/exports/follow.ts';
import { $exportJobs, $pendingExports, isUnfinished } from '../../../lib/exports/store.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { Button } from '../../../lib/ui/button.tsx';
import { Icon } from '../../../lib/ui/icon.tsx';
import { runCommand } from '../../app/app.ts';
import { percentOf } from './progress.tsx';

/** In the header on every screen, while this browser waits for an export. */
export function ExportChip() {
  const pendingCount = useStore($pendingExports);
  const jobs = useStore($exportJobs).filter(({ id }) => pendingCount.includes(id));
  useEffect(watchExports, []);
  if (jobs.length === 0) return null;
  const unfinishedJobs = jobs.filter(isUnfinished);
  const text =
    unfinishedJobs.length > 0
      ? t('exportJobs.running', { percent: Math.min(...unfinishedJobs.map(percentOf)) })
      : t(jobs.some(({ state }) => state === 'done') ? 'exportJobs.ready' : 'exportJobs.title');
  return (
    <Button
      look="ghost"
      data-exports={unfinishedJobs.length > 0 ? 'running' : 'ended'}
      aria-label={text}
      icon={<Icon name="download" />}
      onClick={() => runCommand({ id: 'exportJobs.open' }, 'button')}
    >
      <span className="max-sm:hidden tabular-nums">{text}</span>
    </Button>
  );
}
