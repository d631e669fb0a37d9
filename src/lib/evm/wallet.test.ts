import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { setImmediate } from 'node:timers/promises';
import { connectTestWallet, offerTestWallet, type TestEvmWallet, type WalletResponses } from '../../testing/evm-wallet.ts';
import { isAbortError, cancelRequests } from '../device/device-request.ts';
import { $evmWallet } from './store.ts';
import { connectWallet, disconnectWallet, requireWallet, setOnDropped, switchChain } from './wallet.ts';

const account = '0x00000000000000000000000000000000000000A1';
const otherAddress = '0x00000000000000000000000000000000000000b2';
const waitForever = () => new Promise(() => {});
const devnet = { chainId: 31_337, name: 'Devnet', rpcUrl: 'http://localhost:8545' };

let wallet: TestEvmWallet;
let chainId = '0x7a69';
let dropCount = 0;
const responses: WalletResponses = { eth_accounts: () => [account], eth_chainId: () => chainId };
const readMethods = () => wallet.asked.map(({ method }) => method);

beforeEach(() => {
  chainId = '0x7a69';
  dropCount = 0;
  setOnDropped(() => dropCount++);
});
afterEach(async () => {
  vi.useRealTimers();
  cancelRequests();
  await wallet.leave();
});

describe('connecting a wallet', () => {
  test('can be stopped if the wallet never responds, and requested again', async () => {
    wallet = offerTestWallet({ ...responses, eth_accounts: waitForever });
    const firstAttempt = connectWallet(wallet.id).catch((error: unknown) => error);
    await setImmediate();
    cancelRequests();
    expect(isAbortError(await firstAttempt)).toBe(true);
    expect($evmWallet.get()).toBeNull();

    wallet = offerTestWallet(responses);
    await connectWallet(wallet.id);
    expect($evmWallet.get()).toMatchObject({ account, chainId: 31_337 });
  });

  test('is not undone by a late response to a stopped request', async () => {
    let approveRequest: (accounts: string[]) => void = () => {};
    wallet = offerTestWallet({ ...responses, eth_accounts: () => new Promise((resolve) => (approveRequest = resolve)) });
    const firstAttempt = connectWallet(wallet.id).catch((error: unknown) => error);
    await setImmediate();
    cancelRequests();
    await firstAttempt;
    approveRequest([otherAddress]);
    await setImmediate();
    expect($evmWallet.get()).toBeNull();
  });

  test.each([
    [{ code: 4001, message: 'x' }, 'rejected'],
    [{ code: -32603, data: { originalError: { code: 4001 } } }, 'rejected'],
    [{ code: 'ACTION_REJECTED', message: 'x' }, 'rejected'],
    [{ code: -32002, message: 'x' }, 'pending'],
    [{ code: 4200, message: 'x' }, 'unsupported'],
    [new Error('Method not implemented'), 'unsupported'],
    [new Error('Extension context invalidated.'), 'failed'],
  ])('that fails with %o reports %s', async (error, code) => {
    wallet = offerTestWallet({ eth_accounts: () => Promise.reject(error) });
    await expect(connectWallet(wallet.id)).rejects.toMatchObject({ code });
  });

  test('times out for local wallet data', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    wallet = offerTestWallet({ ...responses, eth_chainId: waitForever });
    await Promise.all([
      expect(connectWallet(wallet.id)).rejects.toMatchObject({ code: 'silent' }),
      vi.advanceTimersByTimeAsync(6_000),
    ]);
  });

  test('disconnects immediately even if the wallet does not respond', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    wallet = await connectTestWallet({ ...responses, wallet_revokePermissions: waitForever });
    const disconnecting = disconnectWallet();
    expect($evmWallet.get()).toBeNull();
    await vi.advanceTimersByTimeAsync(6_000);
    await disconnecting;
  });
});

describe('a wallet event', () => {
  test('of a network switch, with disconnect 1013, keeps the account', async () => {
    wallet = await connectTestWallet(responses);
    await wallet.tell('disconnect', { code: 1013, message: 'Disconnected from chain. Attempting to connect.' });
    chainId = '0x1';
    await wallet.tell('chainChanged', '0x1');
    await wallet.tell('connect', { chainId: '0x1' });
    await vi.waitFor(() => expect($evmWallet.get()).toMatchObject({ account, chainId: 1 }));
    expect(dropCount).toBe(0);
  });

  test('between two chains keeps the connection although the wallet has no chain', async () => {
    let isSwitching = false;
    wallet = await connectTestWallet({
      ...responses,
      eth_chainId: () => (isSwitching ? Promise.reject(Object.assign(new Error('x'), { code: 4901 })) : chainId),
    });
    isSwitching = true;
    await wallet.tell('disconnect', { code: 1013 });
    await setImmediate();
    expect($evmWallet.get()).toMatchObject({ account, chainId: 31_337 });
    isSwitching = false;
    chainId = '0x1';
    await wallet.tell('connect', { chainId: '0x1' });
    await vi.waitFor(() => expect($evmWallet.get()).toMatchObject({ account, chainId: 1 }));
  });

  test('of a disconnection ends the connection once the wallet has no account', async () => {
    let accounts = [account];
    wallet = await connectTestWallet({ ...responses, eth_accounts: () => accounts });
    accounts = [];
    await wallet.tell('disconnect', { code: 4900 });
    await vi.waitFor(() => expect($evmWallet.get()).toBeNull());
    expect(dropCount).toBe(1);
  });

  test('during a brief failure is retried, and repeated failures end the connection', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let failureCount = 1;
    const accounts = () => (failureCount-- > 0 ? Promise.reject(new Error('Extension context invalidated.')) : [account]);
    failureCount = 0;
    wallet = await connectTestWallet({ ...responses, eth_accounts: accounts });
    failureCount = 2;
    await wallet.tell('disconnect', {});
    await vi.advanceTimersByTimeAsync(10_000);
    expect(dropCount).toBe(0);
    failureCount = 99;
    await wallet.tell('disconnect', {});
    await vi.advanceTimersByTimeAsync(10_000);
    expect([dropCount, $evmWallet.get()]).toEqual([1, null]);
  });

  test('of a disconnection followed by silence ends the connection', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let isSilent = false;
    wallet = await connectTestWallet({ ...responses, eth_accounts: () => (isSilent ? waitForever() : [account]) });
    isSilent = true;
    await wallet.tell('disconnect', {});
    await vi.advanceTimersByTimeAsync(30_000);
    expect([dropCount, $evmWallet.get()]).toEqual([1, null]);
  });

  test('after another one determines the result', async () => {
    const lateResolvers: ((chain: string) => void)[] = [];
    let isSlow = false;
    wallet = await connectTestWallet({
      ...responses,
      eth_chainId: () => (isSlow ? new Promise((resolve) => lateResolvers.push(resolve)) : chainId),
    });
    isSlow = true;
    await wallet.tell('chainChanged', '0x1');
    await vi.waitFor(() => expect(lateResolvers).toHaveLength(1));
    await wallet.tell('chainChanged', '0x2');
    await vi.waitFor(() => expect(lateResolvers).toHaveLength(2));
    lateResolvers[1]?.('0x2');
    await setImmediate();
    lateResolvers[0]?.('0x1');
    await setImmediate();
    expect($evmWallet.get()?.chainId).toBe(2);
  });
});

describe('switching the network', () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }));
  const connectOnOtherChain = async (overrides: WalletResponses) => {
    chainId = '0x1';
    wallet = await connectTestWallet({ ...responses, ...overrides });
  };
  const startSwitch = async () => {
    const switchResult = switchChain(devnet).then(
      () => 'switched',
      (error: { code?: unknown }) => error.code,
    );
    await vi.advanceTimersByTimeAsync(30_000);
    return switchResult;
  };
  const finishSwitch = () => {
    chainId = '0x7a69';
    return null;
  };

  test('succeeds once the wallet is on the network', async () => {
    await connectOnOtherChain({ wallet_switchEthereumChain: finishSwitch });
    expect(await startSwitch()).toBe('switched');
    expect($evmWallet.get()?.chainId).toBe(31_337);
  });

  test('waits for a wallet that responds before it has switched', async () => {
    await connectOnOtherChain({ wallet_switchEthereumChain: () => void setTimeout(finishSwitch, 500) });
    expect(await startSwitch()).toBe('switched');
  });

  test('is not reported if the wallet confirms without switching', async () => {
    await connectOnOtherChain({ wallet_switchEthereumChain: () => null });
    expect(await startSwitch()).toBe('notSwitched');
    expect($evmWallet.get()?.chainId).toBe(1);
  });

  test.each([
    ['code 4902', { code: 4902 }],
    ['4902 inside another error', { code: -32603, data: { originalError: { code: 4902 } } }],
    ['another code', { code: -32603 }],
    ['no code', {}],
  ])('adds a network that the wallet does not know (%s)', async (_, fields) => {
    const rejectUnknownChain = () => Promise.reject(Object.assign(new Error('Unrecognized chain ID'), fields));
    await connectOnOtherChain({ wallet_switchEthereumChain: rejectUnknownChain, wallet_addEthereumChain: finishSwitch });
    expect(await startSwitch()).toBe('switched');
    expect(wallet.asked.find(({ method }) => method === 'wallet_addEthereumChain')?.params).toMatchObject([
      { chainId: '0x7a69', chainName: 'Devnet', rpcUrls: [devnet.rpcUrl] },
    ]);
  });

  test('asks again if the wallet added the network without switching', async () => {
    let isKnown = false;
    await connectOnOtherChain({
      wallet_switchEthereumChain: () =>
        isKnown ? finishSwitch() : Promise.reject(Object.assign(new Error('x'), { code: 4902 })),
      wallet_addEthereumChain: () => ((isKnown = true), null),
    });
    expect(await startSwitch()).toBe('switched');
  });

  test('is not reported if the network was added and the person does not switch', async () => {
    await connectOnOtherChain({
      wallet_switchEthereumChain: () => Promise.reject(Object.assign(new Error('x'), { code: 4902 })),
      wallet_addEthereumChain: () => null,
    });
    expect(await startSwitch()).toBe('notSwitched');
  });

  test.each([
    ['the switch', { wallet_switchEthereumChain: () => Promise.reject(Object.assign(new Error('x'), { code: 4001 })) }],
    [
      'the new network',
      {
        wallet_switchEthereumChain: () => Promise.reject(Object.assign(new Error('x'), { code: 4902 })),
        wallet_addEthereumChain: () => Promise.reject(Object.assign(new Error('x'), { code: 4001 })),
      },
    ],
  ])('fails as rejected if the person rejects %s', async (_, overrides) => {
    await connectOnOtherChain(overrides);
    expect(await startSwitch()).toBe('rejected');
  });

  test('fails as unsupported if the wallet has neither method', async () => {
    await connectOnOtherChain({});
    expect(await startSwitch()).toBe('unsupported');
  });

  test('fails for an unknown network without a public address, without adding it', async () => {
    await connectOnOtherChain({
      wallet_switchEthereumChain: () => Promise.reject(Object.assign(new Error('x'), { code: 4902 })),
    });
    await expect(switchChain({ ...devnet, rpcUrl: null })).rejects.toMatchObject({ code: 'unknownChain' });
    expect(readMethods()).not.toContain('wallet_addEthereumChain');
  });
});

test('a silent wallet fails the check before a call', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  let isSilent = false;
  wallet = await connectTestWallet({ ...responses, eth_accounts: () => (isSilent ? waitForever() : [account]) });
  isSilent = true;
  await Promise.all([
    expect(requireWallet(31_337, account)).rejects.toMatchObject({ code: 'silent' }),
    vi.advanceTimersByTimeAsync(6_000),
  ]);
});
