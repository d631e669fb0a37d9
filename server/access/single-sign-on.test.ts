import { desc, eq, isNull, not } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { checkSsoAtStart } from '../platform/auth/sso/start-check.ts';
import { createLogger } from '../platform/core/log.ts';
import { openExternalServices } from '../platform/services/services.ts';
import { audit } from '../platform/audit/tables.ts';
import { accountChanges, administrators, identityLinks, roles, sessions } from '../platform/auth/tables.ts';
import { mails } from '../platform/content/tables.ts';
import { demoPassword } from '../seed/roles.ts';
import { enrollTotp } from '../testing/factor.ts';
import { startTestProvider, type IdentityProvider } from '../testing/identity-provider.ts';
import {
  answerSignIn,
  findAdministrator,
  linkAccount,
  mergeCookies,
  readCookies,
  startSignIn,
} from '../testing/single-sign-on.ts';
import { createApi, createTestApp, send, signInAs, type TestApp } from '../testing/support.ts';

const servicesOf = ({ config, database, clock }: TestApp) => ({
  config,
  database,
  log: createLogger({ level: 'silent' }),
  now: () => clock.now,
  ...openExternalServices(config),
});

const email = 'analyst@demo.local';
const hourMs = 3_600_000;

async function createAppWithProvider(env: Record<string, string> = {}) {
  const provider = await startTestProvider();
  return { provider, app: await createTestApp({ ...provider.env, ...env }) };
}

async function signIn(app: TestApp, provider: IdentityProvider, subject = 'idp-wei', input: object = {}) {
  const { url, headers } = await startSignIn(app, input);
  const response = await answerSignIn(app, await provider.signIn(url, subject), headers);
  return { response, headers, body: (await response.clone().json()) as Record<string, unknown> };
}

const openPanel = (app: TestApp, response: Response, { authorization }: Record<string, unknown>) =>
  createApi(app, { authorization: String(authorization), cookie: readCookies(response) });

test('signs a linked person in with a code, PKCE and a nonce, and audits issuer and method', async () => {
  const { provider, app } = await createAppWithProvider();
  const account = await linkAccount(app, provider.issuer);
  const { response, body } = await signIn(app, provider);
  expect(await openPanel(app, response, body).session.current()).toMatchObject({ email });
  const [session] = await app.database.db.select().from(sessions);
  expect(session).toMatchObject({ administratorId: account.id, method: 'sso', factorAt: null, passwordAt: null });
  expect(session?.expiresAt.getTime()).toBe(app.clock.now + 8 * hourMs);
  const rows = await app.database.db.select().from(audit).where(eq(audit.action, 'signIn'));
  const link = await app.database.db.select().from(identityLinks);
  expect(rows.map(({ after }) => JSON.parse(after ?? '{}') as object)).toEqual([
    { method: 'sso', issuer: provider.issuer, link: link[0]?.id, acr: null, amr: [] },
  ]);
});

describe('a sign-in through the provider', () => {
  test('asks for the second factor of the account, and never for an emailed code', async () => {
    const { provider, app } = await createAppWithProvider({ NEW_BROWSER_CODE: 'on' });
    await linkAccount(app, provider.issuer);
    await app.database.db.update(administrators).set({ passwordHash: null }).where(eq(administrators.email, email));
    const withoutFactor = await signIn(app, provider);
    const totp = await enrollTotp(app, openPanel(app, withoutFactor.response, withoutFactor.body));
    app.clock.now += 60_000;
    const { response, headers, body } = await signIn(app, provider);
    expect(body).toMatchObject({ step: 'factor' });
    const value = totp.generate({ timestamp: app.clock.now });
    const factor = await send(app, 'POST', '/api/session/factor', { method: 'totp', value }, mergeCookies(headers, response));
    expect(await factor.json()).toMatchObject({ access: { email } });
    const [session] = await app.database.db.select().from(sessions).orderBy(desc(sessions.createdAt));
    expect(session).toMatchObject({ method: 'sso', factorAt: new Date(app.clock.now) });
  });

  test('grants nothing to a guarded account until it has a factor of its own', async () => {
    const { provider, app } = await createAppWithProvider();
    const account = await linkAccount(app, provider.issuer, 'admin@demo.local');
    await app.database.db
      .update(administrators)
      .set({ demo: false, passwordHash: null })
      .where(eq(administrators.id, account.id));
    const { response, body } = await signIn(app, provider);
    const api = openPanel(app, response, body);
    expect(body).toMatchObject({ access: { factorNeeded: true, codes: [] } });
    await expect(api.administrators.roles()).rejects.toMatchObject({ code: 'FACTOR_REQUIRED' });
    expect(await api.account.factor()).toMatchObject({ methods: ['sso'] });
    app.clock.now += 300_000;
    await expect(api.account.startTotp()).rejects.toMatchObject({ code: 'FACTOR_STALE' });
  });

  test('is refused for a disabled and for a deleted account', async () => {
    const { provider, app } = await createAppWithProvider();
    const account = await linkAccount(app, provider.issuer);
    for (const change of [{ enabled: false }, { deletedAt: new Date(app.clock.now) }]) {
      await app.database.db.update(administrators).set(change).where(eq(administrators.id, account.id));
      expect((await signIn(app, provider)).body).toMatchObject({ code: 'SSO_FAILED', data: { reason: 'DISABLED' } });
    }
  });

  test('never finds an account by its email', async () => {
    const { provider, app } = await createAppWithProvider();
    const reasonFor = async (claims: object) => {
      await provider.setPeople({ 'idp-wei': { name: 'Wei', ...claims } });
      return (await signIn(app, provider)).body['data'];
    };
    expect(await reasonFor({ email, email_verified: true })).toMatchObject({ reason: 'EMAIL_TAKEN' });
    // An unverified email must not tell whether an account exists.
    for (const verified of [false, 'true', undefined])
      expect(await reasonFor({ email, email_verified: verified })).toMatchObject({ reason: 'NOT_INVITED' });
    await app.database.db
      .update(administrators)
      .set({ deletedAt: new Date(), enabled: false })
      .where(eq(administrators.email, email));
    expect(await reasonFor({ email, email_verified: true })).toMatchObject({ reason: 'EMAIL_TAKEN' });
    expect(await app.database.db.$count(identityLinks)).toBe(0);
    expect(await app.database.db.$count(sessions)).toBe(0);
  });

  test('fails with a reason when the person goes back, and when the provider is down', async () => {
    const { provider, app } = await createAppWithProvider();
    const { url, headers } = await startSignIn(app);
    const denied = await answerSignIn(app, await provider.signIn(url, null), headers);
    expect(await denied.json()).toMatchObject({ code: 'SSO_FAILED', data: { reason: 'DENIED', name: 'Test provider' } });
    const second = await startSignIn(app);
    const query = await provider.signIn(second.url, 'idp-wei');
    provider.stop();
    const silent = await answerSignIn(app, query, second.headers);
    expect(await silent.json()).toMatchObject({ code: 'SSO_FAILED', data: { reason: 'NO_ANSWER' } });
  });
});

describe('an invitation', () => {
  async function invite(app: TestApp, address = 'wei@example.com') {
    const admin = await signInAs(app, 'all');
    const roles = await admin.api.administrators.roles();
    const roleIds = roles.filter(({ name }) => /编辑|editor/i.test(name)).map(({ id }) => id);
    const row = await admin.api.administrators.invite({ email: address, roles: roleIds, description: 'New' });
    return { row, admin, token: await readMailedToken(app, address) };
  }

  async function readMailedToken(app: TestApp, to: string): Promise<string> {
    const rows = await app.database.db.select().from(mails).where(eq(mails.recipient, to));
    return /#link-sso=([\w-]{43})/.exec(rows.at(-1)?.body ?? '')?.[1] ?? '';
  }

  const confirm = (app: TestApp, ticket: unknown, headers: Record<string, string>) =>
    send(app, 'POST', '/api/session/sso/link', { ticket }, headers);

  test('links the account it was for, after both names were shown, once', async () => {
    const { provider, app } = await createAppWithProvider();
    const { row, token, admin } = await invite(app);
    const first = await signIn(app, provider, 'idp-wei', { invitation: token });
    const second = await signIn(app, provider, 'idp-noor', { invitation: token });
    expect(first.body).toMatchObject({
      step: 'link',
      provider: { name: 'Test provider', email: 'wei@example.com', displayName: 'Wei Zhang' },
      account: { email: 'wei@example.com' },
    });
    expect(await app.database.db.$count(identityLinks)).toBe(0);
    const responses = await Promise.all([
      confirm(app, first.body['ticket'], first.headers),
      confirm(app, second.body['ticket'], second.headers),
    ]);
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 410]);
    const links = await app.database.db.select().from(identityLinks);
    const inviter = await findAdministrator(app, (await admin.api.session.current()).email);
    expect(links).toEqual([expect.objectContaining({ administratorId: row.id, origin: 'invitation', linkedBy: inviter.id })]);
    const changes = await app.database.db.select().from(accountChanges).where(eq(accountChanges.administratorId, row.id));
    expect(changes.map(({ what, changedBy }) => [what, changedBy])).toEqual(
      expect.arrayContaining([
        ['created', inviter.id],
        ['linked', inviter.id],
      ]),
    );
    expect((await send(app, 'POST', '/api/session/sso/start', { invitation: token })).status).toBe(410);
    const subject = links[0]?.subject ?? '';
    expect((await signIn(app, provider, subject)).body).toMatchObject({ access: { email: 'wei@example.com' } });
  });

  test('is void after a day, and when the colleague who sent it was disabled', async () => {
    const { app } = await createAppWithProvider();
    const { token } = await invite(app);
    const isUsable = async () => (await send(app, 'POST', '/api/session/sso/start', { invitation: token })).status === 200;
    await app.database.db.update(administrators).set({ enabled: false }).where(eq(administrators.email, 'admin@demo.local'));
    expect(await isUsable()).toBe(false);
    await app.database.db.update(administrators).set({ enabled: true }).where(eq(administrators.email, 'admin@demo.local'));
    expect(await isUsable()).toBe(true);
    app.clock.now += 24 * hourMs;
    expect(await isUsable()).toBe(false);
  });

  test('takes the link of a deleted account over, and never that of another one', async () => {
    const { provider, app } = await createAppWithProvider();
    const leaver = await linkAccount(app, provider.issuer);
    const { row, token } = await invite(app);
    const refused = await signIn(app, provider, 'idp-wei', { invitation: token });
    const refusal = await confirm(app, refused.body['ticket'], refused.headers);
    expect(await refusal.json()).toMatchObject({ code: 'SSO_FAILED', data: { reason: 'LINKED_ELSEWHERE' } });
    await app.database.db
      .update(administrators)
      .set({ deletedAt: new Date(), enabled: false })
      .where(eq(administrators.id, leaver.id));
    const { body, headers } = await signIn(app, provider, 'idp-wei', { invitation: token });
    expect((await confirm(app, body['ticket'], headers)).status).toBe(200);
    const links = await app.database.db.select().from(identityLinks);
    expect(links.map(({ administratorId }) => administratorId)).toEqual([row.id]);
  });
});

describe('a person', () => {
  test('links their own account with a fresh password, and only in the session that began it', async () => {
    const { provider, app } = await createAppWithProvider();
    const { api, headers } = await signInAs(app, 'analyst');
    const started = await send(app, 'POST', '/api/account/sso/start', undefined, headers);
    const { url } = (await started.json()) as { url: string };
    const browser = mergeCookies(headers, started);
    const response = await answerSignIn(app, await provider.signIn(url, 'idp-wei'), browser);
    const { ticket } = (await response.json()) as { ticket: string };
    const anonymous = { cookie: browser['cookie'] ?? '' };
    expect((await send(app, 'POST', '/api/session/sso/link', { ticket }, anonymous)).status).toBe(410);
    expect(await (await send(app, 'POST', '/api/session/sso/link', { ticket }, browser)).json()).toEqual({ step: 'linked' });
    expect(await api.account.get()).toMatchObject({ sso: { email: 'wei@example.com' }, hasPassword: true });
    await api.account.unlinkSso();
    expect(await app.database.db.$count(identityLinks)).toBe(0);
  });

  test('who alone can manage access links the account only with a second factor', async () => {
    const { provider, app } = await createAppWithProvider();
    const { headers, api } = await signInAs(app, 'access');
    const own = eq(administrators.email, (await api.session.current()).email);
    await app.database.db.update(administrators).set({ enabled: false }).where(not(own));
    await app.database.db.update(administrators).set({ demo: false }).where(own);
    const link = async () => {
      const started = await send(app, 'POST', '/api/account/sso/start', undefined, headers);
      const { url } = (await started.json()) as { url: string };
      const browser = mergeCookies(headers, started);
      const response = await answerSignIn(app, await provider.signIn(url, 'idp-wei'), browser);
      const { ticket } = (await response.json()) as { ticket: string };
      return (await (await send(app, 'POST', '/api/session/sso/link', { ticket }, browser)).json()) as object;
    };
    expect(await link()).toMatchObject({ code: 'LAST_ACCESS' });
    expect(await app.database.db.$count(identityLinks)).toBe(0);
    await app.database.db.update(administrators).set({ totpSecret: 'sealed' }).where(own);
    await app.database.db.update(sessions).set({ factorAt: new Date(app.clock.now) });
    expect(await link()).toEqual({ step: 'linked' });
  });

  test('needs a fresh password to link, and can’t unlink the only way in', async () => {
    const { provider, app } = await createAppWithProvider();
    const { api } = await signInAs(app, 'analyst');
    app.clock.now += 300_000;
    await expect(api.account.linkSso()).rejects.toMatchObject({ code: 'FACTOR_STALE' });
    await linkAccount(app, provider.issuer);
    await app.database.db.update(administrators).set({ passwordHash: null }).where(eq(administrators.email, email));
    const { response, body } = await signIn(app, provider);
    const linked = openPanel(app, response, body);
    await app.database.db.update(sessions).set({ ssoAt: new Date(app.clock.now) });
    await expect(linked.account.unlinkSso()).rejects.toMatchObject({ code: 'LAST_SIGN_IN_METHOD' });
  });

  test.each([false, true])(
    'without a password proves who they are at the provider before a first factor, required by their role: %s',
    async (needsFactor) => {
      const { provider, app } = await createAppWithProvider();
      await linkAccount(app, provider.issuer);
      await app.database.db
        .update(administrators)
        .set({ passwordHash: null, demo: !needsFactor })
        .where(eq(administrators.email, email));
      await app.database.db.update(roles).set({ needsFactor });
      const { response, body } = await signIn(app, provider);
      const headers = { authorization: String(body['authorization']), cookie: readCookies(response) };
      const api = createApi(app, headers);
      expect((await api.session.current()).factorNeeded ?? false).toBe(needsFactor);
      await app.database.db.update(sessions).set({ ssoAt: null });
      await expect(api.account.startTotp()).rejects.toMatchObject({ code: 'FACTOR_STALE' });
      const started = await send(app, 'POST', '/api/account/sso/prove', undefined, headers);
      const { url } = (await started.json()) as { url: string };
      expect(new URL(url).searchParams.get('max_age')).toBe('0');
      const proven = await answerSignIn(app, await provider.signIn(url, 'idp-wei'), mergeCookies(headers, started));
      expect(await proven.json()).toEqual({ step: 'proven' });
      expect(await api.account.startTotp()).toMatchObject({ secret: expect.any(String) as string });
      const [session] = await app.database.db.select().from(sessions);
      expect(session).toMatchObject({ ssoAt: expect.any(Date) as Date, factorAt: null, passwordAt: null });
    },
  );

  test('proves nothing as another person of the provider, nor from another session', async () => {
    const { provider, app } = await createAppWithProvider();
    await linkAccount(app, provider.issuer);
    await linkAccount(app, provider.issuer, 'editor@demo.local', 'idp-noor');
    const { response, body } = await signIn(app, provider);
    const headers = { authorization: String(body['authorization']), cookie: readCookies(response) };
    await app.database.db.update(sessions).set({ ssoAt: null });
    const proveAs = async (subject: string, answerHeaders: Record<string, string> = {}) => {
      const started = await send(app, 'POST', '/api/account/sso/prove', undefined, headers);
      const { url } = (await started.json()) as { url: string };
      const browser = mergeCookies(headers, started);
      return (await answerSignIn(app, await provider.signIn(url, subject), { ...browser, ...answerHeaders })).json();
    };
    expect(await proveAs('idp-noor')).toMatchObject({ code: 'SSO_FAILED', data: { reason: 'OTHER_PERSON' } });
    const other = await signInAs(app, 'approver');
    expect(await proveAs('idp-wei', { authorization: other.headers['authorization'] ?? '' })).toMatchObject({
      code: expect.stringMatching(/^(ATTEMPT_GONE|UNAUTHORIZED)$/) as string,
    });
    const rows = await app.database.db.select({ ssoAt: sessions.ssoAt }).from(sessions);
    expect(rows.map(({ ssoAt }) => ssoAt)).toEqual([null, null]);
  });
});

describe('a linked account', () => {
  const signInByPassword = async (app: TestApp, password: string) => {
    const response = await send(app, 'POST', '/api/session', { email, password });
    const { code } = (await response.json()) as { code?: string };
    return { status: response.status, code };
  };

  test('signs in through the provider only where that is required, with the answer of a wrong password', async () => {
    const { provider, app } = await createAppWithProvider({ SSO_REQUIRED: 'on' });
    expect((await signInByPassword(app, demoPassword)).status).toBe(200);
    await linkAccount(app, provider.issuer);
    expect(await signInByPassword(app, demoPassword)).toEqual(await signInByPassword(app, 'a wrong password'));
  });

  test('cannot unlink itself where the provider is required, and a colleague can unlink it', async () => {
    const { provider, app } = await createAppWithProvider({ SSO_REQUIRED: 'on' });
    const own = await signInAs(app, 'analyst');
    const account = await linkAccount(app, provider.issuer);
    await expect(own.api.account.unlinkSso()).rejects.toMatchObject({
      code: 'PROVIDER_REQUIRED',
      data: { name: 'Test provider' },
    });
    expect(await app.database.db.$count(identityLinks)).toBe(1);
    const admin = await signInAs(app, 'all');
    expect((await admin.api.administrators.unlinkSso({ id: account.id, version: account.version })).sso).toBeNull();
  });

  test('that is linked while its new password is stored keeps the old one', async () => {
    const { provider, app } = await createAppWithProvider();
    expect((await send(app, 'POST', '/api/session/forgot', { email })).status).toBe(200);
    const [mail] = await app.database.db.select().from(mails);
    const code = /\b\d{6}\b/.exec(mail?.body ?? '')?.[0] ?? '';
    const blocker = await app.database.connect();
    await blocker.query('begin');
    await blocker.query('select pg_advisory_xact_lock(42800004)');
    const newPassword = { email, code, password: 'another long password' };
    const resetting = send(app, 'POST', '/api/session/password', newPassword);
    const lockQuery = `select from pg_locks where locktype = 'advisory' and not granted`;
    await expect.poll(async () => (await blocker.query(lockQuery)).rowCount, { timeout: 10_000 }).toBe(1);
    await linkAccount(app, provider.issuer);
    await blocker.query('commit');
    await blocker.end();
    expect(await (await resetting).json()).toMatchObject({ code: 'CODE_WRONG' });
    expect((await signInByPassword(app, demoPassword)).status).toBe(200);
  });

  test('gets no password by email', async () => {
    const { provider, app } = await createAppWithProvider();
    await linkAccount(app, provider.issuer);
    expect((await send(app, 'POST', '/api/session/forgot', { email })).status).toBe(200);
    expect(await app.database.db.$count(mails)).toBe(0);
  });

  test('signs in by password again when another provider was configured', async () => {
    const { provider, app } = await createAppWithProvider({ SSO_REQUIRED: 'on' });
    await linkAccount(app, `${provider.issuer}/earlier`);
    expect((await signInByPassword(app, demoPassword)).status).toBe(200);
    expect((await signIn(app, provider)).body).toMatchObject({ data: { reason: 'NOT_INVITED' } });
  });

  test('is unlinked by a colleague, who signs it out', async () => {
    const { provider, app } = await createAppWithProvider();
    const account = await linkAccount(app, provider.issuer);
    const { response, body } = await signIn(app, provider);
    const api = openPanel(app, response, body);
    const admin = await signInAs(app, 'all');
    const row = await admin.api.administrators.unlinkSso({ id: account.id, version: account.version });
    expect(row.sso).toBeNull();
    await expect(api.session.current()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect((await signIn(app, provider)).body).toMatchObject({ data: { reason: 'NOT_INVITED' } });
  });
});

/** As in a server of 1.0.0. */
const oldTokenPattern = /^Bearer ([\w-]{43})$/;

test('a session of the provider is none for a server of 1.0.0, which does not know its limits', async () => {
  const { provider, app } = await createAppWithProvider();
  const account = await linkAccount(app, provider.issuer);
  const { body } = await signIn(app, provider);
  expect(String(body['authorization'])).not.toMatch(oldTokenPattern);
  const own = await signInAs(app, 'analyst');
  expect(own.headers['authorization']).toMatch(oldTokenPattern);
  for (const { id, method } of await app.database.db.select().from(sessions)) {
    const { rows } = await app.database.pool.query('select still_allowed($1, $2, null) as refused', [account.id, id]);
    expect(rows).toEqual([{ refused: method === 'sso' ? 'UNAUTHORIZED' : null }]);
  }
});

describe('the configuration', () => {
  test('is audited when it changes, and only then', async () => {
    const provider = await startTestProvider();
    const app = await createTestApp(provider.env);
    const countChanges = async (config: TestApp['config']) => {
      await checkSsoAtStart({ ...servicesOf(app), config });
      return app.database.db.$count(audit, eq(audit.entity, 'identityProvider'));
    };
    expect(await countChanges(app.config)).toBe(1);
    const { sso } = app.config;
    if (!sso) throw new Error('there is no provider');
    expect(await countChanges({ ...app.config, sso: { ...sso, clientId: 'another' } })).toBe(2);
  });

  test.each([
    ['another provider', (sso: NonNullable<TestApp['config']['sso']>) => ({ ...sso, issuer: 'https://other.example.com' })],
    ['no provider', () => null],
  ])('with %s ends the sessions of the earlier one, and those of the CLI that were approved there', async (_, change) => {
    const { provider, app } = await createAppWithProvider();
    await linkAccount(app, provider.issuer);
    expect((await signIn(app, provider)).response.status).toBe(200);
    await signInAs(app, 'analyst');
    await signInAs(app, 'editor');
    await app.database.db.update(sessions).set({ method: 'cli' }).where(eq(sessions.method, 'password'));
    await signInAs(app, 'analyst');
    const readOpen = async () =>
      (await app.database.db.select().from(sessions).where(isNull(sessions.revokedAt))).map(({ method }) => method).toSorted();
    await checkSsoAtStart(servicesOf(app));
    expect(await readOpen()).toEqual(['cli', 'cli', 'password', 'sso']);
    const { sso } = app.config;
    if (!sso) throw new Error('there is no provider');
    await checkSsoAtStart({ ...servicesOf(app), config: { ...app.config, sso: change(sso) } });
    expect(await readOpen()).toEqual(['cli', 'password']);
    const rows = await app.database.db.select().from(audit).where(eq(audit.action, 'endSessions'));
    expect(rows).toHaveLength(1);
  });

  test('that requires the provider ends the other sessions of linked accounts, and those of the CLI approved there', async () => {
    const { provider, app } = await createAppWithProvider();
    await linkAccount(app, provider.issuer);
    await linkAccount(app, 'https://earlier.example.com', 'editor@demo.local');
    await signInAs(app, 'analyst');
    await app.database.db.update(sessions).set({ method: 'cli' });
    await signInAs(app, 'analyst');
    await app.database.db.update(sessions).set({ method: 'wallet' }).where(eq(sessions.method, 'password'));
    await signInAs(app, 'analyst');
    await signInAs(app, 'editor');
    expect((await signIn(app, provider)).response.status).toBe(200);
    const readOpen = async () =>
      (await app.database.db.select().from(sessions).where(isNull(sessions.revokedAt))).map(({ method }) => method).toSorted();
    await checkSsoAtStart(servicesOf(app));
    expect(await readOpen()).toEqual(['cli', 'password', 'password', 'sso', 'wallet']);
    const { sso } = app.config;
    if (!sso) throw new Error('there is no provider');
    const start = () => checkSsoAtStart({ ...servicesOf(app), config: { ...app.config, sso: { ...sso, required: true } } });
    for (let number = 0; number < 2; number += 1) await start();
    expect(await readOpen()).toEqual(['password', 'sso']);
    const rows = await app.database.db.select().from(audit).where(eq(audit.action, 'endSessions'));
    expect(rows.map(({ entity, after }) => [entity, after])).toEqual([['identityProvider', '{"ended":2}']]);
  });

  test('that requires the provider starts only while someone could manage access without it', async () => {
    const { provider, app } = await createAppWithProvider({ SSO_REQUIRED: 'on' });
    const start = () => checkSsoAtStart(servicesOf(app));
    await start();
    for (const { id, email: address } of await app.database.db.select().from(administrators))
      await linkAccount(app, provider.issuer, address, `idp-${id}`);
    await expect(start()).rejects.toThrow('SSO_REQUIRED');
  });
});
