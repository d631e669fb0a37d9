import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { $walletAddress } from '../session/session.ts';
import { watchWallet } from './watch.ts';

const taprootAddress = 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0';
const otherAddress = 'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr';
const page = globalThis as unknown as Record<string, unknown>;
const waitForever = () => new Promise<never>(() => {});

type Listener = (payload?: unknown) => void;
const listeners = new Map<string, Listener>();
let goneCount = 0;
let stopWatching = () => {};

function createOkxProvider(overrides: object = {}) {
  const bitcoin = {
    getAccounts: async () => [taprootAddress],
    on: (name: string, listener: Listener) => {
      listeners.set(name, listener);
      if (name === 'disconnect') setTimeout(listener, 50);
    },
    removeListener: (name: string) => listeners.delete(name),
    ...overrides,
  };
  page['okxwallet'] = { bitcoin };
}

async function startWatching(ms = 20_000) {
  stopWatching = watchWallet({ id: 'okx', address: taprootAddress, network: 'mainnet' }, () => goneCount++);
  await vi.advanceTimersByTimeAsync(ms);
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('document', { visibilityState: 'visible', addEventListener() {}, removeEventListener() {} });
  listeners.clear();
  goneCount = 0;
});
afterEach(() => {
  stopWatching();
  delete page['okxwallet'];
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('a disconnect event at page load keeps the session if the wallet still has the account', async () => {
  createOkxProvider();
  await startWatching();
  expect([goneCount, $walletAddress.get()]).toEqual([0, taprootAddress]);
});

test('an event without accounts is checked with the wallet', async () => {
  createOkxProvider();
  await startWatching();
  listeners.get('accountsChanged')?.([]);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(goneCount).toBe(0);
});

test('a disconnected wallet without an account ends the session', async () => {
  createOkxProvider({ getAccounts: async () => [] });
  await startWatching();
  expect([goneCount, $walletAddress.get()]).toEqual([1, null]);
});

test('another account ends the session', async () => {
  let accounts = [taprootAddress];
  createOkxProvider({ getAccounts: async () => accounts });
  await startWatching();
  accounts = [otherAddress];
  listeners.get('accountsChanged')?.(accounts);
  await vi.advanceTimersByTimeAsync(100);
  expect(goneCount).toBe(1);
});

test('the events of a wallet that cannot report its account are trusted', async () => {
  createOkxProvider({ getAccounts: undefined, on: (name: string, listener: Listener) => listeners.set(name, listener) });
  await startWatching();
  expect(goneCount).toBe(0);
  listeners.get('accountChanged')?.({ address: taprootAddress });
  await vi.advanceTimersByTimeAsync(100);
  expect(goneCount).toBe(0);
  listeners.get('accountChanged')?.({ address: otherAddress });
  await vi.advanceTimersByTimeAsync(100);
  expect(goneCount).toBe(1);
});

test('a brief wallet failure keeps the session, and repeated failures end it', async () => {
  let failureCount = 2;
  createOkxProvider({
    getAccounts: () =>
      failureCount-- > 0 ? Promise.reject(new Error('Extension context invalidated.')) : Promise.resolve([taprootAddress]),
  });
  await startWatching();
  expect(goneCount).toBe(0);
  failureCount = 99;
  listeners.get('networkChanged')?.('livenet');
  await vi.advanceTimersByTimeAsync(20_000);
  expect(goneCount).toBe(1);
});

test('a silent wallet keeps the session until it reports a disconnection', async () => {
  createOkxProvider({ getAccounts: waitForever, on: (name: string, listener: Listener) => listeners.set(name, listener) });
  await startWatching();
  expect(goneCount).toBe(0);
  listeners.get('disconnect')?.();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(goneCount).toBe(1);
});
