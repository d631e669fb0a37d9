import { once } from 'node:events';
import { createServer } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, expect, test } from 'vitest';
import { fetchText } from './bounded-fetch.ts';

setFlagsFromString('--expose_gc');
const collectGarbage = runInNewContext('gc') as () => void;
afterAll(() => setFlagsFromString('--no-expose_gc'));

test('cuts off a slow response in time, even after garbage collection, and closes its connection', async () => {
  const server = createServer((_request, response) => {
    response.writeHead(200);
    const drip = setInterval(() => response.write(' '), 20);
    response.once('close', () => {
      clearInterval(drip);
      server.emit('dropped');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const place = server.address();
  const url = `http://127.0.0.1:${place !== null && typeof place === 'object' ? place.port : 0}`;
  const dropped = once(server, 'dropped');
  const collecting = setInterval(collectGarbage, 20);
  try {
    await expect(fetchText(url, { timeoutMs: 500, maxBytes: 1_000_000 })).rejects.toThrow('no complete response within 0.5 s');
    await dropped;
  } finally {
    clearInterval(collecting);
    server.close();
    server.closeAllConnections();
  }
});
