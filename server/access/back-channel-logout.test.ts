import { isNull } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { audit } from '../platform/audit/tables.ts';
import { sessions } from '../platform/auth/tables.ts';
import { startHostileProvider } from '../testing/hostile-provider.ts';
import { enrollTotp } from '../testing/factor.ts';
import { answerSignIn, linkAccount, mergeCookies, startSignIn } from '../testing/single-sign-on.ts';
import { createTestApp, send, signInAs, type TestApp } from '../testing/support.ts';

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';

async function createSignedInApp() {
  const provider = await startHostileProvider();
  const app = await createTestApp(provider.env);
  await linkAccount(app, provider.issuer);
  await linkAccount(app, provider.issuer, 'editor@demo.local', 'idp-noor');
  for (const [sub, sid] of [
    ['idp-wei', 'first'],
    ['idp-wei', 'second'],
    ['idp-noor', 'third'],
  ]) {
    const { url, headers } = await startSignIn(app);
    const response = await answerSignIn(app, provider.answerTo(url, { claims: { sub, sid } }), headers);
    expect(response.status).toBe(200);
  }
  provider.hostility = {};
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: provider.issuer, aud: 'panel', iat: now, exp: now + 120, jti: 'one', events: { [logoutEvent]: {} } };
  return { provider, app, claims };
}

const logOut = (app: TestApp, token: string) =>
  send(app, 'POST', '/public/sso/logout', new URLSearchParams({ logout_token: token }).toString(), {
    'content-type': 'application/x-www-form-urlencoded',
  });

const countOpen = ({ database }: TestApp) => database.db.$count(sessions, isNull(sessions.revokedAt));

test('a logout token ends all provider sessions of its person, by subject or by one session', async () => {
  for (const name of [{ sub: 'idp-wei' }, { sid: 'second' }]) {
    const { provider, app, claims } = await createSignedInApp();
    await signInAs(app, 'analyst');
    expect(await countOpen(app)).toBe(4);
    const response = await logOut(app, await provider.sign({ ...claims, ...name }, { header: { typ: 'logout+jwt' } }));
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
    const open = await app.database.db.select().from(sessions).where(isNull(sessions.revokedAt));
    expect(open.map(({ method }) => method).toSorted()).toEqual(['password', 'sso']);
    const rows = await app.database.db.select().from(audit);
    expect(rows.filter(({ route }) => route === 'POST /public/sso/logout')).toHaveLength(1);
  }
});

test('an invalid logout token ends no session, and the answer gives no detail', async () => {
  const { provider, app, claims } = await createSignedInApp();
  const now = Math.floor(Date.now() / 1000);
  const right = { ...claims, sub: 'idp-wei' };
  const tokens = [
    'no token',
    await provider.sign({ ...right, aud: 'another' }),
    await provider.sign({ ...right, iss: 'https://evil.example.com' }),
    await provider.sign({ ...right, iat: now - 300, exp: now + 60 }),
    await provider.sign({ ...right, iat: now + 300 }),
    await provider.sign({ ...right, nonce: 'a-nonce' }),
    await provider.sign({ ...right, events: undefined }),
    await provider.sign({ ...right, events: { other: {} } }),
    await provider.sign({ ...right, sub: undefined }),
    await provider.sign({ ...right, jti: undefined }),
    await provider.sign(right, { header: { typ: 'at+jwt' } }),
    await provider.sign(right, { signedBy: 'stranger' }),
    await provider.sign(right, { signedBy: 'nobody' }),
    await provider.sign(right, { signedBy: 'clientSecret' }),
  ];
  for (const token of tokens) {
    const response = await logOut(app, token);
    expect([token, response.status, await response.text()]).toEqual([token, 400, '']);
  }
  expect(await countOpen(app)).toBe(3);
  const token = await provider.sign(right);
  expect((await logOut(app, token)).status).toBe(200);
  expect((await logOut(app, token)).status).toBe(400);
});

test('a logout token ends a sign-in of its person that waits for the second factor', async () => {
  const { provider, app, claims } = await createSignedInApp();
  const { api } = await signInAs(app, 'analyst');
  const totp = await enrollTotp(app, api);
  app.clock.now += 60_000;
  const { url, headers } = await startSignIn(app);
  const answered = await answerSignIn(app, provider.answerTo(url), headers);
  expect(await answered.clone().json()).toMatchObject({ step: 'factor' });
  const token = await provider.sign({ ...claims, sub: 'idp-wei' });
  expect((await logOut(app, token)).status).toBe(200);
  const value = totp.generate({ timestamp: app.clock.now });
  const factor = await send(app, 'POST', '/api/session/factor', { method: 'totp', value }, mergeCookies(headers, answered));
  expect([factor.status, await factor.json()]).toEqual([410, expect.objectContaining({ code: 'ATTEMPT_GONE' })]);
});

/** Without a session, and with a sign-in at the provider that has just started. */
async function createStartedApp(env: Record<string, string> = {}) {
  const provider = await startHostileProvider();
  const app = await createTestApp({ ...provider.env, ...env });
  const account = await linkAccount(app, provider.issuer);
  const iat = Math.floor(Date.now() / 1000);
  const claims = { iss: provider.issuer, aud: 'panel', iat, exp: iat + 120, jti: 'one', events: { [logoutEvent]: {} } };
  const started = await startSignIn(app);
  app.clock.now += 1_000;
  const answer = ({ url, headers } = started, over: Record<string, unknown> = {}) =>
    answerSignIn(app, provider.answerTo(url, { claims: { sid: 'first', ...over } }), headers);
  return { provider, app, account, claims, started, answer };
}

const outcomeOf = async (response: Response) => {
  const { code } = (await response.clone().json()) as { code?: string };
  return [response.status, code];
};

test('a logout token ends a sign-in of its person that has started and has no answer yet', async () => {
  for (const name of [{ sub: 'idp-wei' }, { sid: 'first' }]) {
    const { provider, app, claims, started, answer } = await createStartedApp();
    expect((await logOut(app, await provider.sign({ ...claims, ...name }))).status).toBe(200);
    expect(await outcomeOf(await answer(started, { auth_time: claims.iat }))).toEqual([410, 'ATTEMPT_GONE']);
    expect(await countOpen(app)).toBe(0);
    const rows = await app.database.db.select().from(audit);
    expect(rows.filter(({ result, after }) => result === 'refused' && after?.includes('ATTEMPT_GONE'))).toHaveLength(1);
    app.clock.now += 1_000;
    expect((await answer(await startSignIn(app))).status).toBe(200);
  }
});

test('a person who authenticated after the logout token signs in, and so does another person', async () => {
  const { provider, app, claims, started, answer } = await createStartedApp();
  await linkAccount(app, provider.issuer, 'editor@demo.local', 'idp-noor');
  const other = await startSignIn(app);
  app.clock.now += 1_000;
  const token = await provider.sign({ ...claims, iat: claims.iat - 30, sub: 'idp-wei' });
  expect((await logOut(app, token)).status).toBe(200);
  expect((await answer(other, { sub: 'idp-noor', sid: 'other' })).status).toBe(200);
  expect((await answer(started, { auth_time: claims.iat - 29 })).status).toBe(200);
});

test('a logout token of one session ends its first sign-in, which waits for the second factor', async () => {
  const { provider, app, claims, started, answer } = await createStartedApp();
  const { api } = await signInAs(app, 'analyst');
  const totp = await enrollTotp(app, api);
  app.clock.now += 60_000;
  const answered = await answer();
  expect(await answered.clone().json()).toMatchObject({ step: 'factor' });
  app.clock.now += 1_000;
  expect((await logOut(app, await provider.sign({ ...claims, sid: 'first' }))).status).toBe(200);
  const value = totp.generate({ timestamp: app.clock.now });
  const browser = mergeCookies(started.headers, answered);
  const factor = await send(app, 'POST', '/api/session/factor', { method: 'totp', value }, browser);
  expect(await outcomeOf(factor)).toEqual([410, 'ATTEMPT_GONE']);
});

test('a sign-in that commits together with a logout token leaves no session', async () => {
  const { provider, app, claims } = await createStartedApp();
  for (let round = 0; round < 20; round += 1) {
    const { url, headers } = await startSignIn(app);
    const query = provider.answerTo(url, { claims: { sid: `round ${round}` } });
    app.clock.now += 1_000;
    const token = await provider.sign({ ...claims, jti: `round ${round}`, sub: 'idp-wei' });
    const [, loggedOut] = await Promise.all([answerSignIn(app, query, headers), logOut(app, token)]);
    expect([round, loggedOut.status, await countOpen(app)]).toEqual([round, 200, 0]);
  }
});

test('a logout token without the claim of the links ends no session', async () => {
  const { provider, app, claims, answer } = await createStartedApp({ SSO_SUBJECT_CLAIM: 'oid' });
  expect((await answer(undefined, { oid: 'idp-wei' })).status).toBe(200);
  expect((await logOut(app, await provider.sign({ ...claims, sub: 'another' }))).status).toBe(200);
  expect(await countOpen(app)).toBe(1);
});

test('a logout token with text that PostgreSQL cannot store is refused', async () => {
  const { provider, app, claims } = await createSignedInApp();
  for (const name of [{ sub: 'idp-wei\u0000' }, { sid: 'first\u0000' }, { sid: 'first\uD800' }, { sub: 'x'.repeat(256) }])
    expect((await logOut(app, await provider.sign({ ...claims, ...name }))).status).toBe(400);
  expect(await countOpen(app)).toBe(3);
});

test('keys that the provider does not send are asked for once in ten seconds', async () => {
  const { provider, app, claims } = await createSignedInApp();
  const before = provider.counts.get('/jwks') ?? 0;
  for (const raw of [
    { at: '/jwks', status: 503, body: '' },
    { at: '/jwks', body: 'no JSON' },
  ]) {
    provider.hostility = { raw };
    for (let number = 0; number < 5; number += 1)
      expect((await logOut(app, await provider.sign({ ...claims, sub: 'idp-wei', jti: `${number}` }))).status).toBe(400);
  }
  expect((provider.counts.get('/jwks') ?? 0) - before).toBe(1);
});

test('twenty forged logout tokens cause only one request for keys', async () => {
  const { provider, app, claims } = await createSignedInApp();
  const before = provider.counts.get('/jwks') ?? 0;
  await provider.rotateKey();
  for (let number = 0; number < 20; number += 1) {
    const token = await provider.sign({ ...claims, sub: 'idp-wei', jti: `forged ${number}` }, { signedBy: 'stranger' });
    expect((await logOut(app, token)).status).toBe(400);
  }
  expect((provider.counts.get('/jwks') ?? 0) - before).toBe(1);
});
