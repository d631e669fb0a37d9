import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { measureClock } from '../platform/auth/sso/provider-health.ts';
import { onCleanup } from '../testing/cleanup.ts';
import { startHostileProvider } from '../testing/hostile-provider.ts';
import { answerSignIn, linkAccount, startSignIn } from '../testing/single-sign-on.ts';
import { createTestApp, signInAs } from '../testing/support.ts';

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onCleanup(async () => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function healthOf(issuer: string) {
  const app = await createTestApp({ SSO_ISSUER: issuer, SSO_CLIENT_ID: 'panel', SSO_NAME: 'Acme' });
  const { api } = await signInAs(app, 'access');
  return { app, api, health: await api.identity.health() };
}

/** A discovery document, on a machine whose clock is `aheadMs` ahead. */
const discovery =
  (aheadMs = 0, changes: Record<string, unknown> = {}): RequestListener =>
  (request, response) => {
    const issuer = `http://${request.headers.host}`;
    response.setHeader('date', new Date(Date.now() + aheadMs).toUTCString());
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        ...changes,
      }),
    );
  };

describe('the health of the provider', () => {
  test('says that it answers, when, and that the clocks agree', async () => {
    const { app, health } = await healthOf(await serve(discovery()));
    expect(health).toEqual({
      problem: null,
      status: null,
      checkedAt: new Date(app.clock.now).toISOString(),
      lastAnswerAt: new Date(app.clock.now).toISOString(),
      clockSeconds: expect.any(Number),
      isClockOff: false,
    });
    expect(Math.abs(health?.clockSeconds ?? 99)).toBeLessThanOrEqual(2);
  });

  test.each([
    [90_000, 90],
    [-75_000, -75],
  ])('measures a clock that is off by %i ms', async (aheadMs, seconds) => {
    const { health } = await healthOf(await serve(discovery(aheadMs)));
    expect(health).toMatchObject({ problem: null, isClockOff: true });
    expect(Math.abs((health?.clockSeconds ?? 0) - seconds)).toBeLessThanOrEqual(2);
  });

  test.each<[string, () => Promise<string>, object]>([
    ['nothing listens', async () => 'http://127.0.0.1:9', { problem: 'CONNECTION' }],
    ['its name has no address', async () => 'https://login.invalid', { problem: 'DNS' }],
    [
      'it speaks no TLS',
      async () => (await serve((_, response) => response.end())).replace('http:', 'https:'),
      { problem: 'TLS' },
    ],
    ['it hangs up', () => serve((request) => request.socket.destroy()), { problem: 'CONNECTION' }],
    [
      'it fails',
      () =>
        serve((_, response) => {
          response.statusCode = 503;
          response.end();
        }),
      { problem: 'STATUS', status: 503 },
    ],
    [
      'it redirects',
      () =>
        serve((_, response) => {
          response.writeHead(302, { location: 'https://elsewhere.example.com' }).end();
        }),
      { problem: 'STATUS', status: 302 },
    ],
    ['it answers with a page', () => serve((_, response) => response.end('<!doctype html>')), { problem: 'ANSWER' }],
    ['it has no endpoints', () => serve(discovery(0, { token_endpoint: undefined })), { problem: 'ANSWER' }],
    ['it names another issuer', () => serve(discovery(0, { issuer: 'https://evil.example.com' })), { problem: 'ISSUER' }],
    [
      'it answers without an end',
      () =>
        serve((_, response) => {
          response.write('x'.repeat(2 * 1024 * 1024));
        }),
      { problem: 'ANSWER' },
    ],
  ])('names the problem if %s', async (_, address, expected) => {
    expect((await healthOf(await address())).health).toMatchObject({ ...expected, isClockOff: false });
  });

  test('gives a silent provider three seconds, and then no other screen waits', async () => {
    const startedAt = Date.now();
    const { api, health } = await healthOf(await serve(() => {}));
    expect(health).toMatchObject({ problem: 'TIMEOUT', lastAnswerAt: null, clockSeconds: null });
    expect(Date.now() - startedAt).toBeGreaterThanOrEqual(2900);
    expect(await api.identity.status()).toMatchObject({ name: 'Acme' });
    // The answer of ten seconds.
    expect(await api.identity.health()).toEqual(health);
  });

  test('asks once for many people, and remembers when the provider last answered', async () => {
    let calls = 0;
    let isDown = false;
    const answer = discovery();
    const issuer = await serve((request, response) => {
      calls += 1;
      if (isDown) request.socket.destroy();
      else answer(request, response);
    });
    const { app, api, health } = await healthOf(issuer);
    await Promise.all(Array.from({ length: 20 }, () => api.identity.health()));
    expect(calls).toBe(1);
    isDown = true;
    app.clock.now += 60_000;
    await new Promise((resolve) => setTimeout(resolve, 10_100));
    expect(await api.identity.health()).toMatchObject({
      problem: 'CONNECTION',
      checkedAt: new Date(app.clock.now).toISOString(),
      lastAnswerAt: health?.lastAnswerAt,
    });
    expect(calls).toBe(2);
  }, 30_000);

  test('is nothing without a provider, and out of reach without the screen', async () => {
    const app = await createTestApp();
    const access = await signInAs(app, 'access');
    expect(await access.api.identity.health()).toBeNull();
    expect(await access.api.identity.signIns()).toEqual({ last: null, refused: [] });
    const editor = await signInAs(app, 'editor');
    await expect(editor.api.identity.health()).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(editor.api.identity.signIns()).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});

test('a clock is measured in the middle of the request, and a cached answer counts its age', () => {
  const date = 'Sun, 29 Nov 2026 06:00:00 GMT';
  const at = Date.parse(date);
  expect(measureClock(new Headers({ date }), at - 1000, at + 2000)).toBe(0);
  expect(measureClock(new Headers({ date, age: '30' }), at + 30_000, at + 31_000)).toBe(0);
  expect(measureClock(new Headers({ date }), at + 10_000, at + 10_000)).toBe(-9);
  for (const headers of [{}, { date: 'yesterday' }, { date, age: 'old' }])
    expect(measureClock(new Headers(headers as Record<string, string>), at, at)).toBeNull();
});

test('the latest sign-in and refusals are listed for people without the audit permission', async () => {
  const provider = await startHostileProvider();
  const app = await createTestApp({ ...provider.env });
  const access = await signInAs(app, 'access');
  const attempt = async (hostility: object = {}) => {
    const { url, headers } = await startSignIn(app);
    app.clock.now += 1000;
    return (await answerSignIn(app, provider.answerTo(url, hostility), headers)).status;
  };
  const ahead = Math.floor(Date.now() / 1000) + 180;
  expect(await attempt({ claims: { iat: ahead } })).toBe(401);
  expect(await attempt({ signedBy: 'stranger' })).toBe(401);
  expect(await attempt({ claims: { email: 'new@acme.example', email_verified: true } })).toBe(401);
  await linkAccount(app, provider.issuer);
  expect(await attempt()).toBe(200);
  const { last, refused } = await access.api.identity.signIns();
  expect(last).toMatchObject({ email: 'analyst@demo.local', at: new Date(app.clock.now).toISOString() });
  expect(refused.map(({ reason, email }) => [reason, email])).toEqual([
    ['NOT_INVITED', 'new@acme.example'],
    ['BAD_ANSWER', null],
    ['CLOCK', null],
  ]);
  expect(Math.abs((refused[2]?.seconds ?? 0) - 180)).toBeLessThanOrEqual(2);
  expect(refused.every(({ more, ip }) => more === 0 && ip !== '')).toBe(true);
  app.clock.now += 31 * 86_400_000;
  expect((await (await signInAs(app, 'access')).api.identity.signIns()).refused).toEqual([]);
});

test('at most ten refusals are listed, newest first', async () => {
  const provider = await startHostileProvider();
  const app = await createTestApp({ ...provider.env });
  const access = await signInAs(app, 'access');
  for (let number = 0; number < 12; number += 1) {
    const { url, headers } = await startSignIn(app);
    app.clock.now += 1000;
    const claims = { email: `person-${number}@acme.example`, email_verified: true };
    await answerSignIn(app, provider.answerTo(url, { claims }), { ...headers, 'user-agent': `browser ${number}` });
  }
  const { refused } = await access.api.identity.signIns();
  expect(refused).toHaveLength(10);
  expect(refused.map(({ at }) => at)).toEqual(
    refused
      .map(({ at }) => at)
      .toSorted()
      .toReversed(),
  );
});
