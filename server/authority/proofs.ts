import { createHash, createPublicKey, verify } from 'node:crypto';
import { isAddressEqual, recoverTypedDataAddress, type Address, type Hex } from 'viem';
import { hashOf } from '../../api/authority/canonical.ts';
import type { AuthorityKey, Genesis, Proof, Statement } from '../../api/authority/statements.ts';
import { typedDataOf } from '../../api/authority/typed-data.ts';

// Whether a signature is of this statement and by this key. Nothing of it is believed that the key itself did not sign.

/** Why a signature is none; null when it is one. */
export type ProofProblem =
  | 'KEY' // of another key than the person's
  | 'SOFTWARE' // a software key, where the genesis takes none
  | 'CHALLENGE' // of other content
  | 'ORIGIN' // given to another page
  | 'RP' // of another domain
  | 'NOT_VERIFIED' // the key's holder did not prove to be there
  | 'SIGNATURE'; // wrong, or not readable

/** Checks `proof` of `statement` by `key`, under what the genesis says of chain and origin. */
export async function problemOf(
  statement: Statement,
  proof: Proof,
  key: AuthorityKey,
  genesis: Pick<Genesis, 'development' | 'rpId' | 'origin' | 'chainId'>,
): Promise<ProofProblem | null> {
  if (proof.type === 'passkey' && key.type === 'passkey') return passkeyProblem(hashOf(statement), proof, key, genesis);
  if (proof.type === 'wallet' && key.type === 'wallet') {
    if (!isAddressEqual(proof.address as Address, key.address as Address)) return 'KEY';
    return walletProblem(statement, proof.signature as Hex, key.address as Address, genesis);
  }
  if (proof.type === 'software' && key.type === 'software') {
    if (!genesis.development) return 'SOFTWARE';
    return isSigned(key.publicKey, Buffer.from(hashOf(statement), 'hex'), proof.signature) ? null : 'SIGNATURE';
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
  const said = clientDataOf(clientData);
  if (said?.type !== 'webauthn.get') return 'SIGNATURE';
  if (said.challenge !== Buffer.from(hash, 'hex').toString('base64url')) return 'CHALLENGE';
  if (said.origin !== origin || said.crossOrigin === true) return 'ORIGIN';
  const data = Buffer.from(proof.authenticatorData, 'base64url');
  if (data.length < 37) return 'SIGNATURE';
  if (!data.subarray(0, 32).equals(createHash('sha256').update(rpId).digest())) return 'RP';
  const flags = data[32] ?? 0;
  if ((flags & 0x01) === 0 || (flags & 0x04) === 0) return 'NOT_VERIFIED';
  const signed = Buffer.concat([data, createHash('sha256').update(clientData).digest()]);
  return isSigned(key.publicKey, signed, proof.signature) ? null : 'SIGNATURE';
}

function clientDataOf(bytes: Buffer): { type?: unknown; challenge?: unknown; origin?: unknown; crossOrigin?: unknown } | null {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

/** ECDSA over SHA-256 by a P-256 key (SPKI, base64url); the signature in DER. */
function isSigned(publicKey: string, bytes: Buffer, signature: string): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64url'), format: 'der', type: 'spki' });
    if (key.asymmetricKeyType !== 'ec' || key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') return false;
    return verify('sha256', bytes, { key, dsaEncoding: 'der' }, Buffer.from(signature, 'base64url'));
  } catch {
    return false;
  }
}

async function walletProblem(
  statement: Statement,
  signature: Hex,
  address: Address,
  genesis: Pick<Genesis, 'chainId'>,
): Promise<ProofProblem | null> {
  try {
    const signer = await recoverTypedDataAddress({ ...typedDataOf(statement, genesis), signature } as never);
    return isAddressEqual(signer, address) ? null : 'SIGNATURE';
  } catch {
    return 'SIGNATURE';
  }
}
