import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listenForCode, type Loopback } from './loopback.ts';

const challenge = 'c'.repeat(43);
const taken: string[] = [];
let loopback: Loopback;

beforeAll(async () => {
  loopback = await listenForCode(0, challenge, async (code) => {
    taken.push(code);
    return code === 'right';
  });
});
afterAll(() => loopback.close());

/** Raw, because fetch would correct the target. Returns the status line. */
const send = (target: string, { host = `127.0.0.1:${loopback.port}`, method = 'GET' } = {}) =>
  new Promise<string>((resolve, reject) => {
    const socket = connect(loopback.port, '127.0.0.1', () =>
      socket.write(`${method} ${target} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`),
    );
    let text = '';
    socket.on('data', (chunk) => (text += String(chunk)));
    socket.on('end', () => resolve(text.split('\r\n', 1)[0] ?? ''));
    socket.on('error', reject);
  });

test.each([['//'], ['http://['], ['///'], ['/'], [`/?code=right`], [`/${'d'.repeat(43)}?code=right`], [`/${challenge}`]])(
  'the address %s takes no code and does not end the login',
  async (target) => {
    expect(await send(target)).toBe('HTTP/1.1 404 Not Found');
    expect(taken).toEqual([]);
  },
);

test('a page of another name that resolves to this machine, and a form, hand over no code', async () => {
  for (const host of ['evil.example', `localhost:${loopback.port}`, `127.0.0.1:${loopback.port + 1}`])
    expect(await send(`/${challenge}?code=right`, { host })).toBe('HTTP/1.1 404 Not Found');
  expect(await send(`/${challenge}?code=right`, { method: 'POST' })).toBe('HTTP/1.1 404 Not Found');
  expect(taken).toEqual([]);
});

test('the address of the challenge hands over the code', async () => {
  expect(await send(`/${challenge}?code=wrong`)).toBe('HTTP/1.1 400 Bad Request');
  expect(await send(`/${challenge}?code=right`)).toBe('HTTP/1.1 303 See Other');
  expect(taken).toEqual(['wrong', 'right']);
});
