import * as z from 'zod/mini';
import { depositFilters } from './filters.ts';
import {
  bulkOutput,
  filterInput,
  id,
  idsInput,
  instant,
  items,
  listInput,
  listOutput,
  route,
  text,
  valuesInput,
  valuesOutput,
  version,
} from '../base.ts';
import { depositStatuses, depositTypes, mintStatuses } from './values.ts';
import { receiverAddress } from '../evm.ts';
import { historyRoutes } from '../history.ts';
import { satoshi } from '../money-fields.ts';
import { bitcoinNetworks } from '../access/wallet.ts';
import { wholeCount } from '../integer-fields.ts';
import { given, proposal } from '../authority/signing.ts';

// ── Evidence ───────────────────────────────────────────────────────────────

/** What the configured Bitcoin sources say of a claimed output. */
export const depositEvidence = z.object({
  /**
   * holds: all say what was claimed, deep enough and unspent. unconfirmed: as claimed, not yet deep enough. mismatch: something
   * else. notOurs: the address is none of custody's. spent: as claimed, and somewhere else by now. unverified: not every source
   * could be asked, knows the transaction, or agrees. Only 'holds' may be confirmed.
   */
  verdict: z.enum(['holds', 'unconfirmed', 'mismatch', 'notOurs', 'spent', 'unverified']),
  /** Confirmations asked for. */
  required: z.int(),
  sources: z.array(
    z.object({
      name: z.string(),
      state: z.enum(['found', 'noOutput', 'missing', 'unreachable']),
      /** Of one that is unreachable: what it lacks, or why. */
      reason: z.nullable(z.string()),
      address: z.nullable(z.string()),
      /** Satoshi. */
      amount: z.nullable(z.string()),
      confirmations: z.nullable(z.int()),
      height: z.nullable(z.int()),
      blockHash: z.nullable(z.string()),
      coinbase: z.boolean(),
      spent: z.boolean(),
    }),
  ),
});
export type DepositEvidence = z.infer<typeof depositEvidence>;

/** What a mint would change, in wei: what stands on the chain before it, null where the node does not say. */
const mintEffect = z.object({
  chainId: z.int(),
  amount: z.string(),
  supply: z.nullable(z.string()),
  /** Of the user's address. */
  balance: z.nullable(z.string()),
});
export type MintEffect = z.infer<typeof mintEffect>;

/** The same beside what was claimed: null where nothing fit to compare was typed. */
const claimEvidence = z.extend(depositEvidence, {
  claim: z.object({ coboAddress: z.nullable(z.string()), amount: z.nullable(z.string()) }),
  /** Another deposit that names this output. */
  known: z.nullable(id()),
  /** Of a recorded deposit; null while it is typed, and without a chain. */
  effect: z.nullable(mintEffect),
  /**
   * Data of the MONEY_REFUSED with which a signature of the person who asks would be refused now, whatever Bitcoin says. Null: none is
   * known, they may not sign, or nothing is recorded yet.
   */
  refusal: z.nullable(z.record(z.string(), z.unknown())),
  at: z.string(),
});
export type ClaimEvidence = z.infer<typeof claimEvidence>;

// ── Fields ─────────────────────────────────────────────────────────────────

/** The light check of the browser; network and checksum are the server's. */
const bitcoinAddress = () =>
  text(90).check(
    z.refine((value) => /^((bc|tb|bcrt)1[0-9a-z]{6,87}|(BC|TB|BCRT)1[0-9A-Z]{6,87}|[1-9A-HJ-NP-Za-km-z]{26,35})$/.test(value), {
      error: 'bitcoin',
    }),
  );

/** Bitcoin's own spelling: 64 hex digits, lower case, without 0x. */
const txid = () =>
  z.pipe(
    text(100).check(z.refine((value) => /^(0x)?[0-9a-fA-F]{64}$/.test(value), { error: 'txid' })),
    z.transform((value) => value.toLowerCase().replace(/^0x/, '')),
  );

const remarks = z.string().check(
  z.trim(),
  z.maxLength(500, { error: 'tooLong' }),
  z.refine((value) => !/[\uD800-\uDFFF]/u.test(value) && !value.includes('\u0000'), { error: 'invalid' }),
);

/** What a person fills in. The command's form and the route validate with this one schema. */
export const depositFields = z.strictObject({
  userAddress: receiverAddress(),
  /** Satoshi. */
  amount: satoshi(),
  coboAddress: bitcoinAddress(),
  txid: txid(),
  vout: wholeCount(),
  type: z.enum(depositTypes, { error: 'required' }),
  lockTime: z.nullable(instant()),
  remarks,
});
export type DepositFields = z.infer<typeof depositFields>;

// ── Rows ───────────────────────────────────────────────────────────────────

/** A deposit as it is recorded: what the audit holds, and what a conflict answers with. */
export const depositRecord = z.object({
  id: id(),
  version: version(),
  userAddress: z.string(),
  amount: z.string(),
  coboAddress: z.string(),
  network: z.enum(bitcoinNetworks),
  txid: z.string(),
  vout: z.int(),
  type: z.enum(depositTypes),
  lockTime: z.nullable(z.string()),
  remarks: z.string(),
  status: z.enum(depositStatuses),
  mintStatus: z.enum(mintStatuses),
  withdrawStatus: z.enum(['default', 'requested']),
  modifiedEmail: z.string(),
  confirmedAt: z.nullable(z.string()),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type DepositRecord = z.infer<typeof depositRecord>;

/** What the rules in force ask for an amount. `perDay` in satoshi; null: without a limit. */
const mintRule = z.object({
  approvals: z.int(),
  role: z.nullable(z.string()),
  perDay: z.nullable(z.string()),
  delaySeconds: z.int(),
});

const mintProgress = z.object({
  state: z.enum(['queued', 'signed', 'sent', 'mined', 'final', 'failed', 'canceled', 'closed']),
  chainId: z.int(),
  /** Earliest time of the signature. The mint can be canceled until then. Null: no delay. */
  signFrom: z.nullable(z.string()),
  nonce: z.nullable(z.int()),
  /** The transaction on chain, else the one sent last. */
  hash: z.nullable(z.string()),
  block: z.nullable(z.string()),
  problem: z.nullable(z.string()),
  details: z.nullable(z.string()),
  attempts: z.int(),
  updatedAt: z.string(),
  /** Whether a cancellation by the person who asks is signed in the authority log too; else an approver has yet to. */
  cancelSigns: z.boolean(),
});
export type MintProgress = z.infer<typeof mintProgress>;

/** The custodian rejected the deposit: nothing is minted until enough people have signed that it is unblocked. */
const depositBlock = z.object({
  id: id(),
  /** The custodian's own words. */
  reason: z.string(),
  at: z.string(),
  /** Who has signed. Those who wrote the deposit since do not count and are left out. */
  signed: z.array(z.object({ email: z.string(), at: z.string(), reason: z.string(), own: z.boolean() })),
  /** How many more have to sign. */
  missing: z.int(),
});
export type DepositBlock = z.infer<typeof depositBlock>;

export const depositRow = z.extend(depositRecord, {
  /** SHA-256 over every field: what a confirmation is of. */
  hash: z.string(),
  createdEmail: z.nullable(z.string()),
  confirmedEmail: z.nullable(z.string()),
  /** Whether the person who asks wrote any version of it, or of a deposit of its output before. */
  own: z.boolean(),
  /** Who has signed in the authority log for these very fields. */
  approvals: z.array(z.object({ email: z.string(), at: z.string(), own: z.boolean() })),
  /**
   * How many more have to sign, by the rules in force: of those who signed only people who still may, and count together, also
   * with the person who asks where that person may sign.
   */
  missing: z.int(),
  /** Null: the rules have no such amount, so it is not minted. */
  rule: z.nullable(mintRule),
  mint: z.nullable(mintProgress),
  block: z.nullable(depositBlock),
});
export type DepositRow = z.infer<typeof depositRow>;

export const depositSorts = ['createdAt', 'amount'] as const;
export type DepositSort = (typeof depositSorts)[number];

export const depositFilter = filterInput(depositFilters);

/** Why money does not move: data.reason of MONEY_REFUSED. */
export const moneyRefusals = [
  'FOUR_EYES', // who wrote any version of it
  'NO_POLICY', // the rules have no such amount
  'ROLE', // data.role
  'DAY_LIMIT',
  'COOLING', // data.who: somebody else made or changed the account; data.until: when it counts again
  'TOGETHER', // data.who: the account and one beside it may be the same person's
  'EVIDENCE', // data.verdict
  'FROZEN',
  'BLOCKED', // the custodian rejected it: data.said
  'NOT_BLOCKED',
  'NO_CHAIN',
  'RECEIVER', // the zero address, or a contract of the protocol's own
  'CHANGED', // the fields are others than those that were seen
  'CONFIRMED',
  'NOT_FAILED',
  'SIGNED', // too late to cancel
  'NOT_CLOSABLE', // neither failed nor canceled
  'CONFIRMED_BY_YOU', // who confirmed it does not close it
  'MINTED', // the chain has it after all
  'MAY_MINT', // bytes that were signed for it could still be used
  'CHAIN', // the chain could not be asked
  'OWN_FREEZE', // who froze money, or alone caused it, does not lift it
  'NO_AUTHORITY', // there is no authority log to sign in
  'OTHER_SYSTEM', // the authority log belongs to a panel at another address
  'NO_KEY', // this person has enrolled no key to sign with
  'SIGNATURE_NEEDED', // of their own key
  'SIGNATURES', // of other people, by the rules of the log: data.missing
  'LOG', // the authority log refuses the signature: data.problem
  'OPEN', // this person has proposed too much of the kind that nobody has signed: data.most
] as const;
export type MoneyRefusal = (typeof moneyRefusals)[number];

const menu = '/selfCustody/deposit';
/** Why a mint is canceled or its deposit closed. */
export const mintReason = z.strictObject({ reason: text(1000) });
/** The record as it was seen: its version, and the hash of the fields that stood on screen. */
const sha256 = () => z.string().check(z.regex(/^[0-9a-f]{64}$/));
const seen = z.strictObject({ id: id(), version: version(), hash: sha256() });
/** The same with a signature of the statement that `propose` answered, and whether the review said that others sign after it. */
const signedSeen = z.extend(seen, { signed: z.optional(given), onlySigns: z.optional(z.boolean()) });

export const deposits = {
  list: route
    .meta({ menu })
    .route({ method: 'POST', path: `${menu}/list` })
    .input(listInput(depositSorts, depositFilter))
    .output(listOutput(depositRow)),
  /** The values there are of one field, within the rest of the filter. */
  values: route
    .meta({ menu })
    .route({ method: 'POST', path: `${menu}/values` })
    .input(valuesInput(depositFilters))
    .output(valuesOutput()),
  /** Those of the asked rows that exist, in the asked order. */
  many: route
    .meta({ menu })
    .route({ method: 'POST', path: `${menu}/many` })
    .input(idsInput(id()))
    .output(z.array(depositRow)),
  ...historyRoutes(menu),
  /** What Bitcoin says of an output now: of a recorded deposit (`id`), or of what is being typed. */
  evidence: route
    .meta({ menu })
    .route({ method: 'POST', path: `${menu}/evidence` })
    .input(
      z.union([
        z.strictObject({ id: id() }),
        z.strictObject({
          txid: txid(),
          vout: wholeCount(),
          coboAddress: z.string().check(z.maxLength(100)),
          amount: z.string().check(z.maxLength(40)),
          /** The deposit being modified, which names the output itself. */
          except: z.nullable(id()),
        }),
      ]),
    )
    .output(claimEvidence),
  /** DEPOSIT_KNOWN (data.ids) when a deposit names the output already. */
  add: route.meta({ permission: 'deposits.add' }).route({ method: 'POST', path: menu }).input(depositFields).output(depositRow),
  /** While created only. Every change voids what was signed for it. */
  edit: route
    .meta({ permission: 'deposits.edit', fresh: true })
    .route({ method: 'PUT', path: menu })
    .input(z.extend(depositFields, { id: id(), version: version() }))
    .output(depositRow),
  remove: route
    .meta({ permission: 'deposits.delete', fresh: true })
    .route({ method: 'POST', path: `${menu}/delete` })
    .input(z.strictObject({ items: items() }))
    .output(bulkOutput(z.object({ id: id() }))),
  /** Puts what is to be signed for a mint into the authority log, and answers it with one's own keys. MONEY_REFUSED says why not. */
  propose: route
    .meta({ permission: 'deposits.confirm', keyed: true })
    .route({ method: 'POST', path: `${menu}/propose` })
    .input(seen)
    .output(proposal),
  /**
   * Signs for the mint; the last of the signatures that the rules in force ask for queues it. `missing` says how many others still
   * have to sign. MONEY_REFUSED says why not: CHANGED also where it would mint though the review said that it only signs.
   */
  confirm: route
    .meta({ permission: 'deposits.confirm', fresh: true, keyed: true })
    .route({ method: 'POST', path: `${menu}/confirm` })
    .input(signedSeen)
    .output(depositRow),
  /** A mint that is not signed yet never is. `waits`: the authority log has yet to be signed. MONEY_REFUSED (SIGNED) when it is too late. */
  cancelMint: route
    .meta({ permission: 'deposits.cancelMint', keyed: true })
    .route({ method: 'POST', path: `${menu}/cancel` })
    .input(z.extend(mintReason, { id: id(), version: version() }))
    .output(z.extend(depositRow, { proposal, waits: z.boolean() })),
  /** Signs that in the authority log, with one's own key: then no row of the ledger brings the mint back. MONEY_REFUSED says why not. */
  signCancel: route
    .meta({ permission: 'deposits.cancelMint', keyed: true })
    .route({ method: 'POST', path: `${menu}/cancel/sign` })
    .input(z.strictObject({ id: id(), signed: given }))
    .output(depositRow),
  /**
   * A deposit whose mint failed or was canceled, and can never happen any more: its output is free to be recorded again. By
   * somebody else than who confirmed it; the chain is asked.
   */
  closeFailed: route
    .meta({ permission: 'deposits.closeFailed', fresh: true, keyed: true })
    .route({ method: 'POST', path: `${menu}/close` })
    .input(z.extend(mintReason, { id: id(), version: version() }))
    .output(depositRow),
  /**
   * Signs that a deposit which the custodian rejected is unblocked; the last of two signatures lifts the block, and the mint goes on.
   * Nobody who wrote the deposit signs. MONEY_REFUSED says why not.
   */
  unblock: route
    .meta({ permission: 'deposits.unblock', fresh: true, keyed: true })
    .route({ method: 'POST', path: `${menu}/unblock` })
    .input(z.extend(mintReason, { id: id(), version: version(), block: id() }))
    .output(depositRow),
  /** A failed mint from the start; whether it was minted after all is looked at first. */
  retryMint: route
    .meta({ permission: 'deposits.retryMint', fresh: true, keyed: true })
    .route({ method: 'POST', path: `${menu}/retry` })
    .input(z.strictObject({ id: id(), version: version() }))
    .output(depositRow),
};
