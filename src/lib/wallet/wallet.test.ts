import { afterEach, describe, expect, test } from 'vitest';
import { checkAddress, looksTaproot } from './checks.ts';
import { detectWallets } from './detect.ts';
import { okx } from './okx.ts';
import { bitcoinWalletOf } from './request-wallet.ts';
import { unisat } from './unisat.ts';
import { toWalletError, type WalletProvider } from './wallet.ts';

const taproot = 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0';
const segwit = 'bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l';
const page = globalThis as unknown as Record<string, unknown>;
const names = ['unisat', 'unisat_wallet', 'okxwallet', 'XverseProviders', 'btc_providers', 'Other'];

afterEach(() => {
  for (const name of names) delete page[name];
});

const found = (network: Parameters<typeof detectWallets>[0] = 'mainnet') => detectWallets(network).map(({ id }) => id);

describe('the wallets of a browser', () => {
  test('are found where each vendor puts them, or not at all', () => {
    expect(found()).toEqual([]);
    Object.assign(page, { unisat: {}, okxwallet: { bitcoin: {}, bitcoinSignet: {} }, XverseProviders: { BitcoinProvider: {} } });
    expect(found()).toEqual(['unisat', 'okx', 'xverse']);
    expect(found('signet')).toEqual(['unisat', 'okx', 'xverse']);
    expect(found('testnet')).toEqual(['unisat', 'xverse']);
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
    expect(found()).toEqual(['xverse']);
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
    expect(found()).toEqual([]);
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
    await expect(unisat({}).connect()).rejects.toMatchObject({ code: 'unsupported' });
    await expect(okx({}, 'mainnet').connect()).rejects.toMatchObject({ code: 'unsupported' });
  });

  test.each([
    [-32000, 'rejected'],
    [-32001, 'unsupported'],
    [-32002, 'failed'],
    [4001, 'rejected'],
  ])('with the JSON-RPC code %i means %s', async (code, problem) => {
    const wallet = named({ request: () => ({ jsonrpc: '2.0', id: 1, error: { code, message: '' } }) });
    await expect(wallet.signMessage(taproot, 'm')).rejects.toMatchObject({ code: problem });
  });

  test.each([undefined, null, 'text', {}, { result: null }, { result: { signature: 7 } }, { result: { signature: '' } }])(
    'for a response of %o to signing is "failed"',
    async (answer) => {
      await expect(named({ request: () => answer }).signMessage(taproot, 'm')).rejects.toMatchObject({ code: 'failed' });
    },
  );
});

const named = (provider: WalletProvider) => bitcoinWalletOf(provider, { id: 'x', name: 'X' }, 'mainnet');

describe('a BIP-322 signature is requested', () => {
  test('from UniSat and OKX explicitly, because their default differs', async () => {
    const requested: unknown[][] = [];
    const provider = { signMessage: (...provided: unknown[]) => (requested.push(provided), 'sig') };
    expect(await unisat(provider).signMessage(taproot, 'm')).toBe('sig');
    expect(await okx(provider, 'mainnet').signMessage(taproot, 'm')).toBe('sig');
    expect(requested).toEqual([
      ['m', 'bip322-simple'],
      ['m', 'bip322-simple'],
    ]);
  });

  test('from Xverse by address, from older versions and Leather by the available methods', async () => {
    const requested: [string, unknown][] = [];
    const old = (has: string) => ({
      request: (method: string, params: unknown) => {
        requested.push([method, params]);
        if (method === 'signMessage') return { result: { signature: 'sig' } };
        if (method === 'wallet_getAccount') expect(params).toBeNull(); // Xverse accepts only null
        const answer = { error: { code: -32601, message: '' } };
        if (method !== has && has === 'getAddresses') throw answer as unknown as Error; // like Leather
        if (method !== has) return answer;
        const list = [
          { address: segwit, type: 'p2wpkh' },
          { address: taproot, type: 'p2tr' },
        ];
        return { result: method === 'getAccounts' ? list : { addresses: list } };
      },
    });
    for (const has of ['wallet_connect', 'getAccounts', 'getAddresses']) {
      const wallet = named(old(has));
      expect(await wallet.connect()).toBe(taproot);
      await wallet.signMessage(taproot, 'm');
    }
    expect(requested.map(([method]) => method).join(' ')).toBe(
      'wallet_connect signMessage wallet_connect getAccounts signMessage wallet_connect getAccounts getAddresses signMessage',
    );
    const signing = requested.filter(([method]) => method === 'signMessage').map(([, params]) => params);
    expect(signing).toEqual([
      { address: taproot, message: 'm', protocol: 'BIP322' },
      { address: taproot, message: 'm', protocol: 'BIP322' },
      { message: 'm', paymentType: 'p2tr' },
    ]);
  });
});

describe('before a wallet signs', () => {
  const on = (network: 'mainnet' | 'testnet' | 'other' | null) => ({ ...unisat({}), network: async () => network });

  test('its address must exist, be taproot and belong to the network', async () => {
    expect(await checkAddress(on('mainnet'), taproot.toUpperCase(), 'mainnet')).toBe(taproot);
    expect(await checkAddress(on(null), taproot, 'mainnet')).toBe(taproot);
    await expect(checkAddress(on('mainnet'), null, 'mainnet')).rejects.toMatchObject({ code: 'noAccount' });
    await expect(checkAddress(on('mainnet'), segwit, 'mainnet')).rejects.toMatchObject({ code: 'notTaproot' });
    await expect(checkAddress(on('mainnet'), taproot, 'signet')).rejects.toMatchObject({ code: 'network' });
    await expect(checkAddress(on('other'), taproot, 'mainnet')).rejects.toMatchObject({ code: 'network' });
  });

  test.each([segwit, '', 'bc1p', `${taproot}x`, ` ${taproot}`, '0x52908400098527886E0F7030069857D2E4169EE7'])(
    'the address %o is rejected as not taproot',
    (address) => expect(looksTaproot(address)).toBe(false),
  );

  test("UniSat on Fractal, whose addresses look like Bitcoin's, counts as another network", async () => {
    const fractal = unisat({ getChain: () => ({ enum: 'FRACTAL_BITCOIN_MAINNET', network: 'livenet' }) });
    expect(await fractal.network()).toBe('other');
    expect(await unisat({ getChain: () => ({ enum: 'BITCOIN_MAINNET' }) }).network()).toBe('mainnet');
    expect(await unisat({ getNetwork: () => 'testnet' }).network()).toBe('testnet');
    expect(await unisat({}).network()).toBeNull();
  });
});

describe('changes in a wallet are reported until unsubscribed', () => {
  test("by events, under each version's name", () => {
    const listeners = new Map<string, (payload: unknown) => void>();
    const provider = {
      on: (name: string, listener: (payload: unknown) => void) => listeners.set(name, listener),
      removeListener: (name: string) => listeners.delete(name),
    };
    const received: unknown[] = [];
    const stop = okx(provider, 'mainnet').onChange((address) => received.push(address));
    listeners.get('accountsChanged')?.([taproot]);
    listeners.get('accountsChanged')?.([]);
    listeners.get('accountChanged')?.({ address: segwit });
    listeners.get('accountChanged')?.(null);
    listeners.get('networkChanged')?.('testnet');
    listeners.get('disconnect')?.({});
    expect(received).toEqual([taproot, null, segwit, null, undefined, null]);
    stop();
    expect(listeners.size).toBe(0);
  });

  test('by listeners that return an unsubscribe function', () => {
    const received: unknown[] = [];
    const open = new Map<string, () => void>();
    const provider = {
      addListener: ({ eventName, cb }: { eventName: string; cb: () => void }) => {
        open.set(eventName, cb);
        return () => open.delete(eventName);
      },
    };
    const stop = named(provider).onChange((address) => received.push(address));
    for (const name of ['accountChange', 'networkChange', 'disconnect']) open.get(name)?.();
    expect(received).toEqual([undefined, undefined, null]);
    stop();
    expect(open.size).toBe(0);
    expect(named({}).onChange(() => {})()).toBeUndefined();
  });
});
