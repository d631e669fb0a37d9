import { afterEach, expect, test, vi } from 'vitest';
import { yuAbi } from '../../../chain/abi/yu.ts';
import { connectTestWallet, type TestWallet, type WalletAnswers } from '../../testing/evm-wallet.ts';
import { takeThrough, type ContractCall } from './contract-call.ts';

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
const answers: WalletAnswers = {
  eth_accounts: () => [account],
  eth_chainId: () => '0x7a69',
  eth_getTransactionCount: () => '0x0',
  eth_call: () => `0x${'0'.repeat(63)}1`,
  eth_estimateGas: () => '0x5208',
  eth_sendTransaction: () => hash,
  eth_blockNumber: () => '0x2',
  eth_getTransactionReceipt: () => receipt,
};
let wallet: TestWallet;
afterEach(async () => {
  vi.useRealTimers();
  await wallet.leave();
});

test('the wallet is told the chain that the call is for: one that was switched in between refuses', async () => {
  wallet = await connectTestWallet(answers);
  expect(await takeThrough(call, async () => {})).toEqual({ hash, isMined: true });
  expect(wallet.asked.find(({ method }) => method === 'eth_sendTransaction')?.params).toMatchObject([{ chainId: '0x7a69' }]);
});

test('of a transaction that nobody can say is on the chain it is not said to be', async () => {
  vi.useFakeTimers();
  wallet = await connectTestWallet({ ...answers, eth_getTransactionReceipt: () => null, eth_getTransactionByHash: () => null });
  const heard: string[] = [];
  const taken = takeThrough(call, async (sent) => heard.push(sent));
  await vi.advanceTimersByTimeAsync(16 * 60_000);
  expect(await taken).toEqual({ hash, isMined: false });
  expect(heard).toEqual([hash]);
});
