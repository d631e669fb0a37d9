import { crsmTarget, positionTarget } from '../../../commands/crsm/commands.ts';
import { api } from '../../../lib/net/client.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { RecordSection } from '../../../lib/ui/record/details.tsx';
import { Address } from '../../../lib/ui/value/address.tsx';
import { NamedAddress } from '../../../lib/ui/value/named-address.tsx';
import { RecordView, useOpenedRecord } from '../../layout/record-view.tsx';
import { Bullet } from '../bullet.tsx';
import { HealthChip } from '../figures.tsx';
import { StaleFigures, TroveFigures } from '../record-parts.tsx';

/** A position, with the CRSM that holds it or a command to create one. */
export function PositionRecord({ id }: { id: string }) {
  const openedRecord = useOpenedRecord('positions', id, api.crsm.manyPositions, positionTarget);
  if (!openedRecord) return null;
  const { row, targets } = openedRecord;
  return (
    <RecordView
      wide
      title={`${t('crsm.record.trove')} #${row.troveId}`}
      state={
        <span className="flex flex-wrap items-center gap-2">
          <HealthChip row={row} />
          <NamedAddress value={row.owner} whole />
        </span>
      }
      targets={targets}
      primary={row.crsm ? { id: 'crsm.open', targets: [crsmTarget(row.crsm)] } : 'crsm.create'}
    >
      <StaleFigures row={row} />
      {row.crsm && <Bullet row={row.crsm} />}
      <TroveFigures row={row} />
      <RecordSection title={t('crsm.record.own')}>
        {row.crsm ? <Address value={row.crsm.id} whole /> : <p className="text-2">{t('crsm.record.noCrsm')}</p>}
      </RecordSection>
    </RecordView>
  );
}
