import { eq } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { allNames, functions } from '../../api/all-names.ts';
import { systemRoute } from '../../api/audit/system.ts';
import { flattenMenu } from '../../api/menu.ts';
import type { Services } from '../platform/services/context.ts';
import { createLogger } from '../platform/core/log.ts';
import { openExternalServices } from '../platform/services/services.ts';
import { createTestApp, type TestApp } from '../testing/support.ts';
import { analystExports, qaAccount } from './roles.ts';
import { seedDatabase } from './seed.ts';
import { news } from '../news/tables.ts';
import { administratorRoles, administrators, permissionNodes, roles } from '../platform/auth/tables.ts';
import { readAccess } from '../platform/auth/sign-in/sign-in.ts';
import { pictures } from '../platform/content/tables.ts';
import { seeded } from './tables.ts';

let app: TestApp;
let services: Services;
beforeAll(async () => {
  app = await createTestApp();
});
beforeEach(() => {
  services = {
    config: app.config,
    log: createLogger({ level: 'silent' }),
    database: app.database,
    now: Date.now,
    ...openExternalServices(app.config),
  };
});

const readGrants = async (seedName: string) => {
  const { rows } = await app.database.pool.query<{ identifier: string }>(
    `select n.identifier from roles r join role_nodes rn on rn.role_id = r.id join permission_nodes n on n.id = rn.node_id where r.seed = $1`,
    [seedName],
  );
  return new Set(rows.map(({ identifier }) => identifier));
};

test('the tree has every screen and below it every function, with both names', async () => {
  const nodes = await app.database.db.select().from(permissionNodes);
  const nodesByIdentifier = new Map(nodes.map((node) => [node.identifier, node]));
  const ids = Object.values(functions).flat();
  expect(nodes).toHaveLength(flattenMenu().length + ids.length);
  for (const [screen, codes] of Object.entries(functions)) {
    for (const code of codes) {
      expect(nodesByIdentifier.get(code)).toMatchObject({
        kind: 'function',
        nameZh: allNames[code].zh,
        nameEn: allNames[code].en,
      });
      expect(nodesByIdentifier.get(code)?.parentId).toBe(nodesByIdentifier.get(screen)?.id);
    }
  }
  expect(nodesByIdentifier.get('/statistics/data0penBox')?.parentId).toBe(nodesByIdentifier.get('/statistics')?.id);
});

test('the analyst has every screen and of the functions only the exports of lists', async () => {
  expect(await readGrants('analyst')).toEqual(new Set([...flattenMenu().map(({ path }) => path), ...analystExports]));
});

describe('an upgrade of a version whose analyst had no exports', () => {
  const screens = new Set<string>(flattenMenu().map(({ path }) => path));
  const allGrants = new Set<string>([...screens, ...analystExports]);
  const deleteExportGrants = (...exports: readonly string[]) =>
    app.database.pool.query(
      `delete from role_nodes rn using roles r, permission_nodes n where r.seed = 'analyst' and rn.role_id = r.id and n.id = rn.node_id and n.identifier = any($1)`,
      [exports],
    );
  let grantsBefore = 0;
  const grantEntries = async () =>
    (
      await app.database.pool.query<{ before: string; after: string }>(
        `select route, actor_id, entity_id, result, before, after from audit where entity = 'role' and action = 'grant' order by seq`,
      )
    ).rows
      .slice(grantsBefore)
      .map((entry) => ({ ...entry, before: JSON.parse(entry.before) as unknown, after: JSON.parse(entry.after) as unknown }));

  beforeEach(async () => {
    await app.database.db.update(roles).set({ version: 1 }).where(eq(roles.seed, 'analyst'));
    await app.database.db.delete(seeded).where(eq(seeded.key, 'grants:analyst'));
    grantsBefore += (await grantEntries()).length;
    await deleteExportGrants(...analystExports);
  });

  test('grants the exports to the unedited analyst role once, and audits the grant as the system', async () => {
    await seedDatabase(services);
    expect(await readGrants('analyst')).toEqual(allGrants);
    const [role] = await app.database.db.select().from(roles).where(eq(roles.seed, 'analyst'));
    expect(await grantEntries()).toEqual([
      {
        route: systemRoute,
        actor_id: null,
        entity_id: role?.id,
        result: 'done',
        before: { name: role?.name, grants: [...screens].toSorted() },
        after: { name: role?.name, grants: [...allGrants].toSorted() },
      },
    ]);
    await deleteExportGrants('visits.export');
    await seedDatabase(services);
    expect(await readGrants('analyst')).not.toContain('visits.export');
    expect(await grantEntries()).toHaveLength(1);
  });

  test('grants nothing to an edited analyst role', async () => {
    await app.database.db.update(roles).set({ version: 2 }).where(eq(roles.seed, 'analyst'));
    await seedDatabase(services);
    expect(await readGrants('analyst')).toEqual(screens);
    expect(await grantEntries()).toEqual([]);
  });
});

test('seeding again changes nothing and keeps edited names, grants and roles', async () => {
  const { db, pool } = app.database;
  await db.update(permissionNodes).set({ nameEn: 'Our own news' }).where(eq(permissionNodes.identifier, '/news'));
  await db.update(roles).set({ name: 'Writers' }).where(eq(roles.seed, 'editor'));
  await pool.query(
    `delete from role_nodes rn using roles r, permission_nodes n where r.seed = 'editor' and rn.role_id = r.id and n.id = rn.node_id and n.identifier = 'news.delete'`,
  );
  const readEverything = async () =>
    (
      await pool.query(`select (select array_agg(n::text order by id) from permission_nodes n) as nodes, (select array_agg(r::text order by id) from roles r) as roles,
      (select array_agg(g::text order by role_id, node_id) from role_nodes g) as grants, (select array_agg(a::text order by id) from administrators a) as people`)
    ).rows;
  const stateBefore = await readEverything();
  await seedDatabase(services);
  expect(await readEverything()).toEqual(stateBefore);
});

test('a function of a newer version is added and granted to the role with all permissions', async () => {
  await app.database.db.delete(permissionNodes).where(eq(permissionNodes.identifier, 'news.get'));
  await app.database.db.delete(seeded).where(eq(seeded.key, 'node:news.get'));
  expect(await readGrants('all')).not.toContain('news.get');
  await seedDatabase(services);
  expect(await readGrants('all')).toContain('news.get');
  expect(await readGrants('analyst')).not.toContain('news.get');
});

test('nodes and roles that people deleted stay deleted', async () => {
  const { db } = app.database;
  await db.delete(permissionNodes).where(eq(permissionNodes.identifier, 'news.hide'));
  await db.delete(administratorRoles);
  await db.delete(roles).where(eq(roles.seed, 'operator'));
  await seedDatabase(services);
  expect(await db.select().from(permissionNodes).where(eq(permissionNodes.identifier, 'news.hide'))).toEqual([]);
  expect(await db.select().from(roles).where(eq(roles.seed, 'operator'))).toEqual([]);
});

test('production gets tree and roles, but no demo accounts and news', async () => {
  const { db } = app.database;
  await db.delete(administrators);
  await db.delete(news);
  await seedDatabase({ ...services, config: { ...app.config, production: true, demo: false, demoNews: false } });
  expect(await db.select().from(administrators)).toEqual([]);
  expect(await db.select().from(news)).toEqual([]);
});

test('production’s seeded roles with money permissions require a second factor', async () => {
  const { db } = app.database;
  await db.delete(administratorRoles);
  await db.delete(roles);
  await db.delete(seeded);
  await seedDatabase({ ...services, config: { ...app.config, production: true, demoNews: false } });
  const rolesWithFactor = await db.select({ seed: roles.seed }).from(roles).where(eq(roles.needsFactor, true));
  expect(rolesWithFactor.map((role) => role.seed).toSorted()).toEqual(['all', 'approver', 'operator']);
});

test('an empty development database gets bilingual news with pictures, once', async () => {
  const { db } = app.database;
  await db.delete(news);
  await db.delete(pictures);
  const developmentServices = { ...services, config: { ...app.config, demoNews: true } };
  await seedDatabase(developmentServices);
  const rows = await db.select().from(news);
  expect(rows.length).toBeGreaterThanOrEqual(40);
  expect(rows.some(({ title }) => /[\u4e00-\u9fff]/.test(title))).toBe(true);
  expect(rows.some(({ shown }) => shown) && rows.some(({ shown }) => !shown)).toBe(true);
  const id = /\/pictures\/([\w-]+)\.webp$/.exec(rows[0]?.image ?? '')?.[1] ?? '';
  expect((await services.pictures.get(id))?.byteLength).toBeGreaterThan(1000);
  await seedDatabase(developmentServices);
  expect(await db.select().from(news)).toHaveLength(rows.length);
});

test('an empty development database gets a month of points with matching balances, and airdrops, once', async () => {
  const developmentServices = { ...services, config: { ...app.config, demoNews: true } };
  await seedDatabase(developmentServices);
  await seedDatabase(developmentServices);
  const { rows } = await app.database.pool.query<{ entries: number; sums: string; balances: string; airdrops: number }>(`select
    (select count(*)::int from points) as entries,
    (select sum(berries) from points)::text as sums,
    (select sum(berries) from point_balances)::text as balances,
    (select count(*)::int from airdrops) as airdrops`);
  expect(rows[0]).toMatchObject({ entries: 360, airdrops: 160 });
  expect(rows[0]?.balances).toBe(rows[0]?.sums);
});

test('demo data includes a QA account that sees expert features', async () => {
  const { db } = app.database;
  const readQaAccount = () => db.select().from(administrators).where(eq(administrators.email, qaAccount.email));
  const developmentServices = { ...services, config: { ...app.config, demoNews: true } };
  await seedDatabase(developmentServices);
  const [account] = await readQaAccount();
  if (!account) throw new Error('there is no account for QA');
  expect(account).toMatchObject({ demo: true, enabled: true });
  const readAdministratorAccess = (config: Services['config'], email: string) =>
    readAccess(db, { ...services, config }, { kind: 'person', id: account.id, email, sessionId: '', granted: new Set() });
  expect(await readAdministratorAccess(developmentServices.config, account.email)).toMatchObject({ expert: true });
  expect(await readAdministratorAccess(developmentServices.config, 'admin@demo.local')).not.toHaveProperty('expert');
  expect(await readAdministratorAccess(app.config, account.email)).not.toHaveProperty('expert'); // no demo data, no such account
});
