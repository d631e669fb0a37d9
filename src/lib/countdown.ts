import { useEffect, useState } from 'react';
import { t } from './i18n/i18n.ts';

/** 0 once reached, null without a moment. */
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

/** 3723 → 01:02:03, preceded by days if any. */
export function clockText(seconds: number, daysKey: 'crsm.days' | 'withdrawals.days'): string {
  const padTwo = (value: number) => String(value).padStart(2, '0');
  const days = Math.floor(seconds / 86_400);
  const clock = [Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60, seconds % 60].map(padTwo).join(':');
  return days > 0 ? t(daysKey, { days, clock }) : clock;
}
