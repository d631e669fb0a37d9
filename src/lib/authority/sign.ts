import type { LogPosition } from '../../../api/authority/signing.ts';
import type { AuthorityKey, Proof, Statement } from '../../../api/authority/statements.ts';
import { buildTypedData } from '../../../api/authority/typed-data.ts';
import { isAbortError } from '../device/device-request.ts';
import { $evmWallet } from '../evm/store.ts';
import { t } from '../i18n/i18n.ts';
import { requestPasskey, forgetPasskey, createPasskeyCredential } from '../session/passkeys.ts';
import { showToast } from '../ui/overlay/toasts-store.ts';
import { es256, readPublicKey } from './attestation.ts';
import { base64url, bytesOfHex, normalizeRecoveryByte } from './bytes.ts';
import { hashShownStatement, type ShownStatement } from './differences.ts';
import { AuthorityError } from './problem.ts';

// Loaded only for signing, because WebAuthn and the wallet code are large.

type KeyOfType<T extends AuthorityKey['type']> = Extract<AuthorityKey, { type: T }>;
const keysOfType = <T extends AuthorityKey['type']>(keys: readonly AuthorityKey[], type: T): KeyOfType<T>[] =>
  keys.filter((key): key is KeyOfType<T> => key.type === type);

/**
 * Signs with the person's passkey, else with a connected wallet of theirs, also after they cancel the passkey. Undefined if they
 * have neither. Throws AuthorityError before any prompt if the statement differs from what was shown, EvmError from a wallet.
 */
export async function signWithKey(
  statement: Statement,
  shownStatement: ShownStatement,
  keys: readonly AuthorityKey[],
  logPosition: LogPosition,
): Promise<Proof | undefined> {
  const hash = hashShownStatement(statement, shownStatement, logPosition);
  const [passkeys, wallets] = [keysOfType(keys, 'passkey'), keysOfType(keys, 'wallet')];
  const connectedKey = wallets.find(({ address }) => address.toLowerCase() === $evmWallet.get()?.account.toLowerCase());
  if (passkeys.length > 0)
    try {
      return await signWithPasskey(hash, passkeys, logPosition);
    } catch (error) {
      if (!connectedKey || !(error instanceof AuthorityError) || error.code !== 'stopped') throw error;
    }
  const wallet = connectedKey ?? wallets[0];
  return wallet ? signWithWallet(statement, wallet, logPosition) : undefined;
}

async function signWithPasskey(hash: string, keys: readonly KeyOfType<'passkey'>[], { rpId }: LogPosition): Promise<Proof> {
  const { id, response } = await requestPasskey({
    challenge: base64url(bytesOfHex(hash)),
    rpId,
    allowCredentials: keys.map(({ credential }) => ({ id: credential, type: 'public-key' as const })),
    userVerification: 'required',
  }).catch(rethrowDeclined);
  const { authenticatorData, clientDataJSON, signature } = response;
  return { type: 'passkey', credential: id, authenticatorData, clientDataJSON, signature };
}

async function signWithWallet(statement: Statement, { address }: KeyOfType<'wallet'>, logPosition: LogPosition): Promise<Proof> {
  const [{ requireWallet }, { requestWithNotice }] = await Promise.all([
    import('../evm/wallet.ts'),
    import('../evm/requests.ts'),
  ]);
  const wallet = await requireWallet(logPosition.chainId, address);
  const { domain, types, ...typed } = buildTypedData(statement, logPosition);
  const typedData = { domain, types: { EIP712Domain: domainFields, ...types }, ...typed };
  const signRequest = { method: 'eth_signTypedData_v4', params: [address, JSON.stringify(typedData)] };
  const signature = await requestWithNotice(wallet, 'sign', signRequest, () =>
    showToast({ kind: 'error', text: t('device.lateSign') }),
  );
  return { type: 'wallet', address, signature: normalizeRecoveryByte(String(signature)) };
}

const domainFields = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
  { name: 'salt', type: 'bytes32' },
];

/** Creates a passkey only for signing. Throws AuthorityError. */
export async function createPasskey(
  name: string,
  { rpId }: LogPosition,
  ownKeys: readonly AuthorityKey[],
): Promise<Extract<AuthorityKey, { type: 'passkey' }>> {
  const createRandomId = () => base64url(crypto.getRandomValues(new Uint8Array(32)));
  const { id, response } = await createPasskeyCredential({
    challenge: createRandomId(), // not verified: the first signature proves the key
    rp: { id: rpId, name: document.title || rpId },
    // A separate user id, so that the authenticator does not replace the passkey for sign-in.
    user: { id: createRandomId(), name, displayName: name },
    pubKeyCredParams: [{ type: 'public-key', alg: es256 }],
    excludeCredentials: keysOfType(ownKeys, 'passkey').map(({ credential }) => ({ id: credential, type: 'public-key' as const })),
    authenticatorSelection: { residentKey: 'discouraged', userVerification: 'required' },
    attestation: 'none',
  }).catch(rethrowDeclined);
  try {
    return { type: 'passkey', credential: id, publicKey: readPublicKey(response.attestationObject) };
  } catch (error) {
    await forgetPasskey(rpId, id);
    throw error;
  }
}

/** Throws EvmError. */
export async function getConnectedWallet({ chainId }: LogPosition): Promise<Extract<AuthorityKey, { type: 'wallet' }>> {
  const [{ requireWallet }, { EvmError }] = await Promise.all([import('../evm/wallet.ts'), import('../evm/problem.ts')]);
  const account = $evmWallet.get()?.account;
  if (account === undefined) throw new EvmError('none');
  await requireWallet(chainId, account);
  return { type: 'wallet', address: account };
}

function rethrowDeclined(error: unknown): never {
  if (isAbortError(error)) throw error;
  const isUserAbort = error instanceof Error && /^(NotAllowedError|AbortError|InvalidStateError|SecurityError)$/.test(error.name);
  throw isUserAbort ? new AuthorityError('stopped', {}, error) : error;
}
