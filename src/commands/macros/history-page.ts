import { atom } from 'nanostores';
import type { Target } from '../../lib/scope.ts';
import type { Macro } from './macro.ts';

/** What the history shows: what was done, the macros, one of them being put together, or one being run. */
export type HistoryPage =
  | { page: 'history'; picking: boolean }
  | { page: 'macros' }
  | { page: 'edit'; macro: Macro; isNew: boolean }
  | { page: 'run'; macro: Macro };

/** `targets`: what was selected when it opened, for what is done again on the selection. */
export const $historyPage = atom<(HistoryPage & { targets: readonly Target[] }) | null>(null);
