import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { EvmChainInfo } from '../../../api/custody/chain.ts';
import type { CrsmRow } from '../../../api/crsm/contract.ts';
import { crsmAbi } from '../../../chain/abi/crsm.ts';
import { encodeCallData } from '../../lib/evm/contract-call.ts';
import { evmExplorerTarget } from '../../lib/explorer.ts';
import { shortenMiddle } from '../../lib/format.ts';
import { setDictionary } from '../../lib/i18n/i18n.ts';
import { zhResources } from '../../lib/i18n/zh-CN/resources.ts';
import { ApiError } from '../../lib/net/client.ts';
import { queryClient } from '../../lib/net/query.ts';
import { connectTestWallet, type TestEvmWallet } from '../../testing/evm-wallet.ts';
import type { AnyCommand, Consequences } from '../engine/define.ts';
import { crsm, crsmTarget } from './commands.ts';
import { buildCheck } from './fields.ts';

const [firstAccount, secondAccount] = [
  '0x00000000000000000000000000000000000000A1',
  '0x00000000000000000000000000000000000000b2',
];
const hash = `0x${'1'.repeat(64)}`;
const chain = {
  chainId: 31337,
  name: 'devnet',
  contracts: { yu: `0x${'3'.repeat(40)}`, crsmFactory: `0x${'4'.repeat(40)}` },
} as unknown as EvmChainInfo;
const target = (n: number) =>
  crsmTarget({ id: `0x${String(n).repeat(40)}`, tokenId: String(n), owner: firstAccount, yieldGains: '5' } as CrsmRow);
const command = (id: string) => crsm.find((candidate) => candidate.id === id) as AnyCommand;

let connectedAccount = firstAccount;
let receipt: object | null = null;
let wallet: TestEvmWallet;
beforeEach(async () => {
  setDictionary('zh-CN', zhResources);
  connectedAccount = firstAccount;
  receipt = null;
  wallet = await connectTestWallet({
    eth_accounts: () => [connectedAccount],
    eth_chainId: () => '0x7a69',
    eth_getTransactionCount: () => '0x0',
    eth_call: () => '0x',
    eth_estimateGas: () => '0x5208',
    eth_sendTransaction: () => hash,
    eth_blockNumber: () => '0x2',
    eth_getTransactionReceipt: () => receipt,
    eth_getTransactionByHash: () => null,
  });
});
afterEach(async () => {
  vi.useRealTimers();
  await wallet.leave();
});

function createApi() {
  const preparedCalls: unknown[] = [];
  const createWriteRoute =
    (functionName: string) =>
    async ({ crsm: to, from, params }: { crsm: string; from: string; params: Record<string, string> }) => {
      preparedCalls.push(from);
      const args = functionName === 'repay' ? [BigInt(params['amount'] ?? 0)] : [params['to']];
      const data = encodeCallData({ ...chain, from, to, contract: 'CRSM', abi: crsmAbi, functionName, args } as never);
      return { id: 'call', data, to, from, chainId: chain.chainId };
    };
  const api = {
    chain: { get: async () => chain },
    crsm: {
      repay: createWriteRoute('repay'),
      claimYield: createWriteRoute('claimYield'),
      sent: async () => ({}),
      updateData: async () => [],
    },
  };
  return { api, prepared: preparedCalls };
}

const reviewOf = async (id: string, runContext: never) => (await command(id).consequences?.(runContext)) as Consequences;

test('a call reviewed for one account is not sent when the wallet has switched to another', async () => {
  const { api, prepared } = createApi();
  const runContext = { api, targets: [target(5)], params: { amount: '7' } } as never;
  expect((await reviewOf('crsm.repay', runContext)).reviews?.[0]?.parties).toContainEqual({
    as: 'signer',
    at: evmExplorerTarget.address(firstAccount),
  });
  connectedAccount = secondAccount;
  await wallet.tell('accountsChanged', [secondAccount]);
  await expect(command('crsm.repay').run(runContext)).rejects.toMatchObject({
    reason: 'evm.problem.wrongAccount',
    values: { is: secondAccount, wanted: firstAccount },
  });
  expect(prepared).toEqual([]);
  expect(wallet.asked.map(({ method }) => method)).not.toContain('eth_sendTransaction');
});

test('a call that is not mined yet is reported as sent, not done', async () => {
  vi.useFakeTimers();
  const { api } = createApi();
  const runContext = { api, targets: [target(5)], params: { amount: '7' } };
  const runPromise = command('crsm.repay').run(runContext as never) as Promise<unknown>;
  await vi.advanceTimersByTimeAsync(16 * 60_000);
  const result = await runPromise;
  expect(result).toEqual({ hash, isMined: false });
  const { done } = command('crsm.repay');
  expect(done?.(result as never, runContext as never).toast).toEqual({ key: 'crsm.sent', values: { hash: shortenMiddle(hash) } });
  expect(done?.({ hash, isMined: true } as never, runContext as never).toast).toMatchObject({ key: 'crsm.mined' });
});

test('a batch stops at a call that is not mined yet and reports its state', async () => {
  vi.useFakeTimers();
  const { api, prepared } = createApi();
  const runContext = { api, targets: [target(5), target(6)], params: { to: firstAccount } };
  const runPromise = command('crsm.claimYield').run(runContext as never) as Promise<{ rows: readonly object[] }>;
  await vi.advanceTimersByTimeAsync(16 * 60_000);
  const { rows } = await runPromise;
  expect(rows).toMatchObject([{ state: 'failed', note: `已发送，等待上链：${hash}` }, { state: 'skipped' }]);
  expect(prepared).toHaveLength(1);
});

test('a batch that outlives the second factor keeps its results, and only an unstarted batch asks for the factor again', async () => {
  receipt = { transactionHash: hash, status: '0x1', blockNumber: '0x1', blockHash: hash, logs: [], type: '0x2' };
  const { api } = createApi();
  const { claimYield } = api.crsm;
  const claimedAddresses: string[] = [];
  const rejectAt = (index: number) =>
    Object.assign(api.crsm, {
      claimYield: async (runContext: Parameters<typeof claimYield>[0]) => {
        if (claimedAddresses.length === index) throw new ApiError('FACTOR_STALE', 'r1');
        claimedAddresses.push(runContext.crsm);
        return claimYield(runContext);
      },
    });
  const runContext = { api, targets: [target(5), target(6), target(7)], params: { to: firstAccount } };
  rejectAt(0);
  await expect(command('crsm.claimYield').run(runContext as never)).rejects.toMatchObject({ code: 'FACTOR_STALE' });
  rejectAt(1);
  const { rows } = (await command('crsm.claimYield').run(runContext as never)) as { rows: readonly object[] };
  expect(rows).toMatchObject([{ state: 'done' }, { state: 'failed' }, { state: 'skipped' }]);
});

test('the review of a batch shows each transaction with its CRSM, receiver, wallet and call', async () => {
  const { api } = createApi();
  const runContext = { api, targets: [target(5), target(6)], params: { to: firstAccount } } as never;
  const { lines, reviews = [] } = await reviewOf('crsm.claimYield', runContext);
  expect(lines[0]).toBe('2 笔交易，逐笔签署，中途可停止。');
  expect(reviews).toHaveLength(2);
  for (const [index, n] of ['5', '6'].entries()) {
    const crsmAddress = `0x${n.repeat(40)}`;
    expect(reviews[index]).toMatchObject({
      what: expect.stringContaining(`CRSM #${n}`) as unknown,
      parties: [
        { as: 'from', at: { value: crsmAddress } },
        { as: 'to', at: { value: firstAccount } },
        { as: 'signer', at: { value: firstAccount } },
      ],
      calls: [{ contract: 'CRSM', address: crsmAddress, name: 'claimYield', args: [{ text: firstAccount }] }],
    });
  }
});

test('a repayment beyond the ratios is out of range, and only one beyond the funds lacks balance', async () => {
  const zeroFields = ['interest', 'debtGasCompensation', 'pendingDebtGasCompensation', 'yieldGains', 'debtTokenBalance'];
  const [price, MCR, TRGCR, TARCR, MAX_TARCR] = [6_000_000n, 110n, 150n, 180n, 200n].map((n) => String(n * 10n ** 16n));
  const zeros = Object.fromEntries(zeroFields.map((name) => [name, '0']));
  const row = { ...zeros, collateral: '2', debt: '100000', price, MCR, TRGCR, TARCR, MAX_TARCR };
  queryClient.setQueryData(['evm', 'leastDebt', target(5).id], '0');
  const violatedRuleOf = async (deposits: string, amount: string) => {
    const crsmTargetRow = crsmTarget({ ...target(5).row, ...row, deposits } as CrsmRow);
    return (await buildCheck('repay')({ amount }, { api: createApi().api as never, targets: [crsmTargetRow] })).map(
      ({ rule }) => rule,
    );
  };
  expect(await violatedRuleOf('99999', '90000')).toEqual(['range']);
  expect(await violatedRuleOf('10', '11')).toEqual(['balance']);
});
