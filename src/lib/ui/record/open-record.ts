import { createContext, useContext, useEffect, useLayoutEffect, useState } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { dropFrame, putFrame, type Target } from '../../scope.ts';

/** Where an open record's sheet is drawn beside its list (peek.tsx); undefined where it is a sheet over it. */
export const Panel = createContext<{ element: HTMLElement | null; titleId: string } | undefined>(undefined);

/** Takes the record out of the address, and so off the screen. What else the address says stays. */
export const closeRecord = (): void => leaveOut('open', 'whole');

export const isWhole = (): boolean => new URLSearchParams(location.search).has('whole');
/** Gives the record beside its list the room of both, or gives the list its own back. */
export function makeWhole(whole: boolean): void {
  if (!whole) return leaveOut('whole');
  const query = new URLSearchParams(location.search);
  query.set('whole', '1');
  navigate(`?${query}`, { replace: true });
}

/** Takes parameters, and what they had on screen, out of the address. */
export function leaveOut(...names: readonly string[]): void {
  const query = new URLSearchParams(location.search);
  for (const name of names) query.delete(name);
  navigate(query.size > 0 ? `?${query}` : location.pathname, { replace: true });
}

/**
 * Lets commands aim at the record that stands open with its list; null while it is on its way.
 * One that is gone, deleted here or elsewhere, closes. Make `toTarget` outside the component.
 */
export function useOpenRecord<Row>(row: Row | undefined, toTarget: (row: Row) => Target, isGone: boolean): void {
  const [key] = useState(() => Symbol('record'));
  const beside = useContext(Panel) !== undefined;
  // With what is drawn: the next key may mean it.
  useLayoutEffect(() => {
    if (row === undefined) return;
    putFrame({ key, controls: null, checked: [], cursor: toTarget(row), filtered: false, beside });
    return () => dropFrame(key);
  }, [row, toTarget, key, beside]);
  useEffect(() => {
    if (isGone) closeRecord();
  }, [isGone]);
}
