import { ensureBuild } from '../../scripts/setup.mjs';
import { copyDatabase, dropDatabase, runOnServer, startRunPostgres, replaceDatabase } from '../../server/testing/run-postgres.ts';
import { PanelServers } from './server.ts';

/** Copied by every worker. */
export const templateName = 'e2e_template';

/** One per run. Starting the server once creates the template. */
export default async function setUpDatabase(): Promise<() => Promise<void>> {
  await ensureBuild();
  const postgres = await startRunPostgres();
  process.env['E2E_POSTGRES'] = postgres.url;
  await runOnServer(postgres.url, `create database ${templateName}`);
  const panels = new PanelServers();
  await (await panels.start(databaseUrl(templateName))).stop();
  await panels.close();
  return postgres.stop;
}

export const databaseUrl = (name: string): string => replaceDatabase(runUrl(), name);

/** Replaces a database of this name. */
export async function copyTemplate(name: string): Promise<string> {
  await dropDatabase(runUrl(), name);
  return copyDatabase(runUrl(), templateName, name);
}

function runUrl(): string {
  const url = process.env['E2E_POSTGRES'];
  if (!url) throw new Error('no PostgreSQL: the global set-up has not run');
  return url;
}
