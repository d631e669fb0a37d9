import type { ListStore } from '../store.ts';
import type { ListData } from '../use-list.ts';

export interface ConditionsProps {
  list: Omit<ListData<never>, 'store' | 'rows'> & { store: Pick<ListStore<never>, '$filter' | 'controls' | 'parts'> };
}

/** On a phone the bottom bar opens the menu instead. */
export const visibleOpener = (opener: HTMLElement | null, store: ConditionsProps['list']['store']): HTMLElement | null =>
  opener?.checkVisibility() ? opener : store.parts.grid;

export interface EarlyKeys {
  text: string;
  entered: boolean;
}
