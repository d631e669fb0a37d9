import pg from 'pg';
import { expect, test } from 'vitest';
import { verifyDatabase } from '../platform/audit/verify.ts';
import { createLogger } from '../platform/core/log.ts';
import { openDatabase } from '../platform/db/db.ts';
import { readPanelSchema } from '../platform/db/migrations.ts';
import { grantsAddedLater } from '../seed/roles.ts';
import { createTemporaryFolder } from '../testing/cleanup.ts';
import { postAs, signInAt } from '../testing/callers.ts';
import { startServer } from '../testing/process.ts';
import { savedReleases, restoreRelease, readReleaseRows } from '../testing/releases.ts';
import { createTestDatabase } from '../testing/support.ts';

/** Every object that a migration or server/sql can change. */
async function readSchema(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ line: string }>(`
    select format('column %s.%s %s %s %s', table_name, column_name, data_type, is_nullable, column_default) as line
      from information_schema.columns where table_schema = 'public' and table_name !~ '_\\d{4}_\\d{2}$'
    union all select 'index ' || indexdef from pg_indexes where schemaname = 'public' and tablename !~ '_\\d{4}_\\d{2}$'
    union all select format('constraint %s %s', conrelid::regclass, pg_get_constraintdef(oid)) from pg_constraint
      where connamespace = 'public'::regnamespace and conrelid::regclass::text !~ '_\\d{4}_\\d{2}$'
    union all select 'trigger ' || pg_get_triggerdef(oid) from pg_trigger
      where not tgisinternal and tgrelid::regclass::text !~ '_\\d{4}_\\d{2}$'
    union all select 'function ' || pg_get_functiondef(p.oid) from pg_proc p
      where pronamespace = 'public'::regnamespace and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
    order by 1`);
  await client.end();
  return rows.map(({ line }) => line);
}

async function readAnalystExports(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ identifier: string }>(`
    select n.identifier from roles r join role_nodes rn on rn.role_id = r.id join permission_nodes n on n.id = rn.node_id
    where r.seed = 'analyst' and n.kind = 'function' order by 1`);
  await client.end();
  return rows.map(({ identifier }) => identifier);
}

test.each(savedReleases.map((release) => [release.version, release] as const))(
  'upgrading the database of %s gives the schema of a new one, keeps every row and the audit, and serves',
  { timeout: 180_000 },
  async (version, release) => {
    const url = await restoreRelease(release);
    const database = openDatabase({ url, log: createLogger({ level: 'silent' }) });
    const status = await database.migrate();
    expect(status.pending.map(({ number }) => number)).toEqual(
      readPanelSchema()
        .migrations.map(({ number }) => number)
        .slice(release.migrations),
    );
    expect(await database.readinessProblem()).toBeNull();
    const newDatabase = await createTestDatabase();
    expect(await readSchema(url)).toEqual(await readSchema(newDatabase.url));
    const rowsBefore = readReleaseRows(version);
    expect(Object.values(rowsBefore).filter((rows) => rows.length > 0).length).toBeGreaterThan(65);
    for (const [table, rows] of Object.entries(rowsBefore)) {
      const { rows: rowCounts } = await database.pool.query<{ count: number }>(`select count(*)::int as count from "${table}"`);
      expect({ table, count: rowCounts[0]?.count }).toEqual({ table, count: rows.length });
    }
    const { rows: unvouched } = await database.pool.query('select from administrators where factor_vouched_at is null');
    expect(unvouched).toHaveLength(0);
    const client = await database.connect();
    expect((await verifyDatabase(client, { headsFile: '/none', keys: [] })).problems).toEqual([]);
    await client.end();
    await database.close();

    const server = startServer(createTemporaryFolder(), { DATABASE_URL: url, DEVNET: 'off', DEMO_NEWS: 'off' });
    const origin = await server.ready;
    const session = await signInAt(origin, 'editor');
    const newsResponse = await postAs(origin, session, '/api/news/list', 'list', {
      sort: 'time',
      direction: 'desc',
      filter: {},
      cursor: null,
      limit: 10,
    });
    expect(newsResponse.status).toBe(200);
    expect(await newsResponse.json()).toMatchObject({
      rows: expect.arrayContaining([expect.objectContaining({ title: expect.any(String) })]),
    });
    expect(await readAnalystExports(url)).toEqual([...grantsAddedLater.analyst].toSorted());
    const ids = (rowsBefore['news'] ?? []).map((row) => (JSON.parse(row) as { id: string }).id);
    expect(ids.length).toBeGreaterThan(0);
    const keptResponse = await postAs(origin, session, '/api/news/many', 'many', { ids });
    expect(await keptResponse.json()).toMatchObject(
      ids.map((id) => ({ id, translatedTitle: null, startsAt: null, endsAt: null })),
    );
    server.child.kill('SIGTERM');
    await server.ended;
  },
);
