import { createHash, generateKeyPairSync, randomBytes, randomUUID, sign as signBytes, type KeyObject } from 'node:crypto';
import { addr, signTyped } from 'micro-eth-signer';
import { canonicalHash } from '../../api/authority/canonical.ts';
import {
  logVersion,
  type Approver,
  type AuthorityBand,
  type AuthorityPolicy,
  type Genesis,
  type GenesisLine,
  type LogLine,
  type MintClaim,
  type Proof,
  type RefundClaim,
  type SignatureLine,
  type SignedKind,
  type Statement,
  type StatementLine,
  type StatementOf,
} from '../../api/authority/statements.ts';
import { typedDataOf, type LogDomain, type StatementTypedData } from '../../api/authority/typed-data.ts';
import { checkMint, type MintCheckInput, type RequestedMint } from '../authority/check-mint.ts';
import type { RequestedRefund } from '../authority/check-refund.ts';
import { depositHashOf, replay, type Authority, type ReplayOptions } from '../authority/replay.ts';

/* Shares nothing with the checking code, and can lie in every field. */

/** `as`: what they claim instead of the truth. */
export interface TestPerson extends Approver {
  prove(statement: Statement, genesis: Genesis, as?: ProofOverrides): Proof;
}

export interface ProofOverrides {
  hash?: string;
  origin?: string;
  rpId?: string;
  type?: string;
  crossOrigin?: unknown;
  /** Receives the true clientDataJSON. */
  clientDataJSON?: (truth: string) => string;
  extra?: string;
  /** 0x05 is present and verified. */
  flags?: number;
  authenticatorData?: Buffer;
  credential?: string;
  privateKey?: KeyObject;
  signature?: string;
  domain?: LogDomain;
  typedData?: (truth: StatementTypedData) => StatementTypedData;
}

const person = (name: string, roles: readonly string[]) => ({ person: randomUUID(), name, roles: [...roles] });
const spki = (key: KeyObject) => key.export({ format: 'der', type: 'spki' }).toString('base64url');
const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest();
export const newP256KeyPair = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });

export function softwarePerson(name: string, roles: readonly string[] = [], pair = newP256KeyPair()): TestPerson {
  return {
    ...person(name, roles),
    key: { type: 'software', publicKey: spki(pair.publicKey) },
    prove: (statement, _genesis, as = {}) => {
      const bytes = Buffer.from(as.hash ?? canonicalHash(statement), 'hex');
      const signature = signBytes('sha256', bytes, { key: as.privateKey ?? pair.privateKey, dsaEncoding: 'der' });
      return { type: 'software', signature: as.signature ?? signature.toString('base64url') };
    },
  };
}

export function passkeyPerson(name: string, roles: readonly string[] = [], pair = newP256KeyPair()): TestPerson {
  const credential = randomBytes(32).toString('base64url');
  return {
    ...person(name, roles),
    key: { type: 'passkey', credential, publicKey: spki(pair.publicKey) },
    prove: (statement, { origin, rpId }, as = {}) => {
      const challenge = Buffer.from(as.hash ?? canonicalHash(statement), 'hex').toString('base64url');
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

export function walletPerson(name: string, roles: readonly string[] = [], secret = addr.random().privateKey): TestPerson {
  const address = addr.fromPrivateKey(secret);
  return {
    ...person(name, roles),
    key: { type: 'wallet', address },
    prove: (statement, _genesis, as = {}) => {
      const truth = typedDataOf(statement, as.domain ?? statement.log);
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

/** Mirrors s: valid on the curve, other bytes. */
export function mirrorSignature(signature: string): string {
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
  const s = (order - BigInt(`0x${signature.slice(66, 130)}`)).toString(16).padStart(64, '0');
  return `${signature.slice(0, 66)}${s}${signature.endsWith('1b') ? '1c' : '1b'}`;
}

const hour = 3_600_000;
export const testStart = Date.parse('2026-11-02T08:00:00.000Z');
export const testToken = '0x1111111111111111111111111111111111111111';
export const testBridge = '0x2222222222222222222222222222222222222222';
export const testMinter = '0x3333333333333333333333333333333333333333';
export const receiverA = '0xaAaAaAaaAaAaAaaAaAAAAAAAAaaaAaAaAaaAaaAa';
export const receiverB = '0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB';
export const custodyAddress = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
export const custodyOfA = 'bcrt1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qzf4jry';

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

export const testRules = (over: Partial<AuthorityPolicy> = {}): AuthorityPolicy => ({
  root: 2,
  coolingSeconds: 86_400,
  receivers: 'listed',
  bands: [wholeRange],
  refundBands: [wholeRange],
  ...over,
});

/** Without software keys. */
export const testGenesis = (people: readonly TestPerson[], over: Partial<Genesis> = {}): Genesis => ({
  development: false,
  network: 'regtest',
  chainId: 31_337,
  token: testToken,
  bridge: testBridge,
  minter: testMinter,
  rpId: 'panel.example',
  origin: 'https://panel.example',
  approvers: people.map(({ person: id, name, roles, key }) => ({ person: id, name, roles, key })),
  policy: testRules(),
  custody: [custodyAddress, custodyOfA],
  receivers: [
    { address: receiverA, institution: 'Alpha Bank', custody: [custodyOfA], payout: [payoutOfA] },
    { address: receiverB, institution: 'Beta Fund', custody: [], payout: [payoutOfB] },
  ],
  ...over,
});

/** `vout` distinguishes deposits. */
export const testClaim = (over: Partial<MintClaim> = {}): MintClaim => ({
  network: 'regtest',
  txid: 'ab'.repeat(32),
  vout: 0,
  satoshi: '150000000',
  custody: custodyAddress,
  receiver: receiverB,
  chainId: 31_337,
  token: testToken,
  bridge: testBridge,
  policy: 0,
  authors: [],
  ...over,
});

export const refundOf = (over: Partial<RefundClaim> = {}): RefundClaim => ({
  network: 'regtest',
  txid: 'ab'.repeat(32),
  vout: 0,
  satoshi: '150000000',
  account: receiverB,
  payout: payoutOfB,
  chainId: 31_337,
  bridge: testBridge,
  nonce: 7,
  policy: 0,
  authors: [],
  ...over,
});

export const wantedRefundOf = (claim: RefundClaim, over: Partial<RequestedRefund> = {}): RequestedRefund => ({
  txid: claim.txid,
  satoshi: claim.satoshi,
  account: claim.account,
  receiver: claim.payout,
  chainId: claim.chainId,
  bridge: claim.bridge,
  nonce: null,
  ...over,
});

export const requestedMintOf = (claim: MintClaim, over: Partial<RequestedMint> = {}): RequestedMint => ({
  depositHash: depositHashOf(claim),
  recipient: claim.receiver,
  amount: BigInt(claim.satoshi) * 10_000_000_000n,
  chainId: claim.chainId,
  token: claim.token,
  bridge: claim.bridge,
  ...over,
});

interface ProposeOptions {
  /** Milliseconds. */
  valid?: number;
  expires?: string;
  /** The last line that its author had read. */
  after?: { number: number; hash: string };
}

interface LinePosition {
  v: typeof logVersion;
  number: number;
  previous: string;
  at: string;
}

/** Writes a log like the panel, or like an attacker with its database. */
export class TestLog {
  readonly lines: LogLine[] = [];
  readonly genesis: Genesis;
  readonly genesisHash: string;
  now = testStart;

  constructor(genesis: Genesis) {
    this.genesis = genesis;
    const first: GenesisLine = { v: logVersion, number: 0, previous: '', at: this.time(), kind: 'genesis', content: genesis };
    this.append(first);
    this.genesisHash = canonicalHash(first);
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

  place(): LinePosition {
    return { v: logVersion, number: this.lines.length, previous: canonicalHash(this.lines.at(-1)), at: this.time() };
  }

  propose<K extends SignedKind>(
    kind: K,
    content: StatementOf<K>['content'],
    { valid = 7 * 24 * hour, expires, after }: ProposeOptions = {},
  ): StatementOf<K> {
    const { chainId, bridge: at } = this.genesis;
    return {
      v: logVersion,
      kind,
      id: randomUUID(),
      log: { genesis: this.genesisHash, chainId, bridge: at },
      after: after ?? { number: this.lines.length - 1, hash: canonicalHash(this.lines.at(-1)) },
      expires: expires ?? this.time(valid),
      content,
    } as unknown as StatementOf<K>;
  }

  numberOf(statement: Statement): number {
    return this.lines.findIndex(
      (line) => line.kind === 'statement' && canonicalHash(line.statement) === canonicalHash(statement),
    );
  }

  sign(statement: Statement, ...people: readonly TestPerson[]): this {
    for (const one of people) this.signAs(statement, one, {});
    return this;
  }

  signAs(
    statement: Statement,
    one: TestPerson,
    as: ProofOverrides & Partial<Omit<SignatureLine, 'proof' | 'kind'>>,
  ): SignatureLine | StatementLine {
    const { number, previous, at, signs, person: id, ...lies } = as;
    const place = this.place();
    const reported = { ...place, number: number ?? place.number, previous: previous ?? place.previous, at: at ?? place.at };
    const by = { person: id ?? one.person, proof: one.prove(statement, this.genesis, lies) };
    return signs === undefined && this.numberOf(statement) === -1
      ? this.append({ ...reported, kind: 'statement', statement, ...by })
      : this.append({ ...reported, kind: 'signature', signs: signs ?? canonicalHash(statement), ...by });
  }

  read(options: Partial<ReplayOptions> = {}): Promise<Authority> {
    return replay(this.lines, { genesis: this.genesisHash, now: () => this.now, ...options });
  }
}

export const statementsOf = (lines: readonly LogLine[]): Statement[] =>
  lines.flatMap((line) => (line.kind === 'statement' ? [line.statement] : []));

/** Renumbers and rehashes like an attacker with the database, who cannot sign. `original`: the lines before changes. */
export function rechainLines(lines: readonly LogLine[], original: readonly LogLine[] = lines): LogLine[] {
  const lineHashes = new Map<string, string>();
  const statementHashes = new Map<string, string>();
  const written: LogLine[] = [];
  for (const [at, line] of lines.entries()) {
    const before = original[at];
    const moved = {
      ...line,
      number: written.length,
      previous: written.length === 0 ? '' : canonicalHash(written.at(-1)),
    } as LogLine;
    if (moved.kind === 'signature') moved.signs = statementHashes.get(moved.signs) ?? moved.signs;
    if (moved.kind === 'statement' && before?.kind === 'statement') {
      const { after, log } = moved.statement;
      const genesis = lineHashes.get(log.genesis) ?? log.genesis;
      const hash = lineHashes.get(after.hash) ?? after.hash;
      const number = written.findIndex((one) => canonicalHash(one) === hash);
      moved.statement = {
        ...moved.statement,
        log: { ...log, genesis },
        after: { number: number === -1 ? after.number : number, hash },
      } as Statement;
      statementHashes.set(canonicalHash(before.statement), canonicalHash(moved.statement));
    }
    lineHashes.set(canonicalHash(before), canonicalHash(moved));
    written.push(moved);
  }
  return written;
}

export const checkMintAt = (
  authority: Authority,
  requested: RequestedMint,
  input: Partial<MintCheckInput> & Pick<MintCheckInput, 'now'>,
) => checkMint(authority, requested, { signed: [], freezes: [], ...input });
