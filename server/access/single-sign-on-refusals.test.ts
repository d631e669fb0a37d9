import { eq } from 'drizzle-orm';
import { describe, expect, test, vi } from 'vitest';
import { audit } from '../platform/audit/tables.ts';
import { sessions } from '../platform/auth/tables.ts';
import { demoPassword } from '../seed/roles.ts';
import { startHostileProvider, type Hostility } from '../testing/hostile-provider.ts';
import { answerSignIn, linkAccount, startSignIn } from '../testing/single-sign-on.ts';
import { createTestApp, send, type TestApp } from '../testing/support.ts';

const createLinkedApp = async (env: Record<string, string> = {}) => {
  const provider = await startHostileProvider();
  const app = await createTestApp({ ...provider.env, ...env });
  await linkAccount(app, provider.issuer);
  return { provider, app };
};

const readFailure = async (response: Response) => {
  const { code, data } = (await response.json()) as { code: string; data?: { reason?: string } };
  return { status: response.status, code, reason: data?.reason };
};

const readRefusals = async ({ database }: TestApp) =>
  (await database.db.select().from(audit).where(eq(audit.result, 'refused'))).map(
    ({ after }) => JSON.parse(after ?? '{}') as Record<string, unknown>,
  );

const countSessions = ({ database }: TestApp) => database.db.$count(sessions);

const seconds = (offset: number) => Math.floor(Date.now() / 1000) + offset;

describe('an answer of the provider is refused, audited and makes no session', () => {
  const badAnswer = 'BAD_ANSWER';
  test.each<[string, Hostility, string]>([
    ['if a stranger’s key signed its token', { signedBy: 'stranger' }, badAnswer],
    ['if nobody signed its token', { signedBy: 'nobody' }, badAnswer],
    ['if the client’s secret signed its token', { signedBy: 'clientSecret' }, badAnswer],
    ['if its token is no token', { idToken: 'no.token.here' }, badAnswer],
    ['if its token is for another client', { claims: { aud: 'another' } }, badAnswer],
    ['if its token is for two clients without azp', { claims: { aud: ['panel', 'another'] } }, badAnswer],
    ['if its token was made for another client', { claims: { azp: 'another' } }, badAnswer],
    ['if its token is of another issuer', { claims: { iss: 'https://evil.example.com' } }, badAnswer],
    ['if its nonce is another one', { claims: { nonce: 'another' } }, badAnswer],
    ['if it has no nonce', { claims: { nonce: undefined } }, badAnswer],
    ['if its subject is empty', { claims: { sub: '' } }, badAnswer],
    ['if it has no subject', { claims: { sub: undefined } }, badAnswer],
    ['if its subject is too long', { claims: { sub: 'x'.repeat(256) } }, badAnswer],
    ['if its token is over by more than a minute', { claims: { exp: seconds(-70) } }, 'CLOCK'],
    ['if its token is from the future', { claims: { iat: seconds(120) } }, 'CLOCK'],
    ['if its token is eleven minutes old', { claims: { iat: seconds(-660) } }, 'CLOCK'],
    ['if its token has no time', { claims: { iat: undefined } }, badAnswer],
    ['if the code was used before', { tokenStatus: 400 }, badAnswer],
    ['if the provider fails', { tokenStatus: 503 }, 'NO_ANSWER'],
    ['if userinfo is about someone else', { claims: { email: undefined }, userInfo: { sub: 'idp-noor' } }, badAnswer],
  ])('%s', async (_, hostility, reason) => {
    const { provider, app } = await createLinkedApp();
    const { url, headers } = await startSignIn(app);
    const response = await answerSignIn(app, provider.answerTo(url, hostility), headers);
    expect(await readFailure(response)).toEqual({ status: 401, code: 'SSO_FAILED', reason });
    expect(await countSessions(app)).toBe(0);
    expect(await readRefusals(app)).toEqual([expect.objectContaining({ code: 'SSO_FAILED', reason })]);
    expect(app.logged.join()).not.toContain('idp-wei');
  });

  test.each([
    ['if its state comes twice', (query: string) => `${query}&state=another`, 'BAD_ANSWER'],
    [
      'if its issuer is another one',
      (query: string) => query.replace(/iss=[^&]*/, 'iss=https%3A%2F%2Fevil.example.com'),
      'BAD_ANSWER',
    ],
    ['if its issuer is missing where one was announced', (query: string) => query.replace(/&iss=[^&]*/, ''), 'BAD_ANSWER'],
    ['if its code is missing', (query: string) => query.replace(/code=[^&]*&/, ''), 'BAD_ANSWER'],
    ['if the person was not let in', (query: string) => query.replace('code=a-code', 'error=access_denied'), 'DENIED'],
    ['if the person has to sign in there', (query: string) => query.replace('code=a-code', 'error=login_required'), 'DENIED'],
  ])('%s', async (_, change, reason) => {
    const { provider, app } = await createLinkedApp();
    const { url, headers } = await startSignIn(app);
    const response = await answerSignIn(app, change(provider.answerTo(url)), headers);
    expect(await readFailure(response)).toEqual({ status: 401, code: 'SSO_FAILED', reason });
    expect(await countSessions(app)).toBe(0);
    expect(await readRefusals(app)).toEqual([expect.objectContaining({ code: 'SSO_FAILED', reason })]);
  });

  test('if the browser did not ask for it, with another state, from another browser, or twice', async () => {
    const { provider, app } = await createLinkedApp();
    const { url, headers } = await startSignIn(app);
    const query = provider.answerTo(url);
    const otherBrowser = await startSignIn(app);
    const attempts: [string, Record<string, string>][] = [
      [query, {}],
      [query, otherBrowser.headers],
      [query.replace(/state=[^&]*/, 'state=another'), headers],
    ];
    for (const [attempt, browser] of attempts)
      expect(await readFailure(await answerSignIn(app, attempt, browser))).toMatchObject({ status: 410, code: 'ATTEMPT_GONE' });
    expect(await countSessions(app)).toBe(0);
    expect((await answerSignIn(app, query, headers)).status).toBe(200);
    expect(await readFailure(await answerSignIn(app, query, headers))).toMatchObject({ status: 410, code: 'ATTEMPT_GONE' });
    expect(await countSessions(app)).toBe(1);
  });

  test('if it comes after ten minutes', async () => {
    const { provider, app } = await createLinkedApp();
    const { url, headers } = await startSignIn(app);
    app.clock.now += 600_000;
    expect(await readFailure(await answerSignIn(app, provider.answerTo(url), headers))).toMatchObject({ code: 'ATTEMPT_GONE' });
  });
});

test('two tabs of one browser both sign in', async () => {
  const { provider, app } = await createLinkedApp();
  const first = await startSignIn(app);
  const second = await startSignIn(app, {}, first.headers);
  const firstQuery = provider.answerTo(first.url);
  expect((await answerSignIn(app, firstQuery, second.headers)).status).toBe(200);
  expect((await answerSignIn(app, provider.answerTo(second.url), second.headers)).status).toBe(200);
});

test('a sign-in doesn’t start if the discovery names another issuer or offers no safe algorithm', async () => {
  for (const metadata of [{ issuer: 'https://evil.example.com' }, { id_token_signing_alg_values_supported: ['HS256', 'none'] }]) {
    const { provider, app } = await createLinkedApp();
    provider.hostility = { metadata };
    const response = await send(app, 'POST', '/api/session/sso/start', {});
    expect(await readFailure(response)).toEqual({ status: 401, code: 'SSO_FAILED', reason: 'BAD_ANSWER' });
  }
});

test('the server starts while the provider is down, and a password still signs in', async () => {
  const provider = await startHostileProvider();
  const app = await createTestApp({ ...provider.env, SSO_ISSUER: 'http://127.0.0.1:9' });
  const response = await send(app, 'POST', '/api/session/sso/start', {});
  expect(await readFailure(response)).toEqual({ status: 401, code: 'SSO_FAILED', reason: 'NO_ANSWER' });
  const account = { email: 'analyst@demo.local', password: demoPassword };
  expect((await send(app, 'POST', '/api/session', account)).status).toBe(200);
});

test('a failed discovery is remembered for ten seconds, and then tried again', async () => {
  const { provider, app } = await createLinkedApp();
  provider.hostility = { metadata: { issuer: 'https://evil.example.com' } };
  const start = async () => (await send(app, 'POST', '/api/session/sso/start', {})).status;
  expect(await start()).toBe(401);
  provider.hostility = {};
  expect(await start()).toBe(401);
  const machineClock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 10_000);
  expect(await start()).toBe(200);
  machineClock.mockRestore();
});

test('a panel clock two days ahead doesn’t affect the check of tokens', async () => {
  const { provider, app } = await createLinkedApp();
  app.clock.now += 2 * 86_400_000;
  const { url, headers } = await startSignIn(app);
  expect((await answerSignIn(app, provider.answerTo(url), headers)).status).toBe(200);
});

test('an unknown key is asked for at most once a minute', async () => {
  const { provider, app } = await createLinkedApp();
  const signIn = async () => {
    const { url, headers } = await startSignIn(app);
    return (await answerSignIn(app, provider.answerTo(url), headers)).status;
  };
  expect(await signIn()).toBe(200);
  await provider.rotateKey();
  expect([await signIn(), await signIn()]).toEqual([401, 401]);
  expect(provider.counts.get('/jwks')).toBe(1);
});

test('a sign-in is refused if the provider left out the groups because there are too many', async () => {
  const { provider, app } = await createLinkedApp({ SSO_GROUPS_CLAIM: 'groups' });
  for (const claims of [{ _claim_names: { groups: 'src1' } }, { hasgroups: true }]) {
    const { url, headers } = await startSignIn(app);
    const response = await answerSignIn(app, provider.answerTo(url, { claims }), headers);
    expect(await readFailure(response)).toEqual({ status: 401, code: 'SSO_FAILED', reason: 'TOO_MANY_GROUPS' });
  }
});
