import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { onCleanup } from '../../testing/cleanup.ts';
import { startFakeEsplora, tipHeight } from '../../testing/esplora.ts';
import { fetchBalance, fetchOutput, fetchTip } from './esplora.ts';

const address = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const txid = 'a'.repeat(64);
const { url: honestUrl, outputs } = await startFakeEsplora();
outputs.set(txid, { address, value: 5, height: tipHeight - 9 });

type FakeResponse = { status?: number; body?: string; drip?: true } | null;
let faultOf: (path: string) => FakeResponse = () => null;
const url = await startSource();
afterEach(() => void (faultOf = () => null));

async function startSource(): Promise<string> {
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    const override = faultOf(path);
    if (override?.drip) {
      response.writeHead(200);
      const timer = setInterval(() => response.write(' '), 100);
      response.once('close', () => clearInterval(timer));
      return;
    }
    if (override) return void response.writeHead(override.status ?? 200).end(override.body ?? '');
    void fetch(`${honestUrl}${path}`).then(async (fakeResponse) =>
      response.writeHead(fakeResponse.status).end(await fakeResponse.text()),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onCleanup(async () => {
    server.close();
    server.closeAllConnections();
  });
  const serverAddress = server.address();
  return `http://127.0.0.1:${serverAddress !== null && typeof serverAddress === 'object' ? serverAddress.port : 0}`;
}

const failAt = (pathPart: string, fakeResponse: FakeResponse) => {
  faultOf = (path) => (path.includes(pathPart) ? fakeResponse : null);
};
const fetchFirstOutput = (signal?: AbortSignal) => fetchOutput(url, txid, 0, signal);

test('reads an honest source', async () => {
  expect(await fetchFirstOutput()).toMatchObject({
    state: 'found',
    output: { address, value: 5n, confirmations: 10, spent: false },
  });
  expect(await fetchTip(url)).toMatchObject({ height: tipHeight });
  expect(await fetchBalance(url, address)).toMatchObject({ unspent: 5n, funded: 1, spent: 0 });
});

describe('an incomplete response makes the source unreachable and names what is missing', () => {
  const cases: [name: string, part: string, answer: FakeResponse, reason: RegExp][] = [
    ['an empty transaction', '/tx/', { body: '' }, /^no transaction: the response is empty$/],
    ['a transaction that is no JSON', '/tx/', { body: '<html>' }, /^no transaction: the response is not JSON$/],
    ['half a transaction', '/tx/', { body: JSON.stringify({ txid }) }, /^no transaction: \w+ is missing or wrong$/],
    ['an empty outspend, as of an electrum backend', '/outspend/', { body: '' }, /^no outspend .*: the response is empty$/],
    ['no outspend, as of a core backend', '/outspend/', { status: 404 }, /^no outspend .*: status 404$/],
    ['an outspend that says nothing', '/outspend/', { body: '{}' }, /^no outspend: spent is missing or wrong$/],
    ['an empty tip height', '/blocks/tip/height', { body: '' }, /^no tip height: the response is empty$/],
    ['no tip height', '/blocks/tip/height', { status: 404 }, /^no tip height: status 404$/],
    ['a tip height of 0', '/blocks/tip/height', { body: '0' }, /^no tip height: /],
    ['a tip height in words', '/blocks/tip/height', { body: '"high"' }, /^no tip height: /],
    ['no block at the height', '/block-height/', { status: 404 }, /^no block at height \d+: status 404$/],
    ['a page instead of a block hash', '/block-height/', { body: '<html>' }, /^no block hash at a height$/],
    ['a status of its gateway', '/tx/', { status: 502, body: 'bad gateway' }, /^no transaction: status 502$/],
  ];
  test.each(cases)('%s', async (_name, pathPart, fakeResponse, reason) => {
    failAt(pathPart, fakeResponse);
    expect(await fetchFirstOutput()).toEqual({ state: 'unreachable', reason: expect.stringMatching(reason) as unknown });
  });

  test('for a confirmed transaction without its block', async () => {
    const body = JSON.stringify({
      txid,
      vin: [{}],
      vout: [{ scriptpubkey_address: address, value: 5 }],
      status: { confirmed: true },
    });
    faultOf = (path) => (path === `/tx/${txid}` ? { body } : null);
    expect(await fetchFirstOutput()).toEqual({ state: 'unreachable', reason: 'no block of a confirmed transaction' });
  });

  test('for a missing balance', async () => {
    failAt('/address/', { status: 404 });
    await expect(fetchBalance(url, address)).rejects.toThrow(`no balance of ${address}: status 404`);
    failAt('/address/', { body: '' });
    await expect(fetchBalance(url, address)).rejects.toThrow(`no balance of ${address}: the response is empty`);
  });

  test('for a missing tip, and for height 0', async () => {
    failAt('/blocks/tip/height', { body: '0' });
    await expect(fetchTip(url)).rejects.toThrow(/^no tip height/);
    failAt('/block-height/', { body: '' });
    await expect(fetchTip(url)).rejects.toThrow(/^no block at height \d+: the response is empty/);
  });
});

test('distinguishes an unknown transaction from an incomplete response', async () => {
  expect(await fetchOutput(url, 'b'.repeat(64), 0)).toEqual({ state: 'missing' });
  expect(await fetchOutput(url, txid, 7)).toEqual({ state: 'noOutput' });
});

test('cuts off a response that is slow or too large', async () => {
  failAt('/tx/', { drip: true });
  expect(await fetchFirstOutput()).toEqual({ state: 'unreachable', reason: 'no transaction: no complete response within 5 s' });
  failAt('/tx/', { body: 'x'.repeat(5_000_000) });
  expect(await fetchFirstOutput()).toEqual({
    state: 'unreachable',
    reason: expect.stringMatching(/^no transaction: .*larger than/) as unknown,
  });
}, 30_000);

test('stops when it is aborted', async () => {
  failAt('/tx/', { drip: true });
  const abortController = new AbortController();
  setTimeout(() => abortController.abort(), 50);
  expect(await fetchFirstOutput(abortController.signal)).toEqual({
    state: 'unreachable',
    reason: 'no transaction: the request was aborted',
  });
});

test('reasons never contain credentials or keys of a source’s address', async () => {
  const key = '0123456789abcdef0123456789abcdef';
  const lookup = await fetchOutput(`http://user:${key}@127.0.0.1:9/api/${key}`, txid, 0);
  expect(lookup.state).toBe('unreachable');
  expect(JSON.stringify(lookup)).not.toContain(key);
});
