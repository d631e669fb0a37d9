import type { Genesis, LogStatement } from '../../api/authority/statements.ts';
import type { LogFreeze, ListedReceiver, Minter, EnrolledPerson, CountedSignature } from './authority.ts';
import { LayeredList, LayeredMap } from './layered.ts';
import type { Rules } from './rules.ts';

// State of a log in layers, so that a fork can try lines without a copy.

export interface OpenStatement {
  readonly statement: LogStatement;
  readonly hash: string;
  readonly number: number;
  readonly loggedAt: number;
  readonly signed: Map<string, CountedSignature>;
  passedAt: number | null;
  from: number | null;
}

/** Small values, copied whole. */
export interface LogValues {
  readonly genesis: Genesis | null;
  readonly genesisHash: string;
  readonly head: { readonly number: number; readonly hash: string };
  /** Time in the last line. */
  readonly lastAt: number;
  readonly policies: readonly Rules[];
  readonly minters: readonly Minter[];
}

export interface LogLayers {
  readonly hashes: LayeredList<string>;
  readonly statements: LayeredMap<string, OpenStatement>;
  readonly open: LayeredMap<string, true>;
  /** May include closed statements. */
  readonly openBy: LayeredMap<string, readonly string[]>;
  readonly mints: LayeredMap<string, readonly string[]>;
  readonly refunds: LayeredMap<string, readonly string[]>;
  readonly passedRefunds: LayeredList<string>;
  readonly people: LayeredMap<string, EnrolledPerson>;
  readonly names: LayeredMap<string, string>;
  readonly custody: LayeredMap<string, number>;
  readonly notes: LayeredMap<string, string>;
  readonly owners: LayeredMap<string, string>;
  readonly receivers: LayeredMap<string, readonly ListedReceiver[]>;
  readonly freezes: LayeredMap<string, LogFreeze>;
  readonly accepted: LayeredMap<string, string>;
  readonly lifting: LayeredMap<string, number>;
  readonly canceled: LayeredMap<string, number>;
  /** Past owners too: a key never changes owner. */
  readonly keyOwners: LayeredMap<string, string>;
  /** By the log's own times. */
  readonly frozenBy: LayeredMap<string, readonly string[]>;
  /** Including lifted ones. */
  readonly everFrozen: LayeredMap<string, true>;
}

export const emptyLogValues: LogValues = {
  genesis: null,
  genesisHash: '',
  head: { number: -1, hash: '' },
  lastAt: -Infinity,
  policies: [],
  minters: [],
};

export function createLayers(base: LogLayers | null): LogLayers {
  const createMap = <V>(baseMap: LayeredMap<string, V> | undefined) => new LayeredMap<string, V>(baseMap ?? null);
  return {
    hashes: new LayeredList(base?.hashes ?? null),
    statements: createMap(base?.statements),
    open: createMap(base?.open),
    openBy: createMap(base?.openBy),
    mints: createMap(base?.mints),
    refunds: createMap(base?.refunds),
    passedRefunds: new LayeredList(base?.passedRefunds ?? null),
    people: createMap(base?.people),
    names: createMap(base?.names),
    custody: createMap(base?.custody),
    notes: createMap(base?.notes),
    owners: createMap(base?.owners),
    receivers: createMap(base?.receivers),
    freezes: createMap(base?.freezes),
    accepted: createMap(base?.accepted),
    lifting: createMap(base?.lifting),
    canceled: createMap(base?.canceled),
    keyOwners: createMap(base?.keyOwners),
    frozenBy: createMap(base?.frozenBy),
    everFrozen: createMap(base?.everFrozen),
  };
}

export function commitLayers(layers: LogLayers): void {
  const layerList: readonly { commit: () => void }[] = Object.values(layers);
  for (const layer of layerList) layer.commit();
}
