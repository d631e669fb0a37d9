import { useEffect, useState } from 'react';
import { t } from './i18n/i18n.ts';

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

/** 3723 → 01:02:03; days before it where there are some, in the words of the feature. */
export function clockText(seconds: number, withDays: 'crsm.days' | 'withdrawals.days'): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const days = Math.floor(seconds / 86_400);
  const clock = [Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60, seconds % 60].map(two).join(':');
  return days > 0 ? t(withDays, { days, clock }) : clock;
}
