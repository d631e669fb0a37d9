import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { ensureBuild } from '../../scripts/setup.mjs';
import { seedDatabase } from '../seed/seed.ts';
import { createPartitions } from '../statistics/jobs.ts';
import { readConfig } from '../platform/core/config.ts';
import { openDatabase } from '../platform/db/db.ts';
import { createLogger } from '../platform/core/log.ts';
import { openExternalServices } from '../platform/services/services.ts';
import { runOnServer, startRunPostgres, replaceDatabase } from './run-postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string;
  }
}

/** Migrated and seeded; tests copy it. */
export const templateDatabase = 'panel_template';

export default async function setup(project: TestProject) {
  await ensureBuild(['server']);
  const postgres = await startRunPostgres();
  await runOnServer(postgres.url, `create database ${templateDatabase}`);
  await prepareTemplate(postgres.url);
  project.provide('postgresUrl', postgres.url);
  return postgres.stop;
}

async function prepareTemplate(url: string): Promise<void> {
  const config = readConfig({ NODE_ENV: 'test', DATA_DIR: join(tmpdir(), 'panel-test-none') });
  const log = createLogger({ level: 'silent' });
  const database = openDatabase({ url: replaceDatabase(url, templateDatabase), log });
  await database.migrate();
  const services = { config, log, database, now: Date.now, ...openExternalServices(config) };
  await createPartitions(services);
  await seedDatabase(services);
  await database.close();
}
