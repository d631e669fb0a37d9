import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { ensureBuild } from '../../scripts/setup.mjs';
import { startPostgres } from '../../server/platform/db/postgres.ts';
import { startPanel } from './server.ts';

/** Name of the migrated and seeded database that every worker copies. */
export const template = 'e2e_template';

/** One PostgreSQL for the run, with a template made by starting the server once. */
export default async function setUp(): Promise<() => Promise<void>> {
  await ensureBuild();
  const dataDir = await mkdtemp(join(tmpdir(), 'panel-e2e-db-'));
  const postgres = await startPostgres({ dataDir, durable: false });
  process.env['E2E_POSTGRES'] = postgres.url;
  await withAdmin(postgres.url, `create database ${template}`);
  const server = await startPanel(databaseUrl(template));
  await server.stop();
  return async () => {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}

/** URL of a database of the run's PostgreSQL. */
export function databaseUrl(name: string): string {
  const base = process.env['E2E_POSTGRES'];
  if (!base) throw new Error('no PostgreSQL: the global set-up has not run');
  const url = new URL(base);
  url.pathname = `/${name}`;
  return url.href;
}

/** A fresh copy of the template: its files are copied, at half the work of writing it all to the log. */
export async function copyTemplate(name: string): Promise<string> {
  const base = process.env['E2E_POSTGRES'] ?? '';
  await withAdmin(base, `drop database if exists ${name} with (force)`);
  await withAdmin(base, `create database ${name} template ${template} strategy file_copy`);
  return databaseUrl(name);
}

async function withAdmin(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
