import * as z from 'zod/mini';
import { institutionFilters } from './filters.ts';
import { filterInput, idSchema, listInput, listOutput, maxTargets, route, textSchema, versionSchema } from '../base.ts';
import { signatureInput, proposal } from '../authority/signing.ts';
import { evmAddressSchema } from '../evm.ts';
import { mintStatuses } from '../deposits/values.ts';
import { historyRoutes } from '../history.ts';
import { reserve } from './reserve.ts';

// Bitcoin is satoshi, YBTC and YU are wei, ratios 1e18 for 100 %, as decimal strings. Null: could
// not be read, never zero.

const weiText = z.string();
const unknownAmount = z.nullable(weiText);

const chainMoment = z.object({ block: z.string(), at: z.string() });

const chainFigures = z.extend(chainMoment, {
  troves: z.int(),
  collateral: weiText,
  debt: weiText,
  ybtcInWallet: weiText,
  yuInPool: weiText,
  yuInWallet: weiText,
  claimableYbtc: weiText,
  claimableYu: weiText,
});

export const institutionRow = z.object({
  id: z.string(),
  version: z.int(),
  address: z.string(),
  name: z.string(),
  createdAt: z.string(),
  deposits: z.int(),
  custodians: z.array(z.string()),
  custodianCount: z.int(),
  multisigs: z.array(z.string()),
  multisigCount: z.int(),
  btc: weiText,
  pendingBtc: weiText,
  readAt: z.string(),
  chain: z.nullable(chainFigures),
  crsm: z.nullable(z.object({ address: z.string(), trigger: weiText, target: weiText, maxTarget: weiText })),
});
export type InstitutionRow = z.infer<typeof institutionRow>;

const troveSummary = z.object({
  id: z.string(),
  collateral: weiText,
  debt: weiText,
  interest: weiText,
  icr: weiText,
  liquidationPrice: weiText,
});

export const institutionDetails = z.object({
  row: institutionRow,
  minted: weiText,
  redeemed: weiText,
  troves: z.nullable(z.array(troveSummary)),
  price: unknownAmount,
  minimumRatio: unknownAmount,
  deposits: z.array(
    z.object({
      id: idSchema(),
      amount: weiText,
      address: z.string(),
      txid: z.string(),
      type: z.enum(['cobo', 'multisig']),
      status: z.enum(['created', 'confirmed']),
      mintStatus: z.enum(mintStatuses),
      createdAt: z.string(),
    }),
  ),
});
export type InstitutionDetails = z.infer<typeof institutionDetails>;

export const chainStates = ['ok', 'off', 'unreachable'] as const;

export const institutionTotals = z.object({
  accounts: z.int(),
  deposited: weiText,
  redeemed: weiText,
  pendingBtc: weiText,
  bridged: weiText,
  readAt: z.string(),
  /** unreachable: figures are of the last complete reading, or null. */
  chainState: z.enum(chainStates),
  chain: z.nullable(
    z.extend(chainMoment, {
      collateral: weiText,
      debt: weiText,
      yuInPool: weiText,
      yuInWallet: weiText,
      allDebt: weiText,
      allInPool: weiText,
      debtShare: unknownAmount,
      poolShare: unknownAmount,
    }),
  ),
});
export type InstitutionTotals = z.infer<typeof institutionTotals>;

const unknownMint = z.object({
  transaction: z.string(),
  depositHash: z.string(),
  to: z.string(),
  amount: weiText,
  block: z.string(),
});
export type UnknownMint = z.infer<typeof unknownMint>;

/** A refund on the bridge that was not recorded here. `receiver` is untrusted text. */
export const unknownRefund = z.object({
  nonce: z.int(),
  from: z.string(),
  receiver: z.string(),
  amount: weiText.check(z.regex(/^\d+$/)),
  transaction: z.nullable(z.string()),
});
export type UnknownRefund = z.infer<typeof unknownRefund>;

const freeze = z.object({
  id: idSchema(),
  kind: z.enum(['difference', 'manual']),
  by: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  at: z.string(),
  supplyOff: weiText,
  ledgerOff: weiText,
  aliens: z.array(unknownMint),
  refunds: z.array(unknownRefund),
});
export type Freeze = z.infer<typeof freeze>;

export const reconciliation = z.object({
  /**
   * accepted: differs by exactly what someone accepted. unsettled: the chain or ledger is changing.
   */
  state: z.enum(['agrees', 'accepted', 'differs', 'unsettled', 'unreachable', 'off']),
  readAt: z.string(),
  block: z.nullable(z.string()),
  deposited: weiText,
  withdrawn: weiText,
  minted: weiText,
  underWay: weiText,
  /** Wei. */
  burnt: unknownAmount,
  supply: unknownAmount,
  expected: unknownAmount,
  /** Supply minus expected supply; minted minus deposited. */
  supplyOff: unknownAmount,
  ledgerOff: weiText,
  aliens: z.array(unknownMint),
  freeze: z.nullable(freeze),
  accepted: z.nullable(z.object({ at: z.string(), by: z.string(), reason: z.string() })),
});
export type Reconciliation = z.infer<typeof reconciliation>;

export const institutionSorts = ['createdAt', 'name', 'address'] as const;

export const institutionFilter = filterInput(institutionFilters);

export const institutionName = z.strictObject({
  name: z.string({ error: 'required' }).check(
    z.trim(),
    z.maxLength(100, { error: 'tooLong' }),
    z.refine((value) => !/[\u0000-\u001f\u007f]|[\uD800-\uDFFF]/u.test(value), { error: 'invalid' }),
  ),
});

export const freezeReason = z.strictObject({
  reason: textSchema(1000),
  freeze: z.optional(idSchema()),
});

export const manualFreeze = z.strictObject({ reason: textSchema(1000) });

const freezeLift = z.object({ signed: z.array(z.string()), needed: z.int(), missing: z.int(), own: z.boolean() });
export type FreezeLift = z.infer<typeof freezeLift>;

/** Freezes of the ledger, and of the authority log, which stop mints and refunds. */
const otherFreezes = z.object({ ledger: z.int(), log: z.int() });
export type OtherFreezes = z.infer<typeof otherFreezes>;

const openFreeze = z.extend(z.pick(freeze, { id: true, kind: true, by: true, reason: true, at: true }), {
  lifting: z.nullable(freezeLift),
  others: otherFreezes,
});
export type OpenFreeze = z.infer<typeof openFreeze>;

const menu = '/selfCustody/dataPanel';

export const dataPanel = {
  history: historyRoutes(menu, evmAddressSchema()).history,
  list: route
    .meta({ menu })
    .route({ method: 'POST', path: `${menu}/list` })
    .input(listInput(institutionSorts, institutionFilter))
    .output(listOutput(institutionRow)),
  many: route
    .meta({ menu })
    .route({ method: 'POST', path: `${menu}/many` })
    .input(z.strictObject({ addresses: z.array(evmAddressSchema()).check(z.maxLength(maxTargets)) }))
    .output(z.array(institutionRow)),
  get: route
    .meta({ menu })
    .route({ method: 'POST', path: `${menu}/get` })
    .input(z.strictObject({ address: evmAddressSchema() }))
    .output(institutionDetails),
  totals: route
    .meta({ menu })
    .route({ method: 'GET', path: `${menu}/totals` })
    .output(institutionTotals),
  reconciliation: route
    .meta({ menu })
    .route({ method: 'POST', path: `${menu}/reconciliation` })
    .output(reconciliation),
  reserve: route
    .meta({ menu })
    .route({ method: 'GET', path: `${menu}/reserve` })
    .output(reserve),
  freeze: route
    .meta({ signedIn: true })
    .route({ method: 'GET', path: '/selfCustody/freeze' })
    .output(z.object({ open: z.nullable(openFreeze) })),
  rename: route
    .meta({ permission: 'dataPanel.rename' })
    .route({ method: 'POST', path: `${menu}/rename` })
    .input(z.extend(institutionName, { address: evmAddressSchema(), version: versionSchema() }))
    .output(institutionRow),
  /** Also stops what is already confirmed. */
  freezeMoney: route
    .meta({ permission: 'dataPanel.freezeMoney', keyed: true })
    .route({ method: 'POST', path: `${menu}/freezeMoney` })
    .input(manualFreeze)
    .output(z.object({ id: idSchema() })),
  proposeResolve: route
    .meta({ permission: 'dataPanel.resolve', keyed: true })
    .route({ method: 'POST', path: `${menu}/resolve/propose` })
    .input(freezeReason)
    .output(proposal),
  /**
   * Accepts exactly the difference of the open freeze. With an authority log it takes two people.
   * MONEY_REFUSED OWN_FREEZE: the caller alone caused it. CHANGED: it would be lifted although the
   * review promised that others sign later.
   */
  resolve: route
    .meta({ permission: 'dataPanel.resolve', fresh: true, keyed: true })
    .route({ method: 'POST', path: `${menu}/resolve` })
    .input(z.extend(freezeReason, { signed: z.optional(signatureInput), onlySigns: z.optional(z.boolean()) }))
    .output(z.object({ id: idSchema(), missing: z.int(), others: otherFreezes })),
};
