import { shallow, useSelector } from '@tanstack/react-store';
import type { ListStore } from './store.ts';

/** Moving the cursor causes no render. */
export function useChosen({ $selection }: Pick<ListStore<never>, '$selection'>) {
  const chosen = useSelector($selection, ({ checked, all, whole }) => ({ checked, all, whole }), { compare: shallow });
  return { ...chosen, checked: Object.keys(chosen.checked).length };
}
