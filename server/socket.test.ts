import { expect, test } from 'vitest';
import { version } from './platform/core/version.ts';
import { respondWhileStarting } from './socket.ts';

test('/healthz answers 200 with the version and /readyz answers 503 while the server starts', async () => {
  const starting = { ready: new Promise<never>(() => {}), build: 'abc' };
  const ask = (path: string) => respondWhileStarting(starting, new Request(`http://panel${path}`));
  const health = await ask('/healthz');
  expect(health.status).toBe(200);
  expect(await health.json()).toEqual({ status: 'starting', version, build: 'abc' });
  expect((await ask('/readyz')).status).toBe(503);
});
