import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { $walletAddress } from '../session/session.ts';
import { watchWallet } from './watch.ts';

const taproot = 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0';
const another = 'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr';
const page = globalThis as unknown as Record<string, unknown>;
const forever = () => new Promise<never>(() => {});

type Listener = (payload?: unknown) => void;
const listeners = new Map<string, Listener>();
let gone = 0;
let stop = () => {};

function okx(rest: object = {}) {
  const bitcoin = {
    getAccounts: async () => [taproot],
    on: (name: string, listener: Listener) => {
      listeners.set(name, listener);
      if (name === 'disconnect') setTimeout(listener, 50);
    },
    removeListener: (name: string) => listeners.delete(name),
    ...rest,
  };
  page['okxwallet'] = { bitcoin };
}

async function watching(ms = 20_000) {
  stop = watchWallet({ id: 'okx', address: taproot, network: 'mainnet' }, () => gone++);
  await vi.advanceTimersByTimeAsync(ms);
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('document', { visibilityState: 'visible', addEventListener() {}, removeEventListener() {} });
  listeners.clear();
  gone = 0;
});
afterEach(() => {
  stop();
  delete page['okxwallet'];
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('a disconnect event at page load keeps the session if the wallet still has the account', async () => {
  okx();
  await watching();
  expect([gone, $walletAddress.get()]).toEqual([0, taproot]);
});

test('an event without accounts is checked with the wallet', async () => {
  okx();
  await watching();
  listeners.get('accountsChanged')?.([]);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(gone).toBe(0);
});

test('a disconnected wallet without an account ends the session', async () => {
  okx({ getAccounts: async () => [] });
  await watching();
  expect([gone, $walletAddress.get()]).toEqual([1, null]);
});

test('another account ends the session', async () => {
  let accounts = [taproot];
  okx({ getAccounts: async () => accounts });
  await watching();
  accounts = [another];
  listeners.get('accountsChanged')?.(accounts);
  await vi.advanceTimersByTimeAsync(100);
  expect(gone).toBe(1);
});

test('the events of a wallet that cannot report its account are trusted', async () => {
  okx({ getAccounts: undefined, on: (name: string, listener: Listener) => listeners.set(name, listener) });
  await watching();
  expect(gone).toBe(0);
  listeners.get('accountChanged')?.({ address: taproot });
  await vi.advanceTimersByTimeAsync(100);
  expect(gone).toBe(0);
  listeners.get('accountChanged')?.({ address: another });
  await vi.advanceTimersByTimeAsync(100);
  expect(gone).toBe(1);
});

test('a brief wallet failure keeps the session, and repeated failures end it', async () => {
  let failures = 2;
  okx({
    getAccounts: () =>
      failures-- > 0 ? Promise.reject(new Error('Extension context invalidated.')) : Promise.resolve([taproot]),
  });
  await watching();
  expect(gone).toBe(0);
  failures = 99;
  listeners.get('networkChanged')?.('livenet');
  await vi.advanceTimersByTimeAsync(20_000);
  expect(gone).toBe(1);
});

test('a silent wallet keeps the session until it reports a disconnection', async () => {
  okx({ getAccounts: forever, on: (name: string, listener: Listener) => listeners.set(name, listener) });
  await watching();
  expect(gone).toBe(0);
  listeners.get('disconnect')?.();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(gone).toBe(1);
});
