import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { WithdrawalRow } from '../../../../api/withdrawals/contract.ts';
import { api } from '../../../lib/net/client.ts';
import { errorText } from '../../../lib/net/errors.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { queryClient } from '../../../lib/net/query.ts';
import { Button } from '../../../lib/ui/button.tsx';
import { Skeleton } from '../../../lib/ui/skeleton.tsx';
import { reviewRefund, type RefundAction } from '../refund-calls.ts';
import type { PanelProps } from '../../ui/dialogs/panel-props.ts';
import { MoneyReview } from '../../ui/dialogs/money-review.tsx';
import { RefundApprovals } from './approvals.tsx';
import { refundReview, withdrawalReview } from './reviews.ts';

export function RefundPanel({ targets: [target], command, block }: PanelProps) {
  if (target?.entity !== 'withdrawals') return null;
  const action = refundActionOf(command);
  return (
    <div className="flex flex-col gap-4 py-2">
      {action ? (
        <WalletReview act={action} row={target.row} block={block} />
      ) : (
        <MoneyReview review={withdrawalReview('signRefund', target.row)} />
      )}
      <RefundApprovals row={target.row} />
    </div>
  );
}

function refundActionOf(command: PanelProps['command']): RefundAction | null {
  if (command === 'withdrawals.requestRefund') return 'requestRefund';
  return command === 'withdrawals.confirmRefund' ? 'confirmRefund' : null;
}

/** Not cached, because the wallet's node may have moved on. */
function WalletReview({ act, row, block }: { act: RefundAction; row: WithdrawalRow } & Pick<PanelProps, 'block'>) {
  const { data, error, isFetching, refetch } = useQuery(
    {
      queryKey: ['refundReview', act, row.id, row.version],
      queryFn: async () => reviewRefund(act, row, await api.chain.get()),
      gcTime: 0,
      refetchOnWindowFocus: false,
    },
    queryClient,
  );
  const problem = error ? errorText(error) : (data?.problem ?? null);
  const text = isFetching ? t('form.reviewWaits') : problem;
  useEffect(() => block?.(text === null ? null : { text, isWaiting: isFetching }), [text, isFetching, block]);
  if (isFetching) return <Skeleton lines={6} />;
  return (
    <>
      {problem !== null && (
        <div>
          <Button onClick={() => void refetch()}>{t('common.retry')}</Button>
        </div>
      )}
      {data && <MoneyReview review={refundReview(act, row, data)} />}
    </>
  );
}
