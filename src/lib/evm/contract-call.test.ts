import { afterEach, expect, test, vi } from 'vitest';
import { yuAbi } from '../../../chain/abi/yu.ts';
import { connectTestWallet, type TestEvmWallet, type WalletResponses } from '../../testing/evm-wallet.ts';
import { isAbortError, cancelRequests } from '../device/device-request.ts';
import { $toasts } from '../ui/overlay/toasts-store.ts';
import { readContract, sendAndWait, type ContractCall } from './contract-call.ts';

const account = '0x00000000000000000000000000000000000000A1';
const hash = `0x${'1'.repeat(64)}` as const;
const call: ContractCall = {
  chainId: 31337,
  from: account,
  to: `0x${'2'.repeat(40)}`,
  contract: 'YU',
  abi: yuAbi,
  functionName: 'approve',
  args: [`0x${'3'.repeat(40)}`, 1n],
};
const receipt = {
  transactionHash: hash,
  blockHash: hash,
  blockNumber: '0x2',
  transactionIndex: '0x0',
  status: '0x1',
  from: account,
  to: call.to,
  logs: [],
  logsBloom: `0x${'0'.repeat(512)}`,
  cumulativeGasUsed: '0x1',
  gasUsed: '0x1',
  effectiveGasPrice: '0x1',
  contractAddress: null,
  type: '0x2',
};
const responses: WalletResponses = {
  eth_accounts: () => [account],
  eth_chainId: () => '0x7a69',
  eth_getTransactionCount: () => '0x0',
  eth_call: () => `0x${'0'.repeat(63)}1`,
  eth_estimateGas: () => '0x5208',
  eth_sendTransaction: () => hash,
  eth_blockNumber: () => '0x2',
  eth_getTransactionReceipt: () => receipt,
};
let wallet: TestEvmWallet;
afterEach(async () => {
  vi.useRealTimers();
  await wallet.leave();
});

test('a transaction names its chain, so that a wallet that switched networks refuses it', async () => {
  wallet = await connectTestWallet(responses);
  expect(await sendAndWait(call, async () => {})).toEqual({ hash, isMined: true });
  expect(wallet.asked.find(({ method }) => method === 'eth_sendTransaction')?.params).toMatchObject([{ chainId: '0x7a69' }]);
});

test('a transaction without a known receipt is not reported as mined', async () => {
  vi.useFakeTimers();
  wallet = await connectTestWallet({ ...responses, eth_getTransactionReceipt: () => null, eth_getTransactionByHash: () => null });
  const receivedHashes: string[] = [];
  const sendResult = sendAndWait(call, async (hash) => receivedHashes.push(hash));
  await vi.advanceTimersByTimeAsync(16 * 60_000);
  expect(await sendResult).toEqual({ hash, isMined: false });
  expect(receivedHashes).toEqual([hash]);
});

test('a transaction approved after the person stopped waiting is recorded, and can be requested again in between', async () => {
  $toasts.set([]);
  const resolvers: ((response: unknown) => void)[] = [];
  wallet = await connectTestWallet({
    ...responses,
    eth_sendTransaction: () => new Promise((resolve) => resolvers.push(resolve)),
  });
  const firstHashes: string[] = [];
  const firstResult = sendAndWait(call, async (hash) => firstHashes.push(hash)).catch((error: unknown) => error);
  await vi.waitFor(() => expect(resolvers).toHaveLength(1));
  cancelRequests();
  expect(isAbortError(await firstResult)).toBe(true);
  expect([firstHashes, $toasts.get()]).toEqual([[], []]);

  const secondHashes: string[] = [];
  const secondResult = sendAndWait(call, async (hash) => secondHashes.push(hash));
  await vi.waitFor(() => expect(resolvers).toHaveLength(2));
  resolvers[0]?.(hash);
  await vi.waitFor(() => expect(firstHashes).toEqual([hash]));
  expect($toasts.get()).toMatchObject([{ kind: 'error' }]);
  resolvers[1]?.(`0x${'2'.repeat(64)}`);
  expect(await secondResult).toMatchObject({ isMined: true });
  expect(secondHashes[0]).toBe(`0x${'2'.repeat(64)}`);
  $toasts.set([]);
});

test('a late rejection of a stopped transaction is ignored', async () => {
  let rejectRequest: (error: Error) => void = () => {};
  wallet = await connectTestWallet({
    ...responses,
    eth_sendTransaction: () => new Promise((_, reject) => (rejectRequest = reject)),
  });
  const receivedHashes: string[] = [];
  const firstResult = sendAndWait(call, async (hash) => receivedHashes.push(hash)).catch((error: unknown) => error);
  await vi.waitFor(() => expect(wallet.asked.map(({ method }) => method)).toContain('eth_sendTransaction'));
  cancelRequests();
  await firstResult;
  rejectRequest(Object.assign(new Error('User rejected the request.'), { code: 4001 }));
  await new Promise((resolve) => setTimeout(resolve));
  expect([receivedHashes, $toasts.get()]).toEqual([[], []]);
});

test.each([null, '', '0x12', {}])('a response of %o to sending is not accepted as a hash', async (response) => {
  wallet = await connectTestWallet({ ...responses, eth_sendTransaction: () => response });
  await expect(sendAndWait(call, async () => expect.unreachable())).rejects.toMatchObject({ code: 'failed' });
});

test.each([
  [{ code: -32603, message: 'Internal error', data: { originalError: { code: 4001 } } }, 'rejected'],
  [{ code: 'ACTION_REJECTED', message: 'x' }, 'rejected'],
  [{ code: 4200, message: 'x' }, 'unsupported'],
])('a wallet that refuses to send with %o reports %s', async (error, code) => {
  wallet = await connectTestWallet({ ...responses, eth_sendTransaction: () => Promise.reject(error) });
  await expect(sendAndWait(call, async () => expect.unreachable())).rejects.toMatchObject({ code });
});

test('reading through a silent wallet times out', async () => {
  wallet = await connectTestWallet({ ...responses, eth_call: () => new Promise(() => {}) });
  vi.useFakeTimers();
  await Promise.all([
    expect(readContract({ ...call, functionName: 'balanceOf', args: [account] })).rejects.toMatchObject({ code: 'silent' }),
    vi.advanceTimersByTimeAsync(60_000),
  ]);
});
