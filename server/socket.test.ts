import { expect, test } from 'vitest';
import { whileStarting } from './socket.ts';

test('a starting server is alive and not ready', async () => {
  const never = new Promise<never>(() => {});
  const asked = async (path: string) => (await whileStarting(never, new Request(`http://panel${path}`))).status;
  expect(await asked('/healthz')).toBe(200);
  expect(await asked('/readyz')).toBe(503);
});
