import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { audit } from '../platform/audit/tables.ts';
import { administrators, identityLinks, sessions } from '../platform/auth/tables.ts';
import { startTestProvider } from '../testing/identity-provider.ts';
import { createApi, createTestApp, send, type TestApp } from '../testing/support.ts';
import { newId } from '../platform/core/ids.ts';

type Headers = Record<string, string>;

const readCookies = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0] ?? '')
    .filter((line) => !line.endsWith('='))
    .join('; ');

async function start(app: TestApp, input: object = {}, headers: Headers = {}) {
  const response = await send(app, 'POST', '/api/session/sso/start', input, headers);
  expect(response.status).toBe(200);
  const { url } = (await response.json()) as { url: string };
  return { url, headers: { ...headers, cookie: [headers['cookie'], readCookies(response)].filter(Boolean).join('; ') } };
}

const answer = (app: TestApp, query: string, headers: Headers) => send(app, 'POST', '/api/session/sso', { query }, headers);

async function linkAccount(app: TestApp, issuer: string, { subject = 'idp-wei', email = 'analyst@demo.local' } = {}) {
  const { db } = app.database;
  const [account] = await db.select().from(administrators).where(eq(administrators.email, email));
  if (!account) throw new Error('no such account');
  await db.insert(identityLinks).values({
    id: newId(),
    administratorId: account.id,
    issuer,
    subject,
    origin: 'self',
    createdAt: new Date(app.clock.now),
  });
  return account;
}

test('signs a linked person in with a code, PKCE and a nonce, and audits issuer and method', async () => {
  const idp = await startTestProvider();
  const app = await createTestApp(idp.env);
  const account = await linkAccount(app, idp.issuer);
  const started = await start(app);
  const query = await idp.signIn(started.url, 'idp-wei');
  const response = await answer(app, query, started.headers);
  expect(await response.clone().json()).toMatchObject({ authorization: expect.stringMatching(/^Bearer /) as string });
  const { authorization } = (await response.json()) as { authorization: string };
  const api = createApi(app, { authorization, cookie: readCookies(response) });
  expect(await api.session.current()).toMatchObject({ email: account.email });
  const [session] = await app.database.db.select().from(sessions).where(eq(sessions.method, 'sso'));
  expect(session).toMatchObject({ administratorId: account.id, method: 'sso', factorAt: null, passwordAt: null });
  const rows = await app.database.db.select().from(audit);
  expect(rows.filter(({ payload }) => payload.includes(idp.issuer))).not.toHaveLength(0);
});
