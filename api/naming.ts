import type { MenuPath } from './menu.ts';

export interface Name {
  zh: string;
  en: string;
}

export type Functions<Names> = { readonly [P in MenuPath]?: readonly (keyof Names)[] };
