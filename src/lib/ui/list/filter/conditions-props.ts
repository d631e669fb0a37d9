import type { ListStore } from '../store.ts';
import type { List } from '../use-list.ts';

/** What of a list its conditions need. */
export interface ConditionsProps {
  list: Omit<List<never>, 'store' | 'rows'> & { store: Pick<ListStore<never>, '$filter' | 'controls' | 'parts'> };
}

/** The opener, or the list where a phone's bar opens the menu in its stead. */
export const visibleOpener = (opener: HTMLElement | null, store: ConditionsProps['list']['store']): HTMLElement | null =>
  opener?.checkVisibility() ? opener : store.parts.grid;

/** What was typed before the menu had come. */
export interface EarlyKeys {
  text: string;
  entered: boolean;
}
