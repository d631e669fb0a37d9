import type { CommandId } from '../../../api/names.ts';
import type { RecordCommand } from '../../commands/ui/controls/record-commands.tsx';
import { formatBtc } from '../../../api/money.ts';
import type { WithdrawalRow } from '../../../api/withdrawals/contract.ts';
import { recorded } from '../../commands/withdrawals/recorded.ts';
import { withdrawalTarget } from '../../commands/withdrawals/commands.ts';
import { RefundApprovals } from '../../commands/withdrawals/review/approvals.tsx';
import { api } from '../../lib/net/client.ts';
import { bitcoinExplorerTarget } from '../../lib/explorer.ts';
import { OnChainLink } from '../../lib/ui/value/explorer-link.tsx';
import { Details } from '../../lib/ui/record/details.tsx';
import { TimeText } from '../../lib/ui/value/time.tsx';
import { RecordView, useOpenedRecord } from '../layout/record-view.tsx';
import { CoolingTime } from './cooling.tsx';
import { WithdrawalStatus } from './status.tsx';

export function WithdrawalRecordView({ id }: { id: string }) {
  const openedRecord = useOpenedRecord('withdrawals', id, api.withdrawals.many, withdrawalTarget);
  if (!openedRecord) return null;
  const { row, targets } = openedRecord;
  const [primary, ...commands] = commandsOf(row);
  return (
    <RecordView
      title={`${formatBtc(BigInt(row.amount))} BTC`}
      state={<WithdrawalStatus row={row} />}
      targets={targets}
      primary={primary ?? null}
      commands={[...commands, 'withdrawals.copyReceiver']}
      history={{
        resource: 'withdrawals',
        entity: 'withdrawal',
        fields: recorded.withdrawal,
        current: row,
        load: api.withdrawals.history,
      }}
    >
      <Details
        of={{
          'withdrawals.field.receiver': <OnChainLink {...bitcoinExplorerTarget.address(row.receiver)} />,
          'withdrawals.field.address': <OnChainLink chain="evm" kind="address" value={row.address} />,
          'withdrawals.field.createdEmail': row.createdEmail ?? '—',
          'withdrawals.field.txid': <OnChainLink chain="bitcoin" kind="tx" value={row.txid} />,
          'withdrawals.field.requestHash': row.requestHash && <OnChainLink chain="evm" kind="tx" value={row.requestHash} />,
          'withdrawals.field.confirmHash': row.confirmHash && <OnChainLink chain="evm" kind="tx" value={row.confirmHash} />,
          'withdrawals.field.nonce': row.nonce !== null && <span className="tabular-nums">{row.nonce}</span>,
          'withdrawals.field.coolsUntil': row.coolsUntil && <CoolingTime row={row} />,
          'withdrawals.field.createdAt': <TimeText iso={row.createdAt} />,
          'withdrawals.field.updatedAt': <TimeText iso={row.updatedAt} />,
        }}
      />
      <RefundApprovals row={row} />
    </RecordView>
  );
}

/** The next step comes first: the signature, then the request with the wallet. */
function commandsOf({ status, refusal }: WithdrawalRow): (RecordCommand | CommandId)[] {
  if (status === 'doing') return ['withdrawals.confirmRefund'];
  if (status === 'gone') return [{ id: 'withdrawals.offerAgain', look: 'danger' }];
  if (status !== 'todo') return [];
  return refusal === null
    ? ['withdrawals.requestRefund', 'withdrawals.cancel']
    : ['withdrawals.signRefund', 'withdrawals.requestRefund', 'withdrawals.cancel'];
}
