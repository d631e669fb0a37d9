import { afterEach, describe, expect, test } from 'vitest';
import { checkAddress, hasTaprootShape } from './checks.ts';
import { detectWallets } from './detect.ts';
import { createOkxWallet } from './okx.ts';
import { createRequestWallet } from './request-wallet.ts';
import { createUnisatWallet } from './unisat.ts';
import { toWalletError, type WalletProvider } from './wallet.ts';

const taprootAddress = 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0';
const segwitAddress = 'bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l';
const page = globalThis as unknown as Record<string, unknown>;
const names = ['unisat', 'unisat_wallet', 'okxwallet', 'XverseProviders', 'btc_providers', 'Other'];

afterEach(() => {
  for (const name of names) delete page[name];
});

const detectIds = (network: Parameters<typeof detectWallets>[0] = 'mainnet') => detectWallets(network).map(({ id }) => id);

describe('the wallets of a browser', () => {
  test('are found where each vendor puts them, or not at all', () => {
    expect(detectIds()).toEqual([]);
    Object.assign(page, { unisat: {}, okxwallet: { bitcoin: {}, bitcoinSignet: {} }, XverseProviders: { BitcoinProvider: {} } });
    expect(detectIds()).toEqual(['unisat', 'okx', 'xverse']);
    expect(detectIds('signet')).toEqual(['unisat', 'okx', 'xverse']);
    expect(detectIds('testnet')).toEqual(['unisat', 'xverse']);
  });

  test('are not mistaken for a fork with the same name', async () => {
    Object.assign(page, { unisat: { requestAccounts: () => ['fork'] }, unisat_wallet: { requestAccounts: () => ['own'] } });
    const [wallet] = detectWallets('mainnet');
    expect(await wallet?.connect()).toBe('own');
  });

  test('are listed once, even if announced repeatedly', () => {
    const BitcoinProvider = { request: () => {} };
    Object.assign(page, {
      XverseProviders: { BitcoinProvider },
      btc_providers: [{ id: 'XverseProviders.BitcoinProvider', name: 'Xverse' }],
    });
    expect(detectIds()).toEqual(['xverse']);
  });

  test('that announce themselves are accepted only with a valid shape', () => {
    Object.assign(page, {
      Other: { request: () => {} },
      btc_providers: [
        { id: 'Other', name: ' Other ', icon: 'javascript:alert(1)' },
        { id: 'Other', name: 'Twice' },
        { id: 'not.there', name: 'Gone' },
        { id: 'Object.prototype', name: 'No request' },
        { id: 'a b', name: 'Bad path' },
        { id: 'Other', name: '' },
        null,
        'text',
        7,
      ],
    });
    const wallets = detectWallets('mainnet');
    expect(wallets.map(({ id, name, icon }) => ({ id, name, icon }))).toEqual([
      { id: 'announced Other', name: 'Other', icon: undefined },
    ]);
    page['btc_providers'] = 'nothing of the kind';
    expect(detectIds()).toEqual([]);
  });
});

describe('a wallet error', () => {
  test.each([
    [{ code: 4001, message: 'x' }, 'rejected'],
    [new Error('User rejected the request.'), 'rejected'],
    [new Error('User denied signature'), 'rejected'],
    ['cancelled', 'rejected'],
    [{ code: -32002, message: 'Request already pending' }, 'pending'],
    [{ code: -32601 }, 'unsupported'],
    [new Error('Extension context invalidated.'), 'failed'],
    [undefined, 'failed'],
    [null, 'failed'],
  ])('%o means %s', (error, code) => {
    expect(toWalletError(error).code).toBe(code);
  });

  test('for a missing method means unsupported', async () => {
    await expect(createUnisatWallet({}).connect()).rejects.toMatchObject({ code: 'unsupported' });
    await expect(createOkxWallet({}, 'mainnet').connect()).rejects.toMatchObject({ code: 'unsupported' });
  });

  test.each([
    [-32000, 'rejected'],
    [-32001, 'unsupported'],
    [-32002, 'failed'],
    [4001, 'rejected'],
  ])('with the JSON-RPC code %i means %s', async (code, problem) => {
    const wallet = createNamedWallet({ request: () => ({ jsonrpc: '2.0', id: 1, error: { code, message: '' } }) });
    await expect(wallet.signMessage(taprootAddress, 'm')).rejects.toMatchObject({ code: problem });
  });

  test.each([undefined, null, 'text', {}, { result: null }, { result: { signature: 7 } }, { result: { signature: '' } }])(
    'for a response of %o to signing is "failed"',
    async (response) => {
      await expect(createNamedWallet({ request: () => response }).signMessage(taprootAddress, 'm')).rejects.toMatchObject({
        code: 'failed',
      });
    },
  );
});

const createNamedWallet = (provider: WalletProvider) => createRequestWallet(provider, { id: 'x', name: 'X' }, 'mainnet');

describe('a BIP-322 signature is requested', () => {
  test('from UniSat and OKX explicitly, because their default differs', async () => {
    const recordedRequests: unknown[][] = [];
    const provider = { signMessage: (...args: unknown[]) => (recordedRequests.push(args), 'sig') };
    expect(await createUnisatWallet(provider).signMessage(taprootAddress, 'm')).toBe('sig');
    expect(await createOkxWallet(provider, 'mainnet').signMessage(taprootAddress, 'm')).toBe('sig');
    expect(recordedRequests).toEqual([
      ['m', 'bip322-simple'],
      ['m', 'bip322-simple'],
    ]);
  });

  test('from Xverse by address, from older versions and Leather by the available methods', async () => {
    const recordedRequests: [string, unknown][] = [];
    const createOldProvider = (supportedMethod: string) => ({
      request: (method: string, params: unknown) => {
        recordedRequests.push([method, params]);
        if (method === 'signMessage') return { result: { signature: 'sig' } };
        if (method === 'wallet_getAccount') expect(params).toBeNull(); // Xverse accepts only null
        const response = { error: { code: -32601, message: '' } };
        if (method !== supportedMethod && supportedMethod === 'getAddresses') throw response as unknown as Error; // like Leather
        if (method !== supportedMethod) return response;
        const list = [
          { address: segwitAddress, type: 'p2wpkh' },
          { address: taprootAddress, type: 'p2tr' },
        ];
        return { result: method === 'getAccounts' ? list : { addresses: list } };
      },
    });
    for (const supportedMethod of ['wallet_connect', 'getAccounts', 'getAddresses']) {
      const wallet = createNamedWallet(createOldProvider(supportedMethod));
      expect(await wallet.connect()).toBe(taprootAddress);
      await wallet.signMessage(taprootAddress, 'm');
    }
    expect(recordedRequests.map(([method]) => method).join(' ')).toBe(
      'wallet_connect signMessage wallet_connect getAccounts signMessage wallet_connect getAccounts getAddresses signMessage',
    );
    const signRequests = recordedRequests.filter(([method]) => method === 'signMessage').map(([, params]) => params);
    expect(signRequests).toEqual([
      { address: taprootAddress, message: 'm', protocol: 'BIP322' },
      { address: taprootAddress, message: 'm', protocol: 'BIP322' },
      { message: 'm', paymentType: 'p2tr' },
    ]);
  });
});

describe('before a wallet signs', () => {
  const createWalletOn = (network: 'mainnet' | 'testnet' | 'other' | null) => ({
    ...createUnisatWallet({}),
    network: async () => network,
  });

  test('its address must exist, be taproot and belong to the network', async () => {
    expect(await checkAddress(createWalletOn('mainnet'), taprootAddress.toUpperCase(), 'mainnet')).toBe(taprootAddress);
    expect(await checkAddress(createWalletOn(null), taprootAddress, 'mainnet')).toBe(taprootAddress);
    await expect(checkAddress(createWalletOn('mainnet'), null, 'mainnet')).rejects.toMatchObject({ code: 'noAccount' });
    await expect(checkAddress(createWalletOn('mainnet'), segwitAddress, 'mainnet')).rejects.toMatchObject({ code: 'notTaproot' });
    await expect(checkAddress(createWalletOn('mainnet'), taprootAddress, 'signet')).rejects.toMatchObject({ code: 'network' });
    await expect(checkAddress(createWalletOn('other'), taprootAddress, 'mainnet')).rejects.toMatchObject({ code: 'network' });
  });

  test.each([
    segwitAddress,
    '',
    'bc1p',
    `${taprootAddress}x`,
    ` ${taprootAddress}`,
    '0x52908400098527886E0F7030069857D2E4169EE7',
  ])('the address %o is rejected as not taproot', (address) => expect(hasTaprootShape(address)).toBe(false));

  test("UniSat on Fractal, whose addresses look like Bitcoin's, counts as another network", async () => {
    const fractalWallet = createUnisatWallet({ getChain: () => ({ enum: 'FRACTAL_BITCOIN_MAINNET', network: 'livenet' }) });
    expect(await fractalWallet.network()).toBe('other');
    expect(await createUnisatWallet({ getChain: () => ({ enum: 'BITCOIN_MAINNET' }) }).network()).toBe('mainnet');
    expect(await createUnisatWallet({ getNetwork: () => 'testnet' }).network()).toBe('testnet');
    expect(await createUnisatWallet({}).network()).toBeNull();
  });
});

describe('changes in a wallet are reported until unsubscribed', () => {
  test("by events, under each version's name", () => {
    const listeners = new Map<string, (payload: unknown) => void>();
    const provider = {
      on: (name: string, listener: (payload: unknown) => void) => listeners.set(name, listener),
      removeListener: (name: string) => listeners.delete(name),
    };
    const receivedAddresses: unknown[] = [];
    const unsubscribe = createOkxWallet(provider, 'mainnet').onChange((address) => receivedAddresses.push(address));
    listeners.get('accountsChanged')?.([taprootAddress]);
    listeners.get('accountsChanged')?.([]);
    listeners.get('accountChanged')?.({ address: segwitAddress });
    listeners.get('accountChanged')?.(null);
    listeners.get('networkChanged')?.('testnet');
    listeners.get('disconnect')?.({});
    expect(receivedAddresses).toEqual([taprootAddress, null, segwitAddress, null, undefined, null]);
    unsubscribe();
    expect(listeners.size).toBe(0);
  });

  test('by listeners that return an unsubscribe function', () => {
    const receivedAddresses: unknown[] = [];
    const activeListeners = new Map<string, () => void>();
    const provider = {
      addListener: ({ eventName, cb }: { eventName: string; cb: () => void }) => {
        activeListeners.set(eventName, cb);
        return () => activeListeners.delete(eventName);
      },
    };
    const unsubscribe = createNamedWallet(provider).onChange((address) => receivedAddresses.push(address));
    for (const name of ['accountChange', 'networkChange', 'disconnect']) activeListeners.get(name)?.();
    expect(receivedAddresses).toEqual([undefined, undefined, null]);
    unsubscribe();
    expect(activeListeners.size).toBe(0);
    expect(createNamedWallet({}).onChange(() => {})()).toBeUndefined();
  });
});
