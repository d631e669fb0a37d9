import { recorded } from '../../../commands/rewards/recorded.ts';
import { airdropTarget } from '../../../commands/rewards/airdrops.ts';
import { CommandTrigger } from '../../../commands/ui/controls/command-trigger.tsx';
import { api } from '../../../lib/net/client.ts';
import { evmExplorerTarget } from '../../../lib/explorer.ts';
import { groupDigits } from '../../../lib/format.ts';
import { Berries } from '../../../lib/ui/value/berries.tsx';
import { OnChainLink } from '../../../lib/ui/value/explorer-link.tsx';
import { TimeText } from '../../../lib/ui/value/time.tsx';
import { Details } from '../../../lib/ui/record/details.tsx';
import { RecordView, useOpenedRecord } from '../../layout/record-view.tsx';

export function AirdropRecord({ id }: { id: string }) {
  const openedRecord = useOpenedRecord('airdrops', id, api.airdrops.many, airdropTarget);
  if (!openedRecord) return null;
  const { row, targets } = openedRecord;
  return (
    <RecordView
      title={row.address}
      targets={targets}
      primary="airdrops.edit"
      commands={['airdrops.setLevel', 'airdrops.setStage', 'airdrops.delete']}
      history={{
        resource: 'airdrops',
        entity: 'airdrop',
        fields: recorded.airdrop,
        current: row,
        load: api.airdrops.history,
        restore: 'airdrops.restore',
      }}
    >
      <Details
        of={{
          'airdrops.field.address': (
            <span className="flex min-w-0 items-start gap-2">
              <OnChainLink {...evmExplorerTarget.address(row.address)} />
              <CommandTrigger id="airdrops.copyAddress" targets={targets} compact />
            </span>
          ),
          'airdrops.field.berries': <Berries value={row.berries} />,
          'airdrops.field.nftNumber': groupDigits(row.nftNumber),
          'airdrops.field.nftLevel': groupDigits(row.nftLevel),
          'airdrops.field.stage': row.stage,
          'airdrops.field.createdAt': <TimeText iso={row.createdAt} />,
          'airdrops.field.updatedAt': <TimeText iso={row.updatedAt} />,
        }}
      />
    </RecordView>
  );
}
