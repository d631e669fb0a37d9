import type { ExplorerTarget } from '../../lib/explorer.ts';

/** What a press does with money or on a chain, as plain values in the page's language (ui/dialogs/money-review.tsx). */
export interface Review {
  /** In a few words, with the amount in human units. */
  what: string;
  /** From whom, to whom, and who signs, in full. */
  parties: readonly Party[];
  facts?: readonly { label: string; text: string }[];
  /** Null: unknown. */
  changes?: readonly { key: string; label: string; before: string | null; after: string | null }[];
  signatures?: Signatures;
  /** Until when this can be undone, and how. */
  undo: string;
  /** What a wallet is asked to sign, read back from the bytes. */
  calls?: readonly ReviewedCall[];
  /** What was tried before, and went well. */
  checked?: string | null;
}

/** `name`: what the panel calls the address, beside its name in the address book. */
export interface Party {
  as: 'from' | 'to' | 'signer' | 'of';
  at: ExplorerTarget;
  name?: string;
}

export interface Signatures {
  /** Who wrote it down, and may not sign. */
  recorded?: string | null;
  signed: readonly string[];
  /** Who this press adds. */
  you?: string | null;
  /** How many more must sign after this press. */
  missing: number;
}

/** `raw`: the argument as it is signed, where `text` is in human units. */
export interface ReviewedCall {
  contract: string;
  address: string;
  name: string;
  args: readonly { name: string; text: string; raw?: string }[];
}
