import { eq } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { listContractRoutes } from '../../api/route.ts';
import { contract } from '../../api/contract.ts';
import { build } from '../../testing/factories/build.ts';
import { createStore, type Store } from '../../testing/factories/store.ts';
import { audit } from '../platform/audit/tables.ts';
import { isServiceScope } from '../platform/auth/service-accounts/service-rights.ts';
import { isServiceToken, newServiceToken } from '../platform/auth/service-accounts/token-format.ts';
import {
  administrators,
  permissionNodes,
  serviceAccountOwners,
  serviceAccounts,
  serviceTokenNodes,
  serviceTokens,
} from '../platform/auth/tables.ts';
import { mails } from '../platform/content/tables.ts';
import { createApi, send, createTestApp, signInAs, type TestApp } from '../testing/support.ts';

let app: TestApp;
let store: Store;
let owner: string;

beforeAll(async () => {
  app = await createTestApp({ SERVICE_CALLS_PER_MINUTE: '0' }, { jobs: false });
  store = createStore(app.database.db);
  const [row] = await app.database.db
    .select({ id: administrators.id })
    .from(administrators)
    .where(eq(administrators.email, 'access@demo.local'));
  owner = row?.id ?? '';
});

const news = ['/news', 'news.add', 'news.hide'];
const bearer = (text: string) => ({ authorization: `Bearer ${text}` });
const add = (text: string, title: string, headers: Record<string, string> = {}) =>
  send(app, 'POST', '/api/news', build.newsFields({ title }), { ...bearer(text), ...headers });
const problemOf = async (response: Response) => {
  const body = (await response.json()) as { code: string; data?: { token?: string } };
  return [response.status, body.code, body.data?.token];
};

test('a token has a prefix, 238 random bits and a checksum that no changed letter passes', () => {
  const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  for (let round = 0; round < 200; round++) {
    const token = newServiceToken();
    expect(token).toMatch(/^apanel_svc_[0-9A-Za-z]{46}$/);
    expect(isServiceToken(token)).toBe(true);
    const at = 11 + (round % 46);
    const other = letters[(letters.indexOf(token[at] ?? '') + 1 + (round % 61)) % 62] ?? '';
    expect(isServiceToken(`${token.slice(0, at)}${other}${token.slice(at + 1)}`)).toBe(token[at] === other);
  }
});

test('a token reads and writes within its scopes, and the audit names account and token', async () => {
  const { account, token, text } = await store.serviceToken({ owners: [owner], scopes: news });
  const api = createApi(app, bearer(text));
  expect(await api.session.current()).toMatchObject({ email: `service:${account.name}` });
  const row = await api.news.add(build.newsFields({ title: 'by a script' }));
  expect((await api.news.many({ ids: [row.id] })).map(({ title }) => title)).toEqual(['by a script']);
  const [entry] = await app.database.db.select().from(audit).where(eq(audit.entityId, row.id));
  expect(entry).toMatchObject({ actorId: account.id, actorEmail: `service:${account.name}`, result: 'done' });
  expect(JSON.parse(entry?.payload ?? '{}')).toMatchObject({ token: token.id });
  await expect(
    api.notices.list({ sort: 'createdAt', direction: 'desc', filter: {}, cursor: null, limit: 5 }),
  ).rejects.toMatchObject({ code: 'FORBIDDEN' });
});

test('a repeated Idempotency-Key of a token returns the first answer', async () => {
  const { text } = await store.serviceToken({ owners: [owner], scopes: news });
  const key = { 'idempotency-key': 'once' };
  const first = (await (await add(text, 'once', key)).json()) as { id: string };
  const again = await add(text, 'once', key);
  expect(again.headers.get('idempotent-replay')).toBe('true');
  expect(await again.json()).toMatchObject({ id: first.id });
});

test('a token cannot call fresh or guarded routes even if the database gives it every permission', async () => {
  const { token, text } = await store.serviceToken({ owners: [owner], scopes: [] });
  const nodes = await app.database.db.select({ id: permissionNodes.id }).from(permissionNodes);
  await app.database.db.insert(serviceTokenNodes).values(nodes.map(({ id: nodeId }) => ({ tokenId: token.id, nodeId })));
  const allowed = new Set(['dataPanel.freezeMoney', 'crsm.updateData', 'alarms.test']);
  const wrong: string[] = [];
  for (const { name, meta } of listContractRoutes(contract)) {
    if (meta.public || allowed.has(meta.permission ?? '')) continue;
    const response = await send(app, 'POST', `/rpc/${name.replaceAll('.', '/')}`, { json: {} }, bearer(text));
    const { json } = (await response.json()) as { json: { code?: string } | null };
    const isRefused = json?.code === 'NOT_FOR_SERVICES';
    const mayPass = meta.permission
      ? isServiceScope(meta.permission) && !meta.fresh
      : meta.menu !== undefined || name === 'session.current' || name.startsWith('exportJobs.');
    if (isRefused === mayPass) wrong.push(`${name} ${response.status} ${json?.code}`);
  }
  expect(wrong).toEqual([]);
  for (const route of ['GET /api/events', 'GET /api/audit/export/x']) {
    const [method = '', path = ''] = route.split(' ');
    expect((await send(app, method, path, undefined, bearer(text))).status, route).toBe(403);
  }
});

test('a token cannot edit a shown news item', async () => {
  const { text } = await store.serviceToken({ owners: [owner], scopes: [...news, 'news.edit'] });
  const shown = await store.news({ shown: true, image: 'https://example.com/a.png' });
  const edit = { ...build.newsFields({ title: 'other' }), id: shown.id, version: shown.version };
  expect(await problemOf(await send(app, 'PUT', '/api/news', edit, bearer(text)))).toEqual([403, 'NOT_FOR_SERVICES', undefined]);
});

test('a token cannot view the panel as a role or person', async () => {
  const { text } = await store.serviceToken({ owners: [owner], scopes: ['/news', '/permissions/role'] });
  const response = await send(app, 'GET', '/api/session', undefined, { ...bearer(text), 'x-view-as': `role:${owner}` });
  expect(await problemOf(response)).toEqual([403, 'NOT_FOR_SERVICES', undefined]);
});

test('a token with a wrong checksum never reaches the database, and an unknown token is refused without a reason', async () => {
  const queries: string[] = [];
  const { pool } = app.database;
  const original = pool.query.bind(pool);
  pool.query = ((...args: unknown[]) => {
    queries.push(JSON.stringify(args[0]));
    return (original as (...given: unknown[]) => unknown)(...args);
  }) as typeof pool.query;
  const real = newServiceToken();
  const wrong = `${real.slice(0, -1)}${real.endsWith('a') ? 'b' : 'a'}`;
  expect(await problemOf(await add(wrong, 'x'))).toEqual([401, 'UNAUTHORIZED', undefined]);
  expect(queries).toEqual([]);
  pool.query = original;
  expect(await problemOf(await add(real, 'x'))).toEqual([401, 'UNAUTHORIZED', undefined]);
  for (const authorization of [real, `Basic ${real}`, `bearer ${real}`])
    expect((await send(app, 'GET', '/api/session', undefined, { authorization })).status).toBe(401);
  expect((await send(app, 'GET', `/api/session?authorization=Bearer%20${real}`)).status).toBe(401);
  expect((await send(app, 'GET', '/api/session', undefined, { cookie: `half=${real}; token=${real}` })).status).toBe(401);
});

test('unknown tokens are limited per network, and leave sign-in to the people there', async () => {
  const other = await createTestApp({}, { jobs: false });
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 31; attempt++)
    statuses.push((await send(other, 'GET', '/api/session', undefined, bearer(newServiceToken()))).status);
  expect(statuses).toEqual([...Array<number>(30).fill(401), 429]);
  await expect(signInAs(other, 'editor')).resolves.toBeDefined();
});

const day = 86_400_000;

const ends: readonly [string, string, (found: { token: string; account: string }) => Promise<unknown>][] = [
  [
    'revoked',
    'revoked',
    ({ token }) =>
      app.database.db
        .update(serviceTokens)
        .set({ revokedAt: new Date(), revokedReason: 'person' })
        .where(eq(serviceTokens.id, token)),
  ],
  [
    'expired',
    'expired',
    ({ token }) =>
      app.database.db
        .update(serviceTokens)
        .set({ expiresAt: new Date(app.clock.now) })
        .where(eq(serviceTokens.id, token)),
  ],
  [
    'of a disabled account',
    'disabled',
    ({ account }) => app.database.db.update(serviceAccounts).set({ enabled: false }).where(eq(serviceAccounts.id, account)),
  ],
  [
    'of a deleted account',
    'disabled',
    ({ account }) =>
      app.database.db.update(serviceAccounts).set({ deletedAt: new Date() }).where(eq(serviceAccounts.id, account)),
  ],
  [
    'of an account without owners',
    'disabled',
    ({ account }) => app.database.db.delete(serviceAccountOwners).where(eq(serviceAccountOwners.serviceAccountId, account)),
  ],
  [
    'whose creator has left',
    'disabled',
    async ({ token }) => {
      const leaver = await store.person({ enabled: false });
      await app.database.db.update(serviceTokens).set({ createdBy: leaver.id }).where(eq(serviceTokens.id, token));
    },
  ],
];

test.each(ends)('a token %s is refused at the next call and at the commit of a write under way', async (name, problem, end) => {
  const { account, token, text } = await store.serviceToken({ owners: [owner], scopes: news });
  expect((await add(text, `before ${name}`)).status).toBe(200);
  const ids = { token: token.id, account: account.id };
  // The write waits for the end of the table's lock, after its guard has passed.
  const client = await app.database.connect();
  await client.query('begin');
  await client.query('lock table news in access exclusive mode');
  const writing = add(text, `during ${name}`);
  for (;;) {
    const { rows } = await app.database.pool.query(`select from pg_locks where relation = 'news'::regclass and not granted`);
    if (rows.length > 0) break;
  }
  await end(ids);
  await client.query('commit');
  await client.end();
  expect((await problemOf(await writing)).slice(0, 2)).toEqual([401, 'UNAUTHORIZED']);
  expect(await problemOf(await add(text, `after ${name}`))).toEqual([401, 'UNAUTHORIZED', problem]);
  const { rows } = await app.database.pool.query('select title from news where title like $1', [`% ${name}`]);
  expect(rows).toEqual([{ title: `before ${name}` }]);
});

test('a scope taken away during a write undoes the write', async () => {
  const { token, text } = await store.serviceToken({ owners: [owner], scopes: news });
  const client = await app.database.connect();
  await client.query('begin');
  await client.query('lock table news in access exclusive mode');
  const writing = add(text, 'without scope');
  for (;;) {
    const { rows } = await app.database.pool.query(`select from pg_locks where relation = 'news'::regclass and not granted`);
    if (rows.length > 0) break;
  }
  await app.database.db.delete(serviceTokenNodes).where(eq(serviceTokenNodes.tokenId, token.id));
  await client.query('commit');
  await client.end();
  expect(await problemOf(await writing)).toEqual([403, 'FORBIDDEN', undefined]);
});

test('every loss of a permission changes the rights stamp', async () => {
  const { token, account } = await store.serviceToken({ owners: [owner], scopes: news });
  const stamp = async () => (await app.database.pool.query<{ stamp: string }>('select stamp from rights_stamp')).rows[0]?.stamp;
  const changes = [
    () => app.database.db.delete(serviceTokenNodes).where(eq(serviceTokenNodes.tokenId, token.id)),
    () => app.database.db.update(serviceTokens).set({ expiresAt: new Date() }).where(eq(serviceTokens.id, token.id)),
    () => app.database.db.delete(serviceAccountOwners).where(eq(serviceAccountOwners.serviceAccountId, account.id)),
    () => app.database.db.update(serviceAccounts).set({ enabled: false }).where(eq(serviceAccounts.id, account.id)),
  ];
  for (const change of changes) {
    const before = await stamp();
    await change();
    expect(await stamp()).not.toBe(before);
  }
});

test('networks of a token are checked, in both versions of IP', async () => {
  const { text } = await store.serviceToken({ owners: [owner], scopes: news }, { networks: ['10.0.0.0/8', '2001:db8::/32'] });
  expect(await problemOf(await add(text, 'elsewhere'))).toEqual([401, 'UNAUTHORIZED', 'network']);
  const { text: here } = await store.serviceToken({ owners: [owner], scopes: news }, { networks: ['10.0.0.0/8', '127.0.0.0/8'] });
  expect((await add(here, 'here')).status).toBe(200);
});

test('the last use is written at most once a minute, and an unused token stops after the idle time', async () => {
  const { token, text } = await store.serviceToken(
    { owners: [owner], scopes: news },
    { expiresAt: new Date(app.clock.now + 300 * day) },
  );
  const lastUse = async () =>
    (await app.database.db.select().from(serviceTokens).where(eq(serviceTokens.id, token.id)))[0]?.lastUsedAt?.getTime();
  const first = app.clock.now;
  await add(text, 'use');
  expect(await lastUse()).toBe(first);
  app.clock.now += 59_000;
  await add(text, 'use');
  expect(await lastUse()).toBe(first);
  app.clock.now += 2_000;
  await add(text, 'use');
  expect(await lastUse()).toBe(app.clock.now);
  app.clock.now += 90 * day;
  expect(await problemOf(await add(text, 'use'))).toEqual([401, 'UNAUTHORIZED', 'revoked']);
  app.clock.now -= 90 * day + 61_000;
});

test('owners are mailed when a token is used from a new network, and not for its first use', async () => {
  const { account, token, text } = await store.serviceToken({ owners: [owner], scopes: news });
  const sent = async () => (await app.database.db.select().from(mails)).filter(({ body }) => body.includes(account.name));
  await add(text, 'first');
  expect(await sent()).toEqual([]);
  await app.database.db
    .update(serviceTokens)
    .set({ usedFrom: ['203.0.113.9'] })
    .where(eq(serviceTokens.id, token.id));
  await add(text, 'second');
  await add(text, 'third');
  expect((await sent()).map(({ recipient, subject }) => [recipient, subject])).toEqual([
    ['access@demo.local', '令牌首次在新网络中使用 / A token was used from a new network'],
  ]);
});

test('a rotated token used after its end is refused and marked for an alarm', async () => {
  const { token: next } = await store.serviceToken({ owners: [owner], scopes: news });
  const { token, text } = await store.serviceToken(
    { owners: [owner], scopes: news },
    { replacedBy: next.id, expiresAt: new Date(app.clock.now - 1) },
  );
  expect(await problemOf(await add(text, 'late'))).toEqual([401, 'UNAUTHORIZED', 'expired']);
  const [row] = await app.database.db.select().from(serviceTokens).where(eq(serviceTokens.id, token.id));
  expect(row?.lateUseAt?.getTime()).toBe(app.clock.now);
});

test('no token is in a log, the audit or a stored answer', async () => {
  const { text } = await store.serviceToken({ owners: [owner], scopes: news });
  await add(text, 'quiet', { 'idempotency-key': 'quiet' });
  await add(text, '', {});
  const { rows } = await app.database.pool.query<{ found: string }>(
    'select payload as found from audit union all select response from idempotency',
  );
  expect(rows.filter(({ found }) => found?.includes(text))).toEqual([]);
  expect(app.logged.filter((line) => line.includes(text))).toEqual([]);
});

test('calls of a refused token count towards its limit', async () => {
  const limited = await createTestApp({ SERVICE_CALLS_PER_MINUTE: '2' }, { jobs: false });
  const { db } = limited.database;
  const limitedStore = createStore(db);
  const { id } = await limitedStore.person();
  const { text } = await limitedStore.serviceToken(
    { owners: [id], scopes: news },
    { revokedAt: new Date(), revokedReason: 'person' },
  );
  const call = async () => (await send(limited, 'GET', '/api/session', undefined, bearer(text))).status;
  expect([await call(), await call(), await call()]).toEqual([401, 401, 429]);
});
