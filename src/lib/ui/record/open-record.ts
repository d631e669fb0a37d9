import { createContext, useContext, useEffect, useLayoutEffect, useState } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { popContext, pushContext, type Target } from '../../scope.ts';

/** The panel next to the list (peek.tsx). Undefined if records open in a sheet above it. */
export const RecordPanel = createContext<{ element: HTMLElement | null; titleId: string } | undefined>(undefined);

/** Keeps the other parameters. */
export const closeRecord = (): void => removeParams('open', 'whole');

/** The address names a record, which may still be loading. */
export const isRecordOpen = (): boolean => new URLSearchParams(location.search).has('open');
export const isFullScreen = (): boolean => new URLSearchParams(location.search).has('whole');
/** Shows the record without or with its list. */
export function setFullScreen(isFullScreenRequested: boolean): void {
  if (!isFullScreenRequested) return removeParams('whole');
  const query = new URLSearchParams(location.search);
  query.set('whole', '1');
  navigate(`?${query}`, { replace: true });
}

/** Removes parameters and their state from the address. */
export function removeParams(...names: readonly string[]): void {
  const query = new URLSearchParams(location.search);
  for (const name of names) query.delete(name);
  navigate(query.size > 0 ? `?${query}` : location.pathname, { replace: true });
}

/**
 * Makes the open record the target of commands, null while loading. Closes a deleted record. Define `toTarget` outside the
 * component.
 */
export function useOpenRecord<Row>(row: Row | undefined, toTarget: (row: Row) => Target, isMissing: boolean): void {
  const [key] = useState(() => Symbol('record'));
  const isBesideList = useContext(RecordPanel) !== undefined;
  // A layout effect, because the next key may act on the record.
  useLayoutEffect(() => {
    if (row === undefined) return;
    pushContext({ key, controls: null, checked: [], cursor: toTarget(row), filtered: false, beside: isBesideList });
    return () => popContext(key);
  }, [row, toTarget, key, isBesideList]);
  useEffect(() => {
    if (isMissing) closeRecord();
  }, [isMissing]);
}
