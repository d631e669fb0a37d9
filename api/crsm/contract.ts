import * as z from 'zod/mini';
import { crsmFilters, positionFilters } from './filters.ts';
import { idSchema, route } from '../base.ts';
import { callStates, crsmActions, maxRatio } from './values.ts';
import { evmAddressSchema, receiverAddressSchema } from '../evm.ts';
import { listRoutes } from '../list.ts';

// Amounts and prices are wei (18 decimals), ratios 1e18 for 100 %, as decimal strings.

const weiText = z.string();
const listMenu = '/CRSMTrove/CRSMList';
const positionMenu = '/CRSMTrove/positionList';

const weiSchema = () =>
  z.string({ error: 'required' }).check(z.minLength(1, { error: 'required' }), z.regex(/^[1-9]\d{0,58}$/, { error: 'units' }));
const weiOrZero = () =>
  z
    .string({ error: 'required' })
    .check(z.minLength(1, { error: 'required' }), z.regex(/^(0|[1-9]\d{0,58})$/, { error: 'units' }));
/** 1e18 is 100 %. */
const ratioSchema = () =>
  z.string({ error: 'required' }).check(
    z.minLength(1, { error: 'required' }),
    z.regex(/^[1-9]\d{0,20}$/, { error: 'ratio' }),
    z.refine((value) => /^\d{1,21}$/.test(value) && BigInt(value) <= maxRatio, { error: 'ratio' }),
  );

export const crsmFields = {
  create: z.strictObject({
    TRGCR: ratioSchema(),
    TARCR: ratioSchema(),
    MAX_TARCR: ratioSchema(),
    debtGasCompensation: weiOrZero(),
    amount: weiOrZero(),
  }),
  deposit: z.strictObject({ amount: weiSchema() }),
  withdrawFromSP: z.strictObject({ to: receiverAddressSchema(), amount: weiSchema() }),
  claimYield: z.strictObject({ to: receiverAddressSchema() }),
  claimAllCollateralGains: z.strictObject({ to: receiverAddressSchema() }),
  updateCR: z.strictObject({ TRGCR: ratioSchema(), TARCR: ratioSchema(), MAX_TARCR: ratioSchema() }),
  commitDebtGasCompensation: z.strictObject({ debtGasCompensation: weiOrZero() }),
  acceptDebtGasCompensation: z.strictObject({}),
  withdraw: z.strictObject({ to: receiverAddressSchema(), amount: weiSchema() }),
  repay: z.strictObject({ amount: weiSchema() }),
};

const troveFields = {
  troveManager: z.string(),
  troveId: z.string(),
  collateral: weiText,
  /** With interest up to the block. */
  debt: weiText,
  interest: weiText,
  icr: z.nullable(weiText),
  liquidationPrice: weiText,
  MCR: weiText,
  price: weiText,
  block: z.string(),
  at: z.string(),
  stale: z.boolean(),
};

export const crsmRow = z.object({
  id: z.string(),
  version: z.literal(1),
  tokenId: z.string(),
  owner: z.string(),
  ...troveFields,
  TRGCR: weiText,
  TARCR: weiText,
  MAX_TARCR: weiText,
  debtGasCompensation: weiText,
  pendingDebtGasCompensation: weiText,
  deadline: z.nullable(z.string()),
  deposits: weiText,
  yieldGains: weiText,
  debtTokenBalance: weiText,
  collateralGains: z.array(z.object({ token: z.string(), symbol: z.string(), amount: weiText })),
  /** (ICR − TRGCR) ÷ TRGCR, 1e18-based. Null: no debt. */
  distance: z.nullable(weiText),
  /** False: the trove changed owner or is closed. */
  isTrovesOwner: z.boolean(),
  createdAt: z.string(),
});
export type CrsmRow = z.infer<typeof crsmRow>;

export const positionRow = z.object({
  /** `<trove manager>-<trove id>` */
  id: z.string(),
  version: z.literal(1),
  owner: z.string(),
  ...troveFields,
  crsm: z.nullable(crsmRow),
  openedAt: z.string(),
});
export type PositionRow = z.infer<typeof positionRow>;

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
 * sent: the wallet reported `hash`. done: final, with exactly the prepared calldata. different:
 * another transaction was mined. lost: no node knows it.
 */
export const crsmCall = z.object({
  id: idSchema(),
  action: z.enum(crsmActions),
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

export const crsmSorts = ['distance', 'collateral', 'debt', 'icr', 'deposits', 'createdAt'] as const;
export const positionSorts = ['icr', 'collateral', 'debt', 'openedAt'] as const;

const positionId = () => z.string().check(z.regex(/^0x[0-9a-fA-F]{40}-\d{1,78}$/, { error: 'invalid' }));

const syncState = z.object({
  /**
   * unreachable: no node returned newer figures than those of `block`. noPrice: the price feed
   * failed.
   */
  state: z.enum(['ok', 'off', 'behind', 'unreachable', 'noPrice']),
  block: z.nullable(z.string()),
  head: z.nullable(z.string()),
  at: z.nullable(z.string()),
  price: z.nullable(weiText),
});
export type CrsmFollower = z.infer<typeof syncState>;

const actionRoute = <A extends keyof typeof crsmFields>(action: A) =>
  route
    .meta({ permission: `crsm.${action}`, fresh: true, keyed: true })
    .route({ method: 'POST', path: `/crsm/calls/${action}` })
    .input(z.strictObject({ crsm: evmAddressSchema(), from: evmAddressSchema(), params: crsmFields[action] }))
    .output(crsmCall);

const positionList = listRoutes('/crsm/positions', {
  menu: positionMenu,
  id: positionId(),
  row: positionRow,
  sorts: positionSorts,
  filters: positionFilters,
});

export const crsm = {
  ...listRoutes('/crsm', { menu: listMenu, id: evmAddressSchema(), row: crsmRow, sorts: crsmSorts, filters: crsmFilters }),
  events: route
    .meta({ menu: listMenu })
    .route({ method: 'POST', path: '/crsm/events' })
    .input(z.strictObject({ id: evmAddressSchema() }))
    .output(z.object({ events: z.array(crsmEvent), calls: z.array(crsmCall) })),
  follower: route.meta({ menu: listMenu }).route({ method: 'GET', path: '/crsm/follower' }).output(syncState),
  updateData: route
    .meta({ permission: 'crsm.updateData' })
    .route({ method: 'POST', path: '/crsm/update-data' })
    .input(z.strictObject({ ids: z.array(evmAddressSchema()).check(z.minLength(1), z.maxLength(100)) }))
    .output(z.array(crsmRow)),
  positions: positionList.list,
  positionValues: positionList.values,
  manyPositions: positionList.many,
  /** Records the exact call for the wallet. The server sends nothing. */
  create: route
    .meta({ permission: 'crsm.create', fresh: true, keyed: true })
    .route({ method: 'POST', path: '/crsm/calls/create' })
    .input(z.strictObject({ position: positionId(), from: evmAddressSchema(), params: crsmFields.create }))
    .output(crsmCall),
  deposit: actionRoute('deposit'),
  withdrawFromSP: actionRoute('withdrawFromSP'),
  claimYield: actionRoute('claimYield'),
  claimAllCollateralGains: actionRoute('claimAllCollateralGains'),
  updateCR: actionRoute('updateCR'),
  commitDebtGasCompensation: actionRoute('commitDebtGasCompensation'),
  acceptDebtGasCompensation: actionRoute('acceptDebtGasCompensation'),
  withdraw: actionRoute('withdraw'),
  repay: actionRoute('repay'),
  /** The reported hash is not trusted until it is on chain. */
  sent: route
    .meta({ signedIn: true })
    .route({ method: 'POST', path: '/crsm/calls/sent' })
    .input(z.strictObject({ id: idSchema(), hash: z.string().check(z.regex(/^0x[0-9a-f]{64}$/, { error: 'invalid' })) }))
    .output(crsmCall),
  call: route
    .meta({ signedIn: true })
    .route({ method: 'POST', path: '/crsm/calls/get' })
    .input(z.strictObject({ id: idSchema() }))
    .output(crsmCall),
};
