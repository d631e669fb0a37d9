import type { ReserveProblem } from '../../api/custody/reserve.ts';
import type { Name } from '../../api/naming.ts';
import type { MintStage } from '../deposits/shared/block-texts.ts';
import type { AlarmKind, mintStates, watches } from './alarm-texts.ts';

/**
 * What an alarm of each kind is about, as machines read it: times are ISO 8601 in UTC, amounts decimal strings of base units
 * (satoshi of BTC, wei of YBTC), ratios 1e18 for 100 %. Texts of people and of the chain are `plain`.
 */
export interface AlarmFacts {
  freezeOpened: {
    cause: 'difference' | 'refund' | 'manual';
    at: string;
    by: string | null;
    reason: string | null;
    supplyOff: string;
    ledgerOff: string;
  };
  freezeLifted: { at: string; by: string | null; reason: string | null };
  reserveShort: { satoshi: string; bitcoinHeight: number; supply: string; block: number; shortfall: string };
  reserveUnproven: { state: 'old' | 'none' | 'invalid'; at: string | null; problem: ReserveProblem | null };
  watchSilent: { watch: keyof typeof watches; since: string; state: 'unreachable' | 'unsettled' | 'failed' | null };
  refundUnmatched: {
    chainId: number;
    nonce: number;
    amount: string;
    from: string;
    /** Null: what stands there is no address. */
    receiver: string | null;
    receiverLength: number;
    deposit: string;
  };
  mintFailed: { deposit: string; recipient: string; amount: string; problem: string | null };
  mintStuck: {
    deposit: string;
    recipient: string;
    amount: string;
    problem: string | null;
    state: keyof typeof mintStates;
    since: string;
  };
  depositWaits: { deposit: string; recipient: string; satoshi: string; by: string; since: string };
  /** `reason`: the custodian's words. `stage`: how far the mint was when it was raised. */
  depositBlocked: {
    deposit: string;
    recipient: string;
    satoshi: string;
    output: string;
    reason: string;
    at: string;
    stage: MintStage;
  };
  rulesChanged: {
    /** Of the audit's row. */
    audit: string;
    at: string;
    by: string;
    command: Name;
    entity: string;
    record: string | null;
    name: Name | null;
    statement: number | null;
  };
  /** `isStale`: the figures could not be refreshed since `block`. */
  crsmTrigger: { crsm: string; owner: string; icr: string; trigger: string; block: number; isStale: boolean };
  crsmStale: { crsm: string; owner: string; block: number; since: string };
  test: { by: string };
}

/** What an alarm is raised for: the same key raises it once. */
export interface Subject<K extends AlarmKind = AlarmKind> {
  key: string;
  facts: AlarmFacts[K];
}

const maxText = 200;

/** Text from a chain or a person as facts: no markup, no mention, no line of its own, and not long. */
export const plain = (text: string): string =>
  text.replaceAll(/[^\p{L}\p{N} .,:;@+_()#，。：；、（）“”-]/gu, '?').slice(0, maxText);
