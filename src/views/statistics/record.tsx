import { t } from '../../lib/i18n/i18n.ts';
import { DetailRow, Details } from '../../lib/ui/record/details.tsx';
import { RecordView, useOpenedRecord } from '../layout/record-view.tsx';
import type { AnyStatistics } from './description.ts';

/** Its internal ID says nothing to people. */
const internalColumn = 'id';

export function StatisticsRecord({ of: { name, routes, toTarget, columns }, id }: { of: AnyStatistics; id: string }) {
  const openedRecord = useOpenedRecord(name, id, routes.many, toTarget);
  if (!openedRecord) return null;
  const { row, targets } = openedRecord;
  return (
    <RecordView title={targets[0]?.name ?? ''} targets={targets} commands={[`${name}.copyAddress`]}>
      <Details>
        {columns
          .filter(({ id: column }) => column !== internalColumn)
          .map(({ id: column, header, unit, cell, whole }) => (
            <DetailRow key={column} name={t(header)} data-field={column}>
              {(whole ?? cell)(row)}
              {unit && <span className="text-2"> {unit}</span>}
            </DetailRow>
          ))}
      </Details>
    </RecordView>
  );
}
