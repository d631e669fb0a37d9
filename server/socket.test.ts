import { expect, test } from 'vitest';
import { version } from './platform/core/version.ts';
import { respondWhileStarting } from './socket.ts';

test('/healthz answers 200 with the version and /readyz answers 503 while the server starts', async () => {
  const startingServer = { ready: new Promise<never>(() => {}), build: 'abc' };
  const requestPath = (path: string) => respondWhileStarting(startingServer, new Request(`http://panel${path}`));
  const healthResponse = await requestPath('/healthz');
  expect(healthResponse.status).toBe(200);
  expect(await healthResponse.json()).toEqual({ status: 'starting', version, build: 'abc' });
  expect((await requestPath('/readyz')).status).toBe(503);
});
