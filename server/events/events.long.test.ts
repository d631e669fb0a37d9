import { beforeEach, expect, test } from 'vitest';
import { send, signInAs, createTestApp, type TestSession, type TestApp } from '../testing/support.ts';

let app: TestApp;
let adminSession: TestSession;
beforeEach(async () => {
  app = await createTestApp();
  adminSession = await signInAs(app, 'all');
});

async function openEventStream({ headers }: TestSession) {
  const response = await send(app, 'GET', '/api/events', undefined, { ...headers, accept: 'text/event-stream' });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const reader = response.body?.getReader();
  if (!reader) throw new Error('the stream has no body');
  let text = '';
  return {
    async next(): Promise<{ event: string; data: string } | null> {
      for (;;) {
        const separatorIndex = text.indexOf('\n\n');
        if (separatorIndex >= 0) {
          const [event, data] = text.slice(0, separatorIndex).split('\n');
          text = text.slice(separatorIndex + 2);
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

const addRole = (name: string) => adminSession.api.roles.add({ name, description: 'd', needsFactor: false, grants: ['/'] });

test('an open tab receives every change of access, by anyone', async () => {
  const stream = await openEventStream(await signInAs(app, 'editor'));
  const firstEvent = await stream.next();
  expect(firstEvent?.event).toBe('access');
  await addRole('one');
  const secondEvent = await stream.next();
  expect(secondEvent).toEqual({ event: 'access', data: String(Number(firstEvent?.data) + 1) });
  await expect(addRole('one')).rejects.toMatchObject({ code: 'BAD_REQUEST' }); // a refused change does not count
  await addRole('two');
  expect(await stream.next()).toEqual({ event: 'access', data: String(Number(firstEvent?.data) + 2) });
  await stream.cancel();
});

test('an open tab receives the number of new records, initially and on changes', async () => {
  const recordArrival = (resource: string, shard: number) =>
    app.database.pool.query(
      `insert into sharded_counters as c values ('arrivals', $1, $2, 1) on conflict (counter, resource, shard) do update set value = c.value + 1`,
      [resource, shard],
    );
  await recordArrival('feedback', 1);
  const stream = await openEventStream(adminSession);
  expect((await stream.next())?.event).toBe('access');
  expect(await stream.next()).toEqual({ event: 'arrived', data: 'feedback 1' });
  await recordArrival('feedback', 2);
  expect(await stream.next()).toEqual({ event: 'arrived', data: 'feedback 2' });
  await recordArrival('visits', 0);
  expect(await stream.next()).toEqual({ event: 'arrived', data: 'visits 1' });
  await stream.cancel();
});

test('the stream of a revoked session or a disabled person reports it and ends', async () => {
  const left = await signInAs(app, 'editor');
  const [signedOutStream, disabledStream] = [await openEventStream(left), await openEventStream(await signInAs(app, 'analyst'))];
  await signedOutStream.next();
  await disabledStream.next();
  await left.api.session.signOut();
  await app.database.pool.query(`update administrators set enabled = false where email = 'analyst@demo.local'`);
  for (const stream of [signedOutStream, disabledStream]) {
    expect(await stream.next()).toEqual({ event: 'session-ended', data: 'revoked' });
    expect(await stream.next()).toBeNull();
  }
  // A request without a stream gets the same error.
  await expect(left.api.session.current()).rejects.toMatchObject({ code: 'UNAUTHORIZED', data: { revoked: true } });
  const responseAfterSignOut = await send(app, 'GET', '/api/events', undefined, left.headers);
  expect([responseAfterSignOut.status, await responseAfterSignOut.json()]).toMatchObject([401, { data: { revoked: true } }]);
  const { cookie: _, ...sessionHalf } = left.headers as Record<string, string>;
  const stolenHalfResponse = await send(app, 'GET', '/api/events', undefined, sessionHalf);
  expect(await stolenHalfResponse.text()).not.toContain('revoked');
});

test('streams require a session and are limited per browser', async () => {
  expect((await send(app, 'GET', '/api/events')).status).toBe(401);
  const openStreams = [];
  for (let n = 0; n < 6; n++) openStreams.push(await openEventStream(adminSession));
  expect((await send(app, 'GET', '/api/events', undefined, adminSession.headers)).status).toBe(429);
  await openStreams[0]?.cancel();
  openStreams.push(await openEventStream(adminSession));
  for (const stream of openStreams) await stream.cancel();
});

test('a HEAD request opens no stream', async () => {
  for (let n = 0; n < 12; n++) {
    const headResponse = await send(app, 'HEAD', '/api/events', undefined, adminSession.headers);
    expect([headResponse.status, headResponse.headers.get('content-type'), headResponse.body]).toEqual([
      200,
      'text/event-stream',
      null,
    ]);
  }
  await (await openEventStream(adminSession)).cancel();
});

test('a stream does not extend its session, and reports its expiry', async () => {
  const stream = await openEventStream(adminSession);
  await stream.next();
  app.clock.now += app.config.sessionIdleMs - 1_000;
  const reopenedStream = await openEventStream(adminSession);
  await reopenedStream.next();
  app.clock.now += 2_000;
  expect(await stream.next()).toEqual({ event: 'session-ended', data: 'expired' });
  const lateSession = await adminSession.api.session.current().then(
    () => null,
    (error: unknown) => error,
  );
  expect(lateSession).toMatchObject({ code: 'UNAUTHORIZED', data: expect.not.objectContaining({ revoked: true }) });
});

test('a stopping server closes its streams immediately', async () => {
  const stream = await openEventStream(adminSession);
  await stream.next();
  await app.http.stop();
  expect(await stream.next()).toBeNull();
});
