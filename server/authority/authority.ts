import type { AuthorityKey, Genesis, LogStatement, MintClaim, Receiver } from '../../api/authority/statements.ts';
import type { Rules } from './rules.ts';

// What the log says, as `replay` answers it.

/** A key as it was enrolled. What its owner is to the rules came with it, and cooled with it. */
export interface EnrolledKey {
  readonly key: AuthorityKey;
  readonly roles: readonly string[];
  /** Milliseconds from when it counts, by the reader's clock. */
  readonly from: number;
  /** The same by the log's own times. */
  readonly saidFrom: number;
}

/** A person who may sign; name and roles as they were enrolled last. */
export interface Person {
  readonly person: string;
  readonly name: string;
  readonly roles: readonly string[];
  readonly keys: readonly EnrolledKey[];
}

/** Somebody's signature: its line, when it came (milliseconds, by the reader's clock), and the key it is by (null: the one it enrols). */
export interface Signed {
  readonly at: number;
  readonly line: number;
  readonly key: EnrolledKey | null;
}

/** A statement, who signed it, and from when it counts. Milliseconds; null: not enough have signed. */
export interface Standing {
  readonly statement: LogStatement;
  readonly hash: string;
  /** The line that brought it in, and the time this line says. */
  readonly number: number;
  readonly saidAt: number;
  readonly signed: ReadonlyMap<string, Signed>;
  /** When enough had signed who counted, by the reader's clock (infinite: enough for the log, but some came too late for the reader). */
  readonly passedAt: number | null;
  /** From when it is in force: after the cooling time, or the delay of an approval. */
  readonly from: number | null;
}

/** The account that signs mints and proofs of reserve, and from when: by the reader's clock, and by the log's own times. */
export interface Minter {
  /** The line of its statement. */
  readonly number: number;
  readonly address: string;
  readonly from: number;
  readonly saidFrom: number;
}

/** An entry of the address book, and from when it counts; until then the one before it does. */
export interface ListedReceiver {
  readonly receiver: Receiver;
  readonly from: number;
}

/** Why money was stopped, and who signed that. */
export interface Freeze {
  readonly reason: string;
  readonly by: readonly string[];
}

/** What the log says. Times in milliseconds, by the reader's clock. */
export interface Authority {
  readonly genesis: Genesis;
  readonly genesisHash: string;
  readonly head: { readonly number: number; readonly hash: string };
  /** The hash of each line. */
  readonly hashes: Hashes;
  readonly statements: ReadonlyMap<string, Standing>;
  /** Hashes of statements that wait for signatures. Some may have expired. */
  readonly open: { readonly keys: () => Iterable<string> };
  /** Hashes of the mint approvals of a deposit, by what the contract knows it by. */
  readonly mints: ReadonlyMap<string, readonly string[]>;
  /** Hashes of the refund approvals of a deposit, by its transaction. */
  readonly refunds: ReadonlyMap<string, readonly string[]>;
  /** Refund approvals that enough have signed, in that order. */
  readonly passedRefunds: { readonly length: number; readonly at: (index: number) => string | undefined };
  readonly people: ReadonlyMap<string, Person>;
  /** What everyone who was ever let in is called, also those who are gone. */
  readonly names: ReadonlyMap<string, string>;
  readonly policies: readonly Rules[];
  readonly minters: readonly Minter[];
  /** Bitcoin addresses that are ours, in their one spelling, and from when. */
  readonly custody: ReadonlyMap<string, number>;
  /** What each of them was added with. */
  readonly notes: ReadonlyMap<string, string>;
  /** Those that an institution's entry named: they stay its own when the entry goes, until they are none of ours. */
  readonly owners: ReadonlyMap<string, string>;
  /** By the address: the entry in force, and those that cool down, the newest last. */
  readonly receivers: ReadonlyMap<string, readonly ListedReceiver[]>;
  /** Open freezes: the number of their line, as text. */
  readonly freezes: ReadonlyMap<string, Freeze>;
  /** Differences of the ledger that people accepted: the freeze's id → what it was. */
  readonly accepted: ReadonlyMap<string, string>;
  /** Of freezes and accepted differences: from when they are lifted, where the reader still has to wait for it. */
  readonly lifting: ReadonlyMap<string, number>;
  /** Outputs whose mint was canceled, as `outputOf` spells them, and in which line: approvals written before it do not count. */
  readonly canceled: ReadonlyMap<string, number>;
}

/** The hash of each line, by its number. */
export type Hashes = Pick<readonly string[], 'length' | 'at' | 'indexOf'>;

/** One output of Bitcoin, in a word. */
export const outputOf = ({ network, txid, vout }: Pick<MintClaim, 'network' | 'txid' | 'vout'>): string =>
  `${network}:${txid}:${vout}`;

/** Until when a statement can be signed, in milliseconds; the genesis, and none, never. */
export const expiresAt = (statement: LogStatement | null): number =>
  statement === null || statement.kind === 'genesis' ? -Infinity : Date.parse(statement.expires);

/** From when a signature counts by the reader's clock: once its key does; never when the reader saw it after the statement expired. */
export const countsFrom = (statement: LogStatement, { at, key }: Signed): number =>
  key === null || at > expiresAt(statement) ? Infinity : Math.max(at, key.from);

/** Whether a person has a key that counts. A demo makes one for everyone else. */
export function canSign({ people, genesis }: Authority, person: string, now: number): boolean {
  const known = people.get(person);
  return known ? known.keys.some(({ from }) => from <= now) : genesis.development;
}

/** The entry of the address book that is in force at a time. */
export const receiverAt = ({ receivers }: Pick<Authority, 'receivers'>, address: string, at: number): Receiver | null =>
  receivers.get(address)?.findLast(({ from }) => from <= at)?.receiver ?? null;
