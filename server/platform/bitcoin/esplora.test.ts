import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { atEnd } from '../../testing/end.ts';
import { fakeEsplora, tipHeight } from '../../testing/esplora.ts';
import { fetchBalance, fetchOutput, fetchTip } from './esplora.ts';

const address = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const txid = 'a'.repeat(64);
const { url: honest, outputs } = await fakeEsplora();
outputs.set(txid, { address, value: 5, height: tipHeight - 9 });

type Answer = { status?: number; body?: string; drip?: true } | null;
let fault: (path: string) => Answer = () => null;
const url = await startSource();
afterEach(() => void (fault = () => null));

async function startSource(): Promise<string> {
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    const own = fault(path);
    if (own?.drip) {
      response.writeHead(200);
      const timer = setInterval(() => response.write(' '), 100);
      response.once('close', () => clearInterval(timer));
      return;
    }
    if (own) return void response.writeHead(own.status ?? 200).end(own.body ?? '');
    void fetch(`${honest}${path}`).then(async (answer) => response.writeHead(answer.status).end(await answer.text()));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(async () => {
    server.close();
    server.closeAllConnections();
  });
  const place = server.address();
  return `http://127.0.0.1:${place !== null && typeof place === 'object' ? place.port : 0}`;
}

const at = (part: string, answer: Answer) => {
  fault = (path) => (path.includes(part) ? answer : null);
};
const see = (signal?: AbortSignal) => fetchOutput(url, txid, 0, signal);

test('reads an honest source', async () => {
  expect(await see()).toMatchObject({ state: 'found', output: { address, value: 5n, confirmations: 10, spent: false } });
  expect(await fetchTip(url)).toMatchObject({ height: tipHeight });
  expect(await fetchBalance(url, address)).toMatchObject({ unspent: 5n, funded: 1, spent: 0 });
});

describe('an incomplete response makes the source unreachable and names what is missing', () => {
  const cases: [name: string, part: string, answer: Answer, reason: RegExp][] = [
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
  test.each(cases)('%s', async (_name, part, answer, reason) => {
    at(part, answer);
    expect(await see()).toEqual({ state: 'unreachable', reason: expect.stringMatching(reason) as unknown });
  });

  test('for a confirmed transaction without its block', async () => {
    const body = JSON.stringify({
      txid,
      vin: [{}],
      vout: [{ scriptpubkey_address: address, value: 5 }],
      status: { confirmed: true },
    });
    fault = (path) => (path === `/tx/${txid}` ? { body } : null);
    expect(await see()).toEqual({ state: 'unreachable', reason: 'no block of a confirmed transaction' });
  });

  test('for a missing balance', async () => {
    at('/address/', { status: 404 });
    await expect(fetchBalance(url, address)).rejects.toThrow(`no balance of ${address}: status 404`);
    at('/address/', { body: '' });
    await expect(fetchBalance(url, address)).rejects.toThrow(`no balance of ${address}: the response is empty`);
  });

  test('for a missing tip, and for height 0', async () => {
    at('/blocks/tip/height', { body: '0' });
    await expect(fetchTip(url)).rejects.toThrow(/^no tip height/);
    at('/block-height/', { body: '' });
    await expect(fetchTip(url)).rejects.toThrow(/^no block at height \d+: the response is empty/);
  });
});

test('distinguishes an unknown transaction from an incomplete response', async () => {
  expect(await fetchOutput(url, 'b'.repeat(64), 0)).toEqual({ state: 'missing' });
  expect(await fetchOutput(url, txid, 7)).toEqual({ state: 'noOutput' });
});

test('cuts off a response that is slow or too large', async () => {
  at('/tx/', { drip: true });
  expect(await see()).toEqual({ state: 'unreachable', reason: 'no transaction: no complete response within 5 s' });
  at('/tx/', { body: 'x'.repeat(5_000_000) });
  expect(await see()).toEqual({
    state: 'unreachable',
    reason: expect.stringMatching(/^no transaction: .*larger than/) as unknown,
  });
}, 30_000);

test('stops when it is aborted', async () => {
  at('/tx/', { drip: true });
  const stopping = new AbortController();
  setTimeout(() => stopping.abort(), 50);
  expect(await see(stopping.signal)).toEqual({ state: 'unreachable', reason: 'no transaction: the request was aborted' });
});

test('reasons never contain credentials or keys of a source’s address', async () => {
  const key = '0123456789abcdef0123456789abcdef';
  const seen = await fetchOutput(`http://user:${key}@127.0.0.1:9/api/${key}`, txid, 0);
  expect(seen.state).toBe('unreachable');
  expect(JSON.stringify(seen)).not.toContain(key);
});
