import type { DepositRow, MintRuleRow } from '../../../api/deposits/contract.ts';
import { formatUnits } from '../../../api/money.ts';
import { newest, targetOf, type RecordKinds } from '../engine/resource.ts';

declare module '../../lib/scope.ts' {
  interface Entities {
    deposits: DepositRow;
    mintRules: MintRuleRow;
  }
}

const btc = (satoshi: string) => formatUnits(BigInt(satoshi), 8);

/** A deposit is called by its amount and where it is on Bitcoin. */
export const depositTarget = targetOf('deposits', ({ amount, txid, vout }) => `${btc(amount)} BTC · ${txid}:${vout}`);
/** A mint rule by the amounts it is for. */
export const mintRuleTarget = targetOf('mintRules', ({ from, below }) =>
  below === null ? `≥ ${btc(from)} BTC` : `${btc(from)} – ${btc(below)} BTC`,
);

export const records = {
  deposits: {
    target: depositTarget,
    place: '/selfCustody/deposit',
    read: ({ deposits }, ids) => deposits.many({ ids }),
    open: 'deposits.open',
    by: ['address', 'hash', 'bitcoin', 'id'],
    find: async ({ deposits }, q) => (await deposits.list({ ...newest, filter: { q } })).rows,
    note: ({ userAddress }) => userAddress,
  },
  mintRules: {
    target: mintRuleTarget,
    place: '/selfCustody/deposit',
    read: async ({ deposits }, ids) => (await deposits.policies()).rules.filter(({ id }) => ids.includes(id)),
  },
} as const satisfies RecordKinds;
