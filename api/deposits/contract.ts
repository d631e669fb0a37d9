import * as z from 'zod/mini';
import { depositFilters } from './filters.ts';
import { bulkOutput, idSchema, timeSchema, itemsInput, route, textSchema, versionSchema } from '../base.ts';
import { depositStatuses, depositTypes, mintStatuses } from './values.ts';
import { receiverAddressSchema } from '../evm.ts';
import { historyRoutes } from '../history.ts';
import { satoshiSchema } from '../money-fields.ts';
import { bitcoinNetworks } from '../access/wallet.ts';
import { countSchema } from '../integer-fields.ts';
import { signatureInput, proposal } from '../authority/signing.ts';
import { listRoutes } from '../list.ts';

export const depositEvidence = z.object({
  /**
   * Only 'holds' can be confirmed: all sources agree, confirmed and unspent. unverified: a source
   * is missing or disagrees.
   */
  verdict: z.enum(['holds', 'unconfirmed', 'mismatch', 'notOurs', 'spent', 'unverified']),
  required: z.int(),
  sources: z.array(
    z.object({
      name: z.string(),
      state: z.enum(['found', 'noOutput', 'missing', 'unreachable']),
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

const mintEffect = z.object({
  chainId: z.int(),
  amount: z.string(),
  supply: z.nullable(z.string()),
  balance: z.nullable(z.string()),
});
export type MintEffect = z.infer<typeof mintEffect>;

/** Null: not entered or not valid yet. */
const claimEvidence = z.extend(depositEvidence, {
  claim: z.object({ coboAddress: z.nullable(z.string()), amount: z.nullable(z.string()) }),
  known: z.nullable(idSchema()),
  effect: z.nullable(mintEffect),
  /** MONEY_REFUSED data that a signature by the caller would get now, regardless of evidence. */
  refusal: z.nullable(z.record(z.string(), z.unknown())),
  at: z.string(),
});
export type ClaimEvidence = z.infer<typeof claimEvidence>;

/**
 * found: all that answer agree, `silent` names the others. partial: a source does not know it yet.
 * disagree: different outputs.
 */
export const depositTransaction = z.object({
  txid: z.string(),
  network: z.enum(bitcoinNetworks),
  verdict: z.enum(['found', 'partial', 'disagree', 'missing', 'unreachable', 'noSource']),
  silent: z.array(z.string()),
  mined: z.boolean(),
  /** Number of all outputs. */
  outputs: z.int(),
  /** Outputs to our custody addresses, only for 'found'. `known`: the deposit that already has the output. */
  ours: z.array(
    z.object({
      vout: z.int(),
      /** Satoshi. */
      amount: z.string(),
      address: z.string(),
      known: z.nullable(idSchema()),
      receivers: z.array(z.object({ address: z.string(), institution: z.string() })),
    }),
  ),
});
export type DepositTransaction = z.infer<typeof depositTransaction>;

const bitcoinAddressSchema = () =>
  textSchema(90).check(
    z.refine((value) => /^((bc|tb|bcrt)1[0-9a-z]{6,87}|(BC|TB|BCRT)1[0-9A-Z]{6,87}|[1-9A-HJ-NP-Za-km-z]{26,35})$/.test(value), {
      error: 'bitcoin',
    }),
  );

/** 64 lower-case hex digits without 0x. */
const txidSchema = () =>
  z.pipe(
    textSchema(100).check(z.refine((value) => /^(0x)?[0-9a-fA-F]{64}$/.test(value), { error: 'txid' })),
    z.transform((value) => value.toLowerCase().replace(/^0x/, '')),
  );

const remarksSchema = z.string().check(
  z.trim(),
  z.maxLength(500, { error: 'tooLong' }),
  z.refine((value) => !/[\uD800-\uDFFF]/u.test(value) && !value.includes('\u0000'), { error: 'invalid' }),
);

export const depositFields = z.strictObject({
  userAddress: receiverAddressSchema(),
  amount: satoshiSchema(),
  coboAddress: bitcoinAddressSchema(),
  txid: txidSchema(),
  vout: countSchema(),
  type: z.enum(depositTypes, { error: 'required' }),
  lockTime: z.nullable(timeSchema()),
  remarks: remarksSchema,
});
export type DepositFields = z.infer<typeof depositFields>;

export const depositRecord = z.object({
  id: idSchema(),
  version: versionSchema(),
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

/** `perDay` in satoshi, null without a limit. */
const mintRule = z.object({
  approvals: z.int(),
  role: z.nullable(z.string()),
  perDay: z.nullable(z.string()),
  delaySeconds: z.int(),
});

const mintProgress = z.object({
  state: z.enum(['queued', 'signed', 'sent', 'mined', 'final', 'failed', 'canceled', 'closed']),
  chainId: z.int(),
  /** The mint can be canceled until then. */
  signFrom: z.nullable(z.string()),
  nonce: z.nullable(z.int()),
  hash: z.nullable(z.string()),
  block: z.nullable(z.string()),
  problem: z.nullable(z.string()),
  details: z.nullable(z.string()),
  attempts: z.int(),
  updatedAt: z.string(),
  /** False: an approver must sign the caller's cancellation. */
  cancelSigns: z.boolean(),
});
export type MintProgress = z.infer<typeof mintProgress>;

const depositBlock = z.object({
  id: idSchema(),
  reason: z.string(),
  at: z.string(),
  signed: z.array(z.object({ email: z.string(), at: z.string(), reason: z.string(), own: z.boolean() })),
  missing: z.int(),
});
export type DepositBlock = z.infer<typeof depositBlock>;

export const depositRow = z.extend(depositRecord, {
  /** SHA-256 of all fields, which a confirmation refers to. */
  hash: z.string(),
  createdEmail: z.nullable(z.string()),
  confirmedEmail: z.nullable(z.string()),
  /** The caller wrote a version of this deposit, or an earlier deposit of the same output. */
  own: z.boolean(),
  approvals: z.array(z.object({ email: z.string(), at: z.string(), own: z.boolean() })),
  /** Counts only signers who still may sign, and the caller if they may. */
  missing: z.int(),
  /** Null: no rule covers the amount, so it is not minted. */
  rule: z.nullable(mintRule),
  mint: z.nullable(mintProgress),
  block: z.nullable(depositBlock),
});
export type DepositRow = z.infer<typeof depositRow>;

export const depositSorts = ['createdAt', 'amount'] as const;

/** data.reason of MONEY_REFUSED. */
export const moneyRefusals = [
  'FOUR_EYES', // the signer wrote a version of this deposit
  'NO_POLICY',
  'ROLE', // data.role
  'DAY_LIMIT',
  'COOLING', // data.who: the account was created or changed by someone else; data.until
  'VOUCH', // data.who: no one vouched for the second factor
  'TOGETHER', // data.who: two accounts may belong to one person
  'EVIDENCE', // data.verdict
  'FROZEN',
  'BLOCKED', // data.said
  'NOT_BLOCKED',
  'NO_CHAIN',
  'RECEIVER', // zero address or a protocol contract
  'CHANGED', // fields changed since the review
  'CONFIRMED',
  'NOT_FAILED',
  'SIGNED',
  'NOT_CLOSABLE',
  'CONFIRMED_BY_YOU',
  'MINTED',
  'MAY_MINT',
  'CHAIN',
  'OWN_FREEZE',
  'NO_AUTHORITY',
  'OTHER_SYSTEM',
  'NO_KEY',
  'SIGNATURE_NEEDED',
  'SIGNATURES', // data.missing
  'LOG', // data.problem
  'OPEN', // too many unsigned proposals; data.most
  'NOT_YOUR_SIGNATURE', // the caller has no signature to revoke
  'OTHERS_SIGNED', // a revocation would clear another person's signature
] as const;
export type MoneyRefusal = (typeof moneyRefusals)[number];

const menu = '/selfCustody/deposit';
export const mintReason = z.strictObject({ reason: textSchema(1000) });
const sha256Schema = () => z.string().check(z.regex(/^[0-9a-f]{64}$/));
const depositVersion = z.strictObject({ id: idSchema(), version: versionSchema(), hash: sha256Schema() });
const signedVersion = z.extend(depositVersion, { signed: z.optional(signatureInput), onlySigns: z.optional(z.boolean()) });
const revocationFields = z.extend(mintReason, { id: idSchema(), version: versionSchema() });

export const deposits = {
  ...listRoutes(menu, { menu, id: idSchema(), row: depositRow, sorts: depositSorts, filters: depositFilters }),
  ...historyRoutes(menu),
  evidence: route
    .meta({ menu })
    .route({ method: 'POST', path: `${menu}/evidence` })
    .input(
      z.union([
        z.strictObject({ id: idSchema() }),
        z.strictObject({
          txid: txidSchema(),
          vout: countSchema(),
          coboAddress: z.string().check(z.maxLength(100)),
          amount: z.string().check(z.maxLength(40)),
          except: z.nullable(idSchema()),
        }),
      ]),
    )
    .output(claimEvidence),
  /** For filling in a new deposit. */
  transaction: route
    .meta({ permission: 'deposits.add' })
    .route({ method: 'POST', path: `${menu}/transaction` })
    .input(z.strictObject({ txid: txidSchema() }))
    .output(depositTransaction),
  /** DEPOSIT_KNOWN (data.ids): another deposit has the output. */
  add: route.meta({ permission: 'deposits.add' }).route({ method: 'POST', path: menu }).input(depositFields).output(depositRow),
  edit: route
    .meta({ permission: 'deposits.edit', fresh: true })
    .route({ method: 'PUT', path: menu })
    .input(z.extend(depositFields, { id: idSchema(), version: versionSchema() }))
    .output(depositRow),
  remove: route
    .meta({ permission: 'deposits.delete', fresh: true })
    .route({ method: 'POST', path: `${menu}/delete` })
    .input(z.strictObject({ items: itemsInput() }))
    .output(bulkOutput(z.object({ id: idSchema() }))),
  propose: route
    .meta({ permission: 'deposits.confirm', keyed: true })
    .route({ method: 'POST', path: `${menu}/propose` })
    .input(depositVersion)
    .output(proposal),
  /**
   * The last required signature queues the mint. MONEY_REFUSED (CHANGED): this would mint although
   * the review promised only a signature.
   */
  confirm: route
    .meta({ permission: 'deposits.confirm', fresh: true, keyed: true })
    .route({ method: 'POST', path: `${menu}/confirm` })
    .input(signedVersion)
    .output(depositRow),
  proposeRevocation: route
    .meta({ permission: 'deposits.confirm', keyed: true })
    .route({ method: 'POST', path: `${menu}/revoke/propose` })
    .input(revocationFields)
    .output(proposal),
  /** Clears the caller's signature while it is the only one. MONEY_REFUSED (OTHERS_SIGNED, NOT_YOUR_SIGNATURE) otherwise. */
  revokeSignature: route
    .meta({ permission: 'deposits.confirm', keyed: true })
    .route({ method: 'POST', path: `${menu}/revoke` })
    .input(z.extend(revocationFields, { signed: z.optional(signatureInput) }))
    .output(depositRow),
  /** MONEY_REFUSED (SIGNED) once the mint is signed. */
  cancelMint: route
    .meta({ permission: 'deposits.cancelMint', keyed: true })
    .route({ method: 'POST', path: `${menu}/cancel` })
    .input(z.extend(mintReason, { id: idSchema(), version: versionSchema() }))
    .output(z.extend(depositRow, { proposal, waits: z.boolean() })),
  /** Signed, so that no change of the ledger can revive the mint. */
  signCancel: route
    .meta({ permission: 'deposits.cancelMint', keyed: true })
    .route({ method: 'POST', path: `${menu}/cancel/sign` })
    .input(z.strictObject({ id: idSchema(), signed: signatureInput }))
    .output(depositRow),
  /** Asks the chain that the mint can never happen. Not by the person who confirmed it. */
  closeFailed: route
    .meta({ permission: 'deposits.closeFailed', fresh: true, keyed: true })
    .route({ method: 'POST', path: `${menu}/close` })
    .input(z.extend(mintReason, { id: idSchema(), version: versionSchema() }))
    .output(depositRow),
  unblock: route
    .meta({ permission: 'deposits.unblock', fresh: true, keyed: true })
    .route({ method: 'POST', path: `${menu}/unblock` })
    .input(z.extend(mintReason, { id: idSchema(), version: versionSchema(), block: idSchema() }))
    .output(depositRow),
  /** First checks whether the chain has the mint after all. */
  retryMint: route
    .meta({ permission: 'deposits.retryMint', fresh: true, keyed: true })
    .route({ method: 'POST', path: `${menu}/retry` })
    .input(z.strictObject({ id: idSchema(), version: versionSchema() }))
    .output(depositRow),
};
