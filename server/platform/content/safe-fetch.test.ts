import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { createSafeFetch, FetchRefused, isPublicAddress, type SafeFetchRules } from './safe-fetch.ts';

const wanted = { accepts: (type: string) => type === 'text/xml', maxBytes: 64 * 1024 };
const open: Server[] = [];
afterEach(() => {
  for (const server of open.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(listener: RequestListener) {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    listener(request, response);
  });
  open.push(server);
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  return { port, origin: `http://127.0.0.1:${port}`, requests };
}

const xml: RequestListener = (_, response) => response.setHeader('content-type', 'text/xml; charset=utf-8').end('<a/>');
const loopbackOnly = ({ address }: { address: string }) => address === '127.0.0.1';
const allowing = (rules: Partial<SafeFetchRules> = {}) =>
  createSafeFetch({ httpsOnly: false, mayConnect: loopbackOnly, timeout: 2000, ...rules });

async function refusal(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => 'was not refused',
    (reason: unknown) => reason,
  );
  return error instanceof FetchRefused ? error.reason : String(error);
}

function answers(...lists: string[][]): NonNullable<SafeFetchRules['lookup']> {
  let call = 0;
  const lookup = (
    _host: string,
    _options: unknown,
    callback: (error: null, found: { address: string; family: number }[]) => void,
  ) => {
    const list = lists[Math.min(call, lists.length - 1)] ?? [];
    call += 1;
    callback(
      null,
      list.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
  return lookup as NonNullable<SafeFetchRules['lookup']>;
}

test('accepts only unicast addresses of the public internet', () => {
  const inside = [
    '127.0.0.1', '10.0.0.1', '172.16.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '0.0.0.0', '224.0.0.1', '255.255.255.255',
    '192.0.2.1', '198.18.0.1', '240.0.0.1', '::1', '::', '[::1]', 'fe80::1', 'fe80::1%eth0', 'fc00::1', 'ff02::1', '::ffff:127.0.0.1',
    '::ffff:10.0.0.1', '64:ff9b::7f00:1', '2002:7f00:1::', '2001:db8::1', '', 'localhost', 'not an address',
  ]; // prettier-ignore
  expect(inside.filter(isPublicAddress)).toEqual([]);
  const outside = ['1.1.1.1', '8.8.8.8', '93.184.216.34', '2606:4700:4700::1111', '::ffff:8.8.8.8'];
  expect(outside.filter((address) => !isPublicAddress(address))).toEqual([]);
});

test('refuses IPv4-compatible addresses: ::7f00:1 and all of ::/96', () => {
  for (const address of ['::7f00:1', '::127.0.0.1', '[::a00:1]', '::1.1.1.1', '::', '0:0:0:0:0:0:808:808'])
    expect(isPublicAddress(address), address).toBe(false);
  expect(isPublicAddress('2606:4700:4700::1111')).toBe(true);
});

test('blocks internal addresses in every spelling without a request', async () => {
  const { port, requests } = await serve(xml);
  const safeFetch = createSafeFetch({ httpsOnly: false, timeout: 2000 });
  const hosts = [
    'localhost',
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '017700000001',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '0.0.0.0',
    '127.1',
  ];
  const outcomes = await Promise.all(hosts.map((host) => refusal(safeFetch(`http://${host}:${port}/`, wanted))));
  expect(outcomes).toEqual(hosts.map(() => 'blocked'));
  expect(await refusal(safeFetch('http://169.254.169.254/latest/meta-data/', wanted))).toBe('blocked');
  expect(requests).toEqual([]);
});

test('a name is blocked when any of its addresses is internal', async () => {
  const { port, requests } = await serve(xml);
  for (const list of [['93.184.216.34', '127.0.0.1'], ['10.0.0.1'], ['::1'], ['::ffff:127.0.0.1']]) {
    const safeFetch = createSafeFetch({ httpsOnly: false, timeout: 2000, lookup: answers(list) });
    expect(await refusal(safeFetch(`http://feed.example:${port}/`, wanted))).toBe('blocked');
  }
  expect(requests).toEqual([]);
});

test('blocks a DNS answer that becomes internal between two requests', async () => {
  const { port, requests } = await serve((_, response) => response.writeHead(302, { location: '/again' }).end());
  const safeFetch = allowing({ lookup: answers(['127.0.0.1'], ['169.254.169.254']) });
  expect(await refusal(safeFetch(`http://feed.example:${port}/`, wanted))).toBe('blocked');
  expect(requests).toEqual(['/']);
});

test('checks the address again on the connected socket before sending', async () => {
  const { port, requests } = await serve(xml);
  const requested: string[] = [];
  const mayConnect = ({ address }: { address: string }) => requested.push(address) === 1;
  const safeFetch = allowing({ lookup: answers(['127.0.0.1']), mayConnect });
  expect(await refusal(safeFetch(`http://feed.example:${port}/`, wanted))).toBe('blocked');
  expect(requested).toEqual(['127.0.0.1', '127.0.0.1']);
  expect(requests).toEqual([]);
});

test('redirects to internal addresses and other schemes are blocked', async () => {
  const targets = [
    'http://169.254.169.254/',
    'http://[::1]/',
    'file:///etc/passwd',
    'gopher://127.0.0.1/',
    'data:text/xml,<a/>',
    'javascript:1',
    'http://u:p@127.0.0.1/',
  ];
  for (const location of targets) {
    const { origin } = await serve((_, response) => response.writeHead(302, { location }).end());
    expect(await refusal(allowing()(origin, wanted)), location).toBe('blocked');
  }
});

test('follows two redirects and blocks a third', async () => {
  const { origin } = await serve((request, response) => {
    const left = Number(request.url?.slice(1));
    if (left === 0) return xml(request, response);
    return response.writeHead(302, { location: `/${left - 1}` }).end();
  });
  expect(Buffer.from((await allowing()(`${origin}/2`, wanted)).bytes).toString()).toBe('<a/>');
  expect(await refusal(allowing()(`${origin}/3`, wanted))).toBe('blocked');
});

test('returns the address after redirects', async () => {
  const { origin } = await serve((request, response) =>
    request.url === '/b/feed' ? xml(request, response) : response.writeHead(301, { location: '/b/feed' }).end(),
  );
  expect((await allowing()(`${origin}/a`, wanted)).url).toBe(`${origin}/b/feed`);
});

test('contacts only configured hosts, also after redirects', async () => {
  const { port, requests } = await serve((_, response) =>
    response.writeHead(302, { location: `http://other.example:${port}/` }).end(),
  );
  const safeFetch = allowing({ lookup: answers(['127.0.0.1']) });
  const hosts = new Set(['feed.example']);
  expect(await refusal(safeFetch(`http://other.example:${port}/`, { ...wanted, hosts }))).toBe('blocked');
  expect(requests).toEqual([]);
  expect(await refusal(safeFetch(`http://feed.example:${port}/`, { ...wanted, hosts }))).toBe('blocked');
  expect(requests).toEqual(['/']);
});

test('contacts only https on port 443 in production, without exception', async () => {
  const { port, origin, requests } = await serve(xml);
  const safeFetch = allowing({ httpsOnly: true });
  expect(await refusal(safeFetch(origin, wanted))).toBe('blocked');
  expect(await refusal(safeFetch(`https://127.0.0.1:${port}/`, wanted))).toBe('blocked');
  expect(requests).toEqual([]);
  expect(() => createSafeFetch({ httpsOnly: true, ownOrigin: origin })).toThrow('must not be set together');
});

test('exempts only its own origin in development', async () => {
  const own = await serve(xml);
  const neighbour = await serve(xml);
  const safeFetch = createSafeFetch({ httpsOnly: false, ownOrigin: own.origin, timeout: 2000 });
  expect((await safeFetch(`${own.origin}/dev/feed.xml`, wanted)).contentType).toBe('text/xml; charset=utf-8');
  expect(await refusal(safeFetch(neighbour.origin, wanted))).toBe('blocked');
});

test('cuts off a slow response after the total time', async () => {
  const { origin } = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'text/xml' });
    const timer = setInterval(() => response.write('.'), 20);
    response.on('close', () => clearInterval(timer));
  });
  expect(await refusal(allowing({ timeout: 300 })(origin, wanted))).toBe('unreachable');
});

test('a gzip bomb is cut off while it unpacks', async () => {
  const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024));
  const { origin } = await serve((_, response) =>
    response.writeHead(200, { 'content-type': 'text/xml', 'content-encoding': 'gzip' }).end(bomb),
  );
  expect(bomb.length).toBeLessThan(wanted.maxBytes);
  expect(await refusal(allowing()(origin, wanted))).toBe('tooLarge');
});

test('cuts off an endless body at the limit', async () => {
  const { origin } = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'text/xml' });
    const pump = () => {
      while (!response.destroyed && response.write(Buffer.alloc(16 * 1024)));
    };
    response.on('drain', pump);
    pump();
  });
  expect(await refusal(allowing()(origin, wanted))).toBe('tooLarge');
});

test('gives a reason for a wrong content type, an error status and a closed port', async () => {
  const html = await serve((_, response) => response.setHeader('content-type', 'text/html').end('<html>'));
  expect(await refusal(allowing()(html.origin, wanted))).toBe('wrongType');
  const broken = await serve((_, response) => response.writeHead(500, { 'content-type': 'text/xml' }).end('<a/>'));
  expect(await refusal(allowing()(broken.origin, wanted))).toBe('unreachable');
  const corrupt = await serve((_, response) =>
    response.writeHead(200, { 'content-type': 'text/xml', 'content-encoding': 'gzip' }).end('not gzip'),
  );
  expect(await refusal(allowing()(corrupt.origin, wanted))).toBe('unreachable');
  const removed = await serve(xml);
  open.at(-1)?.close();
  expect(await refusal(allowing()(removed.origin, wanted))).toBe('unreachable');
});

test('keeps no cookies between requests', async () => {
  const cookies: (string | undefined)[] = [];
  const { origin } = await serve((request, response) => {
    cookies.push(request.headers.cookie);
    response.writeHead(200, { 'content-type': 'text/xml', 'set-cookie': 'a=b' }).end('<a/>');
  });
  const safeFetch = allowing();
  await safeFetch(origin, wanted);
  await safeFetch(origin, wanted);
  expect(cookies).toEqual([undefined, undefined]);
});

test('posts only to a configured private origin and follows no redirect', async () => {
  const bodies: string[] = [];
  const { origin } = await serve((request, response) => {
    request.on('data', (chunk: Buffer) => bodies.push(`${request.method} ${chunk.toString()}`));
    request.on('end', () => response.writeHead(request.url === '/away' ? 307 : 200, { location: '/' }).end('ok'));
  });
  const post = { body: '{"a":1}', headers: { 'content-type': 'application/json' } };
  const any = { accepts: () => true, maxBytes: 1024, post };
  const trusting = createSafeFetch({ httpsOnly: false, trusted: new Set([origin]) });
  expect(Buffer.from((await trusting(`${origin}/`, any)).bytes).toString()).toBe('ok');
  expect(await refusal(trusting(`${origin}/away`, any))).toBe('blocked');
  expect(await refusal(createSafeFetch({ httpsOnly: false })(`${origin}/`, any))).toBe('blocked');
  expect(bodies).toEqual(['POST {"a":1}', 'POST {"a":1}']);
});
