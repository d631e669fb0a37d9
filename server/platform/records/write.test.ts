import { asc, eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { audit } from '../audit/tables.ts';
import { lockAccessShared } from '../auth/rights/escalation.ts';
import { roles, sessions } from '../auth/tables.ts';
import { idempotency } from './tables.ts';
import type { RequestContext } from '../services/context.ts';
import { appError } from '../core/errors.ts';
import { createLogger } from '../core/log.ts';
import { newId } from '../core/ids.ts';
import { newContext } from '../http/request-context.ts';
import { openExternalServices } from '../services/services.ts';
import { send, signInAs, testApp, type TestSession, type TestApp } from '../../testing/support.ts';
import { lockRow, lockRows } from './versions.ts';
import { unmodified, writeOnce } from './write.ts';
import { build } from '../../../testing/factories/build.ts';

const item = build.newsFields({ title: 'A title' });

let app: TestApp;
let all: TestSession;
let actorId: string;
let sessionId: string;
beforeAll(async () => {
  app = await testApp();
  all = await signInAs(app, 'all');
  const [own] = await app.database.db.select({ id: sessions.id, actorId: sessions.administratorId }).from(sessions);
  if (!own) throw new Error('nobody is signed in');
  ({ id: sessionId, actorId } = own);
});

const add = (key: string | null, body: object = item, path = '/api/news') =>
  send(app, 'POST', path, body, { ...all.headers, 'x-command': 'news.add', ...(key !== null && { 'idempotency-key': key }) });
const countOf = async (table: string) => Number((await app.database.pool.query(`select count(*) as n from ${table}`)).rows[0].n);

function contextFor(key: string | null = null): RequestContext {
  const services = {
    config: app.config,
    log: createLogger({ level: 'silent' }),
    database: app.database,
    now: () => app.clock.now,
    ...openExternalServices(app.config),
  };
  const headers: Record<string, string> = key === null ? {} : { 'idempotency-key': key };
  const context = newContext(services, new Request('http://localhost/', { headers }), undefined);
  return {
    ...context,
    actor: { kind: 'person', id: actorId, email: 'admin@demo.local', sessionId, granted: new Set() },
    route: { name: 'test.write', meta: { signedIn: true } },
  };
}

describe('an Idempotency-Key', () => {
  test('used twenty times concurrently has one effect and equal responses', async () => {
    const before = [await countOf('news'), await countOf('audit')];
    const responses = await Promise.all(Array.from({ length: 20 }, () => add('twenty')));
    const bodies = await Promise.all(responses.map((response) => response.text()));
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect(new Set(bodies).size).toBe(1);
    expect(responses.filter(({ headers }) => headers.get('idempotent-replay') === 'true')).toHaveLength(19);
    expect([await countOf('news'), await countOf('audit')]).toEqual([(before[0] ?? 0) + 1, (before[1] ?? 0) + 1]);
  });

  test('is refused with another payload', async () => {
    expect((await add('other')).status).toBe(200);
    const response = await add('other', { ...item, title: 'Another title' });
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ code: 'IDEMPOTENCY_MISMATCH' });
  });

  test('is separate for each person and route', async () => {
    const editor = await signInAs(app, 'editor');
    const mine = (await (await add('shared')).json()) as { id: string };
    const theirs = await send(app, 'POST', '/api/news', item, { ...editor.headers, 'idempotency-key': 'shared' });
    expect(theirs.status).toBe(200);
    expect(((await theirs.json()) as { id: string }).id).not.toBe(mine.id);
    const items = [{ id: mine.id, version: 1 }];
    const hidden = await send(app, 'POST', '/api/news/delete', { items }, { ...all.headers, 'idempotency-key': 'shared' });
    expect(await hidden.json()).toMatchObject({ done: [{ id: mine.id }] });
  });

  test('runs again after a failure', async () => {
    const missing = { items: [{ id: newId(), version: 1 }] };
    const headers = { ...all.headers, 'idempotency-key': 'failed' };
    expect((await send(app, 'POST', '/api/news/delete', missing, headers)).status).toBe(404);
    const added = (await (await add(null)).json()) as { id: string };
    expect((await send(app, 'POST', '/api/news/delete', { items: [{ id: added.id, version: 1 }] }, headers)).status).toBe(200);
  });

  test('is committed together with the effect', async () => {
    const failing = writeOnce(contextFor('crash'), {}, async (tx, note) => {
      note({ entity: 'test', id: null });
      await tx.update(roles).set({ description: 'changed' });
      throw new Error('the process dies here');
    });
    await expect(failing).rejects.toThrow('dies here');
    expect(await app.database.db.select().from(roles).where(eq(roles.description, 'changed'))).toEqual([]);
    expect(await app.database.db.select().from(idempotency).where(eq(idempotency.key, 'crash'))).toEqual([]);
    expect(await app.database.db.select().from(audit).where(eq(audit.entity, 'test'))).toEqual([]);
  });

  test('is IN_PROGRESS while a slow request holds it', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    let claimed = () => {};
    const hasClaimed = new Promise<void>((resolve) => (claimed = resolve));
    const slow = writeOnce(contextFor('slow'), {}, async () => {
      claimed();
      await held;
      return unmodified('slow');
    });
    await hasClaimed;
    await expect(writeOnce(contextFor('slow'), {}, async () => unmodified('fast'))).rejects.toMatchObject({
      code: 'IN_PROGRESS',
    });
    release();
    expect(await slow).toBe('slow');
    expect(await writeOnce(contextFor('slow'), {}, async () => unmodified('later'))).toBe('slow');
  });
});

describe('the audit of a write', () => {
  test('has a row with actor, action, command, before and after', async () => {
    const added = (await (await add('audited')).json()) as Record<string, unknown>;
    const edit = { ...item, title: 'Edited', id: added['id'], version: 1 };
    const edited = await send(app, 'PUT', '/api/news', edit, { ...all.headers, 'x-command': 'not.a.command' });
    const after = (await edited.json()) as Record<string, unknown>;
    const rows = await app.database.db
      .select()
      .from(audit)
      .where(eq(audit.entityId, String(added['id'])))
      .orderBy(asc(audit.seq));
    expect(rows).toHaveLength(2);
    expect(rows[0]).toMatchObject({
      actorId,
      actorEmail: 'admin@demo.local',
      command: 'news.add',
      route: 'news.add',
      permission: 'news.add',
      action: 'add',
      entity: 'news',
      before: null,
      after: JSON.stringify(added),
      result: 'done',
      ip: '127.0.0.1',
      idempotencyKey: 'audited',
    });
    expect(rows[1]).toMatchObject({ command: null, action: 'edit', before: JSON.stringify(added), after: JSON.stringify(after) });
    expect(rows[1]?.requestId).toBe(edited.headers.get('x-request-id'));
  });

  test('refuses an effect that notes nothing', async () => {
    const silent = writeOnce(contextFor(), {}, async (tx) => void (await tx.update(roles).set({ description: 'silent' })));
    await expect(silent).rejects.toThrow('recorded no audit entry');
    expect(await app.database.db.select().from(roles).where(eq(roles.description, 'silent'))).toEqual([]);
  });

  test.each(['update audit set actor_email = $$x$$', 'delete from audit', 'truncate audit'])(
    'cannot be changed: %s',
    async (statement) => {
      const before = await countOf('audit');
      expect(before).toBeGreaterThan(0);
      await expect(app.database.pool.query(statement)).rejects.toThrow('append-only');
      expect(await countOf('audit')).toBe(before);
    },
  );
});

describe('a write', () => {
  test('is retried after a deadlock until both are done', async () => {
    const [first, second] = await app.database.db.select({ id: roles.id }).from(roles).orderBy(asc(roles.id)).limit(2);
    if (!first || !second) throw new Error('two roles are seeded');
    let met = 0;
    let meet = () => {};
    const both = new Promise<void>((resolve) => (meet = resolve));
    const runs = [0, 0];
    const cross = (who: 0 | 1, one: string, other: string) =>
      writeOnce(contextFor(), {}, async (tx, note) => {
        runs[who] = (runs[who] ?? 0) + 1;
        note({ entity: 'crossing', id: one });
        await tx.update(roles).set({ version: 7 }).where(eq(roles.id, one));
        if (++met === 2) meet();
        await both;
        await tx.update(roles).set({ version: 7 }).where(eq(roles.id, other));
        return who;
      });
    expect(await Promise.all([cross(0, first.id, second.id), cross(1, second.id, first.id)])).toEqual([0, 1]);
    expect((runs[0] ?? 0) + (runs[1] ?? 0)).toBeGreaterThan(2);
    expect(await app.database.db.select().from(audit).where(eq(audit.entity, 'crossing'))).toHaveLength(2);
  });

  test('of a changed row is CONFLICT with the current row, of a deleted one NOT_FOUND', async () => {
    const [role] = await app.database.db.select().from(roles).limit(1);
    if (!role) throw new Error('roles are seeded');
    const present = ({ name }: { name: string }) => ({ name });
    const lock = (item: { id: string; version: number }) =>
      app.database.db.transaction((tx) => lockRow(tx, roles, item, present));
    await expect(lock({ id: role.id, version: role.version + 1 })).rejects.toMatchObject({
      code: 'CONFLICT',
      data: { current: { name: role.name } },
    });
    await expect(lock({ id: newId(), version: 1 })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await lock(role)).toMatchObject({ id: role.id });
  });

  test('of many rows separates unchanged from changed rows, and throws if all changed', async () => {
    const [one, two] = await app.database.db.select().from(roles).limit(2);
    if (!one || !two) throw new Error('two roles are seeded');
    const removed = newId();
    const lock = (items: { id: string; version: number }[]) =>
      app.database.db.transaction((tx) => lockRows(tx, roles, items, ({ id }) => ({ id })));
    const { rows, failed } = await lock([{ id: two.id, version: 99 }, one, { id: removed, version: 1 }, one]);
    expect(rows.map(({ id }) => id)).toEqual([one.id]);
    expect(failed).toEqual([
      { id: two.id, code: 'CONFLICT' },
      { id: removed, code: 'NOT_FOUND' },
    ]);
    await expect(lock([{ id: two.id, version: 99 }])).rejects.toMatchObject({
      code: 'CONFLICT',
      data: { current: { id: two.id } },
    });
  });

  test('ends beside another write without waiting for its place in the audit', async () => {
    let met = 0;
    let meet = () => {};
    const both = new Promise<void>((resolve) => (meet = resolve));
    let runs = 0;
    const held = () =>
      writeOnce(contextFor(), {}, async (tx, note) => {
        runs++;
        await lockAccessShared(tx);
        if (++met === 2) meet();
        await both;
        note({ entity: 'holding', id: null });
        return 'done';
      });
    expect(await Promise.all([held(), held()])).toEqual(['done', 'done']);
    expect(runs).toBe(2);
  });

  test('fails without changes when its effect hides the error of a statement', async () => {
    const stored = async () => [await countOf('roles'), await countOf('audit_inbox'), await countOf('idempotency')];
    const before = await stored();
    const hidden = writeOnce(contextFor('hides-an-error'), {}, async (tx, note) => {
      await tx.insert(roles).values({ id: newId(), name: 'Hidden', createdAt: new Date(), updatedAt: new Date() });
      await tx.execute(sql`select 1 / 0`).catch(() => {});
      return { id: note({ entity: 'roles', id: newId(), after: {} }) };
    });
    await expect(hidden).rejects.toMatchObject({ cause: { code: '25P02' } });
    expect(await stored()).toEqual(before);
  });

  test('is not retried after another error', async () => {
    let runs = 0;
    const failing = writeOnce(contextFor(), {}, async () => {
      runs++;
      throw appError('INCOMPLETE', { fields: ['image'] });
    });
    await expect(failing).rejects.toMatchObject({ code: 'INCOMPLETE' });
    expect(runs).toBe(1);
  });
});
