// npx tsx scripts/release/dump.ts: saves the database for later upgrade tests. Run it once at the release's commit.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import pg from 'pg';
import { version } from '../../server/platform/core/version.ts';
import { readPanelSchema } from '../../server/platform/db/migrations.ts';
import { startServer } from '../../server/testing/process.ts';
import { ensureBuild, root } from '../setup.mjs';
import { fillEmptyTables, tableNames } from './fill-tables.ts';

/** Nothing references them. */
const maxRows = 40;
const growingTables = [
  'visits',
  'visit_days',
  'visit_hours',
  'visit_hour_sums',
  'wallet_connections',
  'wallet_events',
  'draws',
  'overview_days',
];

await ensureBuild();
const dataDir = mkdtempSync(join(tmpdir(), 'panel-release-'));
const server = startServer(dataDir, { QA_TOOLS: 'on' });
try {
  await server.ready;
  await sleep(30_000); // the demo mints its deposits and reads its chain
  const [, , , port] = readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n');
  const password = readFileSync(join(dataDir, 'postgres.secret'), 'utf8').trim();
  const client = new pg.Client({ connectionString: `postgres://postgres:${password}@127.0.0.1:${port}/admin_panel` });
  await client.connect();
  await client.query(`set session_replication_role = replica`); // disables triggers and foreign keys
  for (const table of growingTables) {
    await client.query(`delete from ${table} where ctid not in (select ctid from ${table} limit ${maxRows})`);
  }
  await fillEmptyTables(client);
  const tables: Record<string, string[]> = {};
  for (const table of await tableNames(client)) {
    const { rows } = await client.query<{ row: string }>(`select to_jsonb(t)::text as row from ${pg.escapeIdentifier(table)} t`);
    tables[table] = rows.map(({ row }) => row);
  }
  await client.end();
  const folder = join(root, 'testing/releases', version);
  mkdirSync(folder, { recursive: true });
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
  const { migrations, sql } = readPanelSchema();
  writeFileSync(join(folder, 'release.json'), `${JSON.stringify({ version, commit, migrations: migrations.length }, null, 2)}\n`);
  writeFileSync(join(folder, 'functions.sql'), sql.map(({ text }) => text).join('\n'));
  writeFileSync(join(folder, 'rows.json.gz'), gzipSync(JSON.stringify(tables), { level: 9 }));
  console.log(`${Object.keys(tables).length} tables, ${Object.values(tables).flat().length} rows: ${folder}`);
} finally {
  server.child.kill('SIGTERM');
  await server.ended;
  rmSync(dataDir, { recursive: true, force: true });
}
