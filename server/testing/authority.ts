import { createHash, generateKeyPairSync, randomBytes, randomUUID, sign as signBytes, type KeyObject } from 'node:crypto';
import { addr, signTyped } from 'micro-eth-signer';
import { hashOf } from '../../api/authority/canonical.ts';
import type {
  Approver,
  AuthorityBand,
  AuthorityPolicy,
  Genesis,
  LogLine,
  MintClaim,
  Proof,
  RefundClaim,
  SignatureLine,
  Statement,
  StatementKind,
  StatementOf,
} from '../../api/authority/statements.ts';
import { typedDataOf, type StatementTypedData } from '../../api/authority/typed-data.ts';
import { depositHashOf, judgeMint, type JudgeInput, type WantedMint } from '../authority/judge.ts';
import type { WantedRefund } from '../authority/judge-refund.ts';
import { replay, type Authority, type ReplayOptions } from '../authority/replay.ts';

/*
 * People with keys, and logs they sign, for tests. What proves here shares nothing with what checks: passkeys answer as an
 * authenticator does, byte for byte, and may lie in every field; wallets sign with another library than the one that recovers.
 */

/** Somebody who signs. `as`: what they, or who has their device in hand, claims besides the truth. */
export interface TestPerson extends Approver {
  prove(statement: Statement, genesis: Genesis, as?: Lies): Proof;
}

/** What a proof claims instead of what is so. */
export interface Lies {
  /** Another content than the statement's: its hash, in hex. */
  hash?: string;
  origin?: string;
  rpId?: string;
  type?: string;
  crossOrigin?: unknown;
  /** The whole of clientDataJSON, made from the truth, and what is put behind its members. */
  clientDataJSON?: (truth: string) => string;
  extra?: string;
  /** Flags of the authenticator; 0x05 is present and verified. */
  flags?: number;
  authenticatorData?: Buffer;
  credential?: string;
  /** Signs instead of the person's own key. */
  privateKey?: KeyObject;
  signature?: string;
  /** What a wallet is shown, made from the truth. */
  typedData?: (truth: StatementTypedData) => StatementTypedData;
}

const person = (name: string, roles: readonly string[]) => ({ person: randomUUID(), name, roles: [...roles] });
const spki = (key: KeyObject) => key.export({ format: 'der', type: 'spki' }).toString('base64url');
const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest();
export const p256 = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });

/** With a key of the development server. */
export function softwarePerson(name: string, roles: readonly string[] = [], pair = p256()): TestPerson {
  return {
    ...person(name, roles),
    key: { type: 'software', publicKey: spki(pair.publicKey) },
    prove: (statement, _genesis, as = {}) => {
      const bytes = Buffer.from(as.hash ?? hashOf(statement), 'hex');
      const signature = signBytes('sha256', bytes, { key: as.privateKey ?? pair.privateKey, dsaEncoding: 'der' });
      return { type: 'software', signature: as.signature ?? signature.toString('base64url') };
    },
  };
}

/** With a passkey, as a platform authenticator has it. */
export function passkeyPerson(name: string, roles: readonly string[] = [], pair = p256()): TestPerson {
  const credential = randomBytes(32).toString('base64url');
  return {
    ...person(name, roles),
    key: { type: 'passkey', credential, publicKey: spki(pair.publicKey) },
    prove: (statement, { origin, rpId }, as = {}) => {
      const challenge = Buffer.from(as.hash ?? hashOf(statement), 'hex').toString('base64url');
      const members = { type: as.type ?? 'webauthn.get', challenge, origin: as.origin ?? origin };
      const written = `${JSON.stringify({ ...members, crossOrigin: as.crossOrigin ?? false }).slice(0, -1)}${as.extra ?? ''}}`;
      const client = Buffer.from(as.clientDataJSON?.(written) ?? written);
      const truth = Buffer.concat([sha256(as.rpId ?? rpId), Buffer.from([as.flags ?? 0x05, 0, 0, 0, 7])]);
      const data = as.authenticatorData ?? truth;
      const bytes = Buffer.concat([data, sha256(client)]);
      const signature = signBytes('sha256', bytes, { key: as.privateKey ?? pair.privateKey, dsaEncoding: 'der' });
      return {
        type: 'passkey',
        credential: as.credential ?? credential,
        authenticatorData: data.toString('base64url'),
        clientDataJSON: client.toString('base64url'),
        signature: as.signature ?? signature.toString('base64url'),
      };
    },
  };
}

/** With a wallet that shows EIP-712. */
export function walletPerson(name: string, roles: readonly string[] = [], secret = addr.random().privateKey): TestPerson {
  const address = addr.fromPrivateKey(secret);
  return {
    ...person(name, roles),
    key: { type: 'wallet', address },
    prove: (statement, genesis, as = {}) => {
      const truth = typedDataOf(statement, genesis);
      const { domain, types, primaryType, message } = as.typedData?.(truth) ?? truth;
      const shown = {
        domain: { ...(domain as { name: string; version: string }), chainId: BigInt(domain.chainId ?? 0) },
        types,
        primaryType,
        message,
      };
      return { type: 'wallet', address, signature: as.signature ?? signTyped(shown as never, secret, false) };
    },
  };
}

/** The same signature with s mirrored: valid on the curve, and another text. */
export function mirrored(signature: string): string {
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
  const s = (order - BigInt(`0x${signature.slice(66, 130)}`)).toString(16).padStart(64, '0');
  return `${signature.slice(0, 66)}${s}${signature.endsWith('1b') ? '1c' : '1b'}`;
}

const hour = 3_600_000;
export const began = Date.parse('2026-11-02T08:00:00.000Z');
export const token = '0x1111111111111111111111111111111111111111';
export const bridge = '0x2222222222222222222222222222222222222222';
export const minter = '0x3333333333333333333333333333333333333333';
export const receiverA = '0xAaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaA';
export const receiverB = '0xBbBBBbbBbbbbbbbbBbbbbbbbBbbbbbBBbbbBbBbB';
export const ours = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
export const ownOfA = 'bcrt1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qzf4jry';

export const payoutOfA = 'bcrt1qzyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3lgth6c';
export const payoutOfB = 'bcrt1qyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zs4w3j0';

export const wholeRange: AuthorityBand = {
  from: '0',
  below: null,
  approvals: 2,
  role: null,
  perDay: null,
  delaySeconds: 0,
};

/** Rules of a test: two of two, a day of cooling. */
export const rules = (over: Partial<AuthorityPolicy> = {}): AuthorityPolicy => ({
  root: 2,
  coolingSeconds: 86_400,
  receivers: 'listed',
  bands: [wholeRange],
  refundBands: [wholeRange],
  ...over,
});

/** A genesis of a test, of real money's kind: no software keys. */
export const genesisOf = (people: readonly TestPerson[], over: Partial<Genesis> = {}): Genesis => ({
  development: false,
  network: 'regtest',
  chainId: 31_337,
  token,
  bridge,
  minter,
  rpId: 'panel.example',
  origin: 'https://panel.example',
  approvers: people.map(({ person: id, name, roles, key }) => ({ person: id, name, roles, key })),
  policy: rules(),
  custody: [ours, ownOfA],
  receivers: [
    { address: receiverA, institution: 'Alpha Bank', custody: [ownOfA], payout: [payoutOfA] },
    { address: receiverB, institution: 'Beta Fund', custody: [], payout: [payoutOfB] },
  ],
  ...over,
});

/** One deposit of a test; `vout` tells them apart. */
export const claimOf = (over: Partial<MintClaim> = {}): MintClaim => ({
  network: 'regtest',
  txid: 'ab'.repeat(32),
  vout: 0,
  satoshi: '150000000',
  custody: ours,
  receiver: receiverB,
  chainId: 31_337,
  token,
  bridge,
  policy: 0,
  authors: [],
  ...over,
});

/** The refund of that deposit to its institution. */
export const refundOf = (over: Partial<RefundClaim> = {}): RefundClaim => ({
  network: 'regtest',
  txid: 'ab'.repeat(32),
  vout: 0,
  satoshi: '150000000',
  account: receiverB,
  payout: payoutOfB,
  chainId: 31_337,
  bridge,
  nonce: 7,
  policy: 0,
  authors: [],
  ...over,
});

/** What a wallet is asked for, for a refund. */
export const wantedRefundOf = (claim: RefundClaim, over: Partial<WantedRefund> = {}): WantedRefund => ({
  txid: claim.txid,
  satoshi: claim.satoshi,
  account: claim.account,
  receiver: claim.payout,
  chainId: claim.chainId,
  bridge: claim.bridge,
  nonce: null,
  ...over,
});

/** What the ledger asks to have signed for a claim. */
export const wantedOf = (claim: MintClaim, over: Partial<WantedMint> = {}): WantedMint => ({
  depositHash: depositHashOf(claim),
  recipient: claim.receiver,
  amount: BigInt(claim.satoshi) * 10_000_000_000n,
  chainId: claim.chainId,
  token: claim.token,
  bridge: claim.bridge,
  ...over,
});

interface ProposeOptions {
  by?: TestPerson;
  /** Milliseconds after its `at`. */
  valid?: number;
  at?: string;
}

/** A log that a test writes, as the panel would, or as somebody would who has the panel and its database in hand. */
export class TestLog {
  readonly lines: LogLine[] = [];
  readonly genesis: Genesis;
  readonly genesisHash: string;
  now = began;

  constructor(genesis: Genesis) {
    this.genesis = genesis;
    const [first] = genesis.approvers;
    if (!first) throw new Error('a genesis without people');
    this.append({
      number: 0,
      previous: '',
      at: this.time(),
      kind: 'genesis',
      by: { person: first.person, name: first.name },
      expires: this.time(hour),
      content: genesis,
    });
    this.genesisHash = hashOf(this.lines[0]);
  }

  time(after = 0): string {
    return new Date(this.now + after).toISOString();
  }

  wait(seconds: number): this {
    this.now += seconds * 1000;
    return this;
  }

  append<T extends LogLine>(line: T): T {
    this.lines.push(line);
    return line;
  }

  place(): { number: number; previous: string; at: string } {
    return { number: this.lines.length, previous: hashOf(this.lines.at(-1)), at: this.time() };
  }

  propose<K extends StatementKind>(
    kind: K,
    content: StatementOf<K>['content'],
    { by, valid = 7 * 24 * hour, at }: ProposeOptions = {},
  ): StatementOf<K> {
    const who = by ?? this.genesis.approvers[0];
    const place = { ...this.place(), ...(at ? { at } : {}) };
    const expires = new Date(Date.parse(place.at) + valid).toISOString();
    const line = { ...place, kind, by: { person: who?.person ?? '', name: who?.name ?? '' }, expires, content };
    this.lines.push(line as unknown as Statement);
    return line as unknown as StatementOf<K>;
  }

  /** Each of them signs the statement. */
  sign(statement: Statement, ...people: readonly TestPerson[]): this {
    for (const one of people) this.signAs(statement, one, {});
    return this;
  }

  signAs(statement: Statement, one: TestPerson, as: Lies & Partial<Omit<SignatureLine, 'proof' | 'kind'>>): SignatureLine {
    const { number, previous, at, signs, person: id, ...lies } = as;
    const place = this.place();
    return this.append({
      number: number ?? place.number,
      previous: previous ?? place.previous,
      at: at ?? place.at,
      kind: 'signature',
      signs: signs ?? hashOf(statement),
      person: id ?? one.person,
      proof: one.prove(statement, this.genesis, lies),
    });
  }

  read(options: Partial<ReplayOptions> = {}): Promise<Authority> {
    return replay(this.lines, { genesis: this.genesisHash, ...options });
  }
}

/** What somebody does who rewrites the database: every line's place anew, and the hashes that follow; signatures they cannot make. `original`: the lines before they were changed. */
export function rechained(lines: readonly LogLine[], original: readonly LogLine[] = lines): LogLine[] {
  const renamed = new Map<string, string>();
  const written: LogLine[] = [];
  for (const [at, line] of lines.entries()) {
    const before = hashOf(original[at]);
    const moved = { ...line, number: written.length, previous: written.length === 0 ? '' : hashOf(written.at(-1)) };
    if (moved.kind === 'signature') moved.signs = renamed.get(moved.signs) ?? moved.signs;
    renamed.set(before, hashOf(moved));
    written.push(moved);
  }
  return written;
}

/** Judges at a time, with nothing signed before and no freeze of the ledger unless said. */
export const judgeAt = (authority: Authority, wanted: WantedMint, input: Partial<JudgeInput> & Pick<JudgeInput, 'now'>) =>
  judgeMint(authority, wanted, { signed: [], freezes: [], ...input });
