import { shallow, useSelector } from '@tanstack/react-store';
import type { ListStore } from './store.ts';

/** Moving the cursor causes no render. */
export function useCheckedSelection({ $selection }: Pick<ListStore<never>, '$selection'>) {
  const selection = useSelector($selection, ({ checked, all, whole }) => ({ checked, all, whole }), { compare: shallow });
  return { ...selection, checked: Object.keys(selection.checked).length };
}
