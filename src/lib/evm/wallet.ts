import { toChecksumAddress, isAddress } from '../../../api/evm.ts';
import { hasCode } from '../device/refusal.ts';
import { readStored, writeStored } from '../prefs/storage.ts';
import { discoverWallets, type AnnouncedWallet, type Eip1193 } from './discovery.ts';
import { EvmError } from './problem.ts';
import { requestWithNotice, requestWallet } from './requests.ts';
import { $evmWallet, evmKey } from './store.ts';

export interface WalletChain {
  chainId: number;
  name: string;
  rpcUrl: string | null;
}

let connectedWallet: AnnouncedWallet | null = null;
let stopFollowing = () => {};
let onDropped = () => {};

/** Called when the wallet ends the connection, not when the person does. */
export const setOnDropped = (listener: () => void): void => void (onDropped = listener);

/** If already connected, lets the person choose another account. Throws EvmError. */
export async function connectWallet(id: string): Promise<void> {
  const wallet = discoverWallets().find((announced) => announced.id === id);
  if (!wallet) throw new EvmError('noWallet');
  if (connectedWallet?.id === id && $evmWallet.get()) await chooseAccount(wallet);
  await setWallet(wallet, await requestWithNotice(wallet, 'connect', { method: 'eth_requestAccounts' }));
  writeStored(evmKey, id);
}

/** Reconnects after a page reload, without a prompt. */
export async function reconnectWallet(): Promise<void> {
  const id = readStored(evmKey);
  const wallet = id === null ? null : discoverWallets().find((announced) => announced.id === id);
  if (!wallet || $evmWallet.get()) return;
  const accounts = await requestWallet(wallet.provider, 'eth_accounts').catch(() => []);
  if ($evmWallet.get()) return; // the person connected one since
  if (firstAccount(accounts) === null) return forgetWallet();
  await setWallet(wallet, accounts);
}

/** Also revokes the page's permission in wallets that support it. */
export async function disconnectWallet(): Promise<void> {
  const provider = connectedWallet?.provider;
  forgetWallet();
  if (provider) await requestWallet(provider, 'wallet_revokePermissions', [{ eth_accounts: {} }]).catch(() => {});
}

/** Adds the chain if the wallet does not know it. Throws EvmError unless the wallet is then on the chain. */
export async function switchChain({ chainId, name, rpcUrl }: WalletChain): Promise<void> {
  const wallet = requireConnected();
  const id = `0x${chainId.toString(16)}`;
  const requestSwitch = () =>
    requestWithNotice(wallet, 'switch', { method: 'wallet_switchEthereumChain', params: [{ chainId: id }] });
  const failure = await requestSwitch().then(() => null, unknownChainOrThrow);
  if (failure && !(await isOnChain(wallet.provider, chainId))) {
    if (rpcUrl === null) throw hasCode(failure, 4902) ? new EvmError('unknownChain', { chain: name }) : failure;
    const params = [
      { chainId: id, chainName: name, rpcUrls: [rpcUrl], nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 } },
    ];
    const refusal = await requestWithNotice(wallet, 'switch', { method: 'wallet_addEthereumChain', params }).then(
      () => null,
      unknownChainOrThrow,
    );
    if (refusal) throw failure.code === refusal.code ? failure : new EvmError('unknownChain', { chain: name }, refusal);
    // Some wallets add a chain without switching.
    if (!(await isOnChain(wallet.provider, chainId, settleMs))) await requestSwitch().catch(unknownChainOrThrow);
  }
  if (!(await isOnChain(wallet.provider, chainId, settleMs))) throw new EvmError('notSwitched', { chain: name });
  await refreshWallet();
}

/** Wallets report an unknown chain in several ways, so treat every error but a clear rejection as one. */
function unknownChainOrThrow(error: unknown): EvmError {
  if (error instanceof EvmError && (error.code === 'failed' || error.code === 'unsupported')) return error;
  throw error;
}

/** How long a reported switch may take, in milliseconds. */
const settleMs = 2_000;
const pollIntervalMs = 100;

async function isOnChain(provider: Eip1193, chainId: number, timeoutMs = 0): Promise<boolean> {
  for (let elapsedMs = 0; ; elapsedMs += pollIntervalMs) {
    if ((await readChainId(provider).catch(() => null)) === chainId) return true; // no chain while switching
    if (elapsedMs >= timeoutMs) return false;
    await sleep(pollIntervalMs);
  }
}

/** The connected wallet, after reading its state again. Throws EvmError if chain or account differ. */
export async function requireWallet(chainId: number, account: string): Promise<AnnouncedWallet> {
  const wallet = requireConnected();
  await refreshWallet();
  const shownWallet = $evmWallet.get();
  if (!shownWallet) throw new EvmError('gone');
  if (shownWallet.chainId !== chainId)
    throw new EvmError('wrongChain', { is: String(shownWallet.chainId), wanted: String(chainId) });
  if (shownWallet.account !== toChecksumAddress(account))
    throw new EvmError('wrongAccount', { is: shownWallet.account, wanted: account });
  return wallet;
}

function requireConnected(): AnnouncedWallet {
  if (!connectedWallet) throw new EvmError('none');
  return connectedWallet;
}

async function setWallet(wallet: AnnouncedWallet, accounts: unknown): Promise<void> {
  const account = firstAccount(accounts);
  if (account === null) throw new EvmError('none');
  const chainId = await readChainId(wallet.provider);
  stopFollowing();
  connectedWallet = wallet;
  stopFollowing = followWallet(wallet);
  $evmWallet.set({ id: wallet.id, name: wallet.name, account, chainId });
}

/** Reads the state, because events may be late or missing. */
async function refreshWallet(): Promise<void> {
  const wallet = connectedWallet;
  if (!wallet) return;
  const account = firstAccount(await requestWallet(wallet.provider, 'eth_accounts'));
  const chainId = account === null ? null : await readChainId(wallet.provider);
  if (connectedWallet !== wallet) return; // another wallet was connected since
  if (account === null || chainId === null) return dropWallet();
  $evmWallet.set({ id: wallet.id, name: wallet.name, account, chainId });
}

const events = ['accountsChanged', 'chainChanged', 'connect', 'disconnect'];

/** `disconnect` also fires when only the chain is unavailable, as during a switch (1013). */
function followWallet(wallet: AnnouncedWallet): () => void {
  let refreshCount = 0;
  const refreshOnce = async () => {
    const refreshNumber = ++refreshCount;
    const isCurrent = () => connectedWallet === wallet && refreshNumber === refreshCount;
    const account = await readAccount(wallet.provider);
    if (!isCurrent()) return;
    if (account === null) return dropWallet();
    const chainId = await readChainId(wallet.provider).catch(() => $evmWallet.get()?.chainId);
    if (isCurrent() && chainId !== undefined) $evmWallet.set({ id: wallet.id, name: wallet.name, account, chainId });
  };
  const listener = () => void refreshOnce();
  for (const event of events) wallet.provider.on?.(event, listener);
  return () => {
    for (const event of events) wallet.provider.removeListener?.(event, listener);
  };
}

const maxAccountTries = 3;
const retryMs = 1_000;

/** Null if it has none or repeatedly fails to respond. */
async function readAccount(provider: Eip1193): Promise<string | null> {
  for (let attempt = 1; ; attempt++) {
    try {
      return firstAccount(await requestWallet(provider, 'eth_accounts'));
    } catch {
      if (attempt === maxAccountTries) return null;
      await sleep(retryMs);
    }
  }
}

function dropWallet(): void {
  if (!connectedWallet) return;
  forgetWallet();
  onDropped();
}

function forgetWallet(): void {
  stopFollowing();
  stopFollowing = () => {};
  connectedWallet = null;
  $evmWallet.set(null);
  writeStored(evmKey, null);
}

async function chooseAccount(wallet: AnnouncedWallet): Promise<void> {
  const permissionRequest = { method: 'wallet_requestPermissions', params: [{ eth_accounts: {} }] };
  await requestWithNotice(wallet, 'connect', permissionRequest).catch((error: unknown) => {
    if (!(error instanceof EvmError) || error.code === 'rejected') throw error; // method not supported
  });
}

async function readChainId(provider: Eip1193): Promise<number> {
  const response = await requestWallet(provider, 'eth_chainId');
  const chainId = typeof response === 'string' ? Number(response) : Number.NaN;
  if (!Number.isSafeInteger(chainId)) throw new EvmError('failed');
  return chainId;
}

const firstAccount = (accounts: unknown): string | null => {
  const [account]: unknown[] = Array.isArray(accounts) ? accounts : [];
  return typeof account === 'string' && isAddress(account) ? toChecksumAddress(account) : null;
};

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
