import * as z from 'zod/mini';
import { withdrawalFilters } from './filters.ts';
import { withdrawalStatuses } from './values.ts';
import { idSchema, route, textSchema, versionSchema } from '../base.ts';
import { historyRoutes } from '../history.ts';
import { signatureInput, proposal } from '../authority/signing.ts';
import { listRoutes } from '../list.ts';

const menu = '/selfCustody/withdraw';

/**
 * doing: the bridge is cooling the request. withdrawable: the notary pays. gone: missing from the
 * bridge, so someone must check before a new request.
 */

export const withdrawalFields = z.strictObject({
  depositId: idSchema(),
  receiver: textSchema(100),
});

export const withdrawalRecord = z.object({
  id: idSchema(),
  version: versionSchema(),
  depositId: idSchema(),
  address: z.string(),
  /** Satoshi. */
  amount: z.string(),
  receiver: z.string(),
  txid: z.string(),
  status: z.enum(withdrawalStatuses),
  nonce: z.nullable(z.int()),
  requestHash: z.nullable(z.string()),
  confirmHash: z.nullable(z.string()),
  coolsUntil: z.nullable(z.string()),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type WithdrawalRecord = z.infer<typeof withdrawalRecord>;

/** data.reason of MONEY_REFUSED, besides those of signatures. */
export const refundRefusals = [
  'UNSIGNED', // data.missing
  'CHANGED', // people signed something else
  'EXPIRED', // signatures expired
  'OLD_RULES',
  'DELAY', // data.until
  'UNCOVERED', // the request on chain is unsigned
  'UNKNOWN_TRANSACTION', // unknown to the nodes, or another call
  'CANCEL_ASKED', // needs consent of the recorder or an approver
  'BLOCKED', // data.said
] as const;
export type RefundRefusal = (typeof refundRefusals)[number];

const refundRule = z.object({
  approvals: z.int(),
  role: z.nullable(z.string()),
  /** Satoshi. Null: no limit. */
  perDay: z.nullable(z.string()),
  delaySeconds: z.int(),
});

export const withdrawalRow = z.extend(withdrawalRecord, {
  createdEmail: z.nullable(z.string()),
  /** The caller recorded this or an earlier withdrawal of the deposit, so they can't sign. */
  own: z.boolean(),
  recorded: z.boolean(),
  approvals: z.array(z.object({ email: z.string(), at: z.string(), own: z.boolean() })),
  missing: z.int(),
  /** Null: no rule covers the amount, so it is not paid. */
  rule: z.nullable(refundRule),
  /** MONEY_REFUSED data that a request would get now. */
  refusal: z.nullable(z.record(z.string(), z.unknown())),
  /** Until unblocked, the refund can't be signed, requested or confirmed. */
  block: z.nullable(z.string()),
  cancelAsked: z.nullable(z.object({ email: z.string(), at: z.string(), own: z.boolean() })),
});
export type WithdrawalRow = z.infer<typeof withdrawalRow>;

const refundCall = z.object({ chainId: z.int(), from: z.string(), to: z.string(), data: z.string() });
export type RefundCall = z.infer<typeof refundCall>;
const preparedRefund = z.extend(withdrawalRow, { call: refundCall });
export type PreparedRefund = z.infer<typeof preparedRefund>;

export const withdrawalSorts = ['createdAt', 'amount'] as const;

const withdrawalVersionSchema = () => z.strictObject({ id: idSchema(), version: versionSchema() });
const signedVersionSchema = () =>
  z.extend(withdrawalVersionSchema(), { signed: z.optional(signatureInput), onlySigns: z.optional(z.boolean()) });
const sentTransactionSchema = () =>
  z.strictObject({ id: idSchema(), hash: z.string().check(z.regex(/^0x[0-9a-f]{64}$/, { error: 'invalid' })) });

const refundCandidate = z.object({
  id: idSchema(),
  address: z.string(),
  institution: z.nullable(z.string()),
  amount: z.string(),
  txid: z.string(),
  vout: z.int(),
});

export const withdrawals = {
  ...listRoutes('/withdrawals', { menu, id: idSchema(), row: withdrawalRow, sorts: withdrawalSorts, filters: withdrawalFilters }),
  history: historyRoutes(menu).history,
  candidates: route
    .meta({ permission: 'withdrawals.add' })
    .route({ method: 'POST', path: '/withdrawals/candidates' })
    .input(z.optional(z.strictObject({ q: z.optional(z.string().check(z.maxLength(200))), id: z.optional(idSchema()) })))
    .output(z.array(refundCandidate)),
  payouts: route
    .meta({ permission: 'withdrawals.add' })
    .route({ method: 'POST', path: '/withdrawals/payouts' })
    .input(z.strictObject({ depositId: idSchema() }))
    .output(z.object({ institution: z.nullable(z.string()), addresses: z.array(z.string()) })),
  /** MONEY_REFUSED (PAYOUT): not a payout address in force. */
  add: route
    .meta({ permission: 'withdrawals.add', fresh: true, keyed: true })
    .route({ method: 'POST', path: '/withdrawals' })
    .input(withdrawalFields)
    .output(withdrawalRow),
  propose: route
    .meta({ permission: 'withdrawals.signRefund', keyed: true })
    .route({ method: 'POST', path: '/withdrawals/propose' })
    .input(withdrawalVersionSchema())
    .output(proposal),
  /** MONEY_REFUSED (CHANGED): the last signature, although the review promised others. */
  signRefund: route
    .meta({ permission: 'withdrawals.signRefund', fresh: true, keyed: true })
    .route({ method: 'POST', path: '/withdrawals/sign' })
    .input(signedVersionSchema())
    .output(withdrawalRow),
  /** CANCEL_ASKED: a colleague's needs consent of its recorder or another approver. */
  cancel: route
    .meta({ permission: 'withdrawals.cancel', fresh: true, keyed: true })
    .route({ method: 'POST', path: '/withdrawals/cancel' })
    .input(withdrawalVersionSchema())
    .output(withdrawalRow),
  offerAgain: route
    .meta({ permission: 'withdrawals.offerAgain', fresh: true, keyed: true })
    .route({ method: 'POST', path: '/withdrawals/offer-again' })
    .input(withdrawalVersionSchema())
    .output(withdrawalRow),
  prepareRequest: route
    .meta({ permission: 'withdrawals.requestRefund', fresh: true, keyed: true })
    .route({ method: 'POST', path: '/withdrawals/request/prepare' })
    .input(withdrawalVersionSchema())
    .output(preparedRefund),
  /** UNKNOWN_TRANSACTION: unknown to the nodes, or another call. */
  requestRefund: route
    .meta({ permission: 'withdrawals.requestRefund', keyed: true })
    .route({ method: 'POST', path: '/withdrawals/request' })
    .input(sentTransactionSchema())
    .output(withdrawalRow),
  prepareConfirm: route
    .meta({ permission: 'withdrawals.confirmRefund', fresh: true, keyed: true })
    .route({ method: 'POST', path: '/withdrawals/confirm/prepare' })
    .input(withdrawalVersionSchema())
    .output(preparedRefund),
  confirmRefund: route
    .meta({ permission: 'withdrawals.confirmRefund', keyed: true })
    .route({ method: 'POST', path: '/withdrawals/confirm' })
    .input(sentTransactionSchema())
    .output(withdrawalRow),
};
