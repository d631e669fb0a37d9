import { useMemo } from 'react';
import { formatBtc } from '../../../api/money.ts';
import type { WithdrawalRow } from '../../../api/withdrawals/contract.ts';
import { recorded } from '../../commands/withdrawals/recorded.ts';
import { CommandTrigger } from '../../commands/ui/controls/command-trigger.tsx';
import { withdrawalTarget } from '../../commands/withdrawals/commands.ts';
import { RefundApprovals } from '../../commands/withdrawals/review/approvals.tsx';
import { api } from '../../lib/net/client.ts';
import { bitcoinExplorerTarget } from '../../lib/explorer.ts';
import { t, type TextKey } from '../../lib/i18n/i18n.ts';
import type { Target } from '../../lib/scope.ts';
import { OnChainLink } from '../../lib/ui/value/explorer-link.tsx';
import { useOpenRecord } from '../../lib/ui/record/open-record.ts';
import { RecordSheet } from '../../lib/ui/record/peek.tsx';
import { useRecord } from '../../lib/ui/record/use-record.ts';
import { RecordHistory } from '../../lib/ui/record/record-history.tsx';
import { Time } from '../../lib/ui/value/time.tsx';
import { Cooling } from './cooling.tsx';
import { WithdrawalStatus } from './status.tsx';

/** The next step is primary: the viewer's signature, or the request with the wallet. */
function Signing({ row, targets }: { row: WithdrawalRow; targets: readonly Target[] }) {
  const isSigned = row.refusal === null;
  return (
    <>
      {!isSigned && <CommandTrigger id="withdrawals.signRefund" targets={targets} look="primary" explains />}
      <CommandTrigger id="withdrawals.requestRefund" targets={targets} look={isSigned ? 'primary' : 'secondary'} explains />
    </>
  );
}

export function WithdrawalRecordView({ id }: { id: string }) {
  const { row, isGone } = useRecord('withdrawals', id, api.withdrawals.many);
  useOpenRecord(row, withdrawalTarget, isGone);
  const target = useMemo(() => (row ? [withdrawalTarget(row)] : []), [row]);
  if (!row) return null;
  const transaction = (label: TextKey, chain: 'bitcoin' | 'evm', value: string | null) => (
    <>
      <dt className="text-2">{t(label)}</dt>
      <dd className="min-w-0">{value === null ? '—' : <OnChainLink chain={chain} kind="tx" value={value} />}</dd>
    </>
  );
  return (
    <RecordSheet title={`${formatBtc(BigInt(row.amount))} BTC`} description={<WithdrawalStatus row={row} />}>
      <div data-record className="flex flex-col gap-5">
        <div className="flex flex-wrap gap-2">
          {row.status === 'todo' && <Signing row={row} targets={target} />}
          {row.status === 'doing' && <CommandTrigger id="withdrawals.confirmRefund" targets={target} look="primary" explains />}
          {row.status === 'gone' && <CommandTrigger id="withdrawals.offerAgain" targets={target} look="danger" explains />}
          {row.status === 'todo' && <CommandTrigger id="withdrawals.cancel" targets={target} />}
        </div>
        <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2">
          <dt className="text-2">{t('withdrawals.field.receiver')}</dt>
          <dd className="flex min-w-0 items-start gap-2">
            <OnChainLink {...bitcoinExplorerTarget.address(row.receiver)} />
            <CommandTrigger id="withdrawals.copyReceiver" targets={target} compact />
          </dd>
          <dt className="text-2">{t('withdrawals.field.address')}</dt>
          <dd className="min-w-0">
            <OnChainLink chain="evm" kind="address" value={row.address} />
          </dd>
          <dt className="text-2">{t('withdrawals.field.createdEmail')}</dt>
          <dd className="min-w-0 break-words">{row.createdEmail ?? '—'}</dd>
          {transaction('withdrawals.field.txid', 'bitcoin', row.txid)}
          {transaction('withdrawals.field.requestHash', 'evm', row.requestHash)}
          {transaction('withdrawals.field.confirmHash', 'evm', row.confirmHash)}
          <dt className="text-2">{t('withdrawals.field.nonce')}</dt>
          <dd className="tabular-nums">{row.nonce ?? '—'}</dd>
          <dt className="text-2">{t('withdrawals.field.coolsUntil')}</dt>
          <dd>
            <Cooling row={row} />
          </dd>
          <dt className="text-2">{t('withdrawals.field.createdAt')}</dt>
          <dd>
            <Time iso={row.createdAt} />
          </dd>
          <dt className="text-2">{t('withdrawals.field.updatedAt')}</dt>
          <dd>
            <Time iso={row.updatedAt} />
          </dd>
        </dl>
        <RefundApprovals row={row} />
        <RecordHistory
          resource="withdrawals"
          entity="withdrawal"
          fields={recorded.withdrawal}
          id={id}
          load={(input, signal) => api.withdrawals.history(input, { signal })}
          current={row}
        />
      </div>
    </RecordSheet>
  );
}
