import { createPublicClient, type PublicClient } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestChain, type TestChain } from '../../../chain/test-chain.ts';
import { startHostileNode, type HostileNode } from '../../testing/hostile-node.ts';
import { describeRpcError, rpcProblemOf } from './rpc-problem.ts';
import { nodeTransport, type TransportOptions } from './transport.ts';

let chain: TestChain;
let node: HostileNode;
beforeAll(async () => {
  chain = await startTestChain();
  node = await startHostileNode(chain.url);
  await chain.client.mine({ blocks: 20 });
});
afterAll(() => chain.stop());

const clientOf = (options: TransportOptions = {}, url = node.url): PublicClient =>
  createPublicClient({ cacheTime: 0, transport: nodeTransport(url, { timeoutMs: 10_000, ...options }) });
const failureOf = (answer: Promise<unknown>): Promise<unknown> =>
  answer.then(
    () => null,
    (error: unknown) => error,
  );
describe('the node transport', () => {
  test.each(['hang', 'drip'] as const)('cuts off a node that %ss its response', async (mode) => {
    node.be({ mode, dripMs: 100 });
    const client = clientOf({ timeoutMs: 500 });
    expect(rpcProblemOf(await failureOf(client.getBlockNumber()))).toBe('timeout');
    node.be();
    expect(await clientOf().getBlockNumber()).toBeGreaterThan(0n);
  });

  test('fails waiting calls together when one times out', async () => {
    node.be({ mode: 'hang' });
    const client = clientOf({ batchSize: 1, timeoutMs: 500 });
    node.requests.length = 0;
    const failures = await Promise.all(Array.from({ length: 40 }, () => failureOf(client.getBlockNumber())));
    expect(failures.map(rpcProblemOf)).toEqual(Array(40).fill('timeout'));
    expect(node.requests.length).toBeLessThan(40);
    node.be();
  });

  test('does not call a node again for a while after a time-out', async () => {
    node.be({ mode: 'hang' });
    const client = clientOf({ timeoutMs: 500, restMs: 60_000 });
    await failureOf(client.getBlockNumber());
    node.be();
    const before = node.requests.length;
    expect(rpcProblemOf(await failureOf(client.getBlockNumber()))).toBe('timeout');
    expect(node.requests.length).toBe(before);
  });

  test('ends running and later calls on abort', async () => {
    node.be({ mode: 'hang' });
    const stopping = new AbortController();
    const client = clientOf({ timeoutMs: 60_000, signal: stopping.signal });
    const requested = failureOf(client.getBlockNumber());
    setTimeout(() => stopping.abort(), 50);
    expect(await requested).toMatchObject({ name: 'AbortError' });
    node.be();
    expect(await failureOf(client.getBlockNumber())).toMatchObject({ name: 'AbortError' });
  });

  test('stops reading a response that is too large', async () => {
    node.be({ lie: () => 'x'.repeat(100_000) });
    expect(rpcProblemOf(await failureOf(clientOf({ maxBytes: 10_000 }).getBlockNumber()))).toBe('tooMuch');
    node.be();
  });
});

describe('batches of calls', () => {
  const blocksOf = async (client: PublicClient, count: number) => {
    const blocks = await Promise.all(Array.from({ length: count }, (_, at) => client.getBlock({ blockNumber: BigInt(at) })));
    return blocks.map(({ number }) => Number(number));
  };
  const sizes = () => node.requests.map(({ length }) => length);
  const all = (count: number) => Array.from({ length: count }, (_, at) => at);

  test('send calls made together in one request', async () => {
    node.requests.length = 0;
    expect(await blocksOf(clientOf(), 20)).toEqual(all(20));
    expect(sizes()).toEqual([20]);
  });

  test.each([3, 1, 0])('split for a node that accepts at most %i calls', async (batchLimit) => {
    node.be({ batchLimit });
    const client = clientOf();
    expect(await blocksOf(client, 20)).toEqual(all(20));
    node.requests.length = 0;
    expect(await blocksOf(client, 20)).toEqual(all(20));
    expect(Math.max(...sizes())).toBeLessThanOrEqual(Math.max(1, batchLimit));
    node.be();
  });

  test.each([400, 413, 500])('become single calls if the gateway responds with HTTP status %i', async (code) => {
    node.be({ status: { code, body: 'no', ofBatches: true } });
    expect(await blocksOf(clientOf(), 8)).toEqual(all(8));
    node.be();
  });

  test('repeat calls missing in the response', async () => {
    let drops = 5;
    node.be({ drop: () => drops-- > 0 });
    expect(await blocksOf(clientOf(), 20)).toEqual(all(20));
    node.be();
  });

  test('fail only the call that was refused', async () => {
    node.be({ refuse: ({ method }) => (method === 'eth_gasPrice' ? { code: -32_005, message: 'request rate limited' } : null) });
    const client = clientOf();
    const [block, price] = await Promise.all([failureOf(client.getBlock()), failureOf(client.getGasPrice())]);
    expect(block).toBeNull();
    expect(rpcProblemOf(price)).toBe('rateLimited');
    node.be();
  });

  test('are not repeated for a node that limits the rate', async () => {
    node.be({ status: { code: 429, body: '<html>Too Many Requests</html>' } });
    node.requests.length = 0;
    const client = clientOf();
    const failures = await Promise.all(Array.from({ length: 64 }, () => failureOf(client.getBlockNumber())));
    expect(new Set(failures.map(rpcProblemOf))).toEqual(new Set(['rateLimited']));
    expect(node.requests.length).toBeLessThan(20);
    node.be();
  });
});

describe('errors of the transport', () => {
  const key = 'a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6';

  test('contain neither the URL’s key, nor what the node echoes, nor the call’s data', async () => {
    const url = `${node.url}/v2/${key}`;
    node.be({ status: { code: 500, body: `no such upstream: https://user:${key}@node.example/v2/${key}?token=${key}` } });
    const errors = [await failureOf(clientOf({}, url).getBlockNumber())];
    node.be({ refuse: () => ({ code: -32_000, message: `refused by https://node.example/v2/${key}` }) });
    errors.push(await failureOf(clientOf({}, url).sendRawTransaction({ serializedTransaction: `0x02${key}` })));
    node.be({ mode: 'down' });
    errors.push(await failureOf(clientOf({}, url).getBlockNumber()));
    node.be();
    for (const error of errors) {
      expect(describeRpcError(error)).toMatch(/127\.0\.0\.1:\d+|node\.example/);
      expect(`${String(error)} ${describeRpcError(error)}`).not.toContain(key);
    }
  });

  test('contain no credentials, which are sent in a header', async () => {
    expect(await clientOf({}, node.url.replace('http://', `http://user:${key}@`)).getBlockNumber()).toBeGreaterThan(0n);
  });
});

test('the node transport never retries a call', async () => {
  node.be({ refuse: () => ({ code: -32_603, message: 'internal error' }) });
  node.requests.length = 0;
  await failureOf(clientOf().getBlockNumber());
  expect(node.requests.map((calls) => calls.map(({ method }) => method))).toEqual([['eth_blockNumber']]);
  node.be();
});
