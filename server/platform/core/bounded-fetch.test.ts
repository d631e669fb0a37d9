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
    const dripInterval = setInterval(() => response.write(' '), 20);
    response.once('close', () => {
      clearInterval(dripInterval);
      server.emit('dropped');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const serverAddress = server.address();
  const url = `http://127.0.0.1:${serverAddress !== null && typeof serverAddress === 'object' ? serverAddress.port : 0}`;
  const droppedEvent = once(server, 'dropped');
  const collectionInterval = setInterval(collectGarbage, 20);
  try {
    await expect(fetchText(url, { timeoutMs: 500, maxBytes: 1_000_000 })).rejects.toThrow('no complete response within 0.5 s');
    await droppedEvent;
  } finally {
    clearInterval(collectionInterval);
    server.close();
    server.closeAllConnections();
  }
});
