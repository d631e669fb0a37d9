import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { createSafeFetch, FetchRefusedError, isPublicAddress, type SafeFetchRules } from './safe-fetch.ts';

const fetchOptions = { accepts: (type: string) => type === 'text/xml', maxBytes: 64 * 1024 };
const openServers: Server[] = [];
afterEach(() => {
  for (const server of openServers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function startTestServer(listener: RequestListener) {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    listener(request, response);
  });
  openServers.push(server);
  await new Promise<void>((resolveListening) => server.listen(0, '127.0.0.1', resolveListening));
  const { port } = server.address() as AddressInfo;
  return { port, origin: `http://127.0.0.1:${port}`, requests };
}

const respondXml: RequestListener = (_, response) => response.setHeader('content-type', 'text/xml; charset=utf-8').end('<a/>');
const isLoopback = ({ address }: { address: string }) => address === '127.0.0.1';
const createLoopbackFetch = (rules: Partial<SafeFetchRules> = {}) =>
  createSafeFetch({ httpsOnly: false, mayConnect: isLoopback, timeout: 2000, ...rules });

async function catchRefusal(request: Promise<unknown>): Promise<string> {
  const error = await request.then(
    () => 'was not refused',
    (reason: unknown) => reason,
  );
  return error instanceof FetchRefusedError ? error.reason : String(error);
}

function createFakeLookup(...lists: string[][]): NonNullable<SafeFetchRules['lookup']> {
  let callIndex = 0;
  const lookup = (
    _host: string,
    _options: unknown,
    callback: (error: null, foundAddresses: { address: string; family: number }[]) => void,
  ) => {
    const list = lists[Math.min(callIndex, lists.length - 1)] ?? [];
    callIndex += 1;
    callback(
      null,
      list.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
  return lookup as NonNullable<SafeFetchRules['lookup']>;
}

test('accepts only unicast addresses of the public internet', () => {
  const privateAddresses = [
    '127.0.0.1', '10.0.0.1', '172.16.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '0.0.0.0', '224.0.0.1', '255.255.255.255',
    '192.0.2.1', '198.18.0.1', '240.0.0.1', '::1', '::', '[::1]', 'fe80::1', 'fe80::1%eth0', 'fc00::1', 'ff02::1', '::ffff:127.0.0.1',
    '::ffff:10.0.0.1', '64:ff9b::7f00:1', '2002:7f00:1::', '2001:db8::1', '', 'localhost', 'not an address',
  ]; // prettier-ignore
  expect(privateAddresses.filter(isPublicAddress)).toEqual([]);
  const publicAddresses = ['1.1.1.1', '8.8.8.8', '93.184.216.34', '2606:4700:4700::1111', '::ffff:8.8.8.8'];
  expect(publicAddresses.filter((address) => !isPublicAddress(address))).toEqual([]);
});

test('refuses IPv4-compatible addresses: ::7f00:1 and all of ::/96', () => {
  for (const address of ['::7f00:1', '::127.0.0.1', '[::a00:1]', '::1.1.1.1', '::', '0:0:0:0:0:0:808:808'])
    expect(isPublicAddress(address), address).toBe(false);
  expect(isPublicAddress('2606:4700:4700::1111')).toBe(true);
});

test('blocks internal addresses in every spelling without a request', async () => {
  const { port, requests } = await startTestServer(respondXml);
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
  const refusals = await Promise.all(hosts.map((host) => catchRefusal(safeFetch(`http://${host}:${port}/`, fetchOptions))));
  expect(refusals).toEqual(hosts.map(() => 'blocked'));
  expect(await catchRefusal(safeFetch('http://169.254.169.254/latest/meta-data/', fetchOptions))).toBe('blocked');
  expect(requests).toEqual([]);
});

test('a name is blocked when any of its addresses is internal', async () => {
  const { port, requests } = await startTestServer(respondXml);
  for (const list of [['93.184.216.34', '127.0.0.1'], ['10.0.0.1'], ['::1'], ['::ffff:127.0.0.1']]) {
    const safeFetch = createSafeFetch({ httpsOnly: false, timeout: 2000, lookup: createFakeLookup(list) });
    expect(await catchRefusal(safeFetch(`http://feed.example:${port}/`, fetchOptions))).toBe('blocked');
  }
  expect(requests).toEqual([]);
});

test('blocks a DNS answer that becomes internal between two requests', async () => {
  const { port, requests } = await startTestServer((_, response) => response.writeHead(302, { location: '/again' }).end());
  const safeFetch = createLoopbackFetch({ lookup: createFakeLookup(['127.0.0.1'], ['169.254.169.254']) });
  expect(await catchRefusal(safeFetch(`http://feed.example:${port}/`, fetchOptions))).toBe('blocked');
  expect(requests).toEqual(['/']);
});

test('checks the address again on the connected socket before sending', async () => {
  const { port, requests } = await startTestServer(respondXml);
  const requestedAddresses: string[] = [];
  const mayConnect = ({ address }: { address: string }) => requestedAddresses.push(address) === 1;
  const safeFetch = createLoopbackFetch({ lookup: createFakeLookup(['127.0.0.1']), mayConnect });
  expect(await catchRefusal(safeFetch(`http://feed.example:${port}/`, fetchOptions))).toBe('blocked');
  expect(requestedAddresses).toEqual(['127.0.0.1', '127.0.0.1']);
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
    const { origin } = await startTestServer((_, response) => response.writeHead(302, { location }).end());
    expect(await catchRefusal(createLoopbackFetch()(origin, fetchOptions)), location).toBe('blocked');
  }
});

test('follows two redirects and blocks a third', async () => {
  const { origin } = await startTestServer((request, response) => {
    const remainingRedirects = Number(request.url?.slice(1));
    if (remainingRedirects === 0) return respondXml(request, response);
    return response.writeHead(302, { location: `/${remainingRedirects - 1}` }).end();
  });
  expect(Buffer.from((await createLoopbackFetch()(`${origin}/2`, fetchOptions)).bytes).toString()).toBe('<a/>');
  expect(await catchRefusal(createLoopbackFetch()(`${origin}/3`, fetchOptions))).toBe('blocked');
});

test('returns the address after redirects', async () => {
  const { origin } = await startTestServer((request, response) =>
    request.url === '/b/feed' ? respondXml(request, response) : response.writeHead(301, { location: '/b/feed' }).end(),
  );
  expect((await createLoopbackFetch()(`${origin}/a`, fetchOptions)).url).toBe(`${origin}/b/feed`);
});

test('contacts only configured hosts, also after redirects', async () => {
  const { port, requests } = await startTestServer((_, response) =>
    response.writeHead(302, { location: `http://other.example:${port}/` }).end(),
  );
  const safeFetch = createLoopbackFetch({ lookup: createFakeLookup(['127.0.0.1']) });
  const hosts = new Set(['feed.example']);
  expect(await catchRefusal(safeFetch(`http://other.example:${port}/`, { ...fetchOptions, hosts }))).toBe('blocked');
  expect(requests).toEqual([]);
  expect(await catchRefusal(safeFetch(`http://feed.example:${port}/`, { ...fetchOptions, hosts }))).toBe('blocked');
  expect(requests).toEqual(['/']);
});

test('contacts only https on port 443 in production, without exception', async () => {
  const { port, origin, requests } = await startTestServer(respondXml);
  const safeFetch = createLoopbackFetch({ httpsOnly: true });
  expect(await catchRefusal(safeFetch(origin, fetchOptions))).toBe('blocked');
  expect(await catchRefusal(safeFetch(`https://127.0.0.1:${port}/`, fetchOptions))).toBe('blocked');
  expect(requests).toEqual([]);
  expect(() => createSafeFetch({ httpsOnly: true, ownOrigin: origin })).toThrow('must not be set together');
});

test('exempts only its own origin in development', async () => {
  const ownServer = await startTestServer(respondXml);
  const otherServer = await startTestServer(respondXml);
  const safeFetch = createSafeFetch({ httpsOnly: false, ownOrigin: ownServer.origin, timeout: 2000 });
  expect((await safeFetch(`${ownServer.origin}/dev/feed.xml`, fetchOptions)).contentType).toBe('text/xml; charset=utf-8');
  expect(await catchRefusal(safeFetch(otherServer.origin, fetchOptions))).toBe('blocked');
});

test('cuts off a slow response after the total time', async () => {
  const { origin } = await startTestServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/xml' });
    const timer = setInterval(() => response.write('.'), 20);
    response.on('close', () => clearInterval(timer));
  });
  expect(await catchRefusal(createLoopbackFetch({ timeout: 300 })(origin, fetchOptions))).toBe('unreachable');
});

test('a gzip bomb is cut off while it unpacks', async () => {
  const compressedBomb = gzipSync(Buffer.alloc(50 * 1024 * 1024));
  const { origin } = await startTestServer((_, response) =>
    response.writeHead(200, { 'content-type': 'text/xml', 'content-encoding': 'gzip' }).end(compressedBomb),
  );
  expect(compressedBomb.length).toBeLessThan(fetchOptions.maxBytes);
  expect(await catchRefusal(createLoopbackFetch()(origin, fetchOptions))).toBe('tooLarge');
});

test('cuts off an endless body at the limit', async () => {
  const { origin } = await startTestServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/xml' });
    const writeChunks = () => {
      while (!response.destroyed && response.write(Buffer.alloc(16 * 1024)));
    };
    response.on('drain', writeChunks);
    writeChunks();
  });
  expect(await catchRefusal(createLoopbackFetch()(origin, fetchOptions))).toBe('tooLarge');
});

test('gives a reason for a wrong content type, an error status and a closed port', async () => {
  const htmlServer = await startTestServer((_, response) => response.setHeader('content-type', 'text/html').end('<html>'));
  expect(await catchRefusal(createLoopbackFetch()(htmlServer.origin, fetchOptions))).toBe('wrongType');
  const failingServer = await startTestServer((_, response) =>
    response.writeHead(500, { 'content-type': 'text/xml' }).end('<a/>'),
  );
  expect(await catchRefusal(createLoopbackFetch()(failingServer.origin, fetchOptions))).toBe('unreachable');
  const corruptServer = await startTestServer((_, response) =>
    response.writeHead(200, { 'content-type': 'text/xml', 'content-encoding': 'gzip' }).end('not gzip'),
  );
  expect(await catchRefusal(createLoopbackFetch()(corruptServer.origin, fetchOptions))).toBe('unreachable');
  const stoppedServer = await startTestServer(respondXml);
  openServers.at(-1)?.close();
  expect(await catchRefusal(createLoopbackFetch()(stoppedServer.origin, fetchOptions))).toBe('unreachable');
});

test('keeps no cookies between requests', async () => {
  const cookies: (string | undefined)[] = [];
  const { origin } = await startTestServer((request, response) => {
    cookies.push(request.headers.cookie);
    response.writeHead(200, { 'content-type': 'text/xml', 'set-cookie': 'a=b' }).end('<a/>');
  });
  const safeFetch = createLoopbackFetch();
  await safeFetch(origin, fetchOptions);
  await safeFetch(origin, fetchOptions);
  expect(cookies).toEqual([undefined, undefined]);
});

test('posts only to a configured private origin and follows no redirect', async () => {
  const bodies: string[] = [];
  const { origin } = await startTestServer((request, response) => {
    request.on('data', (chunk: Buffer) => bodies.push(`${request.method} ${chunk.toString()}`));
    request.on('end', () => response.writeHead(request.url === '/away' ? 307 : 200, { location: '/' }).end('ok'));
  });
  const postRequest = { body: '{"a":1}', headers: { 'content-type': 'application/json' } };
  const postOptions = { accepts: () => true, maxBytes: 1024, post: postRequest };
  const trustingFetch = createSafeFetch({ httpsOnly: false, trusted: new Set([origin]) });
  expect(Buffer.from((await trustingFetch(`${origin}/`, postOptions)).bytes).toString()).toBe('ok');
  expect(await catchRefusal(trustingFetch(`${origin}/away`, postOptions))).toBe('blocked');
  expect(await catchRefusal(createSafeFetch({ httpsOnly: false })(`${origin}/`, postOptions))).toBe('blocked');
  expect(bodies).toEqual(['POST {"a":1}', 'POST {"a":1}']);
});
