import { createPublicClient, type PublicClient } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestChain, type TestChain } from '../../../chain/test-chain.ts';
import { startHostileNode, type HostileNode } from '../../testing/hostile-node.ts';
import { describeRpcError, classifyRpcError } from './rpc-problem.ts';
import { createNodeTransport, type TransportOptions } from './transport.ts';

let chain: TestChain;
let node: HostileNode;
beforeAll(async () => {
  chain = await startTestChain();
  node = await startHostileNode(chain.url);
  await chain.client.mine({ blocks: 20 });
});
afterAll(() => chain.stop());

const createClient = (options: TransportOptions = {}, url = node.url): PublicClient =>
  createPublicClient({ cacheTime: 0, transport: createNodeTransport(url, { timeoutMs: 10_000, ...options }) });
const catchFailure = (pendingCall: Promise<unknown>): Promise<unknown> =>
  pendingCall.then(
    () => null,
    (error: unknown) => error,
  );
describe('the node transport', () => {
  test.each(['hang', 'drip'] as const)('cuts off a node that %ss its response', async (mode) => {
    node.be({ mode, dripMs: 100 });
    const client = createClient({ timeoutMs: 500 });
    expect(classifyRpcError(await catchFailure(client.getBlockNumber()))).toBe('timeout');
    node.be();
    expect(await createClient().getBlockNumber()).toBeGreaterThan(0n);
  });

  test('fails waiting calls together when one times out', async () => {
    node.be({ mode: 'hang' });
    const client = createClient({ batchSize: 1, timeoutMs: 500 });
    node.requests.length = 0;
    const failures = await Promise.all(Array.from({ length: 40 }, () => catchFailure(client.getBlockNumber())));
    expect(failures.map(classifyRpcError)).toEqual(Array(40).fill('timeout'));
    expect(node.requests.length).toBeLessThan(40);
    node.be();
  });

  test('does not call a node again for a while after a time-out', async () => {
    node.be({ mode: 'hang' });
    const client = createClient({ timeoutMs: 500, restMs: 60_000 });
    await catchFailure(client.getBlockNumber());
    node.be();
    const requestsBefore = node.requests.length;
    expect(classifyRpcError(await catchFailure(client.getBlockNumber()))).toBe('timeout');
    expect(node.requests.length).toBe(requestsBefore);
  });

  test('ends running and later calls on abort', async () => {
    node.be({ mode: 'hang' });
    const abortController = new AbortController();
    const client = createClient({ timeoutMs: 60_000, signal: abortController.signal });
    const pendingFailure = catchFailure(client.getBlockNumber());
    setTimeout(() => abortController.abort(), 50);
    expect(await pendingFailure).toMatchObject({ name: 'AbortError' });
    node.be();
    expect(await catchFailure(client.getBlockNumber())).toMatchObject({ name: 'AbortError' });
  });

  test('stops reading a response that is too large', async () => {
    node.be({ lie: () => 'x'.repeat(100_000) });
    expect(classifyRpcError(await catchFailure(createClient({ maxBytes: 10_000 }).getBlockNumber()))).toBe('tooMuch');
    node.be();
  });
});

describe('batches of calls', () => {
  const readBlockNumbers = async (client: PublicClient, count: number) => {
    const blocks = await Promise.all(
      Array.from({ length: count }, (_, index) => client.getBlock({ blockNumber: BigInt(index) })),
    );
    return blocks.map(({ number }) => Number(number));
  };
  const batchSizes = () => node.requests.map(({ length }) => length);
  const firstNumbers = (count: number) => Array.from({ length: count }, (_, index) => index);

  test('send calls made together in one request', async () => {
    node.requests.length = 0;
    expect(await readBlockNumbers(createClient(), 20)).toEqual(firstNumbers(20));
    expect(batchSizes()).toEqual([20]);
  });

  test.each([3, 1, 0])('split for a node that accepts at most %i calls', async (batchLimit) => {
    node.be({ batchLimit });
    const client = createClient();
    expect(await readBlockNumbers(client, 20)).toEqual(firstNumbers(20));
    node.requests.length = 0;
    expect(await readBlockNumbers(client, 20)).toEqual(firstNumbers(20));
    expect(Math.max(...batchSizes())).toBeLessThanOrEqual(Math.max(1, batchLimit));
    node.be();
  });

  test.each([400, 413, 500])('become single calls if the gateway responds with HTTP status %i', async (code) => {
    node.be({ status: { code, body: 'no', ofBatches: true } });
    expect(await readBlockNumbers(createClient(), 8)).toEqual(firstNumbers(8));
    node.be();
  });

  test('repeat calls missing in the response', async () => {
    let droppedCount = 5;
    node.be({ drop: () => droppedCount-- > 0 });
    expect(await readBlockNumbers(createClient(), 20)).toEqual(firstNumbers(20));
    node.be();
  });

  test('fail only the call that was refused', async () => {
    node.be({ refuse: ({ method }) => (method === 'eth_gasPrice' ? { code: -32_005, message: 'request rate limited' } : null) });
    const client = createClient();
    const [block, price] = await Promise.all([catchFailure(client.getBlock()), catchFailure(client.getGasPrice())]);
    expect(block).toBeNull();
    expect(classifyRpcError(price)).toBe('rateLimited');
    node.be();
  });

  test('are not repeated for a node that limits the rate', async () => {
    node.be({ status: { code: 429, body: '<html>Too Many Requests</html>' } });
    node.requests.length = 0;
    const client = createClient();
    const failures = await Promise.all(Array.from({ length: 64 }, () => catchFailure(client.getBlockNumber())));
    expect(new Set(failures.map(classifyRpcError))).toEqual(new Set(['rateLimited']));
    expect(node.requests.length).toBeLessThan(20);
    node.be();
  });
});

describe('errors of the transport', () => {
  const key = 'a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6';

  test('contain neither the URL’s key, nor what the node echoes, nor the call’s data', async () => {
    const url = `${node.url}/v2/${key}`;
    node.be({ status: { code: 500, body: `no such upstream: https://user:${key}@node.example/v2/${key}?token=${key}` } });
    const errors = [await catchFailure(createClient({}, url).getBlockNumber())];
    node.be({ refuse: () => ({ code: -32_000, message: `refused by https://node.example/v2/${key}` }) });
    errors.push(await catchFailure(createClient({}, url).sendRawTransaction({ serializedTransaction: `0x02${key}` })));
    node.be({ mode: 'down' });
    errors.push(await catchFailure(createClient({}, url).getBlockNumber()));
    node.be();
    for (const error of errors) {
      expect(describeRpcError(error)).toMatch(/127\.0\.0\.1:\d+|node\.example/);
      expect(`${String(error)} ${describeRpcError(error)}`).not.toContain(key);
    }
  });

  test('contain no credentials, which are sent in a header', async () => {
    expect(await createClient({}, node.url.replace('http://', `http://user:${key}@`)).getBlockNumber()).toBeGreaterThan(0n);
  });
});

test('the node transport never retries a call', async () => {
  node.be({ refuse: () => ({ code: -32_603, message: 'internal error' }) });
  node.requests.length = 0;
  await catchFailure(createClient().getBlockNumber());
  expect(node.requests.map((batchedCalls) => batchedCalls.map(({ method }) => method))).toEqual([['eth_blockNumber']]);
  node.be();
});
