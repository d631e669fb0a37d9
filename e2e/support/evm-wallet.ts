import type { Page } from 'playwright/test';
import { createPublicClient, createWalletClient, http, type Hex, type HDAccount } from 'viem';
import { foundry } from 'viem/chains';

/** 'vanishes': sends, but never responds. 'stingy': too little gas. */
type WalletMood = 'willing' | 'rejects' | 'vanishes' | 'stingy';

export interface InjectedEvmWallet {
  readonly id: string;
  readonly asked: { from: string; to: string; data: string; gas?: Hex }[];
  mood: WalletMood;
  /** Delays signing until resolved. */
  thinking: Promise<void> | null;
  /** Overrides by method. */
  readonly instead: Record<string, (params: never) => unknown>;
  say(event: string, payload: unknown): Promise<void>;
  /** Null: locked. */
  show(account: HDAccount | null): Promise<void>;
  goTo(chainId: number): Promise<void>;
  disconnect(): Promise<void>;
}

declare global {
  interface Window {
    evmWallet?: (walletRequest: {
      method: string;
      params?: unknown;
    }) => Promise<{ result?: unknown; error?: { code: number; message: string; data?: unknown } }>;
    evmEmit?: (event: string, payload: unknown) => void;
  }
}

const id = 'local.test.wallet';

/** Announced by EIP-6963 on later pages. Signs here and forwards reads to the chain. */
export async function injectEvmWallet(page: Page, rpcUrl: string, firstAccount: HDAccount): Promise<InjectedEvmWallet> {
  const transport = http(rpcUrl);
  const chain = createPublicClient({ chain: foundry, transport });
  let account: HDAccount | null = firstAccount;
  let chainId: number = foundry.id;
  let isAllowed = false;
  const knownChains = new Set<number>([foundry.id]);
  const emit = (event: string, payload: unknown) =>
    page.evaluate(([name, payload]) => window.evmEmit?.(name as string, payload), [event, payload] as const);
  const accounts = () => (isAllowed && account ? [account.address] : []);
  const wallet: InjectedEvmWallet = {
    id,
    asked: [],
    mood: 'willing',
    thinking: null,
    instead: {},
    say: emit,
    async show(nextAccount) {
      account = nextAccount;
      await emit('accountsChanged', accounts());
    },
    async goTo(nextAccount) {
      chainId = nextAccount;
      await emit('chainChanged', `0x${nextAccount.toString(16)}`);
    },
    async disconnect() {
      isAllowed = false;
      await emit('accountsChanged', []);
      await emit('disconnect', { code: 4900, message: 'gone' });
    },
  };
  const throwRejection = () => {
    if (wallet.mood === 'rejects') throw Object.assign(new Error('User rejected the request.'), { code: 4001 });
  };
  const sign = async (transaction: { from: string; to: Hex; data: Hex; gas?: Hex }) => {
    wallet.asked.push(transaction);
    await wallet.thinking;
    throwRejection();
    if (!account || account.address.toLowerCase() !== transaction.from.toLowerCase())
      throw Object.assign(new Error('Unknown account.'), { code: 4100 });
    const { to, data, gas } = transaction;
    const transactionRequest = { to, data, ...(gas && { gas: wallet.mood === 'stingy' ? 60_000n : BigInt(gas) }) };
    const hash = await createWalletClient({ account, chain: foundry, transport }).sendTransaction(transactionRequest);
    if (wallet.mood === 'vanishes') await new Promise(() => {});
    return hash;
  };
  const responses: Record<string, (params: never) => unknown> = {
    eth_requestAccounts: () => {
      throwRejection();
      isAllowed = true;
      return accounts();
    },
    wallet_requestPermissions: () => [{ parentCapability: 'eth_accounts' }],
    wallet_revokePermissions: () => {
      isAllowed = false;
      return null;
    },
    eth_accounts: accounts,
    eth_chainId: () => `0x${chainId.toString(16)}`,
    wallet_switchEthereumChain: async ([requestedChain]: [{ chainId: Hex }]) => {
      if (!knownChains.has(Number(requestedChain.chainId))) throw Object.assign(new Error('Unrecognized chain.'), { code: 4902 });
      await wallet.goTo(Number(requestedChain.chainId));
      return null;
    },
    eth_sendTransaction: ([transaction]: [{ from: string; to: Hex; data: Hex; gas?: Hex }]) => sign(transaction),
  };
  await page.exposeFunction('evmWallet', async ({ method, params }: { method: string; params?: unknown }) => {
    try {
      const response = wallet.instead[method] ?? responses[method];
      return { result: response ? await response(params as never) : await chain.request({ method, params } as never) };
    } catch (error) {
      // Wallets pass on the node's message and data.
      const { code, message, details, data } = error as { code?: number; message: string; details?: string; data?: unknown };
      return { error: { code: code ?? -32603, message: details ?? message, data } };
    }
  });
  await page.addInitScript(announceWallet, id);
  return wallet;
}

/** Runs in the page before all scripts. */
function announceWallet(rdns: string): void {
  const listenersByEvent = new Map<string, Set<(payload: unknown) => void>>();
  window.evmEmit = (event, payload) => listenersByEvent.get(event)?.forEach((listener) => listener(payload));
  const provider = {
    request: async (walletRequest: { method: string; params?: unknown }) => {
      const { result, error } = (await window.evmWallet?.(walletRequest)) ?? {};
      if (error) throw Object.assign(new Error(error.message), { code: error.code, data: error.data });
      return result;
    },
    on: (event: string, listener: (payload: unknown) => void) =>
      void listenersByEvent.set(event, (listenersByEvent.get(event) ?? new Set()).add(listener)),
    removeListener: (event: string, listener: (payload: unknown) => void) => void listenersByEvent.get(event)?.delete(listener),
  };
  const providerInfo = { uuid: crypto.randomUUID(), name: 'Test Wallet', icon: 'data:image/svg+xml,', rdns };
  const announceProvider = () =>
    dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info: providerInfo, provider }) }));
  addEventListener('eip6963:requestProvider', announceProvider);
  announceProvider();
}
