import type { CommandId } from '../../../api/names.ts';

export type Inline =
  | string
  | { readonly strong: string }
  | { readonly code: string }
  | { readonly text: string; readonly to: string }
  /** `name` is absent where only the key is wanted. */
  | { readonly command: CommandId; readonly name?: string };

export type Line = readonly Inline[];

export type Block =
  | { readonly kind: 'text' | 'note'; readonly line: Line }
  | { readonly kind: 'steps' | 'points'; readonly lines: readonly Line[] }
  | { readonly kind: 'table'; readonly head: readonly Line[]; readonly rows: readonly (readonly Line[])[] };

export interface Heading {
  readonly id: string;
  readonly title: string;
}

export interface Section extends Heading {
  readonly blocks: readonly Block[];
}

/** One file of `pages`, parsed at build time (scripts/help/markdown.ts). */
export interface HelpPage {
  readonly title: string;
  readonly intro: readonly Block[];
  readonly sections: readonly Section[];
}

export interface Outline {
  readonly title: string;
  readonly headings: readonly Heading[];
}
