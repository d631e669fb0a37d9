import type { WithdrawalRow } from '../../../api/withdrawals/contract.ts';
import { clockText, useSecondsUntil } from '../../lib/countdown.ts';
import { formatTime } from '../../lib/format.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { TimeText } from '../../lib/ui/value/time.tsx';

/** Counts down during the cooling period, then shows its end. */
export function CoolingTime({ row }: { row: WithdrawalRow }) {
  const secondsLeft = useSecondsUntil(row.status === 'doing' ? row.coolsUntil : null);
  if (row.coolsUntil === null)
    return (
      <span data-none className="text-2">
        —
      </span>
    );
  if (secondsLeft === null || secondsLeft === 0) return <TimeText iso={row.coolsUntil} />;
  return (
    <span role="timer" data-cooling className="tabular-nums" title={formatTime(row.coolsUntil)}>
      {t('withdrawals.left', { time: clockText(secondsLeft, 'withdrawals.days') })}
    </span>
  );
}
