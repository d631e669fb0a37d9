import { useStore } from '@nanostores/react';
import { useMemo } from 'react';
import { crsmTarget, positionTarget } from '../../../commands/crsm/commands.ts';
import { CommandTrigger } from '../../../commands/ui/controls/command-trigger.tsx';
import { api } from '../../../lib/net/client.ts';
import { $evmWallet } from '../../../lib/evm/store.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { Address } from '../../../lib/ui/value/address.tsx';
import { NamedAddress } from '../../../lib/ui/value/named-address.tsx';
import { useOpenRecord } from '../../../lib/ui/record/open-record.ts';
import { RecordSheet } from '../../../lib/ui/record/peek.tsx';
import { useRecord } from '../../../lib/ui/record/use-record.ts';
import { Bullet } from '../bullet.tsx';
import { HealthChip } from '../figures.tsx';
import { RecordSection, StaleFigures, TroveFigures } from '../record-parts.tsx';

/** A position, with the CRSM that holds it or a command to create one. */
export function PositionRecord({ id }: { id: string }) {
  const account = useStore($evmWallet)?.account;
  const { row, isGone } = useRecord('positions', id, api.crsm.manyPositions);
  useOpenRecord(row, positionTarget, isGone);
  // A new array makes every button check again for another wallet.
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  const targets = useMemo(() => (row ? [positionTarget(row)] : []), [row, account]);
  const keeper = useMemo(() => (row?.crsm ? [crsmTarget(row.crsm)] : []), [row]);
  if (!row) return null;
  return (
    <RecordSheet
      wide
      title={`${t('crsm.record.trove')} #${row.troveId}`}
      description={
        <span className="flex flex-wrap items-center gap-2">
          <HealthChip row={row} />
          <NamedAddress value={row.owner} whole />
        </span>
      }
    >
      <div data-record className="flex flex-col gap-5">
        <div className="flex flex-wrap gap-2">
          {row.crsm ? (
            <CommandTrigger id="crsm.open" targets={keeper} look="primary" />
          ) : (
            <CommandTrigger id="crsm.create" targets={targets} look="primary" />
          )}
        </div>
        <StaleFigures row={row} />
        {row.crsm && <Bullet row={row.crsm} />}
        <TroveFigures row={row} />
        <RecordSection title={t('crsm.record.own')}>
          {row.crsm ? <Address value={row.crsm.id} whole /> : <p className="text-2">{t('crsm.record.noCrsm')}</p>}
        </RecordSection>
      </div>
    </RecordSheet>
  );
}
