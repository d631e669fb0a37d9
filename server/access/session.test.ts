import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { demoPassword } from '../seed/roles.ts';
import { cookieName } from '../platform/auth/sign-in/sessions.ts';
import { peerAt, send, signInAs, testApp, type TestSession, type TestApp } from '../testing/support.ts';
import { audit } from '../platform/audit/tables.ts';
import { administrators, sessions } from '../platform/auth/tables.ts';

const minute = 60_000;
const current = (app: TestApp, { headers }: Pick<TestSession, 'headers'>) => send(app, 'GET', '/api/session', undefined, headers);
const signIn = (app: TestApp, email: string, password: string, headers?: Record<string, string>) =>
  send(app, 'POST', '/api/session', { email, password }, headers);

test('a person who signs in gets their nested routes and permissions', async () => {
  const { api } = await signInAs(await testApp(), 'editor');
  const access = await api.session.current();
  expect(access.email).toBe('editor@demo.local');
  expect(access.permittedRoutes).toEqual([
    { path: '/', zh: '首页', en: 'Home' },
    { path: '/news', zh: '新闻管理', en: 'News Manage' },
    { path: '/feedback', zh: '反馈管理', en: 'Feedback Manage' },
    { path: '/notices', zh: '公告管理', en: 'Notice Manage' },
    { path: '/account' },
  ]);
  expect(access.codes).toContainEqual({ code: 'news.delete' });
});

test('menu groups of a signed-in person contain only their permitted children', async () => {
  const { api } = await signInAs(await testApp(), 'access');
  const { permittedRoutes, codes } = await api.session.current();
  expect(permittedRoutes).toContainEqual({
    path: '/permissions',
    zh: '权限管理',
    en: 'Permission Manag',
    children: [
      { path: '/permissions/administrator', zh: '管理员', en: 'Administrators' },
      { path: '/permissions/role', zh: '角色管理', en: 'Role management' },
      { path: '/permissions/permission', zh: '权限设置', en: 'Permission settings' },
    ],
  });
  expect(new Set(codes.map(({ code }) => code.split('.')[0]))).toEqual(
    new Set(['administrators', 'roles', 'permissions', 'audit']),
  );
});

describe('a session', () => {
  test('is refused with its token alone, and the attempt is recorded', async () => {
    const app = await testApp();
    const { headers } = await signInAs(app, 'all');
    const response = await current(app, { headers: { authorization: headers['authorization'] ?? '' } });
    expect(response.status).toBe(401);
    const wrongHalf = { authorization: headers['authorization'] ?? '', cookie: `half=${'A'.repeat(43)}` };
    expect((await current(app, { headers: wrongHalf })).status).toBe(401);
    const refused = await app.database.db.select().from(audit).where(eq(audit.result, 'refused'));
    expect(refused).toHaveLength(2);
    expect(refused[0]).toMatchObject({ actorEmail: 'admin@demo.local' });
    expect(refused[0]?.after).toContain('COOKIE');
  });

  test('is refused with its cookie alone, and with halves of two sessions', async () => {
    const app = await testApp();
    const [one, two] = [await signInAs(app, 'all'), await signInAs(app, 'all')];
    expect((await current(app, { headers: { cookie: one.headers['cookie'] ?? '' } })).status).toBe(401);
    const mixed = { authorization: one.headers['authorization'] ?? '', cookie: two.headers['cookie'] ?? '' };
    expect((await current(app, { headers: mixed })).status).toBe(401);
  });

  test('ends immediately at sign-out, without affecting others', async () => {
    const app = await testApp();
    const [one, two] = [await signInAs(app, 'all'), await signInAs(app, 'all')];
    const response = await send(app, 'DELETE', '/api/session', undefined, one.headers);
    expect(response.status).toBe(200);
    expect(response.headers.get('set-cookie')).toContain('Max-Age=0');
    expect((await current(app, one)).status).toBe(401);
    expect((await current(app, two)).status).toBe(200);
  });

  test('stays separate among concurrent requests, and is over for each request after its end', async () => {
    const app = await testApp();
    const roles = ['editor', 'access', 'all'] as const;
    const signedIn = await Promise.all(roles.map((role) => signInAs(app, role)));
    const nobody = { headers: { authorization: `Bearer ${'A'.repeat(43)}`, cookie: `half=${'A'.repeat(43)}` } };
    const mixed = Array.from({ length: 40 }, (_, at) => signedIn[at % 4] ?? nobody);
    const emails = await Promise.all(
      mixed.map(async (session) => ((await (await current(app, session)).json()) as { email?: string }).email),
    );
    const expected = ['editor@demo.local', 'access@demo.local', 'admin@demo.local', undefined];
    expect(emails).toEqual(mixed.map((_, at) => expected[at % 4]));

    for (let round = 0; round < 10; round++) {
      const leaving = await signInAs(app, 'editor');
      const busy = Array.from({ length: 5 }, () => current(app, leaving));
      await send(app, 'DELETE', '/api/session', undefined, leaving.headers);
      const after = await Promise.all([leaving, ...signedIn, leaving].map((session) => current(app, session)));
      expect(after.map(({ status }) => status)).toEqual([401, 200, 200, 200, 401]);
      await Promise.all(busy);
    }
  });

  test('ends after half an hour without use, and use extends it', async () => {
    const app = await testApp();
    const session = await signInAs(app, 'all');
    app.clock.now += 29 * minute;
    expect((await current(app, session)).status).toBe(200);
    app.clock.now += 29 * minute;
    expect((await current(app, session)).status).toBe(200);
    app.clock.now += 30 * minute;
    expect((await current(app, session)).status).toBe(401);
  });

  test('ends after twelve hours despite use', async () => {
    const app = await testApp();
    const session = await signInAs(app, 'all');
    for (let passed = 0; passed < 12 * 60 - 20; passed += 20) {
      app.clock.now += 20 * minute;
      expect((await current(app, session)).status).toBe(200);
    }
    app.clock.now += 20 * minute;
    expect((await current(app, session)).status).toBe(401);
  });

  test('updates its last use at most once a minute', async () => {
    const app = await testApp();
    const session = await signInAs(app, 'all');
    const lastSeen = async () => (await app.database.db.select().from(sessions))[0]?.lastSeenAt.getTime();
    const first = await lastSeen();
    app.clock.now += 59_000;
    await current(app, session);
    expect(await lastSeen()).toBe(first);
    app.clock.now += 1_000;
    await current(app, session);
    expect(await lastSeen()).toBe(app.clock.now);
  });

  test('ends when the account is disabled, and follows its roles at the next request', async () => {
    const app = await testApp();
    const session = await signInAs(app, 'analyst');
    await app.database.pool.query(`delete from role_nodes using roles where role_id = roles.id and roles.seed = 'analyst'`);
    const { permittedRoutes } = await session.api.session.current();
    expect(permittedRoutes).toEqual([{ path: '/account' }]);
    await app.database.db.update(administrators).set({ enabled: false }).where(eq(administrators.email, 'analyst@demo.local'));
    expect((await current(app, session)).status).toBe(401);
  });

  test('is new at every sign-in, whatever the browser sent', async () => {
    const app = await testApp();
    const one = await signInAs(app, 'all');
    const response = await signIn(app, 'admin@demo.local', demoPassword, one.headers);
    const { authorization } = (await response.json()) as { authorization: string };
    expect(authorization).not.toBe(one.headers['authorization']);
    expect(response.headers.get('set-cookie')).not.toContain(one.headers['cookie']);
  });

  test('is stored only as hashes', async () => {
    const app = await testApp();
    const { headers } = await signInAs(app, 'all');
    const { rows } = await app.database.pool.query<{ row: string }>('select sessions::text as row from sessions');
    const secrets = [headers['authorization']?.slice('Bearer '.length) ?? '', headers['cookie']?.split('=')[1] ?? ''];
    for (const secret of secrets) {
      expect(secret).toHaveLength(43);
      expect(rows[0]?.row).not.toContain(secret);
      expect(app.logged.join('')).not.toContain(secret);
    }
  });

  test('has a cookie that scripts cannot read and other sites cannot send, with the __Host- prefix in production', async () => {
    const app = await testApp();
    const [cookie] = (await signIn(app, 'admin@demo.local', demoPassword)).headers.getSetCookie();
    expect(cookie).toMatch(/^half=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/);
    expect(cookieName({ ...app.config, production: true })).toBe('__Host-half');
    const secure = await testApp({ PUBLIC_URL: 'https://panel.example.com' });
    const [secured] = (await signIn(secure, 'admin@demo.local', demoPassword)).headers.getSetCookie();
    expect(secured).toMatch(/^__Host-half=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200; Secure$/);
  });
});

describe('signing in', () => {
  test('answers alike for a wrong password, an unknown and a disabled account', async () => {
    const app = await testApp();
    await app.database.db.update(administrators).set({ enabled: false }).where(eq(administrators.email, 'editor@demo.local'));
    await app.database.db
      .update(administrators)
      .set({ passwordHash: null })
      .where(eq(administrators.email, 'approver@demo.local'));
    const answers = [];
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
      answers.push({ status: response.status, body, headers });
    }
    expect(answers[0]).toMatchObject({ status: 401, body: { code: 'SIGN_IN_FAILED' } });
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  });

  test('refuses demo accounts and their old sessions in production', async () => {
    const app = await testApp();
    const { headers } = await signInAs(app, 'all');
    Object.assign(app.config, { production: true, demo: false });
    const inProduction = { headers: { ...headers, cookie: `__Host-${headers['cookie']}` } };
    expect((await current(app, inProduction)).status).toBe(401);
    expect((await signIn(app, 'admin@demo.local', demoPassword)).status).toBe(401);
    // The refusal must depend only on the demo account.
    await app.database.db.update(administrators).set({ demo: false });
    expect((await current(app, inProduction)).status).toBe(200);
    expect((await signIn(app, 'admin@demo.local', demoPassword)).status).toBe(200);
  });

  test('delays an account increasingly after five wrong passwords, in every spelling of the email', async () => {
    const app = await testApp();
    const spellings = ['admin@demo.local', 'ADMIN@demo.local', ' admin@demo.local', 'admin@demo.local  ', 'Ａdmin@Demo.Local'];
    for (const spelling of spellings) expect((await signIn(app, spelling, 'wrong')).status).toBe(401);
    const blocked = await signIn(app, 'admin@demo.local', demoPassword, { 'x-forwarded-for': '9.9.9.9' });
    expect(blocked.status).toBe(429);
    expect(await blocked.json()).toMatchObject({ code: 'TOO_MANY_REQUESTS', data: { retryAfter: 2 } });
    const waits: number[] = [2];
    for (let round = 0; round < 11; round++) {
      app.clock.now += (waits.at(-1) ?? 0) * 1000;
      expect((await signIn(app, 'admin@demo.local', 'wrong')).status).toBe(401);
      const { data } = (await (await signIn(app, 'admin@demo.local', 'wrong')).json()) as { data: { retryAfter: number } };
      waits.push(data.retryAfter);
    }
    expect(waits).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900]);
    app.clock.now += 900_000;
    expect((await signIn(app, 'admin@demo.local', demoPassword)).status).toBe(200);
    expect((await signIn(app, 'admin@demo.local', 'wrong')).status).toBe(401);
  });

  test('delays an unknown account in the same way', async () => {
    const app = await testApp();
    for (let attempt = 0; attempt < 5; attempt++) await signIn(app, 'nobody@demo.local', 'wrong');
    expect((await signIn(app, 'nobody@demo.local', 'wrong')).status).toBe(429);
  });

  test('counts concurrent attempts like sequential ones', async () => {
    const app = await testApp();
    const attempts = await Promise.all(Array.from({ length: 20 }, () => signIn(app, 'admin@demo.local', 'wrong')));
    expect(attempts.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(attempts.filter(({ status }) => status === 429)).toHaveLength(15);
  });

  test('delays a network that tries many accounts, ignoring successes and forged headers', async () => {
    const app = await testApp({ SIGN_IN_PER_NETWORK: '3' });
    const from = (address: string, email: string, password: string, forwarded = '') =>
      app.http.fetch(
        new Request('http://localhost/api/session', {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-forwarded-for': forwarded },
          body: JSON.stringify({ email, password }),
        }),
        peerAt(address),
      );
    for (let time = 0; time < 5; time++) expect((await from('7.7.7.7', 'analyst@demo.local', demoPassword)).status).toBe(200);
    for (let one = 0; one < 3; one++) expect((await from('7.7.7.7', `a${one}@demo.local`, 'wrong')).status).toBe(401);
    expect((await from('7.7.7.7', 'a4@demo.local', 'wrong', '1.1.1.1')).status).toBe(429);
    expect((await from('8.8.8.8', 'a4@demo.local', 'wrong')).status).toBe(401);
    app.clock.now += 10 * minute;
    expect((await from('7.7.7.7', 'a5@demo.local', 'wrong')).status).toBe(401);
  });

  test('is recorded in the audit, as are sign-outs and refused attempts', async () => {
    const app = await testApp();
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
