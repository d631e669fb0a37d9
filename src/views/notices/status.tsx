import { useStore } from '@nanostores/react';
import { phaseOf } from '../../../api/notices/values.ts';
import type { NoticeRow } from '../../../api/notices/contract.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { $now } from '../../lib/now.ts';
import { Chip } from '../../lib/ui/value/chip.tsx';

/** With the reason if a shown notice is not visible on the website. */
export function NoticeStatus({ row }: { row: NoticeRow }) {
  const phase = phaseOf(row, useStore($now));
  if (!row.shown) return <Chip state="off">{t('notices.status.hidden')}</Chip>;
  if (phase === 'current') return <Chip state="done">{t('notices.status.shown')}</Chip>;
  return (
    <span className="inline-flex items-center gap-2">
      <Chip state={phase === 'scheduled' ? 'pending' : 'refused'}>{t('notices.status.shown')}</Chip>
      <span className="text-meta text-2">{t(`notices.phase.${phase}`)}</span>
    </span>
  );
}
