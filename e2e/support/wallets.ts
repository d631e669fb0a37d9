import type { Page } from 'playwright/test';
import { createTestWallet, type TestWallet } from '../../server/testing/wallet.ts';

type WalletMood = 'willing' | 'rejects' | 'hangs';

export interface InjectedOptions {
  kind: 'unisat' | 'okx' | 'xverse' | 'announced';
  wallet: TestWallet;
  /** Default: its taproot address. */
  address?: string;
  mood?: WalletMood;
}

export interface InjectedWallet {
  readonly asked: { message: string; kind: string }[];
  /** Null: no account. */
  switchTo(address: string | null): Promise<void>;
  switchNetwork(): Promise<void>;
  disconnect(): Promise<void>;
  setMood(mood: WalletMood): Promise<void>;
  /** Once the panel listens. */
  followed(): Promise<void>;
}

declare global {
  interface Window {
    walletControls?: {
      switchTo(address: string | null): void;
      switchNetwork(): void;
      disconnect(): void;
      followed(): boolean;
      mood: WalletMood;
    };
    signAsWallet?: (message: string, kind: string) => Promise<string>;
  }
}

/** On later pages. Signatures are real, the key stays here. */
export async function injectWallet(
  page: Page,
  { kind, wallet, address, mood = 'willing' }: InjectedOptions,
): Promise<InjectedWallet> {
  const signRequests: InjectedWallet['asked'] = [];
  await page.exposeFunction('signAsWallet', (message: string, signature: string) => {
    signRequests.push({ message, kind: signature });
    return wallet.sign(message);
  });
  await page.addInitScript(injectProvider, { kind, first: address ?? wallet.address, mood });
  return {
    asked: signRequests,
    switchTo: (newValue) => page.evaluate((nextValue) => window.walletControls?.switchTo(nextValue), newValue),
    switchNetwork: () => page.evaluate(() => window.walletControls?.switchNetwork()),
    disconnect: () => page.evaluate(() => window.walletControls?.disconnect()),
    followed: async () => void (await page.waitForFunction(() => window.walletControls?.followed())),
    setMood: (nextValue) =>
      page.evaluate((newValue) => {
        if (window.walletControls) window.walletControls.mood = newValue;
      }, nextValue),
  };
}

export { createTestWallet };

/** In the page, before all scripts. */
function injectProvider({ kind, first, mood }: { kind: InjectedOptions['kind']; first: string; mood: WalletMood }): void {
  // Survives reloads.
  const readMemory = (name: string, fallback: string) => {
    try {
      return sessionStorage.getItem(name) ?? fallback;
    } catch {
      return fallback; // about:blank has no storage
    }
  };
  const state = {
    address: readMemory('wallet.address', first),
    connected: readMemory('wallet.connected', '') === 'yes',
    network: 'main',
  };
  const storeMemory = () => {
    sessionStorage.setItem('wallet.address', state.address);
    sessionStorage.setItem('wallet.connected', state.connected ? 'yes' : '');
  };
  const listenersByEvent = new Map<string, Set<(payload?: unknown) => void>>();
  const addListener = (event: string, listener: (payload?: unknown) => void) =>
    void listenersByEvent.set(event, (listenersByEvent.get(event) ?? new Set()).add(listener));
  const removeListener = (event: string, listener: (payload?: unknown) => void) =>
    void listenersByEvent.get(event)?.delete(listener);
  const emit = (event: string, payload?: unknown) => listenersByEvent.get(event)?.forEach((listener) => listener(payload));
  const accounts = () => (state.connected && state.address ? [state.address] : []);
  const waitForDecision = async (code: number) => {
    if (window.walletControls?.mood === 'hangs') await new Promise(() => {});
    if (window.walletControls?.mood === 'rejects') throw Object.assign(new Error('User rejected the request.'), { code });
  };
  const connect = async () => {
    await waitForDecision(kind === 'unisat' || kind === 'okx' ? 4001 : -32000);
    state.connected = true;
    storeMemory();
    return accounts();
  };
  const sign = async (message: string, signatureKind: string) => {
    await waitForDecision(kind === 'unisat' || kind === 'okx' ? 4001 : -32000);
    return window.signAsWallet?.(message, signatureKind) ?? '';
  };

  const commonMethods = { on: addListener, removeListener, getAccounts: async () => accounts() };
  const unisatProvider = {
    ...commonMethods,
    requestAccounts: connect,
    getChain: async () => ({
      enum: state.network === 'main' ? 'BITCOIN_MAINNET' : 'FRACTAL_BITCOIN_MAINNET',
      network: 'livenet',
    }),
    signMessage: (message: string, signatureKind = 'ecdsa') => sign(message, signatureKind),
  };
  const okxProvider = {
    ...commonMethods,
    connect: async () => {
      const [address] = await connect();
      return address ? { address, publicKey: '00'.repeat(32) } : {};
    },
    getNetwork: async () => (state.network === 'main' ? 'livenet' : 'testnet'),
    signMessage: (message: string, signatureKind = 'ecdsa') => sign(message, signatureKind),
  };
  const addresses = () =>
    accounts().map((address) => ({
      address,
      publicKey: '',
      purpose: 'ordinals',
      addressType: address.includes('1p') ? 'p2tr' : 'p2wpkh',
    }));
  const responses: Record<string, (params: { message?: string; protocol?: string }) => Promise<unknown>> = {
    wallet_connect: async () => (await connect(), { id: '1', addresses: addresses(), walletType: 'software' }),
    wallet_getAccount: async () => {
      if (!state.connected) throw Object.assign(new Error('Access denied.'), { code: -32002 });
      return { addresses: addresses() };
    },
    wallet_getNetwork: async () => ({ bitcoin: { name: state.network === 'main' ? 'Mainnet' : 'Testnet4' } }),
    signMessage: async ({ message = '', protocol = '' }) => ({
      signature: await sign(message, protocol),
      address: state.address,
      protocol,
    }),
  };
  const xverseProvider = {
    request: async (method: string, params: object | null) => {
      const response = responses[method];
      try {
        if (!response) throw Object.assign(new Error('Method not found'), { code: -32601 });
        if (method === 'wallet_getAccount' && params !== null) throw Object.assign(new Error('Invalid params'), { code: -32602 });
        return { jsonrpc: '2.0', id: '1', result: await response(params ?? {}) };
      } catch (error) {
        const { code, message } = error as Error & { code: number };
        return { jsonrpc: '2.0', id: '1', error: { code, message } };
      }
    },
    addListener: ({ eventName, cb }: { eventName: string; cb: () => void }) => {
      addListener(eventName, cb);
      return () => removeListener(eventName, cb);
    },
  };

  window.walletControls = {
    mood,
    followed: () => [...listenersByEvent.values()].some((listeners) => listeners.size > 0),
    switchTo: (address) => {
      state.address = address ?? '';
      storeMemory();
      emit('accountsChanged', accounts());
      emit('accountChange', { type: 'accountChange' });
    },
    switchNetwork: () => {
      state.network = 'other';
      emit('chainChanged', {});
      emit('networkChanged', 'testnet');
      emit('networkChange', {});
    },
    disconnect: () => {
      state.connected = false;
      storeMemory();
      if (kind === 'unisat' || kind === 'okx') emit('accountsChanged', []);
      emit('disconnect');
    },
  };
  const icon = 'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4=';
  if (kind === 'unisat') Object.assign(window, { unisat: unisatProvider });
  if (kind === 'okx') Object.assign(window, { okxwallet: { bitcoin: okxProvider } });
  if (kind === 'xverse') {
    Object.assign(window, { XverseProviders: { BitcoinProvider: xverseProvider } });
    Object.assign(window, { btc_providers: [{ id: 'XverseProviders.BitcoinProvider', name: 'Xverse Wallet', icon }] });
  }
  if (kind === 'announced') {
    Object.assign(window, { OtherWallet: xverseProvider });
    Object.assign(window, {
      btc_providers: [{ id: 'OtherWallet', name: 'Other Wallet', icon }, { id: 'not.there', name: 'Gone' }, null],
    });
  }
}
