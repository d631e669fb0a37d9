import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { demoPassword } from '../seed/roles.ts';
import { sessionCookieName } from '../platform/auth/sign-in/sessions.ts';
import { createPeer, send, signInAs, createTestApp, type TestSession, type TestApp } from '../testing/support.ts';
import { audit } from '../platform/audit/tables.ts';
import { administrators, sessions } from '../platform/auth/tables.ts';

const minuteMs = 60_000;
const readCurrentSession = (app: TestApp, { headers }: Pick<TestSession, 'headers'>) =>
  send(app, 'GET', '/api/session', undefined, headers);
const signIn = (app: TestApp, email: string, password: string, headers?: Record<string, string>) =>
  send(app, 'POST', '/api/session', { email, password }, headers);

test('a person who signs in gets their nested routes and permissions', async () => {
  const { api } = await signInAs(await createTestApp(), 'editor');
  const currentAccess = await api.session.current();
  expect(currentAccess.email).toBe('editor@demo.local');
  expect(currentAccess.permittedRoutes).toEqual([
    { path: '/', zh: '首页', en: 'Home' },
    { path: '/news', zh: '新闻管理', en: 'News Manage' },
    { path: '/feedback', zh: '反馈管理', en: 'Feedback Manage' },
    { path: '/notices', zh: '公告管理', en: 'Notice Manage' },
    { path: '/account' },
  ]);
  expect(currentAccess.codes).toContainEqual({ code: 'news.delete' });
});

test('menu groups of a signed-in person contain only their permitted children', async () => {
  const { api } = await signInAs(await createTestApp(), 'access');
  const { permittedRoutes, codes } = await api.session.current();
  expect(permittedRoutes).toContainEqual({
    path: '/permissions',
    zh: '权限管理',
    en: 'Permission Manag',
    children: [
      { path: '/permissions/administrator', zh: '管理员', en: 'Administrators' },
      { path: '/permissions/role', zh: '角色管理', en: 'Role management' },
      { path: '/permissions/permission', zh: '权限设置', en: 'Permission settings' },
      { path: '/permissions/service', zh: '服务账号', en: 'Service accounts' },
      { path: '/permissions/identity', zh: '单点登录与同步', en: 'Single sign-on' },
    ],
  });
  expect(new Set(codes.map(({ code }) => code.split('.')[0]))).toEqual(
    new Set(['administrators', 'roles', 'permissions', 'services', 'identity', 'audit']),
  );
});

describe('a session', () => {
  test('is refused with its token alone, and the attempt is recorded', async () => {
    const app = await createTestApp();
    const { headers } = await signInAs(app, 'all');
    const response = await readCurrentSession(app, { headers: { authorization: headers['authorization'] ?? '' } });
    expect(response.status).toBe(401);
    const wrongCookieHalf = { authorization: headers['authorization'] ?? '', cookie: `half=${'A'.repeat(43)}` };
    expect((await readCurrentSession(app, { headers: wrongCookieHalf })).status).toBe(401);
    const refusedEntries = await app.database.db.select().from(audit).where(eq(audit.result, 'refused'));
    expect(refusedEntries).toHaveLength(2);
    expect(refusedEntries[0]).toMatchObject({ actorEmail: 'admin@demo.local' });
    expect(refusedEntries[0]?.after).toContain('COOKIE');
  });

  test('is refused with its cookie alone, and with halves of two sessions', async () => {
    const app = await createTestApp();
    const [firstSession, secondSession] = [await signInAs(app, 'all'), await signInAs(app, 'all')];
    expect((await readCurrentSession(app, { headers: { cookie: firstSession.headers['cookie'] ?? '' } })).status).toBe(401);
    const mixedHeaders = {
      authorization: firstSession.headers['authorization'] ?? '',
      cookie: secondSession.headers['cookie'] ?? '',
    };
    expect((await readCurrentSession(app, { headers: mixedHeaders })).status).toBe(401);
  });

  test('ends immediately at sign-out, without affecting others', async () => {
    const app = await createTestApp();
    const [firstSession, secondSession] = [await signInAs(app, 'all'), await signInAs(app, 'all')];
    const response = await send(app, 'DELETE', '/api/session', undefined, firstSession.headers);
    expect(response.status).toBe(200);
    expect(response.headers.get('set-cookie')).toContain('Max-Age=0');
    expect((await readCurrentSession(app, firstSession)).status).toBe(401);
    expect((await readCurrentSession(app, secondSession)).status).toBe(200);
  });

  test('stays separate among concurrent requests, and is over for each request after its end', async () => {
    const app = await createTestApp();
    const roles = ['editor', 'access', 'all'] as const;
    const signedIn = await Promise.all(roles.map((role) => signInAs(app, role)));
    const unknownSession = { headers: { authorization: `Bearer ${'A'.repeat(43)}`, cookie: `half=${'A'.repeat(43)}` } };
    const mixedSessions = Array.from({ length: 40 }, (_, index) => signedIn[index % 4] ?? unknownSession);
    const emails = await Promise.all(
      mixedSessions.map(async (session) => ((await (await readCurrentSession(app, session)).json()) as { email?: string }).email),
    );
    const expectedEmails = ['editor@demo.local', 'access@demo.local', 'admin@demo.local', undefined];
    expect(emails).toEqual(mixedSessions.map((_, index) => expectedEmails[index % 4]));

    for (let round = 0; round < 10; round++) {
      const leavingSession = await signInAs(app, 'editor');
      const pendingRequests = Array.from({ length: 5 }, () => readCurrentSession(app, leavingSession));
      await send(app, 'DELETE', '/api/session', undefined, leavingSession.headers);
      const responsesAfter = await Promise.all(
        [leavingSession, ...signedIn, leavingSession].map((session) => readCurrentSession(app, session)),
      );
      expect(responsesAfter.map(({ status }) => status)).toEqual([401, 200, 200, 200, 401]);
      await Promise.all(pendingRequests);
    }
  });

  test('ends after half an hour without use, and use extends it', async () => {
    const app = await createTestApp();
    const session = await signInAs(app, 'all');
    app.clock.now += 29 * minuteMs;
    expect((await readCurrentSession(app, session)).status).toBe(200);
    app.clock.now += 29 * minuteMs;
    expect((await readCurrentSession(app, session)).status).toBe(200);
    app.clock.now += 30 * minuteMs;
    expect((await readCurrentSession(app, session)).status).toBe(401);
  });

  test('ends after twelve hours despite use', async () => {
    const app = await createTestApp();
    const session = await signInAs(app, 'all');
    for (let elapsedMinutes = 0; elapsedMinutes < 12 * 60 - 20; elapsedMinutes += 20) {
      app.clock.now += 20 * minuteMs;
      expect((await readCurrentSession(app, session)).status).toBe(200);
    }
    app.clock.now += 20 * minuteMs;
    expect((await readCurrentSession(app, session)).status).toBe(401);
  });

  test('updates its last use at most once a minute', async () => {
    const app = await createTestApp();
    const session = await signInAs(app, 'all');
    const readLastSeen = async () => (await app.database.db.select().from(sessions))[0]?.lastSeenAt.getTime();
    const firstSeenAt = await readLastSeen();
    app.clock.now += 59_000;
    await readCurrentSession(app, session);
    expect(await readLastSeen()).toBe(firstSeenAt);
    app.clock.now += 1_000;
    await readCurrentSession(app, session);
    expect(await readLastSeen()).toBe(app.clock.now);
  });

  test('ends when the account is disabled, and follows its roles at the next request', async () => {
    const app = await createTestApp();
    const session = await signInAs(app, 'analyst');
    await app.database.pool.query(`delete from role_nodes using roles where role_id = roles.id and roles.seed = 'analyst'`);
    const { permittedRoutes } = await session.api.session.current();
    expect(permittedRoutes).toEqual([{ path: '/account' }]);
    await app.database.db.update(administrators).set({ enabled: false }).where(eq(administrators.email, 'analyst@demo.local'));
    expect((await readCurrentSession(app, session)).status).toBe(401);
  });

  test('is new at every sign-in, whatever the browser sent', async () => {
    const app = await createTestApp();
    const session = await signInAs(app, 'all');
    const response = await signIn(app, 'admin@demo.local', demoPassword, session.headers);
    const { authorization } = (await response.json()) as { authorization: string };
    expect(authorization).not.toBe(session.headers['authorization']);
    expect(response.headers.get('set-cookie')).not.toContain(session.headers['cookie']);
  });

  test('is stored only as hashes', async () => {
    const app = await createTestApp();
    const { headers } = await signInAs(app, 'all');
    const { rows } = await app.database.pool.query<{ row: string }>('select sessions::text as row from sessions');
    const sessionSecrets = [headers['authorization']?.slice('Bearer '.length) ?? '', headers['cookie']?.split('=')[1] ?? ''];
    for (const secret of sessionSecrets) {
      expect(secret).toHaveLength(43);
      expect(rows[0]?.row).not.toContain(secret);
      expect(app.logged.join('')).not.toContain(secret);
    }
  });

  test('has a cookie that scripts cannot read and other sites cannot send, with the __Host- prefix in production', async () => {
    const app = await createTestApp();
    const [cookie] = (await signIn(app, 'admin@demo.local', demoPassword)).headers.getSetCookie();
    expect(cookie).toMatch(/^half=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/);
    expect(sessionCookieName({ ...app.config, production: true })).toBe('__Host-half');
    const secureApp = await createTestApp({ PUBLIC_URL: 'https://panel.example.com' });
    const [secureCookie] = (await signIn(secureApp, 'admin@demo.local', demoPassword)).headers.getSetCookie();
    expect(secureCookie).toMatch(/^__Host-half=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200; Secure$/);
  });
});

describe('signing in', () => {
  test('answers alike for a wrong password, an unknown and a disabled account', async () => {
    const app = await createTestApp();
    await app.database.db.update(administrators).set({ enabled: false }).where(eq(administrators.email, 'editor@demo.local'));
    await app.database.db
      .update(administrators)
      .set({ passwordHash: null })
      .where(eq(administrators.email, 'approver@demo.local'));
    const errorBodies = [];
    for (const [email, password] of [
      ['admin@demo.local', 'wrong-wrong-wrong'],
      ['nobody@demo.local', demoPassword],
      ['editor@demo.local', demoPassword],
      ['approver@demo.local', demoPassword],
      ["' or 1=1 --", demoPassword],
      ['nul\0@demo.local', demoPassword],
      ['half \ud800 pair', demoPassword],
    ] as const) {
      const response = await signIn(app, email, password);
      const { requestId, ...body } = (await response.json()) as Record<string, unknown>;
      expect(requestId).toBe(response.headers.get('x-request-id'));
      const headers = [...response.headers].filter(([name]) => name !== 'x-request-id');
      errorBodies.push({ status: response.status, body, headers });
    }
    expect(errorBodies[0]).toMatchObject({ status: 401, body: { code: 'SIGN_IN_FAILED' } });
    for (const errorBody of errorBodies) expect(errorBody).toEqual(errorBodies[0]);
  });

  test('refuses demo accounts and their old sessions in production', async () => {
    const app = await createTestApp();
    const { headers } = await signInAs(app, 'all');
    Object.assign(app.config, { production: true, demo: false });
    const productionHeaders = { headers: { ...headers, cookie: `__Host-${headers['cookie']}` } };
    expect((await readCurrentSession(app, productionHeaders)).status).toBe(401);
    expect((await signIn(app, 'admin@demo.local', demoPassword)).status).toBe(401);
    // The refusal must depend only on the demo account.
    await app.database.db.update(administrators).set({ demo: false });
    expect((await readCurrentSession(app, productionHeaders)).status).toBe(200);
    expect((await signIn(app, 'admin@demo.local', demoPassword)).status).toBe(200);
  });

  test('delays an account increasingly after five wrong passwords, in every spelling of the email', async () => {
    const app = await createTestApp();
    const emailSpellings = [
      'admin@demo.local',
      'ADMIN@demo.local',
      ' admin@demo.local',
      'admin@demo.local  ',
      'Ａdmin@Demo.Local',
    ];
    for (const emailSpelling of emailSpellings) expect((await signIn(app, emailSpelling, 'wrong')).status).toBe(401);
    const blockedResponse = await signIn(app, 'admin@demo.local', demoPassword, { 'x-forwarded-for': '9.9.9.9' });
    expect(blockedResponse.status).toBe(429);
    expect(await blockedResponse.json()).toMatchObject({ code: 'TOO_MANY_REQUESTS', data: { retryAfter: 2 } });
    const waitTimes: number[] = [2];
    for (let round = 0; round < 11; round++) {
      app.clock.now += (waitTimes.at(-1) ?? 0) * 1000;
      expect((await signIn(app, 'admin@demo.local', 'wrong')).status).toBe(401);
      const { data } = (await (await signIn(app, 'admin@demo.local', 'wrong')).json()) as { data: { retryAfter: number } };
      waitTimes.push(data.retryAfter);
    }
    expect(waitTimes).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900]);
    app.clock.now += 900_000;
    expect((await signIn(app, 'admin@demo.local', demoPassword)).status).toBe(200);
    expect((await signIn(app, 'admin@demo.local', 'wrong')).status).toBe(401);
  });

  test('delays an unknown account in the same way', async () => {
    const app = await createTestApp();
    for (let attempt = 0; attempt < 5; attempt++) await signIn(app, 'nobody@demo.local', 'wrong');
    expect((await signIn(app, 'nobody@demo.local', 'wrong')).status).toBe(429);
  });

  test('counts concurrent attempts like sequential ones', async () => {
    const app = await createTestApp();
    const attempts = await Promise.all(Array.from({ length: 20 }, () => signIn(app, 'admin@demo.local', 'wrong')));
    expect(attempts.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(attempts.filter(({ status }) => status === 429)).toHaveLength(15);
  });

  test('delays a network that tries many accounts, ignoring successes and forged headers', async () => {
    const app = await createTestApp({ SIGN_IN_PER_NETWORK: '3' });
    const signInFrom = (address: string, email: string, password: string, forwardedFor = '') =>
      app.http.fetch(
        new Request('http://localhost/api/session', {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-forwarded-for': forwardedFor },
          body: JSON.stringify({ email, password }),
        }),
        createPeer(address),
      );
    for (let time = 0; time < 5; time++)
      expect((await signInFrom('7.7.7.7', 'analyst@demo.local', demoPassword)).status).toBe(200);
    for (let attempt = 0; attempt < 3; attempt++)
      expect((await signInFrom('7.7.7.7', `a${attempt}@demo.local`, 'wrong')).status).toBe(401);
    expect((await signInFrom('7.7.7.7', 'a4@demo.local', 'wrong', '1.1.1.1')).status).toBe(429);
    expect((await signInFrom('8.8.8.8', 'a4@demo.local', 'wrong')).status).toBe(401);
    app.clock.now += 10 * minuteMs;
    expect((await signInFrom('7.7.7.7', 'a5@demo.local', 'wrong')).status).toBe(401);
  });

  test('is recorded in the audit, as are sign-outs and refused attempts', async () => {
    const app = await createTestApp();
    const { api } = await signInAs(app, 'editor');
    await api.session.signOut();
    await signIn(app, 'editor@demo.local', 'wrong');
    const rows = await app.database.db.select().from(audit).orderBy(audit.seq);
    expect(rows.map(({ actorEmail, action, result }) => [actorEmail, action, result])).toEqual([
      ['editor@demo.local', 'signIn', 'done'],
      ['editor@demo.local', 'signOut', 'done'],
      ['editor@demo.local', 'signIn', 'refused'],
    ]);
  });
});
