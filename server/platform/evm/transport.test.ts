import { createPublicClient, type PublicClient } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestChain, type TestChain } from '../../../chain/test-chain.ts';
import { startHostileNode, type HostileNode } from '../../testing/hostile-node.ts';
import { describeRpcError, problemOf } from './rpc-problem.ts';
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
describe('the time-out covers the whole response', () => {
  test.each(['hang', 'drip'] as const)('a node that %ss its response is cut off', async (mode) => {
    node.be({ mode, dripMs: 100 });
    const client = clientOf({ timeoutMs: 500 });
    expect(problemOf(await failureOf(client.getBlockNumber()))).toBe('timeout');
    node.be();
    expect(await clientOf().getBlockNumber()).toBeGreaterThan(0n);
  });

  test('calls that wait behind one that times out fail with it, and do not wait one after another', async () => {
    node.be({ mode: 'hang' });
    const client = clientOf({ batchSize: 1, timeoutMs: 500 });
    node.requests.length = 0;
    const failures = await Promise.all(Array.from({ length: 40 }, () => failureOf(client.getBlockNumber())));
    expect(failures.map(problemOf)).toEqual(Array(40).fill('timeout'));
    expect(node.requests.length).toBeLessThan(40);
    node.be();
  });

  test('a node that just timed out is left alone for as long as its caller wants', async () => {
    node.be({ mode: 'hang' });
    const client = clientOf({ timeoutMs: 500, restMs: 60_000 });
    await failureOf(client.getBlockNumber());
    node.be();
    const before = node.requests.length;
    expect(problemOf(await failureOf(client.getBlockNumber()))).toBe('timeout');
    expect(node.requests.length).toBe(before);
  });

  test('an abort ends what is under way and what would come', async () => {
    node.be({ mode: 'hang' });
    const stopping = new AbortController();
    const client = clientOf({ timeoutMs: 60_000, signal: stopping.signal });
    const asked = failureOf(client.getBlockNumber());
    setTimeout(() => stopping.abort(), 50);
    expect(await asked).toMatchObject({ name: 'AbortError' });
    node.be();
    expect(await failureOf(client.getBlockNumber())).toMatchObject({ name: 'AbortError' });
  });

  test('a response that is larger than it may be is not read to its end', async () => {
    node.be({ lie: () => 'x'.repeat(100_000) });
    expect(problemOf(await failureOf(clientOf({ maxBytes: 10_000 }).getBlockNumber()))).toBe('tooMuch');
    node.be();
  });
});

describe('batches', () => {
  const blocksOf = async (client: PublicClient, count: number) => {
    const blocks = await Promise.all(Array.from({ length: count }, (_, at) => client.getBlock({ blockNumber: BigInt(at) })));
    return blocks.map(({ number }) => Number(number));
  };
  const sizes = () => node.requests.map(({ length }) => length);
  const all = (count: number) => Array.from({ length: count }, (_, at) => at);

  test('calls made together go in one request', async () => {
    node.requests.length = 0;
    expect(await blocksOf(clientOf(), 20)).toEqual(all(20));
    expect(sizes()).toEqual([20]);
  });

  test.each([3, 1, 0])('a node that takes at most %i calls at a time is read all the same', async (batchLimit) => {
    node.be({ batchLimit });
    const client = clientOf();
    expect(await blocksOf(client, 20)).toEqual(all(20));
    node.requests.length = 0;
    expect(await blocksOf(client, 20)).toEqual(all(20));
    expect(Math.max(...sizes())).toBeLessThanOrEqual(Math.max(1, batchLimit));
    node.be();
  });

  test.each([400, 413, 500])(
    'a node whose gateway answers batches with HTTP status %i is asked for single calls',
    async (code) => {
      node.be({ status: { code, body: 'no', ofBatches: true } });
      expect(await blocksOf(clientOf(), 8)).toEqual(all(8));
      node.be();
    },
  );

  test('calls that a batch left unanswered are asked again', async () => {
    let drops = 5;
    node.be({ drop: () => drops-- > 0 });
    expect(await blocksOf(clientOf(), 20)).toEqual(all(20));
    node.be();
  });

  test('one call that is refused fails alone', async () => {
    node.be({ refuse: ({ method }) => (method === 'eth_gasPrice' ? { code: -32_005, message: 'request rate limited' } : null) });
    const client = clientOf();
    const [block, price] = await Promise.all([failureOf(client.getBlock()), failureOf(client.getGasPrice())]);
    expect(block).toBeNull();
    expect(problemOf(price)).toBe('rateLimited');
    node.be();
  });

  test('a node that is rate limited is not asked again for each call of the batch', async () => {
    node.be({ status: { code: 429, body: '<html>Too Many Requests</html>' } });
    node.requests.length = 0;
    const client = clientOf();
    const failures = await Promise.all(Array.from({ length: 64 }, () => failureOf(client.getBlockNumber())));
    expect(new Set(failures.map(problemOf))).toEqual(new Set(['rateLimited']));
    expect(node.requests.length).toBeLessThan(20);
    node.be();
  });
});

describe('no error carries a secret', () => {
  const key = 'a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6';

  test('neither the key in the path of the URL, nor what the node echoes, nor the call’s own bytes', async () => {
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

  test('credentials in the URL go into a header', async () => {
    expect(await clientOf({}, node.url.replace('http://', `http://user:${key}@`)).getBlockNumber()).toBeGreaterThan(0n);
  });
});

test('nothing is tried twice', async () => {
  node.be({ refuse: () => ({ code: -32_603, message: 'internal error' }) });
  node.requests.length = 0;
  await failureOf(clientOf().getBlockNumber());
  expect(node.requests.map((calls) => calls.map(({ method }) => method))).toEqual([['eth_blockNumber']]);
  node.be();
});
