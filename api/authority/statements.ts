import * as z from 'zod/mini';
import { isVisibleName, isVisibleText } from '../visible-text.ts';

// Lines of the authority log hold text, whole numbers and lists, so that each has one canonical
// form and one hash. Amounts are satoshi as decimal text.

/** A reader refuses lines of another version. */
export const logVersion = 2;

const hash = () => z.string().check(z.regex(/^[0-9a-f]{64}$/));
const bounded = (max: number) => z.string().check(z.minLength(1), z.maxLength(max), z.refine(isVisibleName));
const address = () => z.string().check(z.regex(/^0x[0-9a-fA-F]{40}$/));
const bitcoinAddress = () => z.string().check(z.regex(/^[0-9a-zA-Z]{14,90}$/));
const amount = () => z.string().check(z.regex(/^(0|[1-9]\d{0,15})$/));
/** Unpadded with zero unused bits, so that bytes have one spelling. */
const base64url = () =>
  z.string().check(z.minLength(2), z.maxLength(4096), z.regex(/^(?:[\w-]{4})*(?:[\w-][AQgw]|[\w-]{2}[AEIMQUYcgkosw048])?$/));
/** 31 February would compare as NaN and never expire. */
const moment = () =>
  z.string().check(
    z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    z.refine((text) => {
      const at = Date.parse(text);
      return new Date(at).getTime() === at && new Date(at).toISOString() === text;
    }),
  );
const whole = (min: number, max: number) => z.int().check(z.minimum(min), z.maximum(max));
const lineNumber = () => whole(0, 1_000_000_000);
const id = () => z.uuid().check(z.lowercase());

/** P-256 as SPKI (DER, base64url). */
export const authorityKey = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('passkey'), credential: base64url(), publicKey: base64url() }),
  z.strictObject({ type: z.literal('wallet'), address: address() }),
  /** Accepted only under a development genesis. */
  z.strictObject({ type: z.literal('software'), publicKey: base64url() }),
]);
export type AuthorityKey = z.infer<typeof authorityKey>;

export const approver = z.strictObject({
  person: id(),
  name: bounded(254),
  roles: z.array(bounded(100)).check(z.maxLength(20)),
  key: authorityKey,
});
export type Approver = z.infer<typeof approver>;

/**
 * From this amount up to `below` (null: no end), per 24 hours. Role null: any. The delay leaves
 * time to cancel.
 */
export const authorityBand = z.strictObject({
  from: amount(),
  below: z.nullable(amount()),
  approvals: whole(1, 5),
  role: z.nullable(bounded(100)),
  perDay: z.nullable(amount()),
  delaySeconds: whole(0, 604_800),
});
export type AuthorityBand = z.infer<typeof authorityBand>;

export const policy = z.strictObject({
  root: whole(1, 9),
  coolingSeconds: whole(0, 2_592_000),
  /** 'any' is for development. */
  receivers: z.enum(['listed', 'any']),
  bands: z.array(authorityBand).check(z.maxLength(20)),
  refundBands: z.array(authorityBand).check(z.maxLength(20)),
});
export type AuthorityPolicy = z.infer<typeof policy>;

export const receiver = z.strictObject({
  address: address(),
  institution: bounded(200),
  /** Custody addresses that only this institution pays to. */
  custody: z.array(bitcoinAddress()).check(z.maxLength(50)),
  payout: z.array(bitcoinAddress()).check(z.maxLength(50)),
});
export type Receiver = z.infer<typeof receiver>;

export const mintClaim = z.strictObject({
  network: z.enum(['mainnet', 'testnet', 'signet', 'regtest']),
  txid: hash(),
  vout: whole(0, 4_294_967_295),
  satoshi: amount(),
  custody: bitcoinAddress(),
  receiver: address(),
  chainId: whole(1, 2_147_483_647),
  token: address(),
  bridge: address(),
  policy: lineNumber(),
  /** Everyone who recorded or edited the deposit. None of them may sign. */
  authors: z.array(id()).check(z.maxLength(100)),
});
export type MintClaim = z.infer<typeof mintClaim>;

export const refundClaim = z.strictObject({
  network: z.enum(['mainnet', 'testnet', 'signet', 'regtest']),
  txid: hash(),
  vout: whole(0, 4_294_967_295),
  satoshi: amount(),
  /** The institution's EVM address. */
  account: address(),
  payout: bitcoinAddress(),
  chainId: whole(1, 2_147_483_647),
  bridge: address(),
  /** The bridge's counter: only requests with this nonce or a later one are covered. */
  nonce: whole(0, 2_147_483_647),
  policy: lineNumber(),
  /** Everyone who recorded or edited the withdrawal. Their signatures never count. */
  authors: z.array(id()).check(z.maxLength(100)),
});
export type RefundClaim = z.infer<typeof refundClaim>;

const genesis = z.strictObject({
  development: z.boolean(),
  network: z.enum(['mainnet', 'testnet', 'signet', 'regtest']),
  chainId: whole(1, 2_147_483_647),
  token: address(),
  bridge: address(),
  minter: address(),
  rpId: bounded(253),
  origin: bounded(300),
  approvers: z.array(approver).check(z.minLength(1), z.maxLength(50)),
  policy,
  custody: z.array(bitcoinAddress()).check(z.maxLength(500)),
  receivers: z.array(receiver).check(z.maxLength(500)),
});
export type Genesis = z.infer<typeof genesis>;

const reason = z.string().check(z.minLength(1), z.maxLength(1000), z.refine(isVisibleText));

export const contents = {
  genesis,
  'approver.add': approver,
  'approver.remove': z.strictObject({ person: id(), name: bounded(254), reason }),
  'policy.set': policy,
  'minter.set': z.strictObject({ address: address(), reason }),
  'custody.add': z.strictObject({ address: bitcoinAddress(), note: z.string().check(z.maxLength(200), z.refine(isVisibleName)) }),
  'custody.remove': z.strictObject({ address: bitcoinAddress(), reason }),
  'receiver.add': receiver,
  'receiver.remove': z.strictObject({ address: address(), reason }),
  'mint.approve': mintClaim,
  'mint.cancel': z.strictObject({ network: mintClaim.shape.network, txid: hash(), vout: mintClaim.shape.vout, reason }),
  'refund.approve': refundClaim,
  freeze: z.strictObject({ reason }),
  /** `freeze`: number of the statement that opened the freeze. `difference`: id in the ledger. */
  unfreeze: z.strictObject({
    freeze: bounded(40),
    difference: z.string().check(z.maxLength(80), z.refine(isVisibleText)),
    reason,
  }),
} as const;
export type StatementKind = keyof typeof contents;
export type SignedKind = Exclude<StatementKind, 'genesis'>;
export const statementKinds = Object.keys(contents) as StatementKind[];

const version = z.literal(logVersion);

/** SHA-256 of the line before, '' for the first. */
const line = { v: version, number: lineNumber(), previous: z.union([z.literal(''), hash()]), at: moment() };

const statementOf = <K extends SignedKind>(kind: K) =>
  z.strictObject({
    v: version,
    kind: z.literal(kind),
    /** Two statements with the same content differ by this id. */
    id: id(),
    log: z.strictObject({ genesis: hash(), chainId: whole(1, 2_147_483_647), bridge: address() }),
    /** A signature covers the log up to this line. */
    after: z.strictObject({ number: lineNumber(), hash: hash() }),
    expires: moment(),
    content: contents[kind],
  });

export const statement = z.discriminatedUnion('kind', [
  statementOf('approver.add'),
  statementOf('approver.remove'),
  statementOf('policy.set'),
  statementOf('minter.set'),
  statementOf('custody.add'),
  statementOf('custody.remove'),
  statementOf('receiver.add'),
  statementOf('receiver.remove'),
  statementOf('mint.approve'),
  statementOf('mint.cancel'),
  statementOf('refund.approve'),
  statementOf('freeze'),
  statementOf('unfreeze'),
]);
export type Statement = z.infer<typeof statement>;

export const genesisLine = z.strictObject({ ...line, kind: z.literal('genesis'), content: contents.genesis });
export type GenesisLine = z.infer<typeof genesisLine>;

export const logStatement = z.union([statement, genesisLine]);
export type LogStatement = z.infer<typeof logStatement>;
export type StatementOf<K extends StatementKind> = Extract<LogStatement, { kind: K }>;

/** A WebAuthn assertion whose challenge is the hash of the statement, an EIP-712 signature, or a software key's. */
export const proof = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('passkey'),
    credential: base64url(),
    authenticatorData: base64url(),
    clientDataJSON: base64url(),
    signature: base64url(),
  }),
  z.strictObject({ type: z.literal('wallet'), address: address(), signature: z.string().check(z.regex(/^0x[0-9a-fA-F]{130}$/)) }),
  z.strictObject({ type: z.literal('software'), signature: base64url() }),
]);
export type Proof = z.infer<typeof proof>;

export const statementLine = z.strictObject({ ...line, kind: z.literal('statement'), statement, person: id(), proof });
export type StatementLine = z.infer<typeof statementLine>;

export const signatureLine = z.strictObject({ ...line, kind: z.literal('signature'), signs: hash(), person: id(), proof });
export type SignatureLine = z.infer<typeof signatureLine>;

export type LogLine = GenesisLine | StatementLine | SignatureLine;
