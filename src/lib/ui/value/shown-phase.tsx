import { useStore } from '@nanostores/react';
import { getPhase, type Period } from '../../../../api/schedule.ts';
import { t } from '../../i18n/i18n.ts';
import { formatTime } from '../../format.ts';
import { $now } from '../../now.ts';
import { Chip } from './chip.tsx';
import { ShownChip } from './shown-chip.tsx';

type Row = Period & { shown: boolean };
type ShowableResource = Parameters<typeof ShownChip>[0]['of'];

/** Status chip, with the phase if a shown record is outside its period. */
export function ShownPhase({ of, row }: { of: ShowableResource; row: Row }) {
  const phase = getPhase(row, useStore($now));
  if (!row.shown || phase === 'current') return <ShownChip of={of} row={row} />;
  return (
    <span className="inline-flex items-center gap-2">
      <Chip state={phase === 'scheduled' ? 'pending' : 'refused'}>{t(`${of}.status.shown`)}</Chip>
      <span className="text-meta text-2">{t(`schedule.phases.${phase}`)}</span>
    </span>
  );
}

/** Says whether the website shows the record, and if not, why. */
export function WebsiteState({ row }: { row: Row }) {
  const phase = getPhase(row, useStore($now));
  if (!row.shown) return <Chip state="off">{t('schedule.hidden')}</Chip>;
  if (phase === 'current') return <Chip state="done">{t('schedule.live')}</Chip>;
  const phaseEnd = phase === 'over' ? row.endsAt : row.startsAt;
  return (
    <Chip state={phase === 'over' ? 'refused' : 'pending'}>{t(`schedule.${phase}`, { time: formatTime(phaseEnd ?? '') })}</Chip>
  );
}
