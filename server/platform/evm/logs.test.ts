import { RpcRequestError } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { custodyBridgeAbi } from '../../../chain/abi/custody-bridge.ts';
import { ybtcAbi } from '../../../chain/abi/ybtc.ts';
import { devnetAccounts, devnetContracts } from '../../../chain/deploy.ts';
import { startTestChain, type TestChain } from '../../../chain/test-chain.ts';
import { weiOfSatoshi } from '../../../api/money.ts';
import { startHostileNode } from '../../testing/hostile-node.ts';
import { fundAccount } from '../../testing/refunds.ts';
import { minterKey } from '../../testing/signer-process.ts';
import { bridgeChain } from './bridge.ts';
import { logReader } from './logs.ts';
import { evmChain, transactionHash, keySigner } from './mint.ts';
import { NodesDisagree } from './read.ts';

function limited(max: bigint, refusal: { code: number; message: string }) {
  const spans: bigint[] = [];
  const search = async (from: bigint, to: bigint) => {
    const span = to - from + 1n;
    spans.push(span);
    if (span > max) throw new RpcRequestError({ body: {}, url: 'node.example', error: refusal });
    return Array.from({ length: Number(span) }, (_, at) => Number(from) + at);
  };
  return { search, spans };
}
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);

describe('the log reader', () => {
  test.each([
    [10n, 'Under the Free tier plan, you can make eth_getLogs requests with up to a 10 block range.'],
    [500n, 'up to a 500 block range'],
    [800n, 'eth_getLogs is limited to 0 - 800 blocks range'],
    [2_000n, 'requested too many blocks from 0 to 5000, maximum is set to 2000'],
    [700n, 'query returned more than 10000 results'],
    [50n, 'a refusal in words that nobody knows'],
  ])('reads a node that allows %i blocks: %s', async (max, message) => {
    const node = limited(max, { code: -32_005, message });
    const reader = logReader(5_000n);
    let logs: number[] | null = null;
    for (let looks = 0; looks < 5 && !logs; looks++) logs = await reader.read(node.search, 0n, 2_999n).catch(() => null);
    expect(logs).toEqual(range(0, 2_999));
    node.spans.length = 0;
    await reader.read(node.search, 0n, 2_999n);
    const refused = node.spans.filter((span) => span > max).length;
    expect(refused).toBeLessThan(node.spans.length / 2);
  });

  test('grows the span again after a refusal for another reason', async () => {
    let isBusy = true;
    const spans: bigint[] = [];
    const search = async (from: bigint, to: bigint) => {
      spans.push(to - from + 1n);
      if (isBusy && to - from + 1n > 1_000n)
        throw new RpcRequestError({ body: {}, url: 'node.example', error: { code: -32_603, message: 'busy' } });
      return [from];
    };
    const reader = logReader(5_000n);
    await reader.read(search, 0n, 9_999n);
    isBusy = false;
    spans.length = 0;
    await reader.read(search, 0n, 49_999n);
    expect(spans.at(-2)).toBe(5_000n);
  });

  test('stops when a node refuses a single block', async () => {
    const node = limited(0n, { code: -32_600, message: 'up to a 0 block range' });
    await expect(logReader(8n).read(node.search, 0n, 7n)).rejects.toThrow();
    expect(node.spans).toEqual([8n, 4n, 2n, 1n]);
  });

  test('searches the newest logs backwards and continues in the next read after the time limit', async () => {
    const read: bigint[] = [];
    const search = async (from: bigint, to: bigint) => {
      read.push(to);
      return from <= 3n ? [3n] : [];
    };
    const reader = logReader(10n);
    expect(await reader.newest(search, 0n, 99n, 0)).toEqual({ logs: [], unread: 89n });
    expect(await reader.newest(search, 0n, 89n, 60_000)).toEqual({ logs: [3n], unread: null });
    expect(read).toEqual([99n, 89n, 79n, 69n, 59n, 49n, 39n, 29n, 19n, 9n]);
  });
});

describe('reading a real chain', () => {
  let chain: TestChain;
  const { custodyBridge: address, ybtc } = devnetContracts;
  const [user] = devnetAccounts.operators;
  if (!user) throw new Error('the devnet has operators');
  const place = { chainId: 31_337, address };
  const txid = `0x${'c'.repeat(64)}` as const;
  const depositHash = `0x${'77'.repeat(32)}` as const;
  beforeAll(async () => {
    chain = await startTestChain();
    await fundAccount(chain, [user]);
    const args = [txid, 'bcrt1qreceiver', weiOfSatoshi(5_000n)] as const;
    const call = { address, abi: custodyBridgeAbi, functionName: 'requestRefund', args, gas: 500_000n } as const;
    await chain.as(user).writeContract(call);
    const mint = { address: ybtc, abi: ybtcAbi, functionName: 'mint' } as const;
    await chain.as(devnetAccounts.minter).writeContract({ ...mint, args: [depositHash, user.address, 5n] });
    await chain.client.mine({ blocks: 60 });
  }, 60_000);
  afterAll(() => chain.stop());

  test.each([50n, 10n, 1n])('finds the bridge’s events and a deposit’s mint in spans of %i blocks', async (logsLimit) => {
    const node = await startHostileNode(chain.url, { logsLimit });
    const bridge = bridgeChain({ urls: [node.url], ...place });
    expect(await bridge.events(0n, (await bridge.head()).number)).toMatchObject([{ name: 'requested', srcHash: txid }]);
    const mints = evmChain({ urls: [node.url], chainId: 31_337, ybtc, bridge: address, signer: keySigner(minterKey) });
    // On a slow machine a search ends at its time limit, and the next call continues it.
    await expect
      .poll(() => mints.mintOf(depositHash), { timeout: 30_000 })
      .toMatchObject({ success: true, minted: [{ depositHash, amount: 5n }] });
  });

  test('accepts that a refund does not exist only if all nodes agree at a settled block', async () => {
    const node = await startHostileNode(chain.url);
    const bridge = bridgeChain({ urls: [chain.url, node.url], ...place, timeoutMs: 5_000 });
    const settled = (await bridge.head()).number - 2n;
    expect(await bridge.refund(9, settled)).toMatchObject({ status: 'none' });
    expect(await bridge.refund(0, settled)).toMatchObject({ status: 'requested' });
    const zeros = (truth: unknown) => `0x${'0'.repeat(String(truth).length - 2)}`;
    const denying = bridgeChain({ urls: [node.url, chain.url], ...place, timeoutMs: 5_000 });
    node.be({ lie: ({ method }, truth) => (method === 'eth_call' ? zeros(truth) : truth) });
    for (const one of [bridge, denying]) await expect(one.refund(0, settled)).rejects.toThrow(NodesDisagree);
    await expect(bridge.refund(0, settled)).rejects.toThrow(new RegExp(`${node.name} differ on refund 0 at block ${settled}$`));
    expect(await denying.count(settled)).toBe(1n);
    node.be({ mode: 'down' });
    await expect(bridge.refund(9, settled)).rejects.toThrow(
      new RegExp(`^${node.name}: .*\\(when asked for refund 9 at block ${settled}\\)$`),
    );
    expect(await bridge.count(settled)).toBe(1n);
    await expect(bridge.refund(0)).resolves.toMatchObject({ status: 'requested' });
  });

  test('sends a transaction to every node and succeeds if one accepts it', async () => {
    const [first, other] = [await startHostileNode(chain.url), await startHostileNode(chain.url)];
    const signer = keySigner(minterKey);
    const mints = evmChain({ urls: [first.url, other.url], chainId: 31_337, ybtc, bridge: address, signer });
    const fees = await mints.fees();
    const mint = { depositHash: `0x${'78'.repeat(32)}`, recipient: user.address, amount: 6n } as const;
    const raw = await signer.sign({ chainId: 31_337, nonce: await mints.nonce(), ...mints.callData(mint), ...fees });
    first.be({
      refuse: ({ method }) =>
        method === 'eth_sendRawTransaction' ? { code: -32_000, message: 'transaction underpriced' } : null,
    });
    await mints.send(raw);
    await expect.poll(() => mints.mined(transactionHash(raw))).toMatchObject({ success: true });
    for (const message of ['AlreadyKnown', 'already known', 'Known transaction']) {
      const refuse = ({ method }: { method: string }) =>
        method === 'eth_sendRawTransaction' ? { code: -32_000, message } : null;
      first.be({ refuse });
      other.be({ refuse });
      await expect(mints.send(raw)).resolves.toBeUndefined();
    }
  });
});
