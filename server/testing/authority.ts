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
import { buildTypedData, type LogDomain, type StatementTypedData } from '../../api/authority/typed-data.ts';
import { checkMint, type MintCheckInput, type RequestedMint } from '../authority/check-mint.ts';
import type { RequestedRefund } from '../authority/check-refund.ts';
import { depositHashOf, replay, type Authority, type ReplayOptions } from '../authority/replay.ts';

/* Shares nothing with the checking code, and can lie in every field. */

/** `as`: what they claim instead of the truth. */
export interface TestPerson extends Approver {
  prove(statement: Statement, genesis: Genesis, overrides?: ProofOverrides): Proof;
}

export interface ProofOverrides {
  hash?: string;
  origin?: string;
  rpId?: string;
  type?: string;
  crossOrigin?: unknown;
  /** Receives the true clientDataJSON. */
  clientDataJSON?: (originalData: string) => string;
  extra?: string;
  /** 0x05 is present and verified. */
  flags?: number;
  authenticatorData?: Buffer;
  credential?: string;
  privateKey?: KeyObject;
  signature?: string;
  domain?: LogDomain;
  typedData?: (originalData: StatementTypedData) => StatementTypedData;
}

const buildPersonFields = (name: string, roles: readonly string[]) => ({ person: randomUUID(), name, roles: [...roles] });
const exportPublicKey = (key: KeyObject) => key.export({ format: 'der', type: 'spki' }).toString('base64url');
const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest();
export const createP256KeyPair = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });

export function createSoftwarePerson(name: string, roles: readonly string[] = [], keyPair = createP256KeyPair()): TestPerson {
  return {
    ...buildPersonFields(name, roles),
    key: { type: 'software', publicKey: exportPublicKey(keyPair.publicKey) },
    prove: (statement, _genesis, overrides = {}) => {
      const bytes = Buffer.from(overrides.hash ?? canonicalHash(statement), 'hex');
      const signature = signBytes('sha256', bytes, { key: overrides.privateKey ?? keyPair.privateKey, dsaEncoding: 'der' });
      return { type: 'software', signature: overrides.signature ?? signature.toString('base64url') };
    },
  };
}

export function createPasskeyPerson(name: string, roles: readonly string[] = [], keyPair = createP256KeyPair()): TestPerson {
  const credential = randomBytes(32).toString('base64url');
  return {
    ...buildPersonFields(name, roles),
    key: { type: 'passkey', credential, publicKey: exportPublicKey(keyPair.publicKey) },
    prove: (statement, { origin, rpId }, overrides = {}) => {
      const challenge = Buffer.from(overrides.hash ?? canonicalHash(statement), 'hex').toString('base64url');
      const clientDataMembers = { type: overrides.type ?? 'webauthn.get', challenge, origin: overrides.origin ?? origin };
      const clientDataText = `${JSON.stringify({ ...clientDataMembers, crossOrigin: overrides.crossOrigin ?? false }).slice(0, -1)}${overrides.extra ?? ''}}`;
      const client = Buffer.from(overrides.clientDataJSON?.(clientDataText) ?? clientDataText);
      const signedData = Buffer.concat([sha256(overrides.rpId ?? rpId), Buffer.from([overrides.flags ?? 0x05, 0, 0, 0, 7])]);
      const data = overrides.authenticatorData ?? signedData;
      const bytes = Buffer.concat([data, sha256(client)]);
      const signature = signBytes('sha256', bytes, { key: overrides.privateKey ?? keyPair.privateKey, dsaEncoding: 'der' });
      return {
        type: 'passkey',
        credential: overrides.credential ?? credential,
        authenticatorData: data.toString('base64url'),
        clientDataJSON: client.toString('base64url'),
        signature: overrides.signature ?? signature.toString('base64url'),
      };
    },
  };
}

export function createWalletPerson(name: string, roles: readonly string[] = [], secret = addr.random().privateKey): TestPerson {
  const address = addr.fromPrivateKey(secret);
  return {
    ...buildPersonFields(name, roles),
    key: { type: 'wallet', address },
    prove: (statement, _genesis, overrides = {}) => {
      const signedData = buildTypedData(statement, overrides.domain ?? statement.log);
      const { domain, types, primaryType, message } = overrides.typedData?.(signedData) ?? signedData;
      const shownTypedData = {
        domain: { ...(domain as { name: string; version: string }), chainId: BigInt(domain.chainId ?? 0) },
        types,
        primaryType,
        message,
      };
      return { type: 'wallet', address, signature: overrides.signature ?? signTyped(shownTypedData as never, secret, false) };
    },
  };
}

/** Mirrors s: valid on the curve, other bytes. */
export function mirrorSignature(signature: string): string {
  const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
  const mirroredS = (curveOrder - BigInt(`0x${signature.slice(66, 130)}`)).toString(16).padStart(64, '0');
  return `${signature.slice(0, 66)}${mirroredS}${signature.endsWith('1b') ? '1c' : '1b'}`;
}

const hourMs = 3_600_000;
export const testStart = Date.parse('2026-11-02T08:00:00.000Z');
export const testToken = '0x1111111111111111111111111111111111111111';
export const testBridge = '0x2222222222222222222222222222222222222222';
export const testMinter = '0x3333333333333333333333333333333333333333';
export const receiverA = '0xaAaAaAaaAaAaAaaAaAAAAAAAAaaaAaAaAaaAaaAa';
export const receiverB = '0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB';
export const custodyAddress = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
export const custodyAddressOfA = 'bcrt1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qzf4jry';

export const payoutAddressOfA = 'bcrt1qzyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3lgth6c';
export const payoutAddressOfB = 'bcrt1qyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zs4w3j0';

export const wholeRangeBand: AuthorityBand = {
  from: '0',
  below: null,
  approvals: 2,
  role: null,
  perDay: null,
  delaySeconds: 0,
};

export const buildTestRules = (overrides: Partial<AuthorityPolicy> = {}): AuthorityPolicy => ({
  root: 2,
  coolingSeconds: 86_400,
  receivers: 'listed',
  bands: [wholeRangeBand],
  refundBands: [wholeRangeBand],
  ...overrides,
});

/** Without software keys. */
export const buildTestGenesis = (people: readonly TestPerson[], overrides: Partial<Genesis> = {}): Genesis => ({
  development: false,
  network: 'regtest',
  chainId: 31_337,
  token: testToken,
  bridge: testBridge,
  minter: testMinter,
  rpId: 'panel.example',
  origin: 'https://panel.example',
  approvers: people.map(({ person: id, name, roles, key }) => ({ person: id, name, roles, key })),
  policy: buildTestRules(),
  custody: [custodyAddress, custodyAddressOfA],
  receivers: [
    { address: receiverA, institution: 'Alpha Bank', custody: [custodyAddressOfA], payout: [payoutAddressOfA] },
    { address: receiverB, institution: 'Beta Fund', custody: [], payout: [payoutAddressOfB] },
  ],
  ...overrides,
});

/** `vout` distinguishes deposits. */
export const buildMintClaim = (overrides: Partial<MintClaim> = {}): MintClaim => ({
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
  ...overrides,
});

export const buildRefundClaim = (overrides: Partial<RefundClaim> = {}): RefundClaim => ({
  network: 'regtest',
  txid: 'ab'.repeat(32),
  vout: 0,
  satoshi: '150000000',
  account: receiverB,
  payout: payoutAddressOfB,
  chainId: 31_337,
  bridge: testBridge,
  nonce: 7,
  policy: 0,
  authors: [],
  ...overrides,
});

export const buildRequestedRefund = (claim: RefundClaim, overrides: Partial<RequestedRefund> = {}): RequestedRefund => ({
  txid: claim.txid,
  satoshi: claim.satoshi,
  account: claim.account,
  receiver: claim.payout,
  chainId: claim.chainId,
  bridge: claim.bridge,
  nonce: null,
  ...overrides,
});

export const buildRequestedMint = (claim: MintClaim, overrides: Partial<RequestedMint> = {}): RequestedMint => ({
  depositHash: depositHashOf(claim),
  recipient: claim.receiver,
  amount: BigInt(claim.satoshi) * 10_000_000_000n,
  chainId: claim.chainId,
  token: claim.token,
  bridge: claim.bridge,
  ...overrides,
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
    const genesisEntry: GenesisLine = {
      v: logVersion,
      number: 0,
      previous: '',
      at: this.time(),
      kind: 'genesis',
      content: genesis,
    };
    this.append(genesisEntry);
    this.genesisHash = canonicalHash(genesisEntry);
  }

  time(delaySeconds = 0): string {
    return new Date(this.now + delaySeconds).toISOString();
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
    { valid: validSeconds = 7 * 24 * hourMs, expires: expiresAt, after: afterLine }: ProposeOptions = {},
  ): StatementOf<K> {
    const { chainId, bridge: bridgeAddress } = this.genesis;
    return {
      v: logVersion,
      kind,
      id: randomUUID(),
      log: { genesis: this.genesisHash, chainId, bridge: bridgeAddress },
      after: afterLine ?? { number: this.lines.length - 1, hash: canonicalHash(this.lines.at(-1)) },
      expires: expiresAt ?? this.time(validSeconds),
      content,
    } as unknown as StatementOf<K>;
  }

  numberOf(statement: Statement): number {
    return this.lines.findIndex(
      (line) => line.kind === 'statement' && canonicalHash(line.statement) === canonicalHash(statement),
    );
  }

  sign(statement: Statement, ...people: readonly TestPerson[]): this {
    for (const approverOfLine of people) this.signAs(statement, approverOfLine, {});
    return this;
  }

  signAs(
    statement: Statement,
    approverOfLine: TestPerson,
    signOverrides: ProofOverrides & Partial<Omit<SignatureLine, 'proof' | 'kind'>>,
  ): SignatureLine | StatementLine {
    const { number, previous, at, signs, person: id, ...falseData } = signOverrides;
    const position = this.place();
    const positionFields = {
      ...position,
      number: number ?? position.number,
      previous: previous ?? position.previous,
      at: at ?? position.at,
    };
    const signatureFields = {
      person: id ?? approverOfLine.person,
      proof: approverOfLine.prove(statement, this.genesis, falseData),
    };
    return signs === undefined && this.numberOf(statement) === -1
      ? this.append({ ...positionFields, kind: 'statement', statement, ...signatureFields })
      : this.append({ ...positionFields, kind: 'signature', signs: signs ?? canonicalHash(statement), ...signatureFields });
  }

  read(options: Partial<ReplayOptions> = {}): Promise<Authority> {
    return replay(this.lines, { genesis: this.genesisHash, now: () => this.now, ...options });
  }
}

export const listStatements = (lines: readonly LogLine[]): Statement[] =>
  lines.flatMap((line) => (line.kind === 'statement' ? [line.statement] : []));

/** Renumbers and rehashes like an attacker with the database, who cannot sign. `original`: the lines before changes. */
export function rechainLines(lines: readonly LogLine[], original: readonly LogLine[] = lines): LogLine[] {
  const lineHashes = new Map<string, string>();
  const statementHashes = new Map<string, string>();
  const rechainedLines: LogLine[] = [];
  for (const [at, line] of lines.entries()) {
    const originalLine = original[at];
    const rechainedLine = {
      ...line,
      number: rechainedLines.length,
      previous: rechainedLines.length === 0 ? '' : canonicalHash(rechainedLines.at(-1)),
    } as LogLine;
    if (rechainedLine.kind === 'signature') rechainedLine.signs = statementHashes.get(rechainedLine.signs) ?? rechainedLine.signs;
    if (rechainedLine.kind === 'statement' && originalLine?.kind === 'statement') {
      const { after: afterLine, log } = rechainedLine.statement;
      const genesis = lineHashes.get(log.genesis) ?? log.genesis;
      const hash = lineHashes.get(afterLine.hash) ?? afterLine.hash;
      const statementNumber = rechainedLines.findIndex((candidate) => canonicalHash(candidate) === hash);
      rechainedLine.statement = {
        ...rechainedLine.statement,
        log: { ...log, genesis },
        after: { number: statementNumber === -1 ? afterLine.number : statementNumber, hash },
      } as Statement;
      statementHashes.set(canonicalHash(originalLine.statement), canonicalHash(rechainedLine.statement));
    }
    lineHashes.set(canonicalHash(originalLine), canonicalHash(rechainedLine));
    rechainedLines.push(rechainedLine);
  }
  return rechainedLines;
}

export const checkMintAtTime = (
  authority: Authority,
  requested: RequestedMint,
  input: Partial<MintCheckInput> & Pick<MintCheckInput, 'now'>,
) => checkMint(authority, requested, { signed: [], freezes: [], ...input });
