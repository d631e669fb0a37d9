import * as z from 'zod/mini';
import { isVisibleName, isVisibleText } from '../visible-text.ts';

// Lines of the authority log hold text, whole numbers and lists, so that each has one canonical
// form and one hash. Amounts are satoshi as decimal text.

/** A reader refuses lines of another version. */
export const logVersion = 2;

const hashSchema = () => z.string().check(z.regex(/^[0-9a-f]{64}$/));
const boundedTextSchema = (max: number) => z.string().check(z.minLength(1), z.maxLength(max), z.refine(isVisibleName));
const addressSchema = () => z.string().check(z.regex(/^0x[0-9a-fA-F]{40}$/));
const bitcoinAddressSchema = () => z.string().check(z.regex(/^[0-9a-zA-Z]{14,90}$/));
const amountSchema = () => z.string().check(z.regex(/^(0|[1-9]\d{0,15})$/));
/** Unpadded with zero unused bits, so that bytes have one spelling. */
const base64urlSchema = () =>
  z.string().check(z.minLength(2), z.maxLength(4096), z.regex(/^(?:[\w-]{4})*(?:[\w-][AQgw]|[\w-]{2}[AEIMQUYcgkosw048])?$/));
/** 31 February would compare as NaN and never expire. */
const timestampSchema = () =>
  z.string().check(
    z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    z.refine((text) => {
      const timeMs = Date.parse(text);
      return new Date(timeMs).getTime() === timeMs && new Date(timeMs).toISOString() === text;
    }),
  );
const integerSchemaBetween = (min: number, max: number) => z.int().check(z.minimum(min), z.maximum(max));
const lineNumberSchema = () => integerSchemaBetween(0, 1_000_000_000);
const lowercaseUuidSchema = () => z.uuid().check(z.lowercase());

/** P-256 as SPKI (DER, base64url). */
export const authorityKey = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('passkey'), credential: base64urlSchema(), publicKey: base64urlSchema() }),
  z.strictObject({ type: z.literal('wallet'), address: addressSchema() }),
  /** Accepted only under a development genesis. */
  z.strictObject({ type: z.literal('software'), publicKey: base64urlSchema() }),
]);
export type AuthorityKey = z.infer<typeof authorityKey>;

export const approver = z.strictObject({
  person: lowercaseUuidSchema(),
  name: boundedTextSchema(254),
  roles: z.array(boundedTextSchema(100)).check(z.maxLength(20)),
  key: authorityKey,
});
export type Approver = z.infer<typeof approver>;

/**
 * From this amount up to `below` (null: no end), per 24 hours. Role null: any. The delay leaves
 * time to cancel.
 */
export const authorityBand = z.strictObject({
  from: amountSchema(),
  below: z.nullable(amountSchema()),
  approvals: integerSchemaBetween(1, 5),
  role: z.nullable(boundedTextSchema(100)),
  perDay: z.nullable(amountSchema()),
  delaySeconds: integerSchemaBetween(0, 604_800),
});
export type AuthorityBand = z.infer<typeof authorityBand>;

export const policy = z.strictObject({
  root: integerSchemaBetween(1, 9),
  coolingSeconds: integerSchemaBetween(0, 2_592_000),
  /** 'any' is for development. */
  receivers: z.enum(['listed', 'any']),
  bands: z.array(authorityBand).check(z.maxLength(20)),
  refundBands: z.array(authorityBand).check(z.maxLength(20)),
});
export type AuthorityPolicy = z.infer<typeof policy>;

export const receiver = z.strictObject({
  address: addressSchema(),
  institution: boundedTextSchema(200),
  /** Custody addresses that only this institution pays to. */
  custody: z.array(bitcoinAddressSchema()).check(z.maxLength(50)),
  payout: z.array(bitcoinAddressSchema()).check(z.maxLength(50)),
});
export type Receiver = z.infer<typeof receiver>;

export const mintClaim = z.strictObject({
  network: z.enum(['mainnet', 'testnet', 'signet', 'regtest']),
  txid: hashSchema(),
  vout: integerSchemaBetween(0, 4_294_967_295),
  satoshi: amountSchema(),
  custody: bitcoinAddressSchema(),
  receiver: addressSchema(),
  chainId: integerSchemaBetween(1, 2_147_483_647),
  token: addressSchema(),
  bridge: addressSchema(),
  policy: lineNumberSchema(),
  /** Everyone who recorded or edited the deposit. None of them may sign. */
  authors: z.array(lowercaseUuidSchema()).check(z.maxLength(100)),
});
export type MintClaim = z.infer<typeof mintClaim>;

export const refundClaim = z.strictObject({
  network: z.enum(['mainnet', 'testnet', 'signet', 'regtest']),
  txid: hashSchema(),
  vout: integerSchemaBetween(0, 4_294_967_295),
  satoshi: amountSchema(),
  /** The institution's EVM address. */
  account: addressSchema(),
  payout: bitcoinAddressSchema(),
  chainId: integerSchemaBetween(1, 2_147_483_647),
  bridge: addressSchema(),
  /** The bridge's counter: only requests with this nonce or a later one are covered. */
  nonce: integerSchemaBetween(0, 2_147_483_647),
  policy: lineNumberSchema(),
  /** Everyone who recorded or edited the withdrawal. Their signatures never count. */
  authors: z.array(lowercaseUuidSchema()).check(z.maxLength(100)),
});
export type RefundClaim = z.infer<typeof refundClaim>;

const genesis = z.strictObject({
  development: z.boolean(),
  network: z.enum(['mainnet', 'testnet', 'signet', 'regtest']),
  chainId: integerSchemaBetween(1, 2_147_483_647),
  token: addressSchema(),
  bridge: addressSchema(),
  minter: addressSchema(),
  rpId: boundedTextSchema(253),
  origin: boundedTextSchema(300),
  approvers: z.array(approver).check(z.minLength(1), z.maxLength(50)),
  policy,
  custody: z.array(bitcoinAddressSchema()).check(z.maxLength(500)),
  receivers: z.array(receiver).check(z.maxLength(500)),
});
export type Genesis = z.infer<typeof genesis>;

const reason = z.string().check(z.minLength(1), z.maxLength(1000), z.refine(isVisibleText));

export const contents = {
  genesis,
  'approver.add': approver,
  'approver.remove': z.strictObject({ person: lowercaseUuidSchema(), name: boundedTextSchema(254), reason }),
  'policy.set': policy,
  'minter.set': z.strictObject({ address: addressSchema(), reason }),
  'custody.add': z.strictObject({
    address: bitcoinAddressSchema(),
    note: z.string().check(z.maxLength(200), z.refine(isVisibleName)),
  }),
  'custody.remove': z.strictObject({ address: bitcoinAddressSchema(), reason }),
  'receiver.add': receiver,
  'receiver.remove': z.strictObject({ address: addressSchema(), reason }),
  'mint.approve': mintClaim,
  'mint.cancel': z.strictObject({ network: mintClaim.shape.network, txid: hashSchema(), vout: mintClaim.shape.vout, reason }),
  'refund.approve': refundClaim,
  freeze: z.strictObject({ reason }),
  /** `freeze`: number of the statement that opened the freeze. `difference`: id in the ledger. */
  unfreeze: z.strictObject({
    freeze: boundedTextSchema(40),
    difference: z.string().check(z.maxLength(80), z.refine(isVisibleText)),
    reason,
  }),
} as const;
export type StatementKind = keyof typeof contents;
export type SignedKind = Exclude<StatementKind, 'genesis'>;
export const statementKinds = Object.keys(contents) as StatementKind[];

const versionLiteral = z.literal(logVersion);

/** SHA-256 of the line before, '' for the first. */
const lineFields = {
  v: versionLiteral,
  number: lineNumberSchema(),
  previous: z.union([z.literal(''), hashSchema()]),
  at: timestampSchema(),
};

const statementSchemaOf = <K extends SignedKind>(kind: K) =>
  z.strictObject({
    v: versionLiteral,
    kind: z.literal(kind),
    /** Two statements with the same content differ by this id. */
    id: lowercaseUuidSchema(),
    log: z.strictObject({ genesis: hashSchema(), chainId: integerSchemaBetween(1, 2_147_483_647), bridge: addressSchema() }),
    /** A signature covers the log up to this line. */
    after: z.strictObject({ number: lineNumberSchema(), hash: hashSchema() }),
    expires: timestampSchema(),
    content: contents[kind],
  });

export const statement = z.discriminatedUnion('kind', [
  statementSchemaOf('approver.add'),
  statementSchemaOf('approver.remove'),
  statementSchemaOf('policy.set'),
  statementSchemaOf('minter.set'),
  statementSchemaOf('custody.add'),
  statementSchemaOf('custody.remove'),
  statementSchemaOf('receiver.add'),
  statementSchemaOf('receiver.remove'),
  statementSchemaOf('mint.approve'),
  statementSchemaOf('mint.cancel'),
  statementSchemaOf('refund.approve'),
  statementSchemaOf('freeze'),
  statementSchemaOf('unfreeze'),
]);
export type Statement = z.infer<typeof statement>;

export const genesisLine = z.strictObject({ ...lineFields, kind: z.literal('genesis'), content: contents.genesis });
export type GenesisLine = z.infer<typeof genesisLine>;

export const logStatement = z.union([statement, genesisLine]);
export type LogStatement = z.infer<typeof logStatement>;
export type StatementOf<K extends StatementKind> = Extract<LogStatement, { kind: K }>;

/** A WebAuthn assertion whose challenge is the hash of the statement, an EIP-712 signature, or a software key's. */
export const proof = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('passkey'),
    credential: base64urlSchema(),
    authenticatorData: base64urlSchema(),
    clientDataJSON: base64urlSchema(),
    signature: base64urlSchema(),
  }),
  z.strictObject({
    type: z.literal('wallet'),
    address: addressSchema(),
    signature: z.string().check(z.regex(/^0x[0-9a-fA-F]{130}$/)),
  }),
  z.strictObject({ type: z.literal('software'), signature: base64urlSchema() }),
]);
export type Proof = z.infer<typeof proof>;

export const statementLine = z.strictObject({
  ...lineFields,
  kind: z.literal('statement'),
  statement,
  person: lowercaseUuidSchema(),
  proof,
});
export type StatementLine = z.infer<typeof statementLine>;

export const signatureLine = z.strictObject({
  ...lineFields,
  kind: z.literal('signature'),
  signs: hashSchema(),
  person: lowercaseUuidSchema(),
  proof,
});
export type SignatureLine = z.infer<typeof signatureLine>;

export type LogLine = GenesisLine | StatementLine | SignatureLine;
