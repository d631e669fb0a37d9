import { createHash, createPublicKey, verify, type KeyObject } from 'node:crypto';
import { isAddressEqual, recoverTypedDataAddress, type Address, type Hex } from 'viem';
import type { AuthorityKey, Genesis, Proof, Statement } from '../../api/authority/statements.ts';
import { buildTypedData, type LogDomain } from '../../api/authority/typed-data.ts';

// Trusts only what the key itself signed.

export type ProofProblem =
  | 'KEY' // of another key than the person's
  | 'SOFTWARE' // a software key, where the genesis takes none
  | 'CHALLENGE' // of other content
  | 'ORIGIN' // signed for another page
  | 'RP'
  | 'NOT_VERIFIED' // no user verification
  | 'SIGNATURE'; // invalid or unreadable

export interface HashedStatement {
  readonly statement: Statement;
  readonly hash: string;
}

type PinnedGenesis = Pick<Genesis, 'development' | 'rpId' | 'origin' | 'chainId' | 'bridge'> & { readonly hash: string };

export async function proofProblemOf(
  { statement, hash }: HashedStatement,
  proof: Proof,
  key: AuthorityKey,
  genesis: PinnedGenesis,
): Promise<ProofProblem | null> {
  if (proof.type === 'passkey' && key.type === 'passkey') return passkeyProblem(hash, proof, key, genesis);
  if (proof.type === 'wallet' && key.type === 'wallet') {
    if (!isAddressEqual(proof.address as Address, key.address as Address)) return 'KEY';
    return walletProblem(statement, proof.signature as Hex, key.address as Address, { ...genesis, genesis: genesis.hash });
  }
  if (proof.type === 'software' && key.type === 'software') {
    if (!genesis.development) return 'SOFTWARE';
    return verifySignature(key.publicKey, Buffer.from(hash, 'hex'), proof.signature) ? null : 'SIGNATURE';
  }
  return 'KEY';
}

/** WebAuthn Level 2, §7.2: type, challenge, origin, RP id, presence and verification of the person, signature. */
function passkeyProblem(
  hash: string,
  proof: Extract<Proof, { type: 'passkey' }>,
  key: Extract<AuthorityKey, { type: 'passkey' }>,
  { rpId, origin }: Pick<Genesis, 'rpId' | 'origin'>,
): ProofProblem | null {
  if (proof.credential !== key.credential) return 'KEY';
  const clientData = Buffer.from(proof.clientDataJSON, 'base64url');
  const clientDataFields = parseClientData(clientData);
  if (clientDataFields?.type !== 'webauthn.get') return 'SIGNATURE';
  if (clientDataFields.challenge !== Buffer.from(hash, 'hex').toString('base64url')) return 'CHALLENGE';
  if (
    clientDataFields.origin !== origin ||
    (clientDataFields.crossOrigin ?? false) !== false ||
    clientDataFields.topOrigin !== undefined
  )
    return 'ORIGIN';
  const data = Buffer.from(proof.authenticatorData, 'base64url');
  if (data.length < 37) return 'SIGNATURE';
  if (!data.subarray(0, 32).equals(createHash('sha256').update(rpId).digest())) return 'RP';
  const flags = data[32] ?? 0;
  if ((flags & authenticatorFlags.present) === 0 || (flags & authenticatorFlags.verified) === 0) return 'NOT_VERIFIED';
  if (data.length > 37 && (flags & (authenticatorFlags.credential | authenticatorFlags.extensions)) === 0) return 'SIGNATURE';
  const signedBytes = Buffer.concat([data, createHash('sha256').update(clientData).digest()]);
  return verifySignature(key.publicKey, signedBytes, proof.signature) ? null : 'SIGNATURE';
}

/** WebAuthn §6.1. */
const authenticatorFlags = { present: 0x01, verified: 0x04, credential: 0x40, extensions: 0x80 } as const;

interface ClientData {
  type?: unknown;
  challenge?: unknown;
  origin?: unknown;
  crossOrigin?: unknown;
  topOrigin?: unknown;
}

/** Extra members are allowed (§5.8.1), duplicate ones are not, because parsers differ on them. */
function parseClientData(bytes: Buffer): ClientData | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
    return countMembers(text) === Object.keys(value).length ? value : null;
  } catch {
    return null;
  }
}

/** Counts duplicates, which JSON.parse hides. */
function countMembers(json: string): number {
  let nestingDepth = 0;
  let memberCount = 0;
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}:]/g)) {
    if (token === '{' || token === '[') nestingDepth += 1;
    else if (token === '}' || token === ']') nestingDepth -= 1;
    else if (token === ':' && nestingDepth === 1) memberCount += 1;
  }
  return memberCount;
}

/** One encoding per point, so that a key has one owner. */
export function isValidPublicKey(key: AuthorityKey): boolean {
  if (key.type === 'wallet') return !/^0x0{40}$/.test(key.address);
  try {
    const canonicalSpki = parseP256Key(key.publicKey).export({ format: 'der', type: 'spki' });
    // Compressed and hybrid points encode the same key.
    return canonicalSpki.length === 91 && canonicalSpki[26] === 0x04 && canonicalSpki.toString('base64url') === key.publicKey;
  } catch {
    return false;
  }
}

/** Throws unless it is a P-256 SPKI. */
function parseP256Key(publicKey: string): KeyObject {
  const key = createPublicKey({ key: Buffer.from(publicKey, 'base64url'), format: 'der', type: 'spki' });
  if (key.asymmetricKeyType !== 'ec' || key.asymmetricKeyDetails?.namedCurve !== 'prime256v1')
    throw new TypeError('not a key of P-256');
  return key;
}

const keyCache = new Map<string, KeyObject>();
const maxKnownKeys = 500;

function cachedKey(publicKey: string): KeyObject {
  const key = keyCache.get(publicKey) ?? parseP256Key(publicKey);
  if (keyCache.size >= maxKnownKeys) keyCache.clear();
  keyCache.set(publicKey, key);
  return key;
}

/** ECDSA over SHA-256, signature in DER. */
function verifySignature(publicKey: string, bytes: Buffer, signature: string): boolean {
  try {
    const key = cachedKey(publicKey);
    return verify('sha256', bytes, { key, dsaEncoding: 'der' }, Buffer.from(signature, 'base64url'));
  } catch {
    return false;
  }
}

/** Half the order of secp256k1. */
const halfOrder = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/** EIP-2: low s and v 27 or 28, so that a signature has one encoding. */
const isCanonicalSignature = (signature: Hex): boolean =>
  BigInt(`0x${signature.slice(66, 130)}`) <= halfOrder && /1[bc]$/i.test(signature);

async function walletProblem(
  statement: Statement,
  signature: Hex,
  address: Address,
  domain: LogDomain,
): Promise<ProofProblem | null> {
  if (!isCanonicalSignature(signature)) return 'SIGNATURE';
  try {
    const signer = await recoverTypedDataAddress({ ...buildTypedData(statement, domain), signature } as never);
    return isAddressEqual(signer, address) ? null : 'SIGNATURE';
  } catch {
    return 'SIGNATURE';
  }
}
