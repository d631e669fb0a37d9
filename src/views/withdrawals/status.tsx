import type { WithdrawalRow } from '../../../api/withdrawals/contract.ts';
import { useSecondsUntil } from '../../lib/countdown.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { Chip } from '../../lib/ui/value/chip.tsx';

const chipStates = {
  todo: 'pending',
  doing: 'processing',
  withdrawable: 'processing',
  done: 'done',
  canceled: 'refused',
  gone: 'failed',
} as const;

/** Before the request, with the number of signatures. Marks a transaction that the chain does not show yet. */
export function WithdrawalStatus({ row }: { row: WithdrawalRow }) {
  const secondsLeft = useSecondsUntil(row.status === 'doing' ? row.coolsUntil : null);
  const isSent = (row.status === 'todo' && row.requestHash) || (row.status === 'doing' && row.confirmHash);
  if (isSent) return <Chip state="processing">{t('withdrawals.sent')}</Chip>;
  if (row.block !== null && (row.status === 'todo' || row.status === 'doing'))
    return <Chip state="failed">{t('withdrawals.blockedDeposit')}</Chip>;
  if (row.status === 'doing' && secondsLeft === 0) return <Chip state="pending">{t('withdrawals.status.cooled')}</Chip>;
  const { status, rule, missing } = row;
  if (status !== 'todo' || rule === null) return <Chip state={chipStates[status]}>{t(`withdrawals.status.${status}`)}</Chip>;
  return (
    <Chip state="pending">
      {t(missing > 0 ? 'withdrawals.toSign' : 'withdrawals.toRequest')}
      <span data-signed className="tabular-nums">{`${Math.max(0, rule.approvals - missing)}/${rule.approvals}`}</span>
    </Chip>
  );
}
