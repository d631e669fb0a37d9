import { eq } from 'drizzle-orm';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { exportLimits } from '../../api/exports/contract.ts';
import { createStore } from '../../testing/factories/store.ts';
import { audit } from '../platform/audit/tables.ts';
import { administrators, permissionNodes, serviceAccounts, serviceTokenNodes, serviceTokens } from '../platform/auth/tables.ts';
import { createLogger } from '../platform/core/log.ts';
import { exportJobs as table, exportParts } from '../platform/exports/tables.ts';
import { runExports } from '../platform/exports/worker.ts';
import type { Services } from '../platform/services/context.ts';
import { openExternalServices } from '../platform/services/services.ts';
import { createApi, createTestApp, send, signInAs, type TestApp } from '../testing/support.ts';

let app: TestApp;
let services: Services;
let owner: string;
let script: Awaited<ReturnType<typeof addToken>>;

beforeAll(async () => {
  app = await createTestApp({ SERVICE_CALLS_PER_MINUTE: '0' }, { jobs: false });
  services = {
    config: app.config,
    log: createLogger({ level: 'silent' }),
    database: app.database,
    now: () => app.clock.now,
    ...openExternalServices(app.config),
  };
  const [row] = await app.database.db.select().from(administrators).where(eq(administrators.email, 'access@demo.local'));
  owner = row?.id ?? '';
});
beforeEach(async () => {
  script = await addToken(['/points', 'points.export']);
});

async function addToken(scopes: readonly string[]) {
  const stored = await createStore(app.database.db).serviceToken({ owners: [owner], scopes });
  const headers = { authorization: `Bearer ${stored.text}` };
  return { ...stored, headers, api: createApi(app, headers) };
}

const exportInput = { sort: 'createdAt', direction: 'asc', filter: {}, locale: 'en-US', zone: 'UTC', format: 'csv' } as const;
const download = (id: string, headers: Record<string, string> = script.headers) =>
  send(app, 'GET', `/api/points/export/${id}`, undefined, headers);
const stateOf = async (id: string) => (await app.database.db.select().from(table).where(eq(table.id, id)))[0];

test('a token runs and downloads an export, which the audit attributes to its service account', async () => {
  const { id } = await script.api.points.export(exportInput);
  await runExports(services);
  expect(await script.api.exportJobs.own()).toMatchObject([{ id, state: 'done' }]);
  const response = await download(id);
  expect([response.status, /Address.+Berries/.test(await response.text())]).toEqual([200, true]);
  const entries = await app.database.db.select().from(audit).where(eq(audit.entityId, id));
  const email = `service:${script.account.name}`;
  expect(entries.map(({ action, actorId, actorEmail }) => [action, actorId, actorEmail]).toSorted()).toEqual([
    ['done', script.account.id, email],
    ['export', script.account.id, email],
  ]);
  for (const { payload } of entries) expect(JSON.parse(payload)).toMatchObject({ token: script.token.id });
});

test('an export of a service account is invisible to people and to other service accounts', async () => {
  const { id } = await script.api.points.export(exportInput);
  await runExports(services);
  const person = await signInAs(app, 'all');
  const other = await addToken(['/points', 'points.export']);
  for (const { api, headers } of [person, other]) {
    expect((await download(id, headers)).status).toBe(404);
    expect(await api.exportJobs.own()).toEqual([]);
    await expect(api.exportJobs.cancel({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(api.exportJobs.remove({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  }
  expect(await script.api.exportJobs.remove({ id })).toEqual({ id });
});

test.each([['/points'], ['points.export']])('a token with only %s starts no export', async (scope) => {
  const { api } = await addToken([scope]);
  await expect(api.points.export(exportInput)).rejects.toMatchObject({ code: 'FORBIDDEN' });
});

test('a token can’t export the audit log, even with the scope forced into the database', async () => {
  const { api, headers } = await addToken(['/audit', 'audit.export']);
  await expect(api.audit.export({ locale: 'en-US', zone: 'UTC', format: 'csv' })).rejects.toMatchObject({
    code: 'NOT_FOR_SERVICES',
  });
  expect((await send(app, 'GET', '/api/audit/export/x', undefined, headers)).status).toBe(403);
});

const ends: readonly [string, () => Promise<unknown>][] = [
  [
    'the token is revoked',
    () =>
      app.database.db
        .update(serviceTokens)
        .set({ revokedAt: new Date(), revokedReason: 'person' })
        .where(eq(serviceTokens.id, script.token.id)),
  ],
  [
    'the service account is disabled',
    () => app.database.db.update(serviceAccounts).set({ enabled: false }).where(eq(serviceAccounts.id, script.account.id)),
  ],
  [
    'the token loses the screen',
    async () => {
      const [node] = await app.database.db.select().from(permissionNodes).where(eq(permissionNodes.identifier, '/points'));
      await app.database.db.delete(serviceTokenNodes).where(eq(serviceTokenNodes.nodeId, node?.id ?? ''));
    },
  ],
];

test.each(ends)('an export stops without a file when %s while it runs', async (_, end) => {
  const { id } = await script.api.points.export(exportInput);
  await end();
  await runExports(services);
  expect(await stateOf(id)).toMatchObject({ state: 'failed', problem: 'forbidden' });
  expect(await app.database.db.$count(exportParts, eq(exportParts.exportId, id))).toBe(0);
});

test('a token that is revoked between two reports of progress leaves no file', async () => {
  const { id } = await script.api.points.export(exportInput);
  let reports = 0;
  await runExports(services, {
    reportMs: 0,
    continueExport: async () => {
      if (++reports === 1) await ends[0]?.[1]();
      return true;
    },
  });
  expect(await stateOf(id)).toMatchObject({ state: 'failed', problem: 'forbidden' });
});

test('a service account runs at most two exports at the same time, also with several tokens', async () => {
  const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => script.api.points.export(exportInput)));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(exportLimits.running);
  await expect(script.api.points.export(exportInput)).rejects.toMatchObject({ code: 'EXPORT_LIMIT' });
  await runExports(services);
});
