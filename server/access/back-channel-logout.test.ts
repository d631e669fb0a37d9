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
