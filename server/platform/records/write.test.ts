import { asc, eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { audit } from '../audit/tables.ts';
import { lockAccessShared } from '../auth/rights/escalation.ts';
import { roles, sessions } from '../auth/tables.ts';
import { idempotency } from './tables.ts';
import type { RequestContext } from '../services/context.ts';
import { createAppError } from '../core/errors.ts';
import { createLogger } from '../core/log.ts';
import { newId } from '../core/ids.ts';
import { createContext } from '../http/request-context.ts';
import { openExternalServices } from '../services/services.ts';
import { send, signInAs, createTestApp, type TestSession, type TestApp } from '../../testing/support.ts';
import { lockRow, lockRows } from './versions.ts';
import { asUnmodified, writeOnce } from './write.ts';
import { build } from '../../../testing/factories/build.ts';

const newsItem = build.newsFields({ title: 'A title' });

let app: TestApp;
let fullSession: TestSession;
let actorId: string;
let sessionId: string;
beforeAll(async () => {
  app = await createTestApp();
  fullSession = await signInAs(app, 'all');
  const [sessionRow] = await app.database.db.select({ id: sessions.id, actorId: sessions.administratorId }).from(sessions);
  if (!sessionRow) throw new Error('nobody is signed in');
  ({ id: sessionId, actorId } = sessionRow);
});

const addNews = (key: string | null, body: object = newsItem, path = '/api/news') =>
  send(app, 'POST', path, body, {
    ...fullSession.headers,
    'x-command': 'news.add',
    ...(key !== null && { 'idempotency-key': key }),
  });
const countRows = async (table: string) =>
  Number((await app.database.pool.query(`select count(*) as n from ${table}`)).rows[0].n);

function contextFor(key: string | null = null): RequestContext {
  const services = {
    config: app.config,
    log: createLogger({ level: 'silent' }),
    database: app.database,
    now: () => app.clock.now,
    ...openExternalServices(app.config),
  };
  const headers: Record<string, string> = key === null ? {} : { 'idempotency-key': key };
  const context = createContext(services, new Request('http://localhost/', { headers }), undefined);
  return {
    ...context,
    actor: { kind: 'person', id: actorId, email: 'admin@demo.local', sessionId, granted: new Set() },
    route: { name: 'test.write', meta: { signedIn: true } },
  };
}

describe('an Idempotency-Key', () => {
  test('used twenty times concurrently has one effect and equal responses', async () => {
    const countsBefore = [await countRows('news'), await countRows('audit')];
    const responses = await Promise.all(Array.from({ length: 20 }, () => addNews('twenty')));
    const responseTexts = await Promise.all(responses.map((response) => response.text()));
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect(new Set(responseTexts).size).toBe(1);
    expect(responses.filter(({ headers }) => headers.get('idempotent-replay') === 'true')).toHaveLength(19);
    expect([await countRows('news'), await countRows('audit')]).toEqual([(countsBefore[0] ?? 0) + 1, (countsBefore[1] ?? 0) + 1]);
  });

  test('is refused with another payload', async () => {
    expect((await addNews('other')).status).toBe(200);
    const response = await addNews('other', { ...newsItem, title: 'Another title' });
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ code: 'IDEMPOTENCY_MISMATCH' });
  });

  test('is separate for each person and route', async () => {
    const editorSession = await signInAs(app, 'editor');
    const firstItem = (await (await addNews('shared')).json()) as { id: string };
    const otherResponse = await send(app, 'POST', '/api/news', newsItem, {
      ...editorSession.headers,
      'idempotency-key': 'shared',
    });
    expect(otherResponse.status).toBe(200);
    expect(((await otherResponse.json()) as { id: string }).id).not.toBe(firstItem.id);
    const items = [{ id: firstItem.id, version: 1 }];
    const hiddenResponse = await send(
      app,
      'POST',
      '/api/news/delete',
      { items },
      { ...fullSession.headers, 'idempotency-key': 'shared' },
    );
    expect(await hiddenResponse.json()).toMatchObject({ done: [{ id: firstItem.id }] });
  });

  test('runs again after a failure', async () => {
    const missingItems = { items: [{ id: newId(), version: 1 }] };
    const headers = { ...fullSession.headers, 'idempotency-key': 'failed' };
    expect((await send(app, 'POST', '/api/news/delete', missingItems, headers)).status).toBe(404);
    const addedItem = (await (await addNews(null)).json()) as { id: string };
    expect((await send(app, 'POST', '/api/news/delete', { items: [{ id: addedItem.id, version: 1 }] }, headers)).status).toBe(
      200,
    );
  });

  test('is committed together with the effect', async () => {
    const failingWrite = writeOnce(contextFor('crash'), {}, async (tx, recordAudit) => {
      recordAudit({ entity: 'test', id: null });
      await tx.update(roles).set({ description: 'changed' });
      throw new Error('the process dies here');
    });
    await expect(failingWrite).rejects.toThrow('dies here');
    expect(await app.database.db.select().from(roles).where(eq(roles.description, 'changed'))).toEqual([]);
    expect(await app.database.db.select().from(idempotency).where(eq(idempotency.key, 'crash'))).toEqual([]);
    expect(await app.database.db.select().from(audit).where(eq(audit.entity, 'test'))).toEqual([]);
  });

  test('is IN_PROGRESS while a slow request holds it', async () => {
    let releaseSlowWrite = () => {};
    const slowWriteGate = new Promise<void>((resolve) => (releaseSlowWrite = resolve));
    let resolveClaimed = () => {};
    const hasClaimed = new Promise<void>((resolve) => (resolveClaimed = resolve));
    const slowWrite = writeOnce(contextFor('slow'), {}, async () => {
      resolveClaimed();
      await slowWriteGate;
      return asUnmodified('slow');
    });
    await hasClaimed;
    await expect(writeOnce(contextFor('slow'), {}, async () => asUnmodified('fast'))).rejects.toMatchObject({
      code: 'IN_PROGRESS',
    });
    releaseSlowWrite();
    expect(await slowWrite).toBe('slow');
    expect(await writeOnce(contextFor('slow'), {}, async () => asUnmodified('later'))).toBe('slow');
  });
});

describe('the audit of a write', () => {
  test('has a row with actor, action, command, before and after', async () => {
    const addedItem = (await (await addNews('audited')).json()) as Record<string, unknown>;
    const editInput = { ...newsItem, title: 'Edited', id: addedItem['id'], version: 1 };
    const editResponse = await send(app, 'PUT', '/api/news', editInput, { ...fullSession.headers, 'x-command': 'not.a.command' });
    const editedItem = (await editResponse.json()) as Record<string, unknown>;
    const rows = await app.database.db
      .select()
      .from(audit)
      .where(eq(audit.entityId, String(addedItem['id'])))
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
      after: JSON.stringify(addedItem),
      result: 'done',
      ip: '127.0.0.1',
      idempotencyKey: 'audited',
    });
    expect(rows[1]).toMatchObject({
      command: null,
      action: 'edit',
      before: JSON.stringify(addedItem),
      after: JSON.stringify(editedItem),
    });
    expect(rows[1]?.requestId).toBe(editResponse.headers.get('x-request-id'));
  });

  test('refuses an effect that notes nothing', async () => {
    const silentWrite = writeOnce(contextFor(), {}, async (tx) => void (await tx.update(roles).set({ description: 'silent' })));
    await expect(silentWrite).rejects.toThrow('recorded no audit entry');
    expect(await app.database.db.select().from(roles).where(eq(roles.description, 'silent'))).toEqual([]);
  });

  test.each(['update audit set actor_email = $$x$$', 'delete from audit', 'truncate audit'])(
    'cannot be changed: %s',
    async (statement) => {
      const auditsBefore = await countRows('audit');
      expect(auditsBefore).toBeGreaterThan(0);
      await expect(app.database.pool.query(statement)).rejects.toThrow('append-only');
      expect(await countRows('audit')).toBe(auditsBefore);
    },
  );
});

describe('a write', () => {
  test('is retried after a deadlock until both are done', async () => {
    const [firstRole, second] = await app.database.db.select({ id: roles.id }).from(roles).orderBy(asc(roles.id)).limit(2);
    if (!firstRole || !second) throw new Error('two roles are seeded');
    let metCount = 0;
    let resolveBoth = () => {};
    const bothMet = new Promise<void>((resolve) => (resolveBoth = resolve));
    const runCounts = [0, 0];
    const lockCrosswise = (writerIndex: 0 | 1, firstId: string, secondId: string) =>
      writeOnce(contextFor(), {}, async (tx, recordAudit) => {
        runCounts[writerIndex] = (runCounts[writerIndex] ?? 0) + 1;
        recordAudit({ entity: 'crossing', id: firstId });
        await tx.update(roles).set({ version: 7 }).where(eq(roles.id, firstId));
        if (++metCount === 2) resolveBoth();
        await bothMet;
        await tx.update(roles).set({ version: 7 }).where(eq(roles.id, secondId));
        return writerIndex;
      });
    expect(await Promise.all([lockCrosswise(0, firstRole.id, second.id), lockCrosswise(1, second.id, firstRole.id)])).toEqual([
      0, 1,
    ]);
    expect((runCounts[0] ?? 0) + (runCounts[1] ?? 0)).toBeGreaterThan(2);
    expect(await app.database.db.select().from(audit).where(eq(audit.entity, 'crossing'))).toHaveLength(2);
  });

  test('of a changed row is CONFLICT with the current row, of a deleted one NOT_FOUND', async () => {
    const [role] = await app.database.db.select().from(roles).limit(1);
    if (!role) throw new Error('roles are seeded');
    const presentName = ({ name }: { name: string }) => ({ name });
    const lockItem = (item: { id: string; version: number }) =>
      app.database.db.transaction((tx) => lockRow(tx, roles, item, presentName));
    await expect(lockItem({ id: role.id, version: role.version + 1 })).rejects.toMatchObject({
      code: 'CONFLICT',
      data: { current: { name: role.name } },
    });
    await expect(lockItem({ id: newId(), version: 1 })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await lockItem(role)).toMatchObject({ id: role.id });
  });

  test('of many rows separates unchanged from changed rows, and throws if all changed', async () => {
    const [firstRow, secondRow] = await app.database.db.select().from(roles).limit(2);
    if (!firstRow || !secondRow) throw new Error('two roles are seeded');
    const removedId = newId();
    const lockItem = (items: { id: string; version: number }[]) =>
      app.database.db.transaction((tx) => lockRows(tx, roles, items, ({ id }) => ({ id })));
    const { rows, failed } = await lockItem([
      { id: secondRow.id, version: 99 },
      firstRow,
      { id: removedId, version: 1 },
      firstRow,
    ]);
    expect(rows.map(({ id }) => id)).toEqual([firstRow.id]);
    expect(failed).toEqual([
      { id: secondRow.id, code: 'CONFLICT' },
      { id: removedId, code: 'NOT_FOUND' },
    ]);
    await expect(lockItem([{ id: secondRow.id, version: 99 }])).rejects.toMatchObject({
      code: 'CONFLICT',
      data: { current: { id: secondRow.id } },
    });
  });

  test('ends beside another write without waiting for its place in the audit', async () => {
    let metCount = 0;
    let resolveBoth = () => {};
    const bothMet = new Promise<void>((resolve) => (resolveBoth = resolve));
    let runCount = 0;
    const runHeldWrite = () =>
      writeOnce(contextFor(), {}, async (tx, recordAudit) => {
        runCount++;
        await lockAccessShared(tx);
        if (++metCount === 2) resolveBoth();
        await bothMet;
        recordAudit({ entity: 'holding', id: null });
        return 'done';
      });
    expect(await Promise.all([runHeldWrite(), runHeldWrite()])).toEqual(['done', 'done']);
    expect(runCount).toBe(2);
  });

  test('fails without changes when its effect hides the error of a statement', async () => {
    const readCounts = async () => [await countRows('roles'), await countRows('audit_inbox'), await countRows('idempotency')];
    const storedBefore = await readCounts();
    const hiddenErrorWrite = writeOnce(contextFor('hides-an-error'), {}, async (tx, recordAudit) => {
      await tx.insert(roles).values({ id: newId(), name: 'Hidden', createdAt: new Date(), updatedAt: new Date() });
      await tx.execute(sql`select 1 / 0`).catch(() => {});
      return { id: recordAudit({ entity: 'roles', id: newId(), after: {} }) };
    });
    await expect(hiddenErrorWrite).rejects.toMatchObject({ cause: { code: '25P02' } });
    expect(await readCounts()).toEqual(storedBefore);
  });

  test('is not retried after another error', async () => {
    let runCount = 0;
    const failingWrite = writeOnce(contextFor(), {}, async () => {
      runCount++;
      throw createAppError('INCOMPLETE', { fields: ['image'] });
    });
    await expect(failingWrite).rejects.toMatchObject({ code: 'INCOMPLETE' });
    expect(runCount).toBe(1);
  });
});
