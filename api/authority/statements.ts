import * as z from 'zod/mini';
import { isShownName, isShownText } from '../shown-text.ts';

// The lines of the authority log: statements of what governs money, each with the signature that brings it in, and further signatures
// of them. Everything is text, a whole number or a list, so that a line has one canonical form (canonical.ts) and one hash. Amounts
// are satoshi, as decimal text.

/** Of a line's format and of the rules it is read by. A reader refuses every other one. */
export const logVersion = 2;

const hash = () => z.string().check(z.regex(/^[0-9a-f]{64}$/));
const bounded = (most: number) => z.string().check(z.minLength(1), z.maxLength(most), z.refine(isShownName));
const address = () => z.string().check(z.regex(/^0x[0-9a-fA-F]{40}$/));
const bitcoinAddress = () => z.string().check(z.regex(/^[0-9a-zA-Z]{14,90}$/));
const amount = () => z.string().check(z.regex(/^(0|[1-9]\d{0,15})$/));
/** Unpadded, with the unused bits of the last letter zero: bytes have one spelling. */
const base64url = () =>
  z.string().check(z.minLength(2), z.maxLength(4096), z.regex(/^(?:[\w-]{4})*(?:[\w-][AQgw]|[\w-]{2}[AEIMQUYcgkosw048])?$/));
/** A moment that there is: 31 February would be no number to compare with, and nothing would ever be late. */
const moment = () =>
  z.string().check(
    z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    z.refine((text) => {
      const at = Date.parse(text);
      return new Date(at).getTime() === at && new Date(at).toISOString() === text;
    }),
  );
const whole = (least: number, most: number) => z.int().check(z.minimum(least), z.maximum(most));
const lineNumber = () => whole(0, 1_000_000_000);
/** In lower case: one person has one spelling. */
const id = () => z.uuid().check(z.lowercase());

/** What a person signs with. Public keys are SPKI (DER, base64url) of P-256; a wallet is its address. */
export const authorityKey = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('passkey'), credential: base64url(), publicKey: base64url() }),
  z.strictObject({ type: z.literal('wallet'), address: address() }),
  /** Of a development server, kept in its data folder. Only a genesis that says `development` takes it. */
  z.strictObject({ type: z.literal('software'), publicKey: base64url() }),
]);
export type AuthorityKey = z.infer<typeof authorityKey>;

/** Somebody who may sign: the administrator's id, the name people know them by, what they are to the rules, and one key. */
export const approver = z.strictObject({
  person: id(),
  name: bounded(254),
  roles: z.array(bounded(100)).check(z.maxLength(20)),
  key: authorityKey,
});
export type Approver = z.infer<typeof approver>;

/** From this amount on, below the other (null: without an end): how many people of which role (null: any), how much in 24 hours, how long it can be canceled. */
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
  /** How many people change rules, people and addresses. */
  root: whole(1, 9),
  /** Before a new person, address, receiver or rule counts. */
  coolingSeconds: whole(0, 2_592_000),
  /** Whether YBTC goes to receivers of the address book alone. 'any' is for development. */
  receivers: z.enum(['listed', 'any']),
  bands: z.array(authorityBand).check(z.maxLength(20)),
  /** The same for bitcoin that is sent out. */
  refundBands: z.array(authorityBand).check(z.maxLength(20)),
});
export type AuthorityPolicy = z.infer<typeof policy>;

/** An institution and the EVM address its YBTC goes to. */
export const receiver = z.strictObject({
  address: address(),
  institution: bounded(200),
  /** The custody addresses that only it pays to (none: those of all). */
  custody: z.array(bitcoinAddress()).check(z.maxLength(50)),
  /** Its own Bitcoin addresses: refunds go nowhere else. */
  payout: z.array(bitcoinAddress()).check(z.maxLength(50)),
});
export type Receiver = z.infer<typeof receiver>;

/** One output of Bitcoin that pays for one mint, and what is minted. */
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
  /** Number of the rules it was proposed under. */
  policy: lineNumber(),
  /** Everybody who wrote a version of the deposit: none of them signs. */
  authors: z.array(id()).check(z.maxLength(100)),
});
export type MintClaim = z.infer<typeof mintClaim>;

/** Bitcoin that is sent back for one deposit: how much, and where to. */
export const refundClaim = z.strictObject({
  network: z.enum(['mainnet', 'testnet', 'signet', 'regtest']),
  txid: hash(),
  vout: whole(0, 4_294_967_295),
  satoshi: amount(),
  /** The institution's EVM address: the only account whose request this covers. */
  account: address(),
  /** One of the institution's payout addresses. */
  payout: bitcoinAddress(),
  chainId: whole(1, 2_147_483_647),
  bridge: address(),
  /** The bridge's counter when this was proposed: only a request with this nonce or a later one is covered. */
  nonce: whole(0, 2_147_483_647),
  /** Number of the rules it was proposed under. */
  policy: lineNumber(),
  /** Everyone who recorded or edited the withdrawal: their signatures never count. */
  authors: z.array(id()).check(z.maxLength(100)),
});
export type RefundClaim = z.infer<typeof refundClaim>;

const genesis = z.strictObject({
  /** Software keys are taken, and nothing of it is worth anything. */
  development: z.boolean(),
  network: z.enum(['mainnet', 'testnet', 'signet', 'regtest']),
  chainId: whole(1, 2_147_483_647),
  token: address(),
  bridge: address(),
  /** The account that signs mints and proofs of reserve. */
  minter: address(),
  /** Where passkeys are asked for: their domain, and the page's origin. */
  rpId: bounded(253),
  origin: bounded(300),
  approvers: z.array(approver).check(z.minLength(1), z.maxLength(50)),
  policy,
  custody: z.array(bitcoinAddress()).check(z.maxLength(500)),
  receivers: z.array(receiver).check(z.maxLength(500)),
});
export type Genesis = z.infer<typeof genesis>;

/** May have lines. */
const reason = z.string().check(z.minLength(1), z.maxLength(1000), z.refine(isShownText));

/** What each kind says. */
export const contents = {
  genesis,
  'approver.add': approver,
  'approver.remove': z.strictObject({ person: id(), name: bounded(254), reason }),
  'policy.set': policy,
  /** The account that signs mints and proofs of reserve from now on: the key was rotated. */
  'minter.set': z.strictObject({ address: address(), reason }),
  'custody.add': z.strictObject({ address: bitcoinAddress(), note: z.string().check(z.maxLength(200), z.refine(isShownName)) }),
  'custody.remove': z.strictObject({ address: bitcoinAddress(), reason }),
  'receiver.add': receiver,
  'receiver.remove': z.strictObject({ address: address(), reason }),
  'mint.approve': mintClaim,
  'mint.cancel': z.strictObject({ network: mintClaim.shape.network, txid: hash(), vout: mintClaim.shape.vout, reason }),
  'refund.approve': refundClaim,
  freeze: z.strictObject({ reason }),
  /** Of the freeze that statement `freeze` opened (its number), or of a difference that the ledger named (its id). */
  unfreeze: z.strictObject({ freeze: bounded(40), difference: z.string().check(z.maxLength(80), z.refine(isShownText)), reason }),
} as const;
export type StatementKind = keyof typeof contents;
/** Those that people sign. */
export type SignedKind = Exclude<StatementKind, 'genesis'>;
export const statementKinds = Object.keys(contents) as StatementKind[];

const version = z.literal(logVersion);

/** What stands in every line: its place, and the hash of the line before it ('' for the first). */
const line = { v: version, number: lineNumber(), previous: z.union([z.literal(''), hash()]), at: moment() };

const statementOf = <K extends SignedKind>(kind: K) =>
  z.strictObject({
    v: version,
    kind: z.literal(kind),
    /** Its own: what is said twice is two statements. */
    id: id(),
    /** The only log it is for. */
    log: z.strictObject({ genesis: hash(), chainId: whole(1, 2_147_483_647), bridge: address() }),
    /** The log's last line when it was written: whoever signs it signs everything up to there. */
    after: z.strictObject({ number: lineNumber(), hash: hash() }),
    /** Signatures after it do not count. */
    expires: moment(),
    content: contents[kind],
  });

/** A statement; its hash (`hashOf`) is what people sign. */
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

/** The first line, which nobody signs: its hash is pinned. */
export const genesisLine = z.strictObject({ ...line, kind: z.literal('genesis'), content: contents.genesis });
export type GenesisLine = z.infer<typeof genesisLine>;

/** What the log says: a statement, or how it begins. */
export const logStatement = z.union([statement, genesisLine]);
export type LogStatement = z.infer<typeof logStatement>;
export type StatementOf<K extends StatementKind> = Extract<LogStatement, { kind: K }>;

/** How a signature is proved: by a WebAuthn assertion whose challenge is the statement's hash, by EIP-712, or by a software key. */
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

/** The signature that brings a statement into the log. */
export const statementLine = z.strictObject({ ...line, kind: z.literal('statement'), statement, person: id(), proof });
export type StatementLine = z.infer<typeof statementLine>;

/** A further signature of a statement. */
export const signatureLine = z.strictObject({ ...line, kind: z.literal('signature'), signs: hash(), person: id(), proof });
export type SignatureLine = z.infer<typeof signatureLine>;

export type LogLine = GenesisLine | StatementLine | SignatureLine;
