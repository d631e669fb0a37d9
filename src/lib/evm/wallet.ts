import { checksummed, isAddress } from '../../../api/evm.ts';
import { readStored, writeStored } from '../prefs/storage.ts';
import { discoverWallets, type Announced, type Eip1193 } from './discovery.ts';
import { EvmError, toEvmError } from './problem.ts';
import { $evmWallet, evmKey } from './store.ts';

/** What a wallet has to know of a chain to be sent there. */
export interface Chain {
  chainId: number;
  name: string;
  rpcUrl: string | null;
}

let connected: Announced | null = null;
let stopFollowing = () => {};
let onDropped = () => {};

/** Says what to do when the wallet, not the person here, ends the connection. */
export const setOnDropped = (act: () => void): void => void (onDropped = act);

/** Asks a wallet for an account; one that is connected already lets the person choose another. Throws EvmError. */
export async function connectWallet(id: string): Promise<void> {
  const wallet = discoverWallets().find((known) => known.id === id);
  if (!wallet) throw new EvmError('noWallet');
  if (connected?.id === id && $evmWallet.get()) await chooseAccount(wallet.provider);
  await take(wallet, await ask(wallet.provider, 'eth_requestAccounts'));
  writeStored(evmKey, id);
}

/** Finds the wallet of before a reload again, without asking anybody. */
export async function reconnectWallet(): Promise<void> {
  const id = readStored(evmKey);
  const wallet = id === null ? null : discoverWallets().find((known) => known.id === id);
  if (!wallet || $evmWallet.get()) return;
  const accounts = await ask(wallet.provider, 'eth_accounts').catch(() => []);
  if (first(accounts) === null) return forget();
  await take(wallet, accounts);
}

/** Forgets the wallet here; wallets that know how forget the page as well. */
export async function disconnectWallet(): Promise<void> {
  const provider = connected?.provider;
  forget();
  await provider?.request({ method: 'wallet_revokePermissions', params: [{ eth_accounts: {} }] }).catch(() => {});
}

/** Has the wallet go to a chain, and tells it of one it does not know. Throws EvmError. */
export async function switchChain({ chainId, name, rpcUrl }: Chain): Promise<void> {
  const { provider } = current();
  const id = `0x${chainId.toString(16)}`;
  try {
    await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: id }] });
  } catch (error) {
    if (!isUnknownChain(error)) throw toEvmError(error);
    if (rpcUrl === null) throw new EvmError('unknownChain', { chain: name });
    const chain = {
      chainId: id,
      chainName: name,
      rpcUrls: [rpcUrl],
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    };
    await ask(provider, 'wallet_addEthereumChain', [chain]);
  }
  await refresh();
}

/** The provider of the connected wallet, asked anew what it shows. Throws EvmError when it shows something else than wanted. */
export async function readyWallet(chainId: number, account: string): Promise<Eip1193> {
  const { provider } = current();
  await refresh();
  const shown = $evmWallet.get();
  if (!shown) throw new EvmError('gone');
  if (shown.chainId !== chainId) throw new EvmError('wrongChain', { is: String(shown.chainId), wanted: String(chainId) });
  if (shown.account !== checksummed(account)) throw new EvmError('wrongAccount', { is: shown.account, wanted: account });
  return provider;
}

function current(): Announced {
  if (!connected) throw new EvmError('none');
  return connected;
}

async function take(wallet: Announced, accounts: unknown): Promise<void> {
  const account = first(accounts);
  if (account === null) throw new EvmError('none');
  const chainId = await chainOf(wallet.provider);
  stopFollowing();
  connected = wallet;
  stopFollowing = follow(wallet.provider);
  $evmWallet.set({ id: wallet.id, name: wallet.name, account, chainId });
}

/** What the wallet shows now, read from it: its events may be late, or never come. */
async function refresh(): Promise<void> {
  const wallet = connected;
  if (!wallet) return;
  const account = first(await ask(wallet.provider, 'eth_accounts'));
  const chainId = account === null ? null : await chainOf(wallet.provider);
  if (connected !== wallet) return; // another one was connected meanwhile, or none
  if (account === null || chainId === null) return drop();
  $evmWallet.set({ id: wallet.id, name: wallet.name, account, chainId });
}

function follow(provider: Eip1193): () => void {
  const look = () => void refresh().catch(() => connected?.provider === provider && drop());
  const heard = {
    accountsChanged: (accounts: unknown) => (first(accounts) === null ? drop() : look()),
    chainChanged: look,
    disconnect: drop,
  };
  for (const [event, listener] of Object.entries(heard)) provider.on?.(event, listener);
  return () => {
    for (const [event, listener] of Object.entries(heard)) provider.removeListener?.(event, listener);
  };
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

async function chooseAccount(provider: Eip1193): Promise<void> {
  await provider.request({ method: 'wallet_requestPermissions', params: [{ eth_accounts: {} }] }).catch((error: unknown) => {
    if (toEvmError(error).code === 'rejected') throw toEvmError(error); // others do not know the method
  });
}

async function ask(provider: Eip1193, method: string, params?: unknown): Promise<unknown> {
  try {
    return await provider.request(params === undefined ? { method } : { method, params });
  } catch (error) {
    throw toEvmError(error);
  }
}

async function chainOf(provider: Eip1193): Promise<number> {
  const answer = await ask(provider, 'eth_chainId');
  const chainId = typeof answer === 'string' ? Number(answer) : Number.NaN;
  if (!Number.isSafeInteger(chainId)) throw new EvmError('failed');
  return chainId;
}

const first = (accounts: unknown): string | null => {
  const [account]: unknown[] = Array.isArray(accounts) ? accounts : [];
  return typeof account === 'string' && isAddress(account) ? checksummed(account) : null;
};

/** 4902, also where a wallet wraps it. */
const isUnknownChain = (error: unknown): boolean => {
  const { code, data } = error as { code?: unknown; data?: { originalError?: { code?: unknown } } };
  return code === 4902 || data?.originalError?.code === 4902;
};
