import type { Page } from 'playwright/test';
import { testWallet, type TestWallet } from '../../server/testing/wallet.ts';

type Mood = 'willing' | 'rejects' | 'hangs';

export interface InjectedOptions {
  kind: 'unisat' | 'okx' | 'xverse' | 'announced';
  wallet: TestWallet;
  /** Default: its taproot address. */
  address?: string;
  mood?: Mood;
}

export interface InjectedWallet {
  readonly asked: { message: string; kind: string }[];
  /** Null: no account. */
  switchTo(address: string | null): Promise<void>;
  switchNetwork(): Promise<void>;
  disconnect(): Promise<void>;
  setMood(mood: Mood): Promise<void>;
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
      mood: Mood;
    };
    signAsWallet?: (message: string, kind: string) => Promise<string>;
  }
}

/** On later pages. Signatures are real, the key stays here. */
export async function injectWallet(
  page: Page,
  { kind, wallet, address, mood = 'willing' }: InjectedOptions,
): Promise<InjectedWallet> {
  const asked: InjectedWallet['asked'] = [];
  await page.exposeFunction('signAsWallet', (message: string, signature: string) => {
    asked.push({ message, kind: signature });
    return wallet.sign(message);
  });
  await page.addInitScript(provide, { kind, first: address ?? wallet.address, mood });
  return {
    asked,
    switchTo: (to) => page.evaluate((next) => window.walletControls?.switchTo(next), to),
    switchNetwork: () => page.evaluate(() => window.walletControls?.switchNetwork()),
    disconnect: () => page.evaluate(() => window.walletControls?.disconnect()),
    followed: async () => void (await page.waitForFunction(() => window.walletControls?.followed())),
    setMood: (next) =>
      page.evaluate((to) => {
        if (window.walletControls) window.walletControls.mood = to;
      }, next),
  };
}

export { testWallet };

/** In the page, before all scripts. */
function provide({ kind, first, mood }: { kind: InjectedOptions['kind']; first: string; mood: Mood }): void {
  // Survives reloads.
  const memory = (name: string, otherwise: string) => {
    try {
      return sessionStorage.getItem(name) ?? otherwise;
    } catch {
      return otherwise; // about:blank has no storage
    }
  };
  const state = {
    address: memory('wallet.address', first),
    connected: memory('wallet.connected', '') === 'yes',
    network: 'main',
  };
  const remember = () => {
    sessionStorage.setItem('wallet.address', state.address);
    sessionStorage.setItem('wallet.connected', state.connected ? 'yes' : '');
  };
  const heard = new Map<string, Set<(payload?: unknown) => void>>();
  const on = (event: string, listener: (payload?: unknown) => void) =>
    void heard.set(event, (heard.get(event) ?? new Set()).add(listener));
  const off = (event: string, listener: (payload?: unknown) => void) => void heard.get(event)?.delete(listener);
  const emit = (event: string, payload?: unknown) => heard.get(event)?.forEach((listener) => listener(payload));
  const accounts = () => (state.connected && state.address ? [state.address] : []);
  const asks = async (code: number) => {
    if (window.walletControls?.mood === 'hangs') await new Promise(() => {});
    if (window.walletControls?.mood === 'rejects') throw Object.assign(new Error('User rejected the request.'), { code });
  };
  const connect = async () => {
    await asks(kind === 'unisat' || kind === 'okx' ? 4001 : -32000);
    state.connected = true;
    remember();
    return accounts();
  };
  const sign = async (message: string, as: string) => {
    await asks(kind === 'unisat' || kind === 'okx' ? 4001 : -32000);
    return window.signAsWallet?.(message, as) ?? '';
  };

  const own = { on, removeListener: off, getAccounts: async () => accounts() };
  const unisat = {
    ...own,
    requestAccounts: connect,
    getChain: async () => ({
      enum: state.network === 'main' ? 'BITCOIN_MAINNET' : 'FRACTAL_BITCOIN_MAINNET',
      network: 'livenet',
    }),
    signMessage: (message: string, as = 'ecdsa') => sign(message, as),
  };
  const okx = {
    ...own,
    connect: async () => {
      const [address] = await connect();
      return address ? { address, publicKey: '00'.repeat(32) } : {};
    },
    getNetwork: async () => (state.network === 'main' ? 'livenet' : 'testnet'),
    signMessage: (message: string, as = 'ecdsa') => sign(message, as),
  };
  const addresses = () =>
    accounts().map((address) => ({
      address,
      publicKey: '',
      purpose: 'ordinals',
      addressType: address.includes('1p') ? 'p2tr' : 'p2wpkh',
    }));
  const answers: Record<string, (params: { message?: string; protocol?: string }) => Promise<unknown>> = {
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
  const xverse = {
    request: async (method: string, params: object | null) => {
      const answer = answers[method];
      try {
        if (!answer) throw Object.assign(new Error('Method not found'), { code: -32601 });
        if (method === 'wallet_getAccount' && params !== null) throw Object.assign(new Error('Invalid params'), { code: -32602 });
        return { jsonrpc: '2.0', id: '1', result: await answer(params ?? {}) };
      } catch (error) {
        const { code, message } = error as Error & { code: number };
        return { jsonrpc: '2.0', id: '1', error: { code, message } };
      }
    },
    addListener: ({ eventName, cb }: { eventName: string; cb: () => void }) => {
      on(eventName, cb);
      return () => off(eventName, cb);
    },
  };

  window.walletControls = {
    mood,
    followed: () => [...heard.values()].some((listeners) => listeners.size > 0),
    switchTo: (address) => {
      state.address = address ?? '';
      remember();
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
      remember();
      if (kind === 'unisat' || kind === 'okx') emit('accountsChanged', []);
      emit('disconnect');
    },
  };
  const icon = 'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4=';
  if (kind === 'unisat') Object.assign(window, { unisat });
  if (kind === 'okx') Object.assign(window, { okxwallet: { bitcoin: okx } });
  if (kind === 'xverse') {
    Object.assign(window, { XverseProviders: { BitcoinProvider: xverse } });
    Object.assign(window, { btc_providers: [{ id: 'XverseProviders.BitcoinProvider', name: 'Xverse Wallet', icon }] });
  }
  if (kind === 'announced') {
    Object.assign(window, { OtherWallet: xverse });
    Object.assign(window, {
      btc_providers: [{ id: 'OtherWallet', name: 'Other Wallet', icon }, { id: 'not.there', name: 'Gone' }, null],
    });
  }
}
