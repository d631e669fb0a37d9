import * as z from 'zod/mini';
import { crsmFilters, positionFilters } from './filters.ts';
import { filterInput, id, idsInput, listInput, listOutput, route, valuesInput, valuesOutput } from '../base.ts';
import { callStates, crsmActions, mostRatio } from './values.ts';
import { evmAddress, receiverAddress } from '../evm.ts';

// Amounts and prices are wei of 18 decimals, ratios 1e18 for 100 %: decimal strings all. What the chain says, at the block named.

const amount = z.string();
const listMenu = '/CRSMTrove/CRSMList';
const positionMenu = '/CRSMTrove/positionList';

// ── Parameters ─────────────────────────────────────────────────────────────

/** Base units of 18 decimals as they travel: digits alone, above zero. */
const wei = () =>
  z.string({ error: 'required' }).check(z.minLength(1, { error: 'required' }), z.regex(/^[1-9]\d{0,58}$/, { error: 'units' }));
/** The same, zero as well. */
const weiOrNone = () =>
  z
    .string({ error: 'required' })
    .check(z.minLength(1, { error: 'required' }), z.regex(/^(0|[1-9]\d{0,58})$/, { error: 'units' }));
/** A ratio: 1e18 is 100 %; at most 10,000 %. */
const ratio = () =>
  z.string({ error: 'required' }).check(
    z.minLength(1, { error: 'required' }),
    z.regex(/^[1-9]\d{0,20}$/, { error: 'ratio' }),
    z.refine((value) => /^\d{1,21}$/.test(value) && BigInt(value) <= mostRatio, { error: 'ratio' }),
  );

/** What each action is told. The command's form and the route validate with these schemas. */
export const crsmFields = {
  create: z.strictObject({
    TRGCR: ratio(),
    TARCR: ratio(),
    MAX_TARCR: ratio(),
    debtGasCompensation: weiOrNone(),
    /** YU to put into the stability pool at once. */
    amount: weiOrNone(),
  }),
  deposit: z.strictObject({ amount: wei() }),
  withdrawFromSP: z.strictObject({ to: receiverAddress(), amount: wei() }),
  claimYield: z.strictObject({ to: receiverAddress() }),
  claimAllCollateralGains: z.strictObject({ to: receiverAddress() }),
  updateCR: z.strictObject({ TRGCR: ratio(), TARCR: ratio(), MAX_TARCR: ratio() }),
  commitDebtGasCompensation: z.strictObject({ debtGasCompensation: weiOrNone() }),
  acceptDebtGasCompensation: z.strictObject({}),
  /** Idle YU of the clone. */
  withdraw: z.strictObject({ to: receiverAddress(), amount: wei() }),
  repay: z.strictObject({ amount: wei() }),
};

// ── Rows ───────────────────────────────────────────────────────────────────

const trove = {
  troveManager: z.string(),
  /** The position's ID, whole number. Ids are given again once a manager's last trove has closed. */
  troveId: z.string(),
  collateral: amount,
  /** Principal, with the gas compensation in it; and the interest up to the block. Total debt is both. */
  debt: amount,
  interest: amount,
  /** Null: no debt. */
  icr: z.nullable(amount),
  liquidationPrice: amount,
  MCR: amount,
  price: amount,
  /** Block and moment the figures were read at. */
  block: z.string(),
  at: z.string(),
  /** The figures could not be refreshed since: they are of that block and of no later one. */
  stale: z.boolean(),
};

export const crsmRow = z.object({
  /** The clone's address, EIP-55. */
  id: z.string(),
  version: z.literal(1), // the chain has no versions: every call is checked against the chain itself
  tokenId: z.string(),
  /** Who holds its token: who may steer it. */
  owner: z.string(),
  ...trove,
  TRGCR: amount,
  TARCR: amount,
  MAX_TARCR: amount,
  debtGasCompensation: amount,
  pendingDebtGasCompensation: amount,
  /** When the pending one may be accepted; null: none is pending. */
  deadline: z.nullable(z.string()),
  /** In the stability pool, compounded. */
  deposits: amount,
  yieldGains: amount,
  /** Idle YU in the clone. */
  debtTokenBalance: amount,
  collateralGains: z.array(z.object({ token: z.string(), symbol: z.string(), amount })),
  /** (ICR − TRGCR) ÷ TRGCR, 1e18-based, below zero once passed; null: no debt. */
  distance: z.nullable(amount),
  /** False: the trove has another owner by now, or is closed. */
  isTrovesOwner: z.boolean(),
  createdAt: z.string(),
});
export type CrsmRow = z.infer<typeof crsmRow>;

/** A trove, with the CRSM that keeps it. */
export const positionRow = z.object({
  /** `<trove manager>-<trove id>` */
  id: z.string(),
  version: z.literal(1),
  owner: z.string(),
  ...trove,
  /** The CRSM of its present owner; null: none. */
  crsm: z.nullable(crsmRow),
  openedAt: z.string(),
});
export type PositionRow = z.infer<typeof positionRow>;

/** Something that happened to a CRSM on chain. */
export const crsmEvent = z.object({
  /** `<transaction>-<log index>` */
  id: z.string(),
  name: z.string(),
  args: z.record(z.string(), z.string()),
  hash: z.string(),
  block: z.string(),
  at: z.string(),
});
export type CrsmEvent = z.infer<typeof crsmEvent>;

/**
 * A transaction that the panel has a wallet make. prepared: the wallet is asked. sent: it says it sent `hash`. done: mined, settled,
 * and to the last byte what was prepared. failed: mined and reverted. different: the transaction is another one. lost: no node knows it.
 */
export const crsmCall = z.object({
  id: id(),
  action: z.enum(crsmActions),
  /** Null: the CRSM that is being made. */
  crsm: z.nullable(z.string()),
  state: z.enum(callStates),
  chainId: z.int(),
  from: z.string(),
  to: z.string(),
  data: z.string(),
  functionName: z.string(),
  args: z.array(z.object({ name: z.string(), value: z.string() })),
  hash: z.nullable(z.string()),
  by: z.string(),
  at: z.string(),
});
export type CrsmCall = z.infer<typeof crsmCall>;

// ── Lists ──────────────────────────────────────────────────────────────────

export const crsmSorts = ['distance', 'collateral', 'debt', 'icr', 'deposits', 'createdAt'] as const;
export const positionSorts = ['icr', 'collateral', 'debt', 'openedAt'] as const;

export const crsmFilter = filterInput(crsmFilters);

export const positionFilter = filterInput(positionFilters);

const positionId = () => z.string().check(z.regex(/^0x[0-9a-fA-F]{40}-\d{1,78}$/, { error: 'invalid' }));

/** What the lists say of the chain behind them. */
const follower = z.object({
  /**
   * off: no chain is configured. behind: blocks are still being read. unreachable: no node gave the figures of the newest block.
   * noPrice: the price feed failed there. `block`, `at` and `price` are of the figures that are shown.
   */
  state: z.enum(['ok', 'off', 'behind', 'unreachable', 'noPrice']),
  block: z.nullable(z.string()),
  head: z.nullable(z.string()),
  at: z.nullable(z.string()),
  price: z.nullable(amount),
});
export type CrsmFollower = z.infer<typeof follower>;

// ── Routes ─────────────────────────────────────────────────────────────────

const act = <A extends keyof typeof crsmFields>(action: A) =>
  route
    .meta({ permission: `crsm.${action}`, fresh: true, keyed: true })
    .route({ method: 'POST', path: `/crsm/calls/${action}` })
    // `from` is the connected account: who will sign.
    .input(z.strictObject({ crsm: evmAddress(), from: evmAddress(), params: crsmFields[action] }))
    .output(crsmCall);

export const crsm = {
  list: route
    .meta({ menu: listMenu })
    .route({ method: 'POST', path: '/crsm/list' })
    .input(listInput(crsmSorts, crsmFilter))
    .output(listOutput(crsmRow)),
  /** The values there are of one field, within the rest of the filter. */
  values: route
    .meta({ menu: listMenu })
    .route({ method: 'POST', path: '/crsm/values' })
    .input(valuesInput(crsmFilters))
    .output(valuesOutput()),
  /** Those of the asked CRSMs that exist, in the asked order. */
  many: route
    .meta({ menu: listMenu })
    .route({ method: 'POST', path: '/crsm/many' })
    .input(idsInput(evmAddress()))
    .output(z.array(crsmRow)),
  /** Its newest hundred events, and what the panel had wallets do with it. */
  events: route
    .meta({ menu: listMenu })
    .route({ method: 'POST', path: '/crsm/events' })
    .input(z.strictObject({ id: evmAddress() }))
    .output(z.object({ events: z.array(crsmEvent), calls: z.array(crsmCall) })),
  follower: route.meta({ menu: listMenu }).route({ method: 'GET', path: '/crsm/follower' }).output(follower),
  /** "Update contract data": reads these from the chain now. */
  updateData: route
    .meta({ permission: 'crsm.updateData' })
    .route({ method: 'POST', path: '/crsm/update-data' })
    .input(z.strictObject({ ids: z.array(evmAddress()).check(z.minLength(1), z.maxLength(100)) }))
    .output(z.array(crsmRow)),
  positions: route
    .meta({ menu: positionMenu })
    .route({ method: 'POST', path: '/crsm/positions/list' })
    .input(listInput(positionSorts, positionFilter))
    .output(listOutput(positionRow)),
  /** The values there are of one field, within the rest of the filter. */
  positionValues: route
    .meta({ menu: positionMenu })
    .route({ method: 'POST', path: '/crsm/positions/values' })
    .input(valuesInput(positionFilters))
    .output(valuesOutput()),
  manyPositions: route
    .meta({ menu: positionMenu })
    .route({ method: 'POST', path: '/crsm/positions/many' })
    .input(idsInput(positionId()))
    .output(z.array(positionRow)),
  /** Each of these writes down the exact call that a wallet is about to be asked for, once the rules hold; nothing is sent. */
  create: route
    .meta({ permission: 'crsm.create', fresh: true, keyed: true })
    .route({ method: 'POST', path: '/crsm/calls/create' })
    .input(z.strictObject({ position: positionId(), from: evmAddress(), params: crsmFields.create }))
    .output(crsmCall),
  deposit: act('deposit'),
  withdrawFromSP: act('withdrawFromSP'),
  claimYield: act('claimYield'),
  claimAllCollateralGains: act('claimAllCollateralGains'),
  updateCR: act('updateCR'),
  commitDebtGasCompensation: act('commitDebtGasCompensation'),
  acceptDebtGasCompensation: act('acceptDebtGasCompensation'),
  withdraw: act('withdraw'),
  repay: act('repay'),
  /** What the wallet says it sent for one's own call: shown, and believed once the chain has it. NOT_FOUND: another's call. */
  sent: route
    .meta({ signedIn: true })
    .route({ method: 'POST', path: '/crsm/calls/sent' })
    .input(z.strictObject({ id: id(), hash: z.string().check(z.regex(/^0x[0-9a-f]{64}$/, { error: 'invalid' })) }))
    .output(crsmCall),
  call: route
    .meta({ signedIn: true })
    .route({ method: 'POST', path: '/crsm/calls/get' })
    .input(z.strictObject({ id: id() }))
    .output(crsmCall),
};
