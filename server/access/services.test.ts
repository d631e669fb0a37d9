import { eq, like } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import type { ServiceRow, TokenFields } from '../../api/access/services.ts';
import { createStore } from '../../testing/factories/store.ts';
import { audit } from '../platform/audit/tables.ts';
import { administrators, serviceAccounts, serviceTokens } from '../platform/auth/tables.ts';
import { mails } from '../platform/content/tables.ts';
import { newServiceToken } from '../platform/auth/service-accounts/token-format.ts';
import { idempotency } from '../platform/records/tables.ts';
import { createApi, send, signInAs, createTestApp, type TestApp, type TestSession } from '../testing/support.ts';
import { sweepServiceTokens } from './service-token-sweep.ts';
import type { Services } from '../platform/services/context.ts';

let app: TestApp;
let access: TestSession;
let all: TestSession;
let owner: string;
const day = 86_400_000;

beforeAll(async () => {
  app = await createTestApp({}, { jobs: false });
  access = await signInAs(app, 'access');
  all = await signInAs(app, 'all');
  owner = await idOf('access@demo.local');
});

async function idOf(email: string): Promise<string> {
  const [row] = await app.database.db.select().from(administrators).where(eq(administrators.email, email));
  return row?.id ?? '';
}

let made = 0;
const add = (owners = [owner]): Promise<ServiceRow> =>
  all.api.services.add({ name: `ci-${++made}`, description: 'Publishes news', owners });

const fields = (changes: Partial<TokenFields> = {}): TokenFields => ({
  name: 'night job',
  expiresAt: new Date(app.clock.now + 90 * day).toISOString(),
  networks: '',
  scopes: ['/news', 'news.add'],
  moneyScopes: [],
  ...changes,
});

const services = (): Services =>
  ({
    config: app.config,
    database: app.database,
    now: () => app.clock.now,
    log: { warn() {}, info() {} },
  }) as unknown as Services;
const mailsAbout = async (name: string) => {
  const found = await app.database.db
    .select()
    .from(mails)
    .where(like(mails.body, `%${name}%`));
  return found
    .filter(({ body }) => body.split(/[\s，,]/).includes(name))
    .map(({ recipient, subject }) => `${recipient}: ${subject.split(' / ')[1]}`);
};
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'done',
    (error: unknown) => (error as { code: string }).code,
  );

test('an account is added, edited, disabled, enabled and deleted, each with its audit row', async () => {
  const row = await add();
  expect(row).toMatchObject({ enabled: true, tokens: 0, owners: [{ email: 'access@demo.local', enabled: true }] });
  const edited = await all.api.services.edit({
    id: row.id,
    version: row.version,
    name: row.name,
    description: 'Other',
    owners: [owner],
  });
  const { done } = await all.api.services.disable({ items: [{ id: row.id, version: edited.version }] });
  const { done: enabled } = await all.api.services.enable({ items: [{ id: row.id, version: done[0]?.version ?? 0 }] });
  await all.api.services.remove({ items: [{ id: row.id, version: enabled[0]?.version ?? 0 }] });
  expect(await all.api.services.many({ ids: [row.id] })).toEqual([]);
  const rows = await app.database.db.select().from(audit).where(eq(audit.entityId, row.id));
  expect(rows.map(({ action }) => action)).toEqual(['add', 'edit', 'disable', 'enable', 'remove']);
  expect((await add()).name).not.toBe(row.name);
});

test('a name is unique among accounts that exist, and an owner must be an enabled person', async () => {
  const row = await add();
  const again = { name: row.name, description: 'x', owners: [owner] };
  await expect(all.api.services.add(again)).rejects.toMatchObject({ data: { issues: [{ path: 'name', rule: 'taken' }] } });
  await expect(all.api.services.add({ ...again, name: 'Upper Case' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  const gone = await createStore(app.database.db).person({ enabled: false });
  await expect(all.api.services.add({ ...again, name: 'ci-x', owners: [gone.id] })).rejects.toMatchObject({
    data: { issues: [{ path: 'owners' }] },
  });
});

test('previous and new owners get an email when the owners change, and no one gets one when they stay the same', async () => {
  const row = await add();
  const next = await createStore(app.database.db).person();
  const { id, version, name, description } = row;
  const edited = await all.api.services.edit({ id, version, name, description, owners: [next.id] });
  await all.api.services.edit({ id, version: edited.version, name, description: 'Other', owners: [next.id] });
  expect((await mailsAbout(name)).toSorted()).toEqual(
    ['access@demo.local', next.email].map((email) => `${email}: Owners of a service account were changed`).toSorted(),
  );
});

test('a token is in its first answer only, and works within its scopes', async () => {
  const row = await add();
  const key = { 'idempotency-key': `token-${row.id}` };
  const api = createApi(app, { ...all.headers, ...key });
  const token = await api.services.addToken({ id: row.id, ...fields() });
  expect(token.token).toMatch(/^apanel_svc_/);
  expect(await createApi(app, { authorization: `Bearer ${token.token}` }).session.current()).toMatchObject({
    email: `service:${row.name}`,
    codes: [{ code: 'news.add' }],
  });
  await expect(api.services.addToken({ id: row.id, ...fields() })).rejects.toMatchObject({
    code: 'CONFLICT',
    data: { token: token.id },
  });
  const stored = await app.database.db.select().from(idempotency);
  expect(stored.filter(({ response }) => response?.includes('apanel'))).toEqual([]);
  const { tokens } = await all.api.services.details({ id: row.id });
  expect(tokens).toMatchObject([{ id: token.id, state: 'live', lastFour: token.token.slice(-4) }]);
  expect(JSON.stringify(tokens)).not.toContain(token.token);
  const rows = await app.database.db.select().from(audit);
  expect(rows.filter(({ payload }) => payload.includes(token.token))).toEqual([]);
  expect(app.logged.filter((line) => line.includes(token.token))).toEqual([]);
  expect(await mailsAbout(row.name)).toEqual(['access@demo.local: A token was added to a service account']);
});

test('no one gives a token scopes that they lack, and a guarded scope is refused to everyone', async () => {
  const row = await add();
  expect(await codeOf(access.api.services.addToken({ id: row.id, ...fields() }))).toBe('GRANT_BEYOND_OWN');
  for (const scope of [
    'deposits.confirm',
    'roles.edit',
    'points.adjust',
    'news.show',
    'audit.export',
    'news.nothing',
    'crsm.updateData',
  ])
    expect(await codeOf(all.api.services.addToken({ id: row.id, ...fields({ scopes: [scope] }) })), scope).toBe('BAD_REQUEST');
  expect(await codeOf(all.api.services.addToken({ id: row.id, ...fields({ scopes: [] }) }))).toBe('BAD_REQUEST');
});

test('a person who lacks a token’s scopes cannot rotate the token', async () => {
  const row = await add();
  const token = await all.api.services.addToken({ id: row.id, ...fields() });
  expect(await codeOf(access.api.services.rotateToken({ id: row.id, token: token.id, grace: 'hour' }))).toBe('GRANT_BEYOND_OWN');
});

test('a token gets allowed money permissions only by name, and all holders of money permissions get an email', async () => {
  const row = await add();
  const token = await all.api.services.addToken({ id: row.id, ...fields({ moneyScopes: ['dataPanel.freezeMoney'] }) });
  const sent = await mailsAbout(row.name);
  for (const person of ['admin', 'operator', 'approver'])
    expect(sent).toContain(`${person}@demo.local: A service account now has permissions for money operations`);
  const answer = await send(
    app,
    'POST',
    '/api/selfCustody/dataPanel/freezeMoney',
    { reason: 'by a monitor' },
    {
      authorization: `Bearer ${token.token}`,
      'idempotency-key': 'freeze',
    },
  );
  expect(answer.status).toBe(200);
  const { rows } = await app.database.pool.query('select opened_by, opened_email from money_freezes');
  expect(rows).toEqual([{ opened_by: null, opened_email: `service:${row.name}` }]);
  await app.database.pool.query('delete from money_freezes');
});

test('an end in the past or beyond the longest life, and a wrong network, are refused', async () => {
  const row = await add();
  for (const expiresAt of [-1, 366 * day].map((ms) => new Date(app.clock.now + ms).toISOString()))
    await expect(all.api.services.addToken({ id: row.id, ...fields({ expiresAt }) })).rejects.toMatchObject({
      data: { issues: [{ path: 'expiresAt', rule: 'lifetime' }] },
    });
  for (const networks of ['10.0.0.0/33', 'example.com', '::/129', '10.0.0.0/8/8', '0x7f.1', '1'])
    await expect(all.api.services.addToken({ id: row.id, ...fields({ networks }) }), networks).rejects.toMatchObject({
      data: { issues: [{ path: 'networks', rule: 'network' }] },
    });
  await all.api.services.addToken({ id: row.id, ...fields({ networks: '10.1.2.3/8, 2001:db8::1/32 ::ffff:192.0.2.1' }) });
  const { tokens } = await all.api.services.details({ id: row.id });
  expect(tokens[0]?.networks).toEqual(['10.0.0.0/8', '2001:db8::/32', '192.0.2.1/32']);
});

test('rotation keeps scopes and networks, the old token works until its end, and a second rotation is refused', async () => {
  const row = await add();
  const old = await all.api.services.addToken({ id: row.id, ...fields({ networks: '127.0.0.0/8' }) });
  const rotations = await Promise.all(
    [1, 2].map(() => all.api.services.rotateToken({ id: row.id, token: old.id, grace: 'hour' }).catch((error: unknown) => error)),
  );
  const next = rotations.find((one): one is typeof old => !(one instanceof Error));
  expect(rotations.filter((one) => one instanceof Error)).toMatchObject([{ code: 'CONFLICT' }]);
  const { tokens } = await all.api.services.details({ id: row.id });
  expect(tokens.map(({ state }) => state)).toEqual(['live', 'replaced']);
  expect(tokens[0]).toMatchObject({ scopes: tokens[1]?.scopes, networks: ['127.0.0.0/8'] });
  const works = (token: string) =>
    send(app, 'GET', '/api/session', undefined, { authorization: `Bearer ${token}` }).then(({ status }) => status);
  expect([await works(old.token), await works(next?.token ?? '')]).toEqual([200, 200]);
  app.clock.now += 3_600_000;
  expect([await works(old.token), await works(next?.token ?? '')]).toEqual([401, 200]);
  app.clock.now -= 3_600_000;
});

test('a token keeps its scopes when its creator loses them, and the creator can no longer add or rotate such a token', async () => {
  const row = await add();
  const token = await all.api.services.addToken({ id: row.id, ...fields() });
  const granted = () => createApi(app, { authorization: `Bearer ${token.token}` }).session.current();
  const before = (await granted()).codes;
  await app.database.pool.query(
    `delete from role_nodes where node_id = (select id from permission_nodes where identifier = 'news.add')`,
  );
  expect((await granted()).codes).toEqual(before);
  expect(await codeOf(all.api.services.addToken({ id: row.id, ...fields() }))).toBe('GRANT_BEYOND_OWN');
  expect(await codeOf(all.api.services.rotateToken({ id: row.id, token: token.id, grace: 'none' }))).toBe('GRANT_BEYOND_OWN');
  await app.database.pool.query(
    `insert into role_nodes select r.id, n.id from roles r, permission_nodes n where r.seed in ('all', 'editor') and n.identifier = 'news.add'`,
  );
});

test('revocation needs no fresh factor, happens once, and is mailed in the same transaction', async () => {
  const row = await add();
  const token = await all.api.services.addToken({ id: row.id, ...fields() });
  await all.api.services.revokeToken({ id: row.id, token: token.id });
  await all.api.services.revokeToken({ id: row.id, token: token.id });
  expect((await mailsAbout(row.name)).filter((line) => line.includes('revoked'))).toHaveLength(1);
  const { tokens } = await all.api.services.details({ id: row.id });
  expect(tokens).toMatchObject([{ state: 'revoked', revokedReason: 'person', revokedBy: 'admin@demo.local' }]);
});

test('a revocation whose mail cannot be stored does not happen', async () => {
  const row = await add();
  const token = await all.api.services.addToken({ id: row.id, ...fields() });
  await app.database.pool.query(
    `create function refuse_mail() returns trigger language plpgsql as $$ begin raise exception 'crash'; end $$`,
  );
  await app.database.pool.query('create trigger refuse_mail before insert on mails for each row execute function refuse_mail()');
  expect(await codeOf(all.api.services.revokeToken({ id: row.id, token: token.id }))).toBe('INTERNAL');
  await app.database.pool.query('drop trigger refuse_mail on mails');
  const { tokens } = await all.api.services.details({ id: row.id });
  expect(tokens).toMatchObject([{ state: 'live' }]);
});

test('a leak report revokes the token before it responds, emails owners and access administrators, and accepts any text', async () => {
  const row = await add();
  const token = await all.api.services.addToken({ id: row.id, ...fields() });
  const report = (body: string) => send(app, 'POST', '/public/leaked-tokens', body, { 'content-type': 'application/json' });
  const answer = await report(JSON.stringify({ tokens: ['x', newServiceToken(), `found in ${token.token}.`] }));
  expect([answer.status, await answer.text()]).toEqual([202, '{}']);
  const used = await send(app, 'GET', '/api/session', undefined, { authorization: `Bearer ${token.token}` });
  expect(await used.json()).toMatchObject({ code: 'UNAUTHORIZED', data: { token: 'revoked' } });
  for (const body of ['', '{', '[[[', '\u0000', JSON.stringify({ tokens: Array(50).fill(newServiceToken()) })])
    expect((await report(body)).status).toBe(202);
  const sent = (await mailsAbout(row.name)).filter((line) => line.includes('leaked'));
  expect(sent.toSorted()).toEqual([
    'access@demo.local: A token was leaked and has been revoked',
    'admin@demo.local: A token was leaked and has been revoked',
  ]);

  const escaped = await all.api.services.addToken({ id: row.id, ...fields({ name: 'escaped' }) });
  await report(JSON.stringify({ text: `line\n${escaped.token}_` }));
  const usedAfter = await send(app, 'GET', '/api/session', undefined, { authorization: `Bearer ${escaped.token}` });
  expect(await usedAfter.json()).toMatchObject({ data: { token: 'revoked' } });
});

test('an account with the most tokens allowed takes no further one, but each can be rotated', async () => {
  const row = await add();
  for (let count = 0; count < 20; count++) await all.api.services.addToken({ id: row.id, ...fields() });
  await expect(all.api.services.addToken({ id: row.id, ...fields() })).rejects.toMatchObject({
    data: { issues: [{ path: 'name', rule: 'tooMany' }] },
  });
  const { tokens: listed } = await all.api.services.details({ id: row.id });
  const rotated = await all.api.services.rotateToken({ id: row.id, token: listed[0]?.id ?? '', grace: 'none' });
  expect(rotated.token).toMatch(/^apanel_svc_/);
  await expect(all.api.services.addToken({ id: row.id, ...fields() })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
});

test('reports are limited per network before their body is read', async () => {
  const other = await createTestApp({}, { jobs: false });
  const statuses: number[] = [];
  for (let report = 0; report < 31; report++) statuses.push((await send(other, 'POST', '/public/leaked-tokens', '{}')).status);
  expect(statuses).toEqual([...Array<number>(30).fill(202), 429]);
});

test('owners are mailed 14 and 3 days before the end and on the day, each once', async () => {
  const row = await add();
  await all.api.services.addToken({ id: row.id, ...fields({ expiresAt: new Date(app.clock.now + 20 * day).toISOString() }) });
  const start = app.clock.now;
  const notices: number[] = [];
  for (let at = 0; at <= 21; at++) {
    app.clock.now = start + at * day;
    await sweepServiceTokens(services());
    await sweepServiceTokens(services());
    notices.push((await mailsAbout(row.name)).filter((line) => line.includes('expire')).length);
  }
  app.clock.now = start;
  expect([notices[5], notices[6], notices[16], notices[17], notices[19], notices[20], notices[21]]).toEqual([
    0, 1, 1, 2, 2, 3, 3,
  ]);
});

test('an unused token is revoked, and an account without enabled owners is announced once', async () => {
  const person = await createStore(app.database.db).person({});
  const row = await add([person.id]);
  const token = await all.api.services.addToken({
    id: row.id,
    ...fields({ expiresAt: new Date(app.clock.now + 300 * day).toISOString() }),
  });
  await app.database.db.update(administrators).set({ enabled: false }).where(eq(administrators.id, person.id));
  await sweepServiceTokens(services());
  await sweepServiceTokens(services());
  expect((await mailsAbout(row.name)).filter((line) => line.includes('no enabled owner')).toSorted()).toEqual([
    'access@demo.local: A service account has no enabled owner',
    'admin@demo.local: A service account has no enabled owner',
  ]);
  app.clock.now += 91 * day;
  await sweepServiceTokens(services());
  app.clock.now -= 91 * day;
  const [stored] = await app.database.db.select().from(serviceTokens).where(eq(serviceTokens.id, token.id));
  expect(stored).toMatchObject({ revokedReason: 'idle' });
  const [account] = await app.database.db.select().from(serviceAccounts).where(eq(serviceAccounts.id, row.id));
  expect(account?.ownerlessAt).not.toBeNull();
});

test('a leaked token and a rotated token used after its end raise one alarm each', async () => {
  const withAlarms = await createTestApp({ ALARM_MAIL: 'security@example.com' }, { jobs: false });
  const session = await signInAs(withAlarms, 'all');
  const { db } = withAlarms.database;
  const [person] = await db.select().from(administrators).where(eq(administrators.email, 'access@demo.local'));
  const row = await session.api.services.add({ name: 'ci-alarms', description: 'x', owners: [person?.id ?? ''] });
  const add = () => session.api.services.addToken({ id: row.id, ...fields() });
  const [leaked, rotated] = [await add(), await add()];
  await session.api.services.rotateToken({ id: row.id, token: rotated.id, grace: 'none' });
  for (const _ of [1, 2]) await send(withAlarms, 'GET', '/api/session', undefined, { authorization: `Bearer ${rotated.token}` });
  await send(withAlarms, 'POST', '/public/leaked-tokens', JSON.stringify([leaked.token]));
  const { checkAlarms } = await import('../alarms/watch.ts');
  const of = {
    ...services(),
    config: withAlarms.config,
    database: withAlarms.database,
    log: { warn() {}, info() {}, error() {} },
  };
  for (const _ of [1, 2]) await checkAlarms(of as unknown as Services);
  const { rows } = await withAlarms.database.pool.query<{ kind: string }>(
    `select kind from alarms where kind like 'token%' order by 1`,
  );
  expect(rows.map(({ kind }) => kind)).toEqual(['tokenLeaked', 'tokenUsedLate']);
});
