import type { ReserveProblem } from '../../api/custody/reserve.ts';
import type { Name } from '../../api/naming.ts';
import type { MintStage } from '../deposits/shared/block-texts.ts';
import type { AlarmKind, mintStateTexts, watchNames } from './alarm-texts.ts';

/**
 * Machine-readable facts by kind: ISO 8601 UTC, base units as decimal text (satoshi, wei), ratios 1e18 for 100 %. Texts of people
 * and chains pass through `toPlainText`.
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
  watchSilent: { watch: keyof typeof watchNames; since: string; state: 'unreachable' | 'unsettled' | 'failed' | null };
  refundUnmatched: {
    chainId: number;
    nonce: number;
    amount: string;
    from: string;
    /** Null: not an address. */
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
    state: keyof typeof mintStateTexts;
    since: string;
  };
  depositWaits: { deposit: string; recipient: string; satoshi: string; by: string; since: string };
  /** `reason`: in the custodian's words. `stage`: progress of the mint. */
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
    /** Id of the audit entry. */
    audit: string;
    at: string;
    by: string;
    command: Name;
    entity: string;
    record: string | null;
    name: Name | null;
    statement: number | null;
  };
  /** `isStale`: not refreshed since `block`. */
  crsmTrigger: { crsm: string; owner: string; icr: string; trigger: string; block: number; isStale: boolean };
  crsmStale: { crsm: string; owner: string; block: number; since: string };
  /** `account` and `name`: null for a provisioning token. `lastFour`: last characters of the token. */
  tokenLeaked: { account: string | null; name: string | null; token: string; lastFour: string; at: string };
  tokenUsedLate: { account: string | null; name: string | null; token: string; lastFour: string; at: string };
  networksIgnored: { at: string };
  /** In ten minutes. */
  providerDisabledMany: { disabled: number; managed: number; at: string };
  provisioningEnds: { token: string; lastFour: string; at: string };
  guardedMapping: { group: string; role: string };
  test: { by: string };
}

/** Each key raises one alarm. */
export interface AlarmSubject<K extends AlarmKind = AlarmKind> {
  key: string;
  facts: AlarmFacts[K];
}

const maxText = 200;

/** Short, on one line, without markup and mentions. */
export const toPlainText = (text: string): string =>
  text.replaceAll(/[^\p{L}\p{N} .,:;@+_()#%!?'’·，。：；、（）“”！？-]/gu, '?').slice(0, maxText);
