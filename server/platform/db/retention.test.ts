import { expect, test } from 'vitest';
import { createLogger } from '../core/log.ts';
import { openExternalServices } from '../services/services.ts';
import { deleteExpired } from './retention.ts';
import { send, signInAs, createTestApp } from '../../testing/support.ts';
import { build } from '../../../testing/factories/build.ts';

test('deletes expired rows and keeps those still needed', async () => {
  const app = await createTestApp();
  const { headers } = await signInAs(app, 'editor');
  await send(app, 'POST', '/api/news', build.newsFields(), { ...headers, 'idempotency-key': 'kept' });
  await send(app, 'POST', '/api/session', { email: 'nobody@demo.local', password: 'wrong' });
  const services = {
    config: app.config,
    log: createLogger({ level: 'silent' }),
    database: app.database,
    now: () => app.clock.now,
    ...openExternalServices(app.config),
  };
  const countRemaining = async () =>
    (
      await app.database.pool.query(
        `select (select count(*)::int from idempotency) as keys, (select count(*)::int from sessions) as sessions,
          (select count(*)::int from rate_limits where key like 'account %') as throttles`,
      )
    ).rows[0] as object;
  await deleteExpired(services);
  expect(await countRemaining()).toEqual({ keys: 1, sessions: 1, throttles: 1 });
  app.clock.now += 25 * 3_600_000;
  await deleteExpired(services);
  expect(await countRemaining()).toEqual({ keys: 1, sessions: 1, throttles: 0 });
  app.clock.now += 30 * 24 * 3_600_000;
  await deleteExpired(services);
  expect(await countRemaining()).toEqual({ keys: 0, sessions: 0, throttles: 0 });
});
