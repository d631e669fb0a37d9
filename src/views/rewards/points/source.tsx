import type { PointsRow } from '../../../../api/rewards/points.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { Chip } from '../../../lib/ui/value/chip.tsx';

/** Where an entry came from, which is no state; one that was taken back says so, which is. */
export const EntrySource = ({ row }: { row: PointsRow }) =>
  row.reversedBy === null ? (
    <>{t(`points.source.${row.source}`)}</>
  ) : (
    <Chip state="off">{t('points.reversedEntry', { source: t(`points.source.${row.source}`) })}</Chip>
  );
