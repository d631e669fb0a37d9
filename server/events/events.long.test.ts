import { beforeEach, expect, test } from 'vitest';
import { send, signInAs, testApp, type TestSession, type TestApp } from '../testing/support.ts';

let app: TestApp;
let all: TestSession;
beforeEach(async () => {
  app = await testApp();
  all = await signInAs(app, 'all');
});

async function listen({ headers }: TestSession) {
  const response = await send(app, 'GET', '/api/events', undefined, { ...headers, accept: 'text/event-stream' });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const reader = response.body?.getReader();
  if (!reader) throw new Error('the stream has no body');
  let text = '';
  return {
    async next(): Promise<{ event: string; data: string } | null> {
      for (;;) {
        const at = text.indexOf('\n\n');
        if (at >= 0) {
          const [event, data] = text.slice(0, at).split('\n');
          text = text.slice(at + 2);
          if (event?.startsWith('event: ')) return { event: event.slice(7), data: data?.slice(6) ?? '' };
          continue;
        }
        const { done, value } = await reader.read();
        if (done) return null;
        text += new TextDecoder().decode(value);
      }
    },
    cancel: () => reader.cancel(),
  };
}

const addRole = (name: string) => all.api.roles.add({ name, description: 'd', needsFactor: false, grants: ['/'] });

test('an open tab receives every change of access, by anyone', async () => {
  const stream = await listen(await signInAs(app, 'editor'));
  const first = await stream.next();
  expect(first?.event).toBe('access');
  await addRole('one');
  const second = await stream.next();
  expect(second).toEqual({ event: 'access', data: String(Number(first?.data) + 1) });
  await expect(addRole('one')).rejects.toMatchObject({ code: 'BAD_REQUEST' }); // a refused change does not count
  await addRole('two');
  expect(await stream.next()).toEqual({ event: 'access', data: String(Number(first?.data) + 2) });
  await stream.cancel();
});

test('an open tab receives the number of new records, initially and on changes', async () => {
  const arrive = (resource: string, shard: number) =>
    app.database.pool.query(
      `insert into sharded_counters as c values ('arrivals', $1, $2, 1) on conflict (counter, resource, shard) do update set value = c.value + 1`,
      [resource, shard],
    );
  await arrive('feedback', 1);
  const stream = await listen(all);
  expect((await stream.next())?.event).toBe('access');
  expect(await stream.next()).toEqual({ event: 'arrived', data: 'feedback 1' });
  await arrive('feedback', 2);
  expect(await stream.next()).toEqual({ event: 'arrived', data: 'feedback 2' });
  await arrive('visits', 0);
  expect(await stream.next()).toEqual({ event: 'arrived', data: 'visits 1' });
  await stream.cancel();
});

test('the stream of a revoked session or a disabled person reports it and ends', async () => {
  const left = await signInAs(app, 'editor');
  const [signedOut, disabled] = [await listen(left), await listen(await signInAs(app, 'analyst'))];
  await signedOut.next();
  await disabled.next();
  await left.api.session.signOut();
  await app.database.pool.query(`update administrators set enabled = false where email = 'analyst@demo.local'`);
  for (const stream of [signedOut, disabled]) {
    expect(await stream.next()).toEqual({ event: 'session-ended', data: 'revoked' });
    expect(await stream.next()).toBeNull();
  }
  // A request without a stream gets the same error.
  await expect(left.api.session.current()).rejects.toMatchObject({ code: 'UNAUTHORIZED', data: { revoked: true } });
  const late = await send(app, 'GET', '/api/events', undefined, left.headers);
  expect([late.status, await late.json()]).toMatchObject([401, { data: { revoked: true } }]);
  const { cookie: _, ...half } = left.headers as Record<string, string>;
  const stolen = await send(app, 'GET', '/api/events', undefined, half);
  expect(await stolen.text()).not.toContain('revoked');
});

test('streams require a session and are limited per browser', async () => {
  expect((await send(app, 'GET', '/api/events')).status).toBe(401);
  const streams = [];
  for (let n = 0; n < 6; n++) streams.push(await listen(all));
  expect((await send(app, 'GET', '/api/events', undefined, all.headers)).status).toBe(429);
  await streams[0]?.cancel();
  streams.push(await listen(all));
  for (const stream of streams) await stream.cancel();
});

test('a HEAD request opens no stream', async () => {
  for (let n = 0; n < 12; n++) {
    const head = await send(app, 'HEAD', '/api/events', undefined, all.headers);
    expect([head.status, head.headers.get('content-type'), head.body]).toEqual([200, 'text/event-stream', null]);
  }
  await (await listen(all)).cancel();
});

test('a stream does not extend its session, and reports its expiry', async () => {
  const stream = await listen(all);
  await stream.next();
  app.clock.now += app.config.sessionIdleMs - 1_000;
  const again = await listen(all);
  await again.next();
  app.clock.now += 2_000;
  expect(await stream.next()).toEqual({ event: 'session-ended', data: 'expired' });
  const late = await all.api.session.current().then(
    () => null,
    (error: unknown) => error,
  );
  expect(late).toMatchObject({ code: 'UNAUTHORIZED', data: expect.not.objectContaining({ revoked: true }) });
});

test('a stopping server closes its streams immediately', async () => {
  const stream = await listen(all);
  await stream.next();
  await app.http.stop();
  expect(await stream.next()).toBeNull();
});
