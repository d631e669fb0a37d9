import type { PointsRow } from '../../../../api/rewards/points.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { Chip } from '../../../lib/ui/value/chip.tsx';

/** The source is plain text, a reversal is a status. */
export const EntrySource = ({ row }: { row: PointsRow }) =>
  row.reversedBy === null ? (
    <>{t(`points.source.${row.source}`)}</>
  ) : (
    <Chip state="off">{t('points.reversedEntry', { source: t(`points.source.${row.source}`) })}</Chip>
  );
