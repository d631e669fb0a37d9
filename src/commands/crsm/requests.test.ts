import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { EvmChainInfo } from '../../../api/custody/chain.ts';
import type { CrsmRow } from '../../../api/crsm/contract.ts';
import { crsmAbi } from '../../../chain/abi/crsm.ts';
import { dataOf } from '../../lib/evm/contract-call.ts';
import { evmExplorerTarget } from '../../lib/explorer.ts';
import { shortenMiddle } from '../../lib/format.ts';
import { setDictionary } from '../../lib/i18n/i18n.ts';
import { zhResources } from '../../lib/i18n/zh-CN/resources.ts';
import { ApiError } from '../../lib/net/client.ts';
import { queryClient } from '../../lib/net/query.ts';
import { connectTestWallet, type OfferedTestWallet } from '../../testing/evm-wallet.ts';
import type { AnyCommand, Consequences } from '../engine/define.ts';
import { crsm, crsmTarget } from './commands.ts';
import { createCheck } from './fields.ts';

const [first, second] = ['0x00000000000000000000000000000000000000A1', '0x00000000000000000000000000000000000000b2'];
const hash = `0x${'1'.repeat(64)}`;
const chain = {
  chainId: 31337,
  name: 'devnet',
  contracts: { yu: `0x${'3'.repeat(40)}`, crsmFactory: `0x${'4'.repeat(40)}` },
} as unknown as EvmChainInfo;
const target = (n: number) =>
  crsmTarget({ id: `0x${String(n).repeat(40)}`, tokenId: String(n), owner: first, yieldGains: '5' } as CrsmRow);
const command = (id: string) => crsm.find((one) => one.id === id) as AnyCommand;

let shown = first;
let receipt: object | null = null;
let wallet: OfferedTestWallet;
beforeEach(async () => {
  setDictionary('zh-CN', zhResources);
  shown = first;
  receipt = null;
  wallet = await connectTestWallet({
    eth_accounts: () => [shown],
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

function apiOf() {
  const prepared: unknown[] = [];
  const write =
    (functionName: string) =>
    async ({ crsm: to, from, params }: { crsm: string; from: string; params: Record<string, string> }) => {
      prepared.push(from);
      const args = functionName === 'repay' ? [BigInt(params['amount'] ?? 0)] : [params['to']];
      const data = dataOf({ ...chain, from, to, contract: 'CRSM', abi: crsmAbi, functionName, args } as never);
      return { id: 'call', data, to, from, chainId: chain.chainId };
    };
  const api = {
    chain: { get: async () => chain },
    crsm: { repay: write('repay'), claimYield: write('claimYield'), sent: async () => ({}), updateData: async () => [] },
  };
  return { api, prepared };
}

const reviewed = async (id: string, requested: never) => (await command(id).consequences?.(requested)) as Consequences;

test('a call reviewed for one account is not sent when the wallet has switched to another', async () => {
  const { api, prepared } = apiOf();
  const requested = { api, targets: [target(5)], params: { amount: '7' } } as never;
  expect((await reviewed('crsm.repay', requested)).reviews?.[0]?.parties).toContainEqual({
    as: 'signer',
    at: evmExplorerTarget.address(first),
  });
  shown = second;
  await wallet.tell('accountsChanged', [second]);
  await expect(command('crsm.repay').run(requested)).rejects.toMatchObject({
    reason: 'evm.problem.wrongAccount',
    values: { is: second, wanted: first },
  });
  expect(prepared).toEqual([]);
  expect(wallet.asked.map(({ method }) => method)).not.toContain('eth_sendTransaction');
});

test('a call that is not mined yet is reported as sent, not done', async () => {
  vi.useFakeTimers();
  const { api } = apiOf();
  const requested = { api, targets: [target(5)], params: { amount: '7' } };
  const running = command('crsm.repay').run(requested as never) as Promise<unknown>;
  await vi.advanceTimersByTimeAsync(16 * 60_000);
  const result = await running;
  expect(result).toEqual({ hash, isMined: false });
  const { done } = command('crsm.repay');
  expect(done?.(result as never, requested as never).toast).toEqual({ key: 'crsm.sent', values: { hash: shortenMiddle(hash) } });
  expect(done?.({ hash, isMined: true } as never, requested as never).toast).toMatchObject({ key: 'crsm.mined' });
});

test('a batch stops at a call that is not mined yet and reports its state', async () => {
  vi.useFakeTimers();
  const { api, prepared } = apiOf();
  const requested = { api, targets: [target(5), target(6)], params: { to: first } };
  const running = command('crsm.claimYield').run(requested as never) as Promise<{ rows: readonly object[] }>;
  await vi.advanceTimersByTimeAsync(16 * 60_000);
  const { rows } = await running;
  expect(rows).toMatchObject([{ state: 'failed', note: `已发送，等待上链：${hash}` }, { state: 'skipped' }]);
  expect(prepared).toHaveLength(1);
});

test('a batch that outlives the second factor keeps its results, and only an unstarted batch asks for the factor again', async () => {
  receipt = { transactionHash: hash, status: '0x1', blockNumber: '0x1', blockHash: hash, logs: [], type: '0x2' };
  const { api } = apiOf();
  const { claimYield } = api.crsm;
  const claimed: string[] = [];
  const stale = (at: number) =>
    Object.assign(api.crsm, {
      claimYield: async (requested: Parameters<typeof claimYield>[0]) => {
        if (claimed.length === at) throw new ApiError('FACTOR_STALE', 'r1');
        claimed.push(requested.crsm);
        return claimYield(requested);
      },
    });
  const requested = { api, targets: [target(5), target(6), target(7)], params: { to: first } };
  stale(0);
  await expect(command('crsm.claimYield').run(requested as never)).rejects.toMatchObject({ code: 'FACTOR_STALE' });
  stale(1);
  const { rows } = (await command('crsm.claimYield').run(requested as never)) as { rows: readonly object[] };
  expect(rows).toMatchObject([{ state: 'done' }, { state: 'failed' }, { state: 'skipped' }]);
});

test('the review of a batch shows each transaction with its CRSM, receiver, wallet and call', async () => {
  const { api } = apiOf();
  const requested = { api, targets: [target(5), target(6)], params: { to: first } } as never;
  const { lines, reviews = [] } = await reviewed('crsm.claimYield', requested);
  expect(lines[0]).toBe('2 笔交易，逐笔签署，中途可停止。');
  expect(reviews).toHaveLength(2);
  for (const [at, n] of ['5', '6'].entries()) {
    const crsmAddress = `0x${n.repeat(40)}`;
    expect(reviews[at]).toMatchObject({
      what: expect.stringContaining(`CRSM #${n}`) as unknown,
      parties: [
        { as: 'from', at: { value: crsmAddress } },
        { as: 'to', at: { value: first } },
        { as: 'signer', at: { value: first } },
      ],
      calls: [{ contract: 'CRSM', address: crsmAddress, name: 'claimYield', args: [{ text: first }] }],
    });
  }
});

test('a repayment beyond the ratios is out of range, and only one beyond the funds lacks balance', async () => {
  const none = ['interest', 'debtGasCompensation', 'pendingDebtGasCompensation', 'yieldGains', 'debtTokenBalance'];
  const [price, MCR, TRGCR, TARCR, MAX_TARCR] = [6_000_000n, 110n, 150n, 180n, 200n].map((n) => String(n * 10n ** 16n));
  const zeros = Object.fromEntries(none.map((name) => [name, '0']));
  const row = { ...zeros, collateral: '2', debt: '100000', price, MCR, TRGCR, TARCR, MAX_TARCR };
  queryClient.setQueryData(['evm', 'leastDebt', target(5).id], '0');
  const ruleOf = async (deposits: string, amount: string) => {
    const stored = crsmTarget({ ...target(5).row, ...row, deposits } as CrsmRow);
    return (await createCheck('repay')({ amount }, { api: apiOf().api as never, targets: [stored] })).map(({ rule }) => rule);
  };
  expect(await ruleOf('99999', '90000')).toEqual(['range']);
  expect(await ruleOf('10', '11')).toEqual(['balance']);
});
