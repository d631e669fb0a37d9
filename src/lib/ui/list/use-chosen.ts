import { shallow, useSelector } from '@tanstack/react-store';
import type { ListStore } from './store.ts';

/** How many rows of a list are checked, and whether they stand for more. A cursor that moves draws nothing for it. */
export function useChosen({ $selection }: Pick<ListStore<never>, '$selection'>) {
  const chosen = useSelector($selection, ({ checked, all, whole }) => ({ checked, all, whole }), { compare: shallow });
  return { ...chosen, checked: Object.keys(chosen.checked).length };
}
