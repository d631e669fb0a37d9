import { useEffect, useState } from 'react';
import type { WithdrawalRow } from '../../../api/withdrawals.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { Time } from '../../lib/ui/time.tsx';

/** Seconds until a moment, counted down; 0 when it has come, null without one. */
export function useSecondsUntil(iso: string | null): number | null {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const tick = () => {
      setNow(Date.now());
      if (iso === null || Date.parse(iso) <= Date.now()) clearInterval(timer);
    };
    const timer = setInterval(tick, 1_000);
    tick();
    return () => clearInterval(timer);
  }, [iso]);
  return iso === null ? null : Math.max(0, Math.ceil((Date.parse(iso) - now) / 1000));
}

/** The clock of a refund that cools: it runs while it does, and says when it did afterwards. */
export function Cooling({ row }: { row: WithdrawalRow }) {
  const left = useSecondsUntil(row.status === 'doing' ? row.coolsUntil : null);
  if (row.coolsUntil === null) return <span className="text-2">—</span>;
  if (left === null || left === 0) return <Time iso={row.coolsUntil} />;
  return (
    <span role="timer" data-cooling className="tabular-nums" title={row.coolsUntil}>
      {t('withdrawals.left', { time: clockText(left) })}
    </span>
  );
}

/** 3723 → 01:02:03; days before it where there are some. */
function clockText(seconds: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const days = Math.floor(seconds / 86_400);
  const clock = [Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60, seconds % 60].map(two).join(':');
  return days > 0 ? `${days}d ${clock}` : clock;
}
