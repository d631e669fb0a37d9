import { ensureBuild } from '../../scripts/setup.mjs';
import { copyDatabase, dropDatabase, onServer, startRunPostgres, withDatabase } from '../../server/testing/run-postgres.ts';
import { Panels } from './server.ts';

/** Name of the migrated and seeded database that every worker copies. */
export const template = 'e2e_template';

/** One PostgreSQL for the run, with a template made by starting the server once. */
export default async function setUp(): Promise<() => Promise<void>> {
  await ensureBuild();
  const postgres = await startRunPostgres();
  process.env['E2E_POSTGRES'] = postgres.url;
  await onServer(postgres.url, `create database ${template}`);
  const panels = new Panels();
  await (await panels.start(databaseUrl(template))).stop();
  await panels.close();
  return postgres.stop;
}

/** URL of a database of the run's PostgreSQL. */
export const databaseUrl = (name: string): string => withDatabase(runUrl(), name);

/** A fresh copy of the template, in the place of the last one of this name. */
export async function copyTemplate(name: string): Promise<string> {
  await dropDatabase(runUrl(), name);
  return copyDatabase(runUrl(), template, name);
}

function runUrl(): string {
  const url = process.env['E2E_POSTGRES'];
  if (!url) throw new Error('no PostgreSQL: the global set-up has not run');
  return url;
}
