import { useEffect, useState } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { dropFrame, putFrame, type Target } from '../../scope.ts';

/** Takes the record out of the address, and so off the screen. What else the address says stays. */
export const closeRecord = (): void => leaveOut('open');

/** Takes a parameter, and what it had on screen, out of the address. */
export function leaveOut(name: string): void {
  const query = new URLSearchParams(location.search);
  query.delete(name);
  navigate(query.size > 0 ? `?${query}` : location.pathname, { replace: true });
}

/**
 * Lets commands aim at the record that stands open beside its list; null while it is on its way.
 * One that is gone, deleted here or elsewhere, closes. Make `toTarget` outside the component.
 */
export function useOpenRecord<Row>(row: Row | undefined, toTarget: (row: Row) => Target, isGone: boolean): void {
  const [key] = useState(() => Symbol('record'));
  useEffect(() => {
    if (row === undefined) return;
    putFrame({ key, controls: null, checked: [], cursor: toTarget(row), filtered: false });
    return () => dropFrame(key);
  }, [row, toTarget, key]);
  useEffect(() => {
    if (isGone) closeRecord();
  }, [isGone]);
}
