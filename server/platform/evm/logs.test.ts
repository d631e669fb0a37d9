import { RpcRequestError } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { custodyBridgeAbi } from '../../../chain/abi/custody-bridge.ts';
import { ybtcAbi } from '../../../chain/abi/ybtc.ts';
import { devnetAccounts, devnetContracts } from '../../../chain/deploy.ts';
import { startTestChain, type TestChain } from '../../../chain/test-chain.ts';
import { satoshiToWei } from '../../../api/money.ts';
import { startHostileNode } from '../../testing/hostile-node.ts';
import { fundAccount } from '../../testing/refunds.ts';
import { minterKey } from '../../testing/signer-process.ts';
import { createBridgeChain } from './bridge.ts';
import { createLogReader } from './logs.ts';
import { createMintChain, hashTransaction, createKeySigner } from './mint.ts';
import { NodesDisagreeError } from './read.ts';

function createLimitedNode(max: bigint, rejection: { code: number; message: string }) {
  const requestedSpans: bigint[] = [];
  const searchLogs = async (first: bigint, last: bigint) => {
    const span = last - first + 1n;
    requestedSpans.push(span);
    if (span > max) throw new RpcRequestError({ body: {}, url: 'node.example', error: rejection });
    return Array.from({ length: Number(span) }, (_, index) => Number(first) + index);
  };
  return { search: searchLogs, spans: requestedSpans };
}
const createRange = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index);

describe('the log reader', () => {
  test.each([
    [10n, 'Under the Free tier plan, you can make eth_getLogs requests with up to a 10 block range.'],
    [500n, 'up to a 500 block range'],
    [800n, 'eth_getLogs is limited to 0 - 800 blocks range'],
    [2_000n, 'requested too many blocks from 0 to 5000, maximum is set to 2000'],
    [700n, 'query returned more than 10000 results'],
    [50n, 'a refusal in words that nobody knows'],
  ])('reads a node that allows %i blocks: %s', async (max, message) => {
    const node = createLimitedNode(max, { code: -32_005, message });
    const reader = createLogReader(5_000n);
    let readLogs: number[] | null = null;
    for (let readCount = 0; readCount < 5 && !readLogs; readCount++)
      readLogs = await reader.read(node.search, 0n, 2_999n).catch(() => null);
    expect(readLogs).toEqual(createRange(0, 2_999));
    node.spans.length = 0;
    await reader.read(node.search, 0n, 2_999n);
    const rejectedSpans = node.spans.filter((span) => span > max).length;
    expect(rejectedSpans).toBeLessThan(node.spans.length / 2);
  });

  test('grows the span again after a refusal for another reason', async () => {
    let isBusy = true;
    const requestedSpans: bigint[] = [];
    const searchLogs = async (first: bigint, last: bigint) => {
      requestedSpans.push(last - first + 1n);
      if (isBusy && last - first + 1n > 1_000n)
        throw new RpcRequestError({ body: {}, url: 'node.example', error: { code: -32_603, message: 'busy' } });
      return [first];
    };
    const reader = createLogReader(5_000n);
    await reader.read(searchLogs, 0n, 9_999n);
    isBusy = false;
    requestedSpans.length = 0;
    await reader.read(searchLogs, 0n, 49_999n);
    expect(requestedSpans.at(-2)).toBe(5_000n);
  });

  test('stops when a node refuses a single block', async () => {
    const node = createLimitedNode(0n, { code: -32_600, message: 'up to a 0 block range' });
    await expect(createLogReader(8n).read(node.search, 0n, 7n)).rejects.toThrow();
    expect(node.spans).toEqual([8n, 4n, 2n, 1n]);
  });

  test('searches the newest logs backwards and continues in the next read after the time limit', async () => {
    const readEnds: bigint[] = [];
    const searchLogs = async (first: bigint, last: bigint) => {
      readEnds.push(last);
      return first <= 3n ? [3n] : [];
    };
    const reader = createLogReader(10n);
    expect(await reader.newest(searchLogs, 0n, 99n, 0)).toEqual({ logs: [], unread: 89n });
    expect(await reader.newest(searchLogs, 0n, 89n, 60_000)).toEqual({ logs: [3n], unread: null });
    expect(readEnds).toEqual([99n, 89n, 79n, 69n, 59n, 49n, 39n, 29n, 19n, 9n]);
  });
});

describe('reading a real chain', () => {
  let chain: TestChain;
  const { custodyBridge: address, ybtc } = devnetContracts;
  const [user] = devnetAccounts.operators;
  if (!user) throw new Error('the devnet has operators');
  const bridgeLocation = { chainId: 31_337, address };
  const txid = `0x${'c'.repeat(64)}` as const;
  const depositHash = `0x${'77'.repeat(32)}` as const;
  beforeAll(async () => {
    chain = await startTestChain();
    await fundAccount(chain, [user]);
    const args = [txid, 'bcrt1qreceiver', satoshiToWei(5_000n)] as const;
    const call = { address, abi: custodyBridgeAbi, functionName: 'requestRefund', args, gas: 500_000n } as const;
    await chain.as(user).writeContract(call);
    const mint = { address: ybtc, abi: ybtcAbi, functionName: 'mint' } as const;
    await chain.as(devnetAccounts.minter).writeContract({ ...mint, args: [depositHash, user.address, 5n] });
    await chain.client.mine({ blocks: 60 });
  }, 60_000);
  afterAll(() => chain.stop());

  test.each([50n, 10n, 1n])('finds the bridge’s events and a deposit’s mint in spans of %i blocks', async (logsLimit) => {
    const node = await startHostileNode(chain.url, { logsLimit });
    const testedBridge = createBridgeChain({ urls: [node.url], ...bridgeLocation });
    expect(await testedBridge.events(0n, (await testedBridge.head()).number)).toMatchObject([
      { name: 'requested', srcHash: txid },
    ]);
    const mints = createMintChain({
      urls: [node.url],
      chainId: 31_337,
      ybtc,
      bridge: address,
      signer: createKeySigner(minterKey),
    });
    // On a slow machine a search ends at its time limit, and the next call continues it.
    await expect
      .poll(() => mints.mintOf(depositHash), { timeout: 30_000 })
      .toMatchObject({ success: true, minted: [{ depositHash, amount: 5n }] });
  });

  test('accepts that a refund does not exist only if all nodes agree at a settled block', async () => {
    const node = await startHostileNode(chain.url);
    const testedBridge = createBridgeChain({ urls: [chain.url, node.url], ...bridgeLocation, timeoutMs: 5_000 });
    const settledBlock = (await testedBridge.head()).number - 2n;
    expect(await testedBridge.refund(9, settledBlock)).toMatchObject({ status: 'none' });
    expect(await testedBridge.refund(0, settledBlock)).toMatchObject({ status: 'requested' });
    const createZeroHexLike = (actualValue: unknown) => `0x${'0'.repeat(String(actualValue).length - 2)}`;
    const bridgeWithLyingNode = createBridgeChain({ urls: [node.url, chain.url], ...bridgeLocation, timeoutMs: 5_000 });
    node.be({ lie: ({ method }, actualValue) => (method === 'eth_call' ? createZeroHexLike(actualValue) : actualValue) });
    for (const event of [testedBridge, bridgeWithLyingNode])
      await expect(event.refund(0, settledBlock)).rejects.toThrow(NodesDisagreeError);
    await expect(testedBridge.refund(0, settledBlock)).rejects.toThrow(
      new RegExp(`${node.name} differ on refund 0 at block ${settledBlock}$`),
    );
    expect(await bridgeWithLyingNode.count(settledBlock)).toBe(1n);
    node.be({ mode: 'down' });
    await expect(testedBridge.refund(9, settledBlock)).rejects.toThrow(
      new RegExp(`^${node.name}: .*\\(when asked for refund 9 at block ${settledBlock}\\)$`),
    );
    expect(await testedBridge.count(settledBlock)).toBe(1n);
    await expect(testedBridge.refund(0)).resolves.toMatchObject({ status: 'requested' });
  });

  test('sends a transaction to every node and succeeds if one accepts it', async () => {
    const [firstNode, secondNode] = [await startHostileNode(chain.url), await startHostileNode(chain.url)];
    const signer = createKeySigner(minterKey);
    const mints = createMintChain({ urls: [firstNode.url, secondNode.url], chainId: 31_337, ybtc, bridge: address, signer });
    const mintFees = await mints.fees();
    const mint = { depositHash: `0x${'78'.repeat(32)}`, recipient: user.address, amount: 6n } as const;
    const rawTransaction = await signer.sign({
      chainId: 31_337,
      nonce: await mints.nonce(),
      ...mints.callData(mint),
      ...mintFees,
    });
    firstNode.be({
      refuse: ({ method }) =>
        method === 'eth_sendRawTransaction' ? { code: -32_000, message: 'transaction underpriced' } : null,
    });
    await mints.send(rawTransaction);
    await expect.poll(() => mints.mined(hashTransaction(rawTransaction))).toMatchObject({ success: true });
    for (const message of ['AlreadyKnown', 'already known', 'Known transaction']) {
      const rejectSend = ({ method }: { method: string }) =>
        method === 'eth_sendRawTransaction' ? { code: -32_000, message } : null;
      firstNode.be({ refuse: rejectSend });
      secondNode.be({ refuse: rejectSend });
      await expect(mints.send(rawTransaction)).resolves.toBeUndefined();
    }
  });
});
