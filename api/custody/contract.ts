import * as z from 'zod/mini';
import { institutionFilters } from './filters.ts';
import { filterInput, id, listInput, listOutput, maxTargets, route, text, version } from '../base.ts';
import { given, proposal } from '../authority/signing.ts';
import { evmAddress } from '../evm.ts';
import { mintStatuses } from '../deposits/values.ts';
import { historyRoutes } from '../history.ts';
import { reserve } from './reserve.ts';

// Amounts of bitcoin are satoshi, of YBTC and YU wei of 18 decimals, ratios 1e18 for 100 %: decimal strings all.
// A figure that is null could not be read: never zero by accident.

const amount = z.string();
const unknownAmount = z.nullable(amount);

/** A moment of the chain that figures were read at. */
const chainMoment = z.object({ block: z.string(), at: z.string() });

/** What the chain says of one institution, all of it at one block. */
const chainFigures = z.extend(chainMoment, {
  troves: z.int(),
  collateral: amount,
  debt: amount,
  ybtcInWallet: amount,
  yuInPool: amount,
  yuInWallet: amount,
  /** Of the stability pool's gains, and left over by liquidations. */
  claimableYbtc: amount,
  claimableYu: amount,
});

export const institutionRow = z.object({
  id: z.string(), // the address
  version: z.int(),
  address: z.string(),
  /** Empty: nobody has named it. */
  name: z.string(),
  createdAt: z.string(),
  deposits: z.int(),
  /** Bitcoin addresses of its deposits: the custodian's, and scripts of its own. At most three of each are listed. */
  custodians: z.array(z.string()),
  custodianCount: z.int(),
  multisigs: z.array(z.string()),
  multisigCount: z.int(),
  /** Minted for and not redeemed since. */
  btc: amount,
  /** Recorded, and not minted for yet. */
  pendingBtc: amount,
  /** When the figures above were read. */
  readAt: z.string(),
  chain: z.nullable(chainFigures),
  /** The keeper of its trove; null: there is none. */
  crsm: z.nullable(z.object({ address: z.string(), trigger: amount, target: amount, maxTarget: amount })),
});
export type InstitutionRow = z.infer<typeof institutionRow>;

const trove = z.object({
  id: z.string(),
  collateral: amount,
  debt: amount,
  /** Interest up to the block, in `debt`. */
  interest: amount,
  icr: amount,
  liquidationPrice: amount,
});

export const institutionDetails = z.object({
  row: institutionRow,
  minted: amount,
  redeemed: amount,
  troves: z.nullable(z.array(trove)),
  /** Price of one BTC in YU, and the ratio below which a trove is liquidated. */
  price: unknownAmount,
  minimumRatio: unknownAmount,
  /** The newest twenty. */
  deposits: z.array(
    z.object({
      id: id(),
      amount,
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
  deposited: amount,
  redeemed: amount,
  pendingBtc: amount,
  /** YBTC that final mints gave out. */
  bridged: amount,
  readAt: z.string(),
  /** off: no chain is configured. unreachable: figures are of `chain`, the last time it answered for all, or null. */
  chainState: z.enum(chainStates),
  chain: z.nullable(
    z.extend(chainMoment, {
      collateral: amount,
      debt: amount,
      yuInPool: amount,
      yuInWallet: amount,
      /** Of the whole protocol. */
      allDebt: amount,
      allInPool: amount,
      /** Null: the whole is zero. */
      debtShare: unknownAmount,
      poolShare: unknownAmount,
    }),
  ),
});
export type InstitutionTotals = z.infer<typeof institutionTotals>;

/** A mint on chain that the ledger knows nothing of. */
const alienMint = z.object({ transaction: z.string(), depositHash: z.string(), to: z.string(), amount, block: z.string() });
export type AlienMint = z.infer<typeof alienMint>;

/** A refund on the bridge that nobody here intended. `receiver` is a stranger's text, cut; `transaction` null: it was never told of. */
export const alienRefund = z.object({
  nonce: z.int(),
  from: z.string(),
  receiver: z.string(),
  amount: amount.check(z.regex(/^\d+$/)),
  transaction: z.nullable(z.string()),
});
export type AlienRefund = z.infer<typeof alienRefund>;

const freeze = z.object({
  id: id(),
  /** A difference of the figures, or a person's doing: who, and why. */
  kind: z.enum(['difference', 'manual']),
  by: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  at: z.string(),
  supplyOff: amount,
  ledgerOff: amount,
  /** At most ten. */
  aliens: z.array(alienMint),
  /** What it was opened for, at most ten; then what was accepted of the supply before stays so. Empty: it is of the supply, or by hand. */
  refunds: z.array(alienRefund),
});
export type Freeze = z.infer<typeof freeze>;

export const reconciliation = z.object({
  /**
   * agrees. accepted: they differ by just what somebody accepted with a reason. differs. unsettled: the chain or the ledger is
   * in motion, nothing can be said. unreachable, off: there is no chain to compare with.
   */
  state: z.enum(['agrees', 'accepted', 'differs', 'unsettled', 'unreachable', 'off']),
  readAt: z.string(),
  /** The settled block that the chain was read at. */
  block: z.nullable(z.string()),
  /** Satoshi of deposits that are minted for. */
  deposited: amount,
  /** Satoshi of withdrawals the ledger has as withdrawable or done. */
  withdrawn: amount,
  /** Wei: of final mints, and of those on their way. */
  minted: amount,
  underWay: amount,
  /** Wei that the bridge has burnt, the supply, and what the supply should be. */
  burnt: unknownAmount,
  supply: unknownAmount,
  expected: unknownAmount,
  /** Supply less what it should be; minted less deposited. */
  supplyOff: unknownAmount,
  ledgerOff: amount,
  aliens: z.array(alienMint),
  freeze: z.nullable(freeze),
  accepted: z.nullable(z.object({ at: z.string(), by: z.string(), reason: z.string() })),
});
export type Reconciliation = z.infer<typeof reconciliation>;

export const institutionSorts = ['createdAt', 'name', 'address'] as const;

export const institutionFilter = filterInput(institutionFilters);

/** Left empty it has no name. */
export const institutionName = z.strictObject({
  name: z.string({ error: 'required' }).check(
    z.trim(),
    z.maxLength(100, { error: 'tooLong' }),
    z.refine((value) => !/[\u0000-\u001f\u007f]|[\uD800-\uDFFF]/u.test(value), { error: 'invalid' }),
  ),
});

export const freezeReason = z.strictObject({
  reason: text(1000),
  /** The freeze that was looked at; another one that is open by now is not lifted. */
  freeze: z.optional(id()),
});

/** Why money is frozen by hand. */
export const manualFreeze = z.strictObject({ reason: text(1000) });

/** Who has signed to lift a freeze, by name; how many have to, and have yet to. `own`: the person who asks has. */
const lifting = z.object({ signed: z.array(z.string()), needed: z.int(), missing: z.int(), own: z.boolean() });
export type Lifting = z.infer<typeof lifting>;

/** What stays frozen once one freeze is lifted: other freezes of the ledger, and those of the authority log, which stop mints and refunds. */
const otherFreezes = z.object({ ledger: z.int(), log: z.int() });
export type OtherFreezes = z.infer<typeof otherFreezes>;

/** What the banner says of it. `lifting` null: there is no authority log, and one other person lifts it. */
const openFreeze = z.extend(z.pick(freeze, { id: true, kind: true, by: true, reason: true, at: true }), {
  lifting: z.nullable(lifting),
  others: otherFreezes,
});
export type OpenFreeze = z.infer<typeof openFreeze>;

const menu = '/selfCustody/dataPanel';

export const dataPanel = {
  history: historyRoutes(menu, evmAddress()).history,
  list: route
    .meta({ menu })
    .route({ method: 'POST', path: `${menu}/list` })
    .input(listInput(institutionSorts, institutionFilter))
    .output(listOutput(institutionRow)),
  /** Those of the asked addresses that are institutions, in the asked order. */
  many: route
    .meta({ menu })
    .route({ method: 'POST', path: `${menu}/many` })
    .input(z.strictObject({ addresses: z.array(evmAddress()).check(z.maxLength(maxTargets)) }))
    .output(z.array(institutionRow)),
  get: route
    .meta({ menu })
    .route({ method: 'POST', path: `${menu}/get` })
    .input(z.strictObject({ address: evmAddress() }))
    .output(institutionDetails),
  totals: route
    .meta({ menu })
    .route({ method: 'GET', path: `${menu}/totals` })
    .output(institutionTotals),
  /** Compares anew. */
  reconciliation: route
    .meta({ menu })
    .route({ method: 'POST', path: `${menu}/reconciliation` })
    .output(reconciliation),
  /** The newest proof of reserve, and what is to be thought of it. */
  reserve: route
    .meta({ menu })
    .route({ method: 'GET', path: `${menu}/reserve` })
    .output(reserve),
  /** Whether money commands are blocked: everyone who meets that may know. */
  freeze: route
    .meta({ signedIn: true })
    .route({ method: 'GET', path: '/selfCustody/freeze' })
    .output(z.object({ open: z.nullable(openFreeze) })),
  rename: route
    .meta({ permission: 'dataPanel.rename' })
    .route({ method: 'POST', path: `${menu}/rename` })
    .input(z.extend(institutionName, { address: evmAddress(), version: version() }))
    .output(institutionRow),
  /** Money waits from now on, also what is confirmed already. Nothing where somebody froze it by hand before. */
  freezeMoney: route
    .meta({ permission: 'dataPanel.freezeMoney', keyed: true })
    .route({ method: 'POST', path: `${menu}/freezeMoney` })
    .input(manualFreeze)
    .output(z.object({ id: id() })),
  /** Puts what is to be signed to lift the open freeze into the authority log; null also where there is none. NOT_FOUND as below. */
  proposeResolve: route
    .meta({ permission: 'dataPanel.resolve', keyed: true })
    .route({ method: 'POST', path: `${menu}/resolve/propose` })
    .input(freezeReason)
    .output(proposal),
  /**
   * Accepts the difference of the open freeze, and just that one, or ends one by hand. NOT_FOUND: none is open, or another one.
   * Where there is an authority log two people sign for it (what `proposeResolve` answers): `missing` says how many still have to; at
   * 0 it is lifted, and `others` stay. MONEY_REFUSED: OWN_FREEZE (without a log) it is this person's doing alone, so another lifts it;
   * CHANGED it would be lifted though the review said that others sign after it.
   */
  resolve: route
    .meta({ permission: 'dataPanel.resolve', fresh: true, keyed: true })
    .route({ method: 'POST', path: `${menu}/resolve` })
    .input(z.extend(freezeReason, { signed: z.optional(given), onlySigns: z.optional(z.boolean()) }))
    .output(z.object({ id: id(), missing: z.int(), others: otherFreezes })),
};
