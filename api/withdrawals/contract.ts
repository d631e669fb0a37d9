import * as z from 'zod/mini';
import { withdrawalFilters } from './filters.ts';
import { withdrawalStatuses } from './values.ts';
import { filterInput, id, idsInput, listInput, listOutput, route, text, valuesInput, valuesOutput, version } from '../base.ts';
import { historyRoutes } from '../history.ts';

const menu = '/selfCustody/withdraw';

/**
 * todo: recorded here, nothing on chain. doing: the bridge has the request, it cools. withdrawable: confirmed, the notary pays
 * out. done: paid out. canceled: turned down by the notary, or given up here. gone: the bridge had its request and has it no more;
 * somebody must look before it is requested again.
 */

/** What a person says: which deposit goes back, and where to. */
export const withdrawalFields = z.strictObject({
  depositId: id(),
  /** A Bitcoin address of the deposit's network. */
  receiver: text(100),
});

export const withdrawalRow = z.object({
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
export type WithdrawalRow = z.infer<typeof withdrawalRow>;

/** The call a wallet is to be asked for, as the server has written it down. */
const refundCall = z.object({ chainId: z.int(), from: z.string(), to: z.string(), data: z.string() });
export type RefundCall = z.infer<typeof refundCall>;
const preparedRefund = z.extend(withdrawalRow, { call: refundCall });
export type PreparedRefund = z.infer<typeof preparedRefund>;

export const withdrawalSorts = ['createdAt', 'amount'] as const;

export const withdrawalFilter = filterInput(withdrawalFilters);

const seen = () => z.strictObject({ id: id(), version: version() });
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
  add: route
    .meta({ permission: 'withdrawals.add', fresh: true, keyed: true })
    .route({ method: 'POST', path: '/withdrawals' })
    .input(withdrawalFields)
    .output(withdrawalRow),
  /** Gives one up that is on no chain; the deposit may be withdrawn anew. */
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
  /** Writes down what the wallet is about to be asked, when the refund may be requested now. */
  prepareRequest: route
    .meta({ permission: 'withdrawals.requestRefund', fresh: true, keyed: true })
    .route({ method: 'POST', path: '/withdrawals/request/prepare' })
    .input(seen())
    .output(preparedRefund),
  /** What the wallet says it sent: shown, and believed once the chain has it. */
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
