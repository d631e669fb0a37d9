import * as z from 'zod/mini';
import { withdrawalFilters } from './filters.ts';
import { withdrawalStatuses } from './values.ts';
import { filterInput, id, idsInput, listInput, listOutput, route, text, valuesInput, valuesOutput, version } from '../base.ts';
import { historyRoutes } from '../history.ts';
import { given, proposal } from '../authority/signing.ts';

const menu = '/selfCustody/withdraw';

/**
 * todo: recorded here, nothing on chain. doing: the bridge has the request, it cools. withdrawable: confirmed, the notary pays
 * out. done: paid out. canceled: turned down by the notary, or given up here. gone: the bridge had its request and has it no more;
 * somebody must look before it is requested again.
 */

/** What a person says: which deposit goes back, and where to. */
export const withdrawalFields = z.strictObject({
  depositId: id(),
  /** One of the payout addresses that the institution has in the address book. */
  receiver: text(100),
});

/** A withdrawal as it is recorded: what the audit holds, and what a conflict answers with. */
export const withdrawalRecord = z.object({
  id: id(),
  version: version(),
  depositId: id(),
  address: z.string(),
  /** Satoshi. */
  amount: z.string(),
  receiver: z.string(),
  /** Of the deposit, as Bitcoin shows it; with 0x before it the bridge's `srcHash`. */
  txid: z.string(),
  status: z.enum(withdrawalStatuses),
  nonce: z.nullable(z.int()),
  /** The transaction of the request: as the wallet said it, until the chain says it. */
  requestHash: z.nullable(z.string()),
  confirmHash: z.nullable(z.string()),
  /** When the chain's clock will let it be confirmed, in the time of this server. */
  coolsUntil: z.nullable(z.string()),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type WithdrawalRecord = z.infer<typeof withdrawalRecord>;

/** Why a refund isn't requested or confirmed, besides what `MONEY_REFUSED` says of every signature: data.reason. */
export const refundRefusals = [
  'UNSIGNED', // data.missing more people must sign
  'CHANGED', // people signed something else
  'EXPIRED', // the signatures
  'OLD_RULES', // the rules have changed since they were given
  'DELAY', // of the rules: data.until
  'UNCOVERED', // the request on chain is none that people signed
  'UNKNOWN_TRANSACTION', // no node has it, or it is another call
  'CANCEL_ASKED', // a colleague's withdrawal: its recorder or an approver has to agree
  'BLOCKED', // the custodian rejected the deposit: data.said
] as const;
export type RefundRefusal = (typeof refundRefusals)[number];

const refundRule = z.object({
  approvals: z.int(),
  role: z.nullable(z.string()),
  /** Satoshi; null: without a limit. */
  perDay: z.nullable(z.string()),
  delaySeconds: z.int(),
});

export const withdrawalRow = z.extend(withdrawalRecord, {
  createdEmail: z.nullable(z.string()),
  /** Whether the person who asks recorded it, or an earlier withdrawal of its deposit: then they can't sign. */
  own: z.boolean(),
  /** Whether the person who asks recorded this very one: then they may void it alone. */
  recorded: z.boolean(),
  /** Who has signed in the authority log for this very refund. */
  approvals: z.array(z.object({ email: z.string(), at: z.string(), own: z.boolean() })),
  /** How many more have to sign, by the rules in force. */
  missing: z.int(),
  /** Null: the rules have no such amount, so it is not paid out. */
  rule: z.nullable(refundRule),
  /** Data of the MONEY_REFUSED with which a request of this refund would be refused now; null: it can be requested. */
  refusal: z.nullable(z.record(z.string(), z.unknown())),
  /** Why the custodian rejected the deposit: until people unblock it, its refund is not signed, requested or confirmed. */
  block: z.nullable(z.string()),
  /** Who asked to void it and waits for consent. */
  cancelAsked: z.nullable(z.object({ email: z.string(), at: z.string(), own: z.boolean() })),
});
export type WithdrawalRow = z.infer<typeof withdrawalRow>;

/** The call a wallet is to be asked for, as the server has written it down. */
const refundCall = z.object({ chainId: z.int(), from: z.string(), to: z.string(), data: z.string() });
export type RefundCall = z.infer<typeof refundCall>;
const preparedRefund = z.extend(withdrawalRow, { call: refundCall });
export type PreparedRefund = z.infer<typeof preparedRefund>;

export const withdrawalSorts = ['createdAt', 'amount'] as const;

export const withdrawalFilter = filterInput(withdrawalFilters);

const seen = () => z.strictObject({ id: id(), version: version() });
/** The same with a signature of the statement that `propose` answered, and whether the review said that others sign after it. */
const signedSeen = () => z.extend(seen(), { signed: z.optional(given), onlySigns: z.optional(z.boolean()) });
const sent = () => z.strictObject({ id: id(), hash: z.string().check(z.regex(/^0x[0-9a-f]{64}$/, { error: 'invalid' })) });

export const withdrawals = {
  list: route
    .meta({ menu })
    .route({ method: 'POST', path: '/withdrawals/list' })
    .input(listInput(withdrawalSorts, withdrawalFilter))
    .output(listOutput(withdrawalRow)),
  /** The values there are of one field, within the rest of the filter. */
  values: route
    .meta({ menu })
    .route({ method: 'POST', path: '/withdrawals/values' })
    .input(valuesInput(withdrawalFilters))
    .output(valuesOutput()),
  /** Those of the asked rows that exist, in the asked order. */
  many: route
    .meta({ menu })
    .route({ method: 'POST', path: '/withdrawals/many' })
    .input(idsInput(id()))
    .output(z.array(withdrawalRow)),
  history: historyRoutes(menu).history,
  /**
   * Deposits that are minted and have no withdrawal under way: what one may be added for, 200 at most.
   * `q`: as the list of deposits has it; `id`: that one alone.
   */
  candidates: route
    .meta({ permission: 'withdrawals.add' })
    .route({ method: 'POST', path: '/withdrawals/candidates' })
    .input(z.optional(z.strictObject({ q: z.optional(z.string().check(z.maxLength(200))), id: z.optional(id()) })))
    .output(z.array(z.object({ id: id(), address: z.string(), amount: z.string(), txid: z.string(), vout: z.int() }))),
  /** The payout addresses in force of the institution a deposit belongs to. */
  payouts: route
    .meta({ permission: 'withdrawals.add' })
    .route({ method: 'POST', path: '/withdrawals/payouts' })
    .input(z.strictObject({ depositId: id() }))
    .output(z.object({ institution: z.nullable(z.string()), addresses: z.array(z.string()) })),
  /** MONEY_REFUSED (PAYOUT): the address is none of the institution's payout addresses in force. */
  add: route
    .meta({ permission: 'withdrawals.add', fresh: true, keyed: true })
    .route({ method: 'POST', path: '/withdrawals' })
    .input(withdrawalFields)
    .output(withdrawalRow),
  /** Puts what is to be signed for a refund before who asks, with their own keys. MONEY_REFUSED says why not. */
  propose: route
    .meta({ permission: 'withdrawals.signRefund', keyed: true })
    .route({ method: 'POST', path: '/withdrawals/propose' })
    .input(seen())
    .output(proposal),
  /**
   * Signs the refund in the authority log; `missing` says how many others still have to. MONEY_REFUSED says why not: CHANGED also where
   * it would be the last signature though the review said that others sign after it.
   */
  signRefund: route
    .meta({ permission: 'withdrawals.signRefund', fresh: true, keyed: true })
    .route({ method: 'POST', path: '/withdrawals/sign' })
    .input(signedSeen())
    .output(withdrawalRow),
  /**
   * Gives one up that is on no chain; the deposit may be withdrawn again. A colleague's only asks for that: it is given up once its
   * recorder, or another person who may sign refunds, does the same. MONEY_REFUSED (CANCEL_ASKED): it waits for them.
   */
  cancel: route
    .meta({ permission: 'withdrawals.cancel', fresh: true, keyed: true })
    .route({ method: 'POST', path: '/withdrawals/cancel' })
    .input(seen())
    .output(withdrawalRow),
  /** One whose request the chain has no more, after a look at it: it may be requested anew, or given up. */
  offerAgain: route
    .meta({ permission: 'withdrawals.offerAgain', fresh: true, keyed: true })
    .route({ method: 'POST', path: '/withdrawals/offer-again' })
    .input(seen())
    .output(withdrawalRow),
  /** Writes down what the wallet is about to be asked, when enough people signed the refund. MONEY_REFUSED says why not. */
  prepareRequest: route
    .meta({ permission: 'withdrawals.requestRefund', fresh: true, keyed: true })
    .route({ method: 'POST', path: '/withdrawals/request/prepare' })
    .input(seen())
    .output(preparedRefund),
  /** What the wallet says it sent. MONEY_REFUSED (UNKNOWN_TRANSACTION): no node has that transaction, or it is another call. */
  requestRefund: route
    .meta({ permission: 'withdrawals.requestRefund', keyed: true })
    .route({ method: 'POST', path: '/withdrawals/request' })
    .input(sent())
    .output(withdrawalRow),
  prepareConfirm: route
    .meta({ permission: 'withdrawals.confirmRefund', fresh: true, keyed: true })
    .route({ method: 'POST', path: '/withdrawals/confirm/prepare' })
    .input(seen())
    .output(preparedRefund),
  confirmRefund: route
    .meta({ permission: 'withdrawals.confirmRefund', keyed: true })
    .route({ method: 'POST', path: '/withdrawals/confirm' })
    .input(sent())
    .output(withdrawalRow),
};
