import type { RecordedVersion } from '../../../../api/history.ts';
import { recorded } from '../../../commands/rewards/recorded.ts';
import { versionTarget } from '../../../commands/engine/versions.ts';
import { airdropTarget } from '../../../commands/rewards/airdrops.ts';
import { CommandTrigger } from '../../../commands/ui/controls/command-trigger.tsx';
import { api } from '../../../lib/net/client.ts';
import { evmExplorerTarget } from '../../../lib/explorer.ts';
import { groupDigits } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { Address } from '../../../lib/ui/value/address.tsx';
import { Berries } from '../../../lib/ui/value/berries.tsx';
import { OnChainLink } from '../../../lib/ui/value/explorer-link.tsx';
import { useOpenRecord } from '../../../lib/ui/record/open-record.ts';
import { RecordSheet } from '../../../lib/ui/record/peek.tsx';
import { useRecord } from '../../../lib/ui/record/use-record.ts';
import { RecordHistory } from '../../../lib/ui/record/record-history.tsx';
import { Time } from '../../../lib/ui/value/time.tsx';

const restore = (version: RecordedVersion) => (
  <CommandTrigger id="airdrops.restore" targets={[versionTarget(version)]} label={t('record.history.restore')} />
);

export function AirdropRecord({ id }: { id: string }) {
  const { row, isGone } = useRecord('airdrops', id, api.airdrops.many);
  useOpenRecord(row, airdropTarget, isGone);
  if (!row) return null;
  const target = [airdropTarget(row)];
  return (
    <RecordSheet title={row.stage} description={<Address value={row.address} whole />}>
      <div data-record className="flex flex-col gap-5">
        <div className="flex flex-wrap gap-2">
          <CommandTrigger id="airdrops.edit" targets={target} />
          <CommandTrigger id="airdrops.setLevel" targets={target} />
          <CommandTrigger id="airdrops.setStage" targets={target} />
          <CommandTrigger id="airdrops.delete" targets={target} />
        </div>
        <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2">
          <dt className="text-2">{t('airdrops.field.address')}</dt>
          <dd className="flex min-w-0 items-start gap-2">
            <OnChainLink {...evmExplorerTarget.address(row.address)} />
            <CommandTrigger id="airdrops.copyAddress" targets={target} compact />
          </dd>
          <dt className="text-2">{t('airdrops.field.berries')}</dt>
          <dd>
            <Berries value={row.berries} />
          </dd>
          <dt className="text-2">{t('airdrops.field.nftNumber')}</dt>
          <dd className="tabular-nums">{groupDigits(row.nftNumber)}</dd>
          <dt className="text-2">{t('airdrops.field.nftLevel')}</dt>
          <dd className="tabular-nums">{groupDigits(row.nftLevel)}</dd>
          <dt className="text-2">{t('airdrops.field.stage')}</dt>
          <dd className="min-w-0 break-words">{row.stage}</dd>
          <dt className="text-2">{t('airdrops.field.createdAt')}</dt>
          <dd>
            <Time iso={row.createdAt} />
          </dd>
          <dt className="text-2">{t('airdrops.field.updatedAt')}</dt>
          <dd>
            <Time iso={row.updatedAt} />
          </dd>
        </dl>
        <RecordHistory
          resource="airdrops"
          entity="airdrop"
          fields={recorded.airdrop}
          id={id}
          load={(input, signal) => api.airdrops.history(input, { signal })}
          current={row}
          action={restore}
        />
      </div>
    </RecordSheet>
  );
}
