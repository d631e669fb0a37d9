import { eq, inArray } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RoleRow } from '../../api/access/roles.ts';
import { administratorRoles, administrators, permissionNodes, roleNodes, roles, sessions } from '../platform/auth/tables.ts';
import { demoPassword } from '../seed/roles.ts';
import { news } from '../news/tables.ts';
import type { Services } from '../platform/services/context.ts';
import { createStore } from '../../testing/factories/store.ts';
import { isOneQueryWaiting } from '../testing/process.ts';
import { createApi, createPeer, createTestApp, send, signInAs, type TestApp, type TestSession } from '../testing/support.ts';

const office = '203.0.113.7';
const home = '198.51.100.1';
const officeNetwork = '203.0.113.0/24';
const minuteMs = 60_000;
const hourMs = 3_600_000;

let app: TestApp;
let admin: TestSession;
beforeAll(async () => {
  app = await createTestApp({ TRUST_PROXY: '1', WRITES_PER_MINUTE: '0', READS_PER_MINUTE: '0' });
});
beforeEach(async () => {
  admin = await signInAs(app, 'all', { 'x-forwarded-for': office });
  await app.database.db.update(roles).set({ networks: [], idleMinutes: null, sessionHours: null });
  await app.database.db.delete(administratorRoles).where(eq(administratorRoles.administratorId, await idOf('editor')));
  await giveRole('editor', (await readRole('editor')).id);
});

const idOf = async (role: string): Promise<string> => {
  const [row] = await app.database.db
    .select()
    .from(administrators)
    .where(eq(administrators.email, `${role}@demo.local`));
  return row?.id ?? '';
};
const giveRole = async (person: string, roleId: string) =>
  app.database.db.insert(administratorRoles).values({ administratorId: await idOf(person), roleId });
const readRole = async (seed: string): Promise<RoleRow> => {
  const [row] = await app.database.db.select().from(roles).where(eq(roles.seed, seed));
  const [role] = await admin.api.roles.many({ ids: [row?.id ?? ''] });
  if (!role) throw new Error(`no role ${seed}`);
  return role;
};
type Limits = { networks?: string; idleMinutes?: number | null; sessionHours?: number | null };
const edit = (session: TestSession, { id, version, name, description, needsFactor, grants }: RoleRow, limits: Limits) =>
  session.api.roles.edit({ id, version, name, description, needsFactor, grants, ...limits });
const limitRole = async (seed: string, limits: Limits) => edit(admin, await readRole(seed), limits);
const from = (address: string, { headers }: TestSession) => createApi(app, { ...headers, 'x-forwarded-for': address });
const newsList = { cursor: null, limit: 50, sort: 'createdAt', direction: 'desc', filter: {} } as const;
const codeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'done',
    (error: { code?: string; message: string }) => error.code ?? error.message,
  );
let roleCount = 0;
const addRole = (limits: Limits, grants: string[] = ['/', '/feedback']) =>
  admin.api.roles.add({ name: `Watch ${++roleCount}`, description: 'd', needsFactor: false, grants, ...limits });

describe('a role with networks', () => {
  test('grants nothing from another network, where other roles, My account and sign-out still work', async () => {
    const editor = await signInAs(app, 'editor');
    const { name } = await limitRole('editor', { networks: officeNetwork });
    await giveRole('editor', (await addRole({})).id);
    const [inside, outside] = [from(office, editor), from(home, editor)];
    // The same token from two addresses at the same moment.
    const answers = await Promise.all([inside, outside, inside, outside].map((api) => codeOf(api.news.list(newsList))));
    expect(answers).toEqual(['done', 'NETWORK', 'done', 'NETWORK']);
    await expect(outside.news.list(newsList)).rejects.toMatchObject({ status: 403, data: { inactiveRoles: [name] } });
    expect(await codeOf(outside.administrators.list({ ...newsList, sort: 'createdAt' }))).toBe('FORBIDDEN');
    expect(await codeOf(outside.feedback.list(newsList))).toBe('done');
    expect(await codeOf(outside.account.get())).toBe('done');
    expect(await outside.session.current()).toMatchObject({ inactiveRoles: [name] });
    expect(await inside.session.current()).not.toHaveProperty('inactiveRoles');
    expect(await codeOf(outside.session.signOut())).toBe('done');
  });

  test('doesn’t stop a sign-in from another network, which names the role', async () => {
    const { name } = await limitRole('editor', { networks: officeNetwork });
    const answer = await send(
      app,
      'POST',
      '/api/session',
      { email: 'editor@demo.local', password: demoPassword },
      { 'x-forwarded-for': home },
    );
    const { access } = (await answer.json()) as { access: { inactiveRoles: string[]; codes: unknown[] } };
    expect([answer.status, access.inactiveRoles, access.codes]).toEqual([200, [name], []]);
  });

  test('refuses a write that was running when the network was removed, and nothing is saved', async () => {
    const { id, version, title } = await createStore(app.database.db).news();
    const editor = await signInAs(app, 'editor', { 'x-forwarded-for': home });
    const { name } = await readRole('editor');
    let pending: Promise<unknown> | undefined;
    await app.database.db.transaction(async (tx) => {
      await tx.select().from(news).where(eq(news.id, id)).for('update');
      pending = editor.api.news.hide({ items: [{ id, version }] }).catch((error: unknown) => error);
      await isOneQueryWaiting(app.database);
      await limitRole('editor', { networks: officeNetwork });
    });
    expect(await pending).toMatchObject({ code: 'NETWORK', data: { inactiveRoles: [name] } });
    const [row] = await app.database.db.select().from(news).where(eq(news.id, id));
    expect(row).toMatchObject({ title, version });
  });

  test.each([
    ['an IPv4 address written as IPv6', '::ffff:203.0.113.7', 'done'],
    ['an IPv6 address of a listed network', '2001:db8:1::9', 'done'],
    ['an IPv6 address beside it', '2001:db9::9', 'NETWORK'],
    ['a link-local address with a zone', 'fe80::1%eth0', 'NETWORK'],
    ['an unreadable address', 'somewhere', 'NETWORK'],
    ['a forged address left of the proxy’s', `${office}, ${home}`, 'NETWORK'],
    ['a forged address and the proxy’s', `${home}, ${office}`, 'done'],
  ])('counts %s as %s: %s', async (_what, address, code) => {
    const editor = await signInAs(app, 'editor');
    await limitRole('editor', { networks: `${officeNetwork}, 2001:db8::/32` });
    expect(await codeOf(from(address, editor).news.list(newsList))).toBe(code);
  });

  test('grants nothing to a request without an address', async () => {
    const direct = await createTestApp({ READS_PER_MINUTE: '0' });
    const { headers } = await signInAs(direct, 'editor');
    await direct.database.db
      .update(roles)
      .set({ networks: ['127.0.0.0/8'] })
      .where(eq(roles.seed, 'editor'));
    const read = (peer: Parameters<typeof direct.http.fetch>[1]) =>
      direct.http.fetch(
        new Request('http://localhost/api/news/list', {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify(newsList),
        }),
        peer,
      );
    expect((await read(createPeer('127.0.0.1'))).status).toBe(200);
    expect((await read(undefined)).status).toBe(403);
    expect((await read(createPeer(office))).status).toBe(403);
  });

  test('can’t be used to grant permissions from another network', async () => {
    await limitRole('all', { networks: officeNetwork });
    const addElsewhere = from(home, admin).roles.add({ name: 'Elsewhere', description: 'd', needsFactor: false, grants: ['/'] });
    expect(await codeOf(addElsewhere)).toBe('NETWORK');
    await giveRole('editor', (await addRole({}, ['/permissions/role', 'roles.add'])).id);
    await limitRole('editor', { networks: officeNetwork });
    const editor = await signInAs(app, 'editor');
    const fields = { description: 'd', needsFactor: false, grants: ['news.add'] };
    expect(await codeOf(from(home, editor).roles.add({ ...fields, name: 'Beyond' }))).toBe('GRANT_BEYOND_OWN');
    expect(await codeOf(from(office, editor).roles.add({ ...fields, name: 'Within' }))).toBe('done');
  });

  test('grants nothing to servers of version 1.0.0, which send no address', async () => {
    await limitRole('editor', { networks: officeNetwork });
    await signInAs(app, 'editor');
    const editorId = await idOf('editor');
    const editorSessions = await app.database.db.select().from(sessions).where(eq(sessions.administratorId, editorId));
    const session = editorSessions.find(({ revokedAt }) => revokedAt === null);
    const { rows } = await app.database.pool.query(`select still_allowed($1, $2, 'news.add') as refused`, [
      session?.administratorId,
      session?.id,
    ]);
    expect(rows).toEqual([{ refused: 'FORBIDDEN' }]);
    const oldWrite = app.database.pool.query(`select end_write('news.add', $1, $2, '{}', '{}', null, null, null, null)`, [
      session?.administratorId,
      session?.id,
    ]);
    await expect(oldWrite).rejects.toMatchObject({ code: 'AP403', message: 'FORBIDDEN' });
  });

  test('is shown with its networks when the panel is viewed as it or its holder', async () => {
    const { id, name } = await limitRole('editor', { networks: officeNetwork });
    const api = from(home, admin);
    expect(await api.roles.viewAs({ id })).toMatchObject({ networkRoles: [name] });
    const seen = await api.administrators.viewAs({ id: await idOf('editor') });
    expect(seen.networkRoles).toEqual([name]);
    expect(seen.codes).toContainEqual({ code: 'news.add' });
    const viewing = createApi(app, { ...admin.headers, 'x-view-as': `role:${id}`, 'x-forwarded-for': home });
    expect(await codeOf(viewing.news.list(newsList))).toBe('done');
  });
});

describe('the networks of a role', () => {
  test('are stored without host bits, each once, and kept when an edit does not name them', async () => {
    const role = await limitRole('editor', {
      networks: '203.0.113.9/24，203.0.113.0/24\n2001:DB8::1/32; ::ffff:198.51.100.0/120',
    });
    expect(role.networks).toEqual(['203.0.113.0/24', '2001:db8::/32', '198.51.100.0/24']);
    expect((await edit(admin, role, {})).networks).toEqual(role.networks);
    expect((await edit(admin, { ...role, version: role.version + 1 }, { networks: '' })).networks).toEqual([]);
  });

  test.each([
    ['everywhere over IPv4', '0.0.0.0/0', 'everyNetwork'],
    ['everywhere over IPv6', `${officeNetwork}, ::/0`, 'everyNetwork'],
    ['a name', 'office', 'network'],
    ['more than 50', Array.from({ length: 51 }, (_, index) => `10.0.${index}.0/24`).join(','), 'tooMany'],
  ])('cannot be %s', async (_what, networks, rule) => {
    await expect(limitRole('editor', { networks })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      data: { issues: [{ path: 'networks', rule }] },
    });
  });

  test('must include the person who saves them, and only holders are asked', async () => {
    await expect(limitRole('all', { networks: '192.0.2.0/24' })).rejects.toMatchObject({
      data: { issues: [{ path: 'networks', rule: 'shutsOut' }] },
    });
    expect((await limitRole('all', { networks: office })).networks).toEqual([`${office}/32`]);
    expect((await limitRole('editor', { networks: '192.0.2.0/24' })).networks).toEqual(['192.0.2.0/24']);
  });

  test('are recorded with the values before and after', async () => {
    const { id } = await limitRole('editor', { networks: officeNetwork, idleMinutes: 10, sessionHours: 4 });
    const { rows } = await app.database.pool.query<{ before: string; after: string }>(
      `select before, after from audit where entity = 'role' and entity_id = $1 order by seq desc limit 1`,
      [id],
    );
    expect([rows[0]?.before, rows[0]?.after].map((text) => JSON.parse(text ?? ''))).toMatchObject([
      { networks: [], idleMinutes: null, sessionHours: null },
      { networks: [officeNetwork], idleMinutes: 10, sessionHours: 4 },
    ]);
  });

  test('are copied with the session limits', async () => {
    const { id, version } = await limitRole('editor', { networks: officeNetwork, idleMinutes: 10, sessionHours: 4 });
    const copy = await admin.api.roles.copy({ id, version, name: `Copy ${++roleCount}` });
    expect(copy).toMatchObject({ networks: [officeNetwork], idleMinutes: 10, sessionHours: 4 });
  });

  test.each<[string, Limits, Limits]>([
    ['another network', { networks: officeNetwork }, { networks: `${officeNetwork}, 192.0.2.0/24` }],
    ['a wider network', { networks: '203.0.113.0/25' }, { networks: officeNetwork }],
    ['every network', { networks: officeNetwork }, { networks: '' }],
    ['a longer idle limit', { idleMinutes: 10 }, { idleMinutes: 11 }],
    ['no session limit', { sessionHours: 4 }, { sessionHours: null }],
  ])('holders cannot give their own role %s, and others can', async (_what, strict, loose) => {
    const role = await limitRole('all', strict);
    expect(await codeOf(edit(admin, role, loose))).toBe('OWN_ACCESS');
    const other = await createHolderOfEverything();
    expect(await codeOf(edit(other, role, loose))).toBe('done');
  });

  test('can be narrowed by holders', async () => {
    const role = await limitRole('all', { networks: officeNetwork, idleMinutes: 10 });
    const narrowed = await edit(admin, role, { networks: '203.0.113.0/25', idleMinutes: 5 });
    expect(narrowed).toMatchObject({ networks: ['203.0.113.0/25'], idleMinutes: 5 });
  });

  /** Another role with all permissions, held by the editor. */
  async function createHolderOfEverything(): Promise<TestSession> {
    const all = await readRole('all');
    const twin = await admin.api.roles.copy({ id: all.id, version: all.version, name: `Twin ${++roleCount}` });
    await app.database.db
      .update(roles)
      .set({ needsFactor: false, networks: [], idleMinutes: null, sessionHours: null })
      .where(eq(roles.id, twin.id));
    await giveRole('editor', twin.id);
    return signInAs(app, 'editor', { 'x-forwarded-for': office });
  }
});

describe('while ROLE_NETWORKS is off', () => {
  test('networks are ignored, and holders may replace the networks of their role if their address stays in them', async () => {
    const off = await createTestApp({ ROLE_NETWORKS: 'off', TRUST_PROXY: '1', WRITES_PER_MINUTE: '0', READS_PER_MINUTE: '0' });
    await off.database.db
      .update(roles)
      .set({ networks: [officeNetwork] })
      .where(eq(roles.seed, 'all'));
    const session = await signInAs(off, 'all', { 'x-forwarded-for': home });
    expect(await session.api.roles.policy()).toMatchObject({ address: home, isEnforced: false });
    expect(await session.api.session.current()).not.toHaveProperty('inactiveRoles');
    const [row] = await off.database.db.select().from(roles).where(eq(roles.seed, 'all'));
    const [role] = await session.api.roles.many({ ids: [row?.id ?? ''] });
    if (!role) throw new Error('no role');
    await expect(edit(session, role, { networks: '192.0.2.0/24' })).rejects.toMatchObject({
      data: { issues: [{ path: 'networks', rule: 'shutsOut' }] },
    });
    expect((await edit(session, role, { networks: home })).networks).toEqual([`${home}/32`]);
  });

  test('the log warns at the start, and an alarm is raised once', async () => {
    const off = await createTestApp({ ROLE_NETWORKS: 'off', ALARM_MAIL: 'security@example.com' }, { jobs: false });
    expect(off.logged.join('')).toContain('ROLE_NETWORKS is off');
    const { checkAlarms } = await import('../alarms/watch.ts');
    const services = { config: off.config, database: off.database, now: () => off.clock.now, log: { warn() {}, info() {} } };
    for (const _ of [1, 2]) await checkAlarms(services as unknown as Services);
    const { rows } = await off.database.pool.query(`select kind from alarms`);
    expect(rows).toEqual([{ kind: 'networksIgnored' }]);
  });
});

describe('session limits of a role', () => {
  const openSession = async (role: string) => {
    const session = await signInAs(app, role as 'editor');
    const rows = await app.database.db
      .select()
      .from(sessions)
      .where(eq(sessions.administratorId, await idOf(role)));
    const newest = rows.toSorted((left, right) => right.id.localeCompare(left.id))[0];
    return {
      session,
      read: async () =>
        (
          await app.database.db
            .select()
            .from(sessions)
            .where(eq(sessions.id, newest?.id ?? ''))
        )[0],
    };
  };
  const lifeHours = (row: typeof sessions.$inferSelect | undefined) =>
    row && (row.expiresAt.getTime() - row.createdAt.getTime()) / hourMs;

  test('count from the sign-in, the strictest of several roles, and never beyond the server’s', async () => {
    await limitRole('editor', { idleMinutes: 20, sessionHours: 72 });
    await giveRole('editor', (await addRole({ idleMinutes: 5, sessionHours: 3 })).id);
    const { session, read } = await openSession('editor');
    const row = await read();
    expect([row?.idleMinutes, lifeHours(row)]).toEqual([5, 3]);
    expect(await session.api.session.current()).toMatchObject({ expiry: { idleSeconds: 300 } });
    await limitRole('access', { idleMinutes: 720, sessionHours: 72 });
    const { session: longSession, read: readLong } = await openSession('access');
    expect(lifeHours(await readLong())).toBe(12);
    expect(await longSession.api.session.current()).toMatchObject({ expiry: { idleSeconds: 1800 } });
  });

  test('end an idle session, and use extends it', async () => {
    await limitRole('editor', { idleMinutes: 4 });
    const { session } = await openSession('editor');
    for (let round = 0; round < 3; round++) {
      app.clock.now += 3 * minuteMs;
      expect(await codeOf(session.api.news.list(newsList))).toBe('done');
    }
    const { sessions: listed } = await session.api.account.get();
    expect(listed).toHaveLength(1);
    app.clock.now += 4 * minuteMs;
    expect(await codeOf(session.api.news.list(newsList))).toBe('UNAUTHORIZED');
  });

  test('shorten open sessions with the edit that tightens them, and lengthen none', async () => {
    const { session, read } = await openSession('editor');
    await limitRole('editor', { idleMinutes: 10, sessionHours: 5 });
    const shortened = await read();
    expect([shortened?.idleMinutes, lifeHours(shortened)]).toEqual([10, 5]);
    await limitRole('editor', { idleMinutes: null, sessionHours: null });
    expect(await read()).toEqual(shortened);
    app.clock.now += 10 * minuteMs;
    expect(await codeOf(session.api.news.list(newsList))).toBe('UNAUTHORIZED');
  });

  test('end sessions that are already older', async () => {
    const { session } = await openSession('editor');
    app.clock.now += 25 * minuteMs;
    expect(await codeOf(session.api.news.list(newsList))).toBe('done');
    app.clock.now += 25 * minuteMs;
    expect(await codeOf(session.api.news.list(newsList))).toBe('done');
    app.clock.now += 25 * minuteMs;
    admin = await signInAs(app, 'all', { 'x-forwarded-for': office });
    await limitRole('editor', { sessionHours: 1 });
    expect(await codeOf(session.api.news.list(newsList))).toBe('UNAUTHORIZED');
  });

  test('of a newly assigned role shorten the person’s open sessions, and no one else’s', async () => {
    const { read } = await openSession('editor');
    const { read: readOther } = await openSession('operator');
    const strict = await addRole({ idleMinutes: 3, sessionHours: 2 });
    const { id, version, email, description, roles: held } = await readAdministrator('editor');
    await admin.api.administrators.edit({ id, version, email, description, roles: [...held.map((role) => role.id), strict.id] });
    const row = await read();
    expect([row?.idleMinutes, lifeHours(row)]).toEqual([3, 2]);
    expect((await readOther())?.idleMinutes).toBeNull();
  });

  test('apply to a sign-in that was running when the role became stricter', async () => {
    const role = await readRole('editor');
    let pending: Promise<TestSession> | undefined;
    await app.database.db.transaction(async (tx) => {
      await tx.update(roles).set({ idleMinutes: 6 }).where(eq(roles.id, role.id));
      pending = signInAs(app, 'editor');
      await isOneQueryWaiting(app.database);
    });
    const session = await pending;
    expect(await session?.api.session.current()).toMatchObject({ expiry: { idleSeconds: 360 } });
  });

  test.each([
    ['idleMinutes', 0],
    ['idleMinutes', 721],
    ['sessionHours', 73],
  ])('refuses %s of %d', async (path, value) => {
    await expect(limitRole('editor', { [path]: value })).rejects.toMatchObject({
      data: { issues: [{ path, rule: 'range' }] },
    });
  });

  const readAdministrator = async (person: string) => {
    const [row] = await admin.api.administrators.many({ ids: [await idOf(person)] });
    if (!row) throw new Error(`no account ${person}`);
    return row;
  };
});

describe('a change of networks keeps access manageable', () => {
  let enableRoleId: string;
  const enableGrants = ['administrators.enable'];
  const readNodeIds = async (identifiers: string[]) =>
    (await app.database.db.select().from(permissionNodes).where(inArray(permissionNodes.identifier, identifiers))).map(
      ({ id }) => id,
    );
  beforeAll(async () => {
    // The access administrator manages access with two roles together, and nobody else does.
    const nodeIds = await readNodeIds(enableGrants);
    await app.database.db.delete(roleNodes).where(inArray(roleNodes.nodeId, nodeIds));
    ({ id: enableRoleId } = await createStore(app.database.db).role({ nodeIds }));
    await giveRole('access', enableRoleId);
  });
  const limitEnableRole = async ({ api }: TestSession, networks: string) => {
    const [row] = await app.database.db.select().from(roles).where(eq(roles.id, enableRoleId));
    const { version = 1, name = '' } = row ?? {};
    const fields = { name, description: 'd', needsFactor: false, grants: enableGrants };
    return api.roles.edit({ id: enableRoleId, version, ...fields, networks });
  };

  test('from the network of the caller, who could not manage access alone', async () => {
    const nodeIds = await readNodeIds(['/permissions/role', 'roles.edit', ...enableGrants]);
    await giveRole('editor', (await createStore(app.database.db).role({ nodeIds })).id);
    const editor = await signInAs(app, 'editor', { 'x-forwarded-for': office });
    expect(await codeOf(limitEnableRole(editor, '192.0.2.0/24'))).toBe('LAST_ACCESS');
    expect(await codeOf(limitEnableRole(editor, officeNetwork))).toBe('done');
  });

  test('from at least one network', async () => {
    await app.database.db
      .update(roles)
      .set({ networks: ['192.0.2.0/24'] })
      .where(eq(roles.id, enableRoleId));
    expect(await codeOf(limitRole('access', { networks: '198.51.100.0/24' }))).toBe('LAST_ACCESS');
    expect(await codeOf(limitRole('access', { networks: '192.0.2.128/25' }))).toBe('done');
  });
});
