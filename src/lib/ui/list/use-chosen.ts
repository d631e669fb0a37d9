import { useSyncExternalStore } from 'react';
import type { ListStore } from './store.ts';
import type { Selection } from './table/selection.ts';

type HasSelection = Pick<ListStore<never>, '$selection'>;

const usePart = <K extends keyof Selection>({ $selection }: HasSelection, name: K): Selection[K] =>
  useSyncExternalStore($selection.listen, () => $selection.get()[name]);

/** What of a list is checked. A cursor that moves draws nothing for it. */
export const useChosen = (store: HasSelection): Pick<Selection, 'checked' | 'all' | 'whole'> => ({
  checked: usePart(store, 'checked'),
  all: usePart(store, 'all'),
  whole: usePart(store, 'whole'),
});
