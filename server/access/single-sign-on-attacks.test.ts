import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { createStore } from '../../testing/factories/store.ts';
import { audit } from '../platform/audit/tables.ts';
import { administratorRoles, administrators, identityLinks, sessions } from '../platform/auth/tables.ts';
import { onCleanup } from '../testing/cleanup.ts';
import { startHostileProvider, type Hostility } from '../testing/hostile-provider.ts';
import { answerSignIn, findAdministrator, linkAccount, mergeCookies, startSignIn } from '../testing/single-sign-on.ts';
import { qaAccount } from '../seed/roles.ts';
import { createTestApp, send, signInAs, type TestApp } from '../testing/support.ts';

async function createHostileApp(env: Record<string, string> = {}) {
  const provider = await startHostileProvider();
  const app = await createTestApp({ ...provider.env, ...env }, { jobs: false });
  const signIn = async (hostility: Hostility = {}) => {
    const { url, headers } = await startSignIn(app);
    return answerSignIn(app, provider.answerTo(url, hostility), headers);
  };
  return { provider, app, signIn };
}

const reasonOf = async (response: Response) => {
  const { data } = (await response.json()) as { data?: { reason?: string } };
  return `${response.status} ${data?.reason}`;
};

const readRefusals = async ({ database }: TestApp) =>
  (await database.db.select().from(audit).where(eq(audit.result, 'refused'))).map(
    ({ after }) => JSON.parse(after ?? '{}') as Record<string, unknown>,
  );

/** Holds until `release`. */
async function holdBack(app: TestApp, statement: string) {
  const blocker = await app.database.connect();
  await blocker.query('begin');
  await blocker.query(statement);
  return {
    query: (text: string) => blocker.query(text),
    waiting: async (count: number) => {
      const lockQuery = 'select from pg_locks where not granted and pid <> pg_backend_pid()';
      await expect.poll(async () => (await blocker.query(lockQuery)).rowCount, { timeout: 10_000 }).toBeGreaterThanOrEqual(count);
    },
    release: async () => {
      await blocker.query('commit');
      await blocker.end();
    },
  };
}

/** Returns a function that confirms it. */
async function proposeOwnLink(app: TestApp, provider: Awaited<ReturnType<typeof startHostileProvider>>, role: 'all' | 'access') {
  const { headers } = await signInAs(app, role);
  const started = await send(app, 'POST', '/api/account/sso/start', undefined, headers);
  const { url } = (await started.json()) as { url: string };
  const browser = mergeCookies(headers, started);
  const response = await answerSignIn(app, provider.answerTo(url, { claims: { sub: `idp-${role}` } }), browser);
  const { ticket } = (await response.json()) as { ticket: string };
  return () => send(app, 'POST', '/api/session/sso/link', { ticket }, browser);
}

describe('text of the provider that PostgreSQL cannot store', () => {
  test.each([
    ['a NUL', 'idp-wei\u0000'],
    ['half of a surrogate pair', 'idp-wei\uD800'],
  ])('is refused in the subject: %s', async (_, sub) => {
    const { provider, app, signIn } = await createHostileApp();
    await linkAccount(app, provider.issuer);
    await linkAccount(app, provider.issuer, 'editor@demo.local', 'idp-wei\uFFFD');
    expect(await reasonOf(await signIn({ claims: { sub } }))).toBe('401 BAD_ANSWER');
    expect(await app.database.db.$count(sessions)).toBe(0);
  });

  test('is left out of groups and authentication methods, as are values of unreasonable length', async () => {
    const { provider, app, signIn } = await createHostileApp({ SSO_GROUPS_CLAIM: 'groups' });
    await linkAccount(app, provider.issuer);
    const claims = { groups: ['a\u0000b', 'c\uD800', 'x'.repeat(100_000)], amr: ['pwd', 'm\u0000fa', 'y'.repeat(100_000)] };
    expect((await signIn({ claims })).status).toBe(200);
    const [row] = await app.database.db.select().from(audit).where(eq(audit.action, 'signIn'));
    expect(JSON.parse(row?.after ?? '{}')).toMatchObject({ amr: ['pwd'] });
  });
});

test('an email counts as verified only where the same source says so', async () => {
  const { app, signIn } = await createHostileApp({ SSO_GROUPS_CLAIM: 'groups' });
  await findAdministrator(app, 'editor@demo.local');
  const hostility = {
    claims: { sub: 'idp-eve', email: 'editor@demo.local' },
    userInfo: { sub: 'idp-eve', email: 'eve@example.com', email_verified: true },
  };
  expect(await reasonOf(await signIn(hostility))).toBe('401 NOT_INVITED');
});

test('a name and an email with reversed text are not shown', async () => {
  const { provider, app } = await createHostileApp();
  const { api, headers } = await signInAs(app, 'analyst');
  await api.session.current();
  const started = await send(app, 'POST', '/api/account/sso/start', undefined, headers);
  const { url } = (await started.json()) as { url: string };
  const claims = { name: 'Wei \u202Egnahz', email: 'wei\u202E@example.com' };
  const response = await answerSignIn(app, provider.answerTo(url, { claims }), mergeCookies(headers, started));
  expect(await response.json()).toMatchObject({ step: 'link', provider: { email: null, displayName: null } });
});

test('refused answers of one person do not keep colleagues in the same network and with the same browser out', async () => {
  const { provider, app, signIn } = await createHostileApp();
  await linkAccount(app, provider.issuer);
  for (let attempt = 0; attempt < 8; attempt += 1)
    expect(await reasonOf(await signIn({ claims: { sub: 'idp-eve' } }))).toBe('401 NOT_INVITED');
  expect((await signIn()).status).toBe(200);
});

test('starts are limited per network, and one that led to a sign-in is not counted', async () => {
  const { provider, app, signIn } = await createHostileApp({ SIGN_IN_PER_NETWORK: '3' });
  await linkAccount(app, provider.issuer);
  for (let attempt = 0; attempt < 5; attempt += 1) expect((await signIn()).status).toBe(200);
  const start = () => send(app, 'POST', '/api/session/sso/start', {});
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 4; attempt += 1) statuses.push((await start()).status);
  expect(statuses).toEqual([200, 200, 200, 429]);
  app.clock.now += 599_000;
  expect((await start()).status).toBe(429);
  app.clock.now += 2_000;
  expect((await start()).status).toBe(200);
});

test('answers are limited per network', async () => {
  const { app, signIn } = await createHostileApp({ SIGN_IN_PER_NETWORK: '5' });
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 5; attempt += 1) statuses.push((await signIn()).status);
  await app.database.pool.query(`delete from rate_limits where key like 'ssoStart %'`);
  for (let attempt = 0; attempt < 2; attempt += 1) statuses.push((await signIn()).status);
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
  expect(await app.database.db.$count(sessions)).toBe(0);
});

test.each([{ _claim_names: { groups: 'src1' } }, { hasgroups: true }])(
  'groups that were left out, as in %j, are audited with the person, and change no role',
  async (claims) => {
    const { provider, app, signIn } = await createHostileApp({ SSO_GROUPS_CLAIM: 'groups' });
    const account = await linkAccount(app, provider.issuer);
    const readRoles = () =>
      app.database.db.select().from(administratorRoles).where(eq(administratorRoles.administratorId, account.id));
    const [role] = await readRoles();
    await app.database.db
      .insert(administratorRoles)
      .values({ administratorId: account.id, roleId: role?.roleId ?? '', givenBy: 'idp' });
    expect(await reasonOf(await signIn({ claims }))).toBe('401 TOO_MANY_GROUPS');
    expect(await readRefusals(app)).toEqual([
      expect.objectContaining({ code: 'SSO_FAILED', reason: 'TOO_MANY_GROUPS', subject: 'idp-wei' }),
    ]);
    expect(await readRoles()).toHaveLength(2);
    expect(await app.database.db.$count(sessions)).toBe(0);
  },
);

describe('a hostile provider', () => {
  test('gets no private address asked by a redirect', async () => {
    const asked: string[] = [];
    const internal = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.end('{}');
    });
    await new Promise<void>((resolve) => internal.listen(0, '127.0.0.1', resolve));
    onCleanup(async () => void internal.close());
    const location = `http://127.0.0.1:${(internal.address() as AddressInfo).port}/secret`;
    for (const at of ['/token', '/jwks', '/userinfo']) {
      const { provider, app, signIn } = await createHostileApp();
      await linkAccount(app, provider.issuer);
      const raw = { at, status: 307, headers: { location }, body: '' };
      expect(await reasonOf(await signIn({ raw, claims: { email: undefined } }))).toBe('401 BAD_ANSWER');
    }
    expect(asked).toEqual([]);
  });

  test('gets no other private address asked by its discovery', async () => {
    const asked: string[] = [];
    const internal = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.end('{}');
    });
    await new Promise<void>((resolve) => internal.listen(0, '127.0.0.1', resolve));
    onCleanup(async () => void internal.close());
    const origin = `http://127.0.0.1:${(internal.address() as AddressInfo).port}`;
    for (const name of ['token_endpoint', 'jwks_uri', 'userinfo_endpoint']) {
      const { provider, app } = await createHostileApp();
      await linkAccount(app, provider.issuer);
      provider.hostility = { metadata: { [name]: `${origin}/${name}` } };
      const { url, headers } = await startSignIn(app);
      const response = await answerSignIn(app, provider.answerTo(url, { claims: { email: undefined } }), headers);
      expect([name, await reasonOf(response)]).toEqual([name, '401 BAD_ANSWER']);
    }
    expect(asked).toEqual([]);
  });

  test.each(['javascript:alert(1)', 'data:text/html,x', 'ftp://127.0.0.1/authorize'])(
    'cannot send the browser to %s',
    async (address) => {
      const { provider, app } = await createHostileApp();
      provider.hostility = { metadata: { authorization_endpoint: address } };
      expect(await reasonOf(await send(app, 'POST', '/api/session/sso/start', {}))).toBe('401 BAD_ANSWER');
    },
  );

  test('is given up when an answer is too large', async () => {
    const { provider, app, signIn } = await createHostileApp();
    await linkAccount(app, provider.issuer);
    const body = JSON.stringify({ access_token: 'x'.repeat(2_000_000) });
    expect(await reasonOf(await signIn({ raw: { at: '/token', body } }))).toBe('401 NO_ANSWER');
  });

  test('is given up ten seconds after an answer began that never ends', { timeout: 30_000 }, async () => {
    const { provider, app, signIn } = await createHostileApp();
    await linkAccount(app, provider.issuer);
    expect(await reasonOf(await signIn({ unendingAt: '/token' }))).toBe('401 NO_ANSWER');
  });

  test('leaves no part of a malformed answer in the audit and the log', async () => {
    const { provider, app, signIn } = await createHostileApp();
    await linkAccount(app, provider.issuer);
    const body = 'access_token=SECRETOFTHEPROVIDER&id_token=SECRETOFTHEPROVIDER';
    for (const text of [body, `{"access_token":"a"SECRETOFTHEPROVIDER"}`]) {
      expect(await reasonOf(await signIn({ raw: { at: '/token', body: text } }))).toBe('401 BAD_ANSWER');
    }
    const rows = await app.database.db.select().from(audit);
    expect(JSON.stringify([rows, app.logged])).not.toMatch(/SECRET|access_to/);
  });
});

describe('a link', () => {
  test('of the last two access managers at the same time leaves one who can sign in without the provider', async () => {
    const { provider, app } = await createHostileApp({ SSO_REQUIRED: 'on' });
    await app.database.db.update(administrators).set({ enabled: false }).where(eq(administrators.email, qaAccount.email));
    const confirmations = [await proposeOwnLink(app, provider, 'all'), await proposeOwnLink(app, provider, 'access')];
    // After both links and before both checks.
    const blocker = await holdBack(app, 'lock table mails in exclusive mode');
    const confirming = Promise.all(confirmations.map((confirm) => confirm()));
    await blocker.waiting(2);
    await blocker.release();
    const codes = await Promise.all(
      (await confirming).map(async (response) => ((await response.json()) as { code?: string }).code),
    );
    expect(codes.toSorted()).toEqual(['LAST_ACCESS', undefined]);
    expect(await app.database.db.$count(identityLinks)).toBe(1);
  });

  test.each([
    ['the account is disabled', 'update administrators set enabled = false'],
    ['the session is ended', 'update sessions set revoked_at = now()'],
  ])('is not made if %s between the check and the commit', async (_, statement) => {
    const { provider, app } = await createHostileApp();
    const confirm = await proposeOwnLink(app, provider, 'access');
    const blocker = await holdBack(app, 'select pg_advisory_xact_lock(42800004) from administrators for update');
    const confirming = confirm();
    await blocker.waiting(1);
    await blocker.query(statement);
    await blocker.release();
    expect((await confirming).status).toBe(401);
    expect(await app.database.db.$count(identityLinks)).toBe(0);
  });

  test('that is removed takes the roles of the claim with it', async () => {
    const { provider, app } = await createHostileApp();
    const account = await linkAccount(app, provider.issuer);
    const [role] = await app.database.db
      .select()
      .from(administratorRoles)
      .where(eq(administratorRoles.administratorId, account.id));
    const ownRole = { administratorId: account.id, roleId: role?.roleId ?? '' };
    const readSources = async () =>
      (await app.database.db.select().from(administratorRoles).where(eq(administratorRoles.administratorId, account.id)))
        .map(({ givenBy }) => givenBy)
        .toSorted();
    await app.database.db.insert(administratorRoles).values({ ...ownRole, givenBy: 'idp' });
    const own = await signInAs(app, 'analyst');
    await own.api.account.unlinkSso();
    expect(await readSources()).toEqual(['panel']);
    await app.database.db.insert(administratorRoles).values({ ...ownRole, givenBy: 'idp' });
    await linkAccount(app, provider.issuer);
    const admin = await signInAs(app, 'all');
    const { version } = await findAdministrator(app, 'analyst@demo.local');
    const row = await admin.api.administrators.unlinkSso({ id: account.id, version });
    expect(row.roles.map(({ givenBy }) => givenBy)).toEqual(['panel']);
    expect(await readSources()).toEqual(['panel']);
  });
});

test('a sign-in during which the account is unlinked gives no role of the claim', async () => {
  const { provider, app } = await createHostileApp({ SSO_GROUPS_CLAIM: 'groups' });
  const account = await linkAccount(app, provider.issuer);
  const { rows } = await app.database.pool.query<{ id: string }>(`select id from roles where seed = 'editor'`);
  const roleId = rows[0]?.id ?? '';
  await app.database.pool.query('delete from role_nodes where role_id = $1', [roleId]); // no guarded permission
  await createStore(app.database.db).groupRole('editors', roleId, 'claim');
  const { url, headers } = await startSignIn(app);
  const query = provider.answerTo(url, { claims: { groups: ['editors'] } });
  const blocker = await holdBack(app, 'select pg_advisory_xact_lock(42800004)');
  const answering = answerSignIn(app, query, headers);
  await blocker.waiting(1);
  await app.database.db.delete(identityLinks).where(eq(identityLinks.administratorId, account.id));
  await blocker.release();
  expect((await answering).status).toBe(401);
  const roles = await app.database.db.select().from(administratorRoles).where(eq(administratorRoles.administratorId, account.id));
  expect(roles.map(({ givenBy }) => givenBy)).toEqual(['panel']);
  expect(await app.database.db.$count(sessions)).toBe(0);
});

test('signing out ends the session also when its ID token cannot be read or the provider is down', async () => {
  const { provider, app, signIn } = await createHostileApp({ SSO_LOGOUT: 'on' });
  await linkAccount(app, provider.issuer);
  const response = await signIn();
  const { authorization } = (await response.clone().json()) as { authorization: string };
  await app.database.db.update(sessions).set({ idToken: 'sealed with an earlier key' });
  const signOut = await send(app, 'DELETE', '/api/session', undefined, { ...mergeCookies({}, response), authorization });
  expect([signOut.status, await signOut.json()]).toEqual([200, {}]);
  expect((await app.database.db.select().from(sessions)).map(({ revokedAt, idToken }) => [revokedAt !== null, idToken])).toEqual([
    [true, null],
  ]);
});

test('a new link vouches for no factor in advance', async () => {
  const { provider, app } = await createHostileApp();
  const confirm = await proposeOwnLink(app, provider, 'access');
  expect((await confirm()).status).toBe(200);
  // A server of 1.0.0 stores a first factor without a change here.
  expect((await findAdministrator(app, 'access@demo.local')).factorVouchedAt).toBeNull();
});
