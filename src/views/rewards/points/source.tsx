import type { PointsRow } from '../../../../api/rewards/points.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { Chip } from '../../../lib/ui/value/chip.tsx';

/** Where an entry came from; one that was taken back says so. */
export const EntrySource = ({ row }: { row: PointsRow }) =>
  row.reversedBy === null ? (
    <Chip state={row.source === 'reversal' ? 'refused' : row.source === 'import' ? 'processing' : 'done'}>
      {t(`points.source.${row.source}`)}
    </Chip>
  ) : (
    <Chip state="off">{t('points.reversedEntry', { source: t(`points.source.${row.source}`) })}</Chip>
  );
