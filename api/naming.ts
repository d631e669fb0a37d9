import type { MenuPath } from './menu.ts';

/** What a command, a screen or a column is called, in both languages. */
export interface Name {
  zh: string;
  en: string;
}

/** The commands that need a right of their own: function nodes of the permission tree, by the screen they stand under. */
export type Functions<Names> = { readonly [P in MenuPath]?: readonly (keyof Names)[] };
