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

let connected: AnnouncedWallet | null = null;
let stopFollowing = () => {};
let onDropped = () => {};

/** Called when the wallet ends the connection, not when the person does. */
export const setOnDropped = (act: () => void): void => void (onDropped = act);

/** If already connected, lets the person choose another account. Throws EvmError. */
export async function connectWallet(id: string): Promise<void> {
  const wallet = discoverWallets().find((known) => known.id === id);
  if (!wallet) throw new EvmError('noWallet');
  if (connected?.id === id && $evmWallet.get()) await chooseAccount(wallet);
  await setWallet(wallet, await requestWithNotice(wallet, 'connect', { method: 'eth_requestAccounts' }));
  writeStored(evmKey, id);
}

/** Reconnects after a page reload, without a prompt. */
export async function reconnectWallet(): Promise<void> {
  const id = readStored(evmKey);
  const wallet = id === null ? null : discoverWallets().find((known) => known.id === id);
  if (!wallet || $evmWallet.get()) return;
  const accounts = await requestWallet(wallet.provider, 'eth_accounts').catch(() => []);
  if ($evmWallet.get()) return; // the person connected one since
  if (first(accounts) === null) return forget();
  await setWallet(wallet, accounts);
}

/** Also revokes the page's permission in wallets that support it. */
export async function disconnectWallet(): Promise<void> {
  const provider = connected?.provider;
  forget();
  if (provider) await requestWallet(provider, 'wallet_revokePermissions', [{ eth_accounts: {} }]).catch(() => {});
}

/** Adds the chain if the wallet does not know it. Throws EvmError unless the wallet is then on the chain. */
export async function switchChain({ chainId, name, rpcUrl }: WalletChain): Promise<void> {
  const wallet = current();
  const id = `0x${chainId.toString(16)}`;
  const askToSwitch = () =>
    requestWithNotice(wallet, 'switch', { method: 'wallet_switchEthereumChain', params: [{ chainId: id }] });
  const failure = await askToSwitch().then(() => null, unknownChainOrThrow);
  if (failure && !(await isOn(wallet.provider, chainId))) {
    if (rpcUrl === null) throw hasCode(failure, 4902) ? new EvmError('unknownChain', { chain: name }) : failure;
    const params = [
      { chainId: id, chainName: name, rpcUrls: [rpcUrl], nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 } },
    ];
    const refused = await requestWithNotice(wallet, 'switch', { method: 'wallet_addEthereumChain', params }).then(
      () => null,
      unknownChainOrThrow,
    );
    if (refused) throw failure.code === refused.code ? failure : new EvmError('unknownChain', { chain: name }, refused);
    // Some wallets add a chain without switching.
    if (!(await isOn(wallet.provider, chainId, settleMs))) await askToSwitch().catch(unknownChainOrThrow);
  }
  if (!(await isOn(wallet.provider, chainId, settleMs))) throw new EvmError('notSwitched', { chain: name });
  await refresh();
}

/** Wallets report an unknown chain in several ways, so treat every error but a clear rejection as one. */
function unknownChainOrThrow(error: unknown): EvmError {
  if (error instanceof EvmError && (error.code === 'failed' || error.code === 'unsupported')) return error;
  throw error;
}

/** How long a reported switch may take, in milliseconds. */
const settleMs = 2_000;
const lookEveryMs = 100;

async function isOn(provider: Eip1193, chainId: number, timeoutMs = 0): Promise<boolean> {
  for (let waitedMs = 0; ; waitedMs += lookEveryMs) {
    if ((await chainOf(provider).catch(() => null)) === chainId) return true; // no chain while switching
    if (waitedMs >= timeoutMs) return false;
    await sleep(lookEveryMs);
  }
}

/** The connected wallet, after reading its state again. Throws EvmError if chain or account differ. */
export async function requireWallet(chainId: number, account: string): Promise<AnnouncedWallet> {
  const wallet = current();
  await refresh();
  const shown = $evmWallet.get();
  if (!shown) throw new EvmError('gone');
  if (shown.chainId !== chainId) throw new EvmError('wrongChain', { is: String(shown.chainId), wanted: String(chainId) });
  if (shown.account !== toChecksumAddress(account)) throw new EvmError('wrongAccount', { is: shown.account, wanted: account });
  return wallet;
}

function current(): AnnouncedWallet {
  if (!connected) throw new EvmError('none');
  return connected;
}

async function setWallet(wallet: AnnouncedWallet, accounts: unknown): Promise<void> {
  const account = first(accounts);
  if (account === null) throw new EvmError('none');
  const chainId = await chainOf(wallet.provider);
  stopFollowing();
  connected = wallet;
  stopFollowing = follow(wallet);
  $evmWallet.set({ id: wallet.id, name: wallet.name, account, chainId });
}

/** Reads the state, because events may be late or missing. */
async function refresh(): Promise<void> {
  const wallet = connected;
  if (!wallet) return;
  const account = first(await requestWallet(wallet.provider, 'eth_accounts'));
  const chainId = account === null ? null : await chainOf(wallet.provider);
  if (connected !== wallet) return; // another wallet was connected since
  if (account === null || chainId === null) return drop();
  $evmWallet.set({ id: wallet.id, name: wallet.name, account, chainId });
}

const events = ['accountsChanged', 'chainChanged', 'connect', 'disconnect'];

/** `disconnect` also fires when only the chain is unavailable, as during a switch (1013). */
function follow(wallet: AnnouncedWallet): () => void {
  let looks = 0;
  const look = async () => {
    const turn = ++looks;
    const isCurrent = () => connected === wallet && turn === looks;
    const account = await accountOf(wallet.provider);
    if (!isCurrent()) return;
    if (account === null) return drop();
    const chainId = await chainOf(wallet.provider).catch(() => $evmWallet.get()?.chainId);
    if (isCurrent() && chainId !== undefined) $evmWallet.set({ id: wallet.id, name: wallet.name, account, chainId });
  };
  const listener = () => void look();
  for (const event of events) wallet.provider.on?.(event, listener);
  return () => {
    for (const event of events) wallet.provider.removeListener?.(event, listener);
  };
}

const maxAccountTries = 3;
const retryMs = 1_000;

/** Null if it has none or repeatedly fails to respond. */
async function accountOf(provider: Eip1193): Promise<string | null> {
  for (let tried = 1; ; tried++) {
    try {
      return first(await requestWallet(provider, 'eth_accounts'));
    } catch {
      if (tried === maxAccountTries) return null;
      await sleep(retryMs);
    }
  }
}

function drop(): void {
  if (!connected) return;
  forget();
  onDropped();
}

function forget(): void {
  stopFollowing();
  stopFollowing = () => {};
  connected = null;
  $evmWallet.set(null);
  writeStored(evmKey, null);
}

async function chooseAccount(wallet: AnnouncedWallet): Promise<void> {
  const call = { method: 'wallet_requestPermissions', params: [{ eth_accounts: {} }] };
  await requestWithNotice(wallet, 'connect', call).catch((error: unknown) => {
    if (!(error instanceof EvmError) || error.code === 'rejected') throw error; // method not supported
  });
}

async function chainOf(provider: Eip1193): Promise<number> {
  const answer = await requestWallet(provider, 'eth_chainId');
  const chainId = typeof answer === 'string' ? Number(answer) : Number.NaN;
  if (!Number.isSafeInteger(chainId)) throw new EvmError('failed');
  return chainId;
}

const first = (accounts: unknown): string | null => {
  const [account]: unknown[] = Array.isArray(accounts) ? accounts : [];
  return typeof account === 'string' && isAddress(account) ? toChecksumAddress(account) : null;
};

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
