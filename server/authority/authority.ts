import type { AuthorityKey, Genesis, LogStatement, MintClaim, Receiver } from '../../api/authority/statements.ts';
import type { Rules } from './rules.ts';

export interface EnrolledKey {
  readonly key: AuthorityKey;
  readonly roles: readonly string[];
  /** Milliseconds, by the reader's clock. */
  readonly from: number;
  /** Milliseconds, by the log's own times. */
  readonly saidFrom: number;
}

export interface EnrolledPerson {
  readonly person: string;
  readonly name: string;
  readonly roles: readonly string[];
  readonly keys: readonly EnrolledKey[];
}

/** `at`: milliseconds by the reader's clock. Key null: the key that the statement enrolls. */
export interface CountedSignature {
  readonly at: number;
  readonly line: number;
  readonly key: EnrolledKey | null;
}

/** Times in milliseconds, null while signatures are missing. */
export interface StatementStatus {
  readonly statement: LogStatement;
  readonly hash: string;
  readonly number: number;
  readonly loggedAt: number;
  readonly signed: ReadonlyMap<string, CountedSignature>;
  /** When enough had signed, by the reader's clock. Infinite: enough for the log, but too late for this reader. */
  readonly passedAt: number | null;
  /** Includes the cooling time or the delay of an approval. */
  readonly from: number | null;
}

/** Start by the reader's clock and by the log's own times. */
export interface Minter {
  readonly number: number;
  readonly address: string;
  readonly from: number;
  readonly saidFrom: number;
}

/** Until `from`, the entry before it is in force. */
export interface ListedReceiver {
  readonly receiver: Receiver;
  readonly from: number;
}

export interface LogFreeze {
  readonly reason: string;
  readonly by: readonly string[];
}

/** Times in milliseconds by the reader's clock. */
export interface Authority {
  readonly genesis: Genesis;
  readonly genesisHash: string;
  readonly head: { readonly number: number; readonly hash: string };
  readonly hashes: LineHashes;
  readonly statements: ReadonlyMap<string, StatementStatus>;
  readonly open: { readonly keys: () => Iterable<string> };
  /** By deposit hash of the contract. */
  readonly mints: ReadonlyMap<string, readonly string[]>;
  /** By transaction of the deposit. */
  readonly refunds: ReadonlyMap<string, readonly string[]>;
  readonly passedRefunds: { readonly length: number; readonly at: (index: number) => string | undefined };
  readonly people: ReadonlyMap<string, EnrolledPerson>;
  readonly names: ReadonlyMap<string, string>;
  readonly policies: readonly Rules[];
  readonly minters: readonly Minter[];
  /** Canonical address → when it takes effect. */
  readonly custody: ReadonlyMap<string, number>;
  readonly notes: ReadonlyMap<string, string>;
  /** An address stays with its institution after the entry is removed, until it leaves custody. */
  readonly owners: ReadonlyMap<string, string>;
  /** The entry in force, then cooling ones, newest last. */
  readonly receivers: ReadonlyMap<string, readonly ListedReceiver[]>;
  /** By line number as text. */
  readonly freezes: ReadonlyMap<string, LogFreeze>;
  /** Id of the freeze → accepted difference. */
  readonly accepted: ReadonlyMap<string, string>;
  /** When a lifting takes effect, if the reader must still wait. */
  readonly lifting: ReadonlyMap<string, number>;
  /** By output (`outputKey`), the line of its cancellation. Earlier approvals no longer count. */
  readonly canceled: ReadonlyMap<string, number>;
}

export type LineHashes = Pick<readonly string[], 'length' | 'at' | 'indexOf'>;

export const outputKey = ({ network, txid, vout }: Pick<MintClaim, 'network' | 'txid' | 'vout'>): string =>
  `${network}:${txid}:${vout}`;

/** Milliseconds. Infinite for the genesis and for null. */
export const expiresAt = (statement: LogStatement | null): number =>
  statement === null || statement.kind === 'genesis' ? -Infinity : Date.parse(statement.expires);

/** When the key took effect, or never if the reader saw the signature after expiry. */
export const effectiveFrom = (statement: LogStatement, { at, key }: CountedSignature): number =>
  key === null || at > expiresAt(statement) ? Infinity : Math.max(at, key.from);

export function canSign({ people, genesis }: Authority, person: string, now: number): boolean {
  const enrolledPerson = people.get(person);
  return enrolledPerson ? enrolledPerson.keys.some(({ from }) => from <= now) : genesis.development;
}

export const receiverAt = ({ receivers }: Pick<Authority, 'receivers'>, address: string, instant: number): Receiver | null =>
  receivers.get(address)?.findLast(({ from }) => from <= instant)?.receiver ?? null;
