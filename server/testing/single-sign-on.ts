import { eq } from 'drizzle-orm';
import { administrators, identityLinks } from '../platform/auth/tables.ts';
import { newId } from '../platform/core/ids.ts';
import { send, type TestApp } from './support.ts';

type HeaderMap = Record<string, string>;

export const readCookies = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0] ?? '')
    .filter((line) => !line.endsWith('='))
    .join('; ');

/** As a browser that keeps its cookies. */
export async function startSignIn(app: TestApp, input: object = {}, headers: HeaderMap = {}) {
  const response = await send(app, 'POST', '/api/session/sso/start', input, headers);
  if (response.status !== 200) throw new Error(`the start answered ${response.status}: ${await response.text()}`);
  return { url: ((await response.json()) as { url: string }).url, headers: mergeCookies(headers, response) };
}

export const mergeCookies = (headers: HeaderMap, response: Response): HeaderMap => ({
  ...headers,
  cookie: [headers['cookie'], readCookies(response)].filter(Boolean).join('; '),
});

export const answerSignIn = (app: TestApp, query: string, headers: HeaderMap) =>
  send(app, 'POST', '/api/session/sso', { query }, headers);

export async function findAdministrator(app: TestApp, email: string) {
  const [account] = await app.database.db.select().from(administrators).where(eq(administrators.email, email));
  if (!account) throw new Error(`there is no account ${email}`);
  return account;
}

export async function linkAccount(app: TestApp, issuer: string, email = 'analyst@demo.local', subject = 'idp-wei') {
  const account = await findAdministrator(app, email);
  await app.database.db.insert(identityLinks).values({
    id: newId(),
    administratorId: account.id,
    issuer,
    subject,
    origin: 'self',
    createdAt: new Date(app.clock.now),
  });
  return account;
}
