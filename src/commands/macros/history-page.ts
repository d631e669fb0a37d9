import { atom } from 'nanostores';
import type { Target } from '../../lib/scope.ts';
import type { Macro } from './macro.ts';

export type HistoryPage =
  | { page: 'history'; picking: boolean }
  | { page: 'macros' }
  | { page: 'edit'; macro: Macro; isNew: boolean }
  | { page: 'run'; macro: Macro };

/** `targets`: selection when the history was opened. */
export const $historyPage = atom<(HistoryPage & { targets: readonly Target[] }) | null>(null);
