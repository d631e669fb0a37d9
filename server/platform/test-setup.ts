import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startPostgres } from './postgres.ts';
import { prepareTemplate } from './test-support.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Connection string with rights to make databases; a template stands ready. */
    postgresUrl: string;
  }
}

/** One PostgreSQL for a whole run of tests, with a migrated and seeded template that every test file copies. */
export default async function setup(project: TestProject) {
  const dataDir = await mkdtemp(join(tmpdir(), 'panel-test-'));
  const postgres = await startPostgres({ dataDir, durable: false });
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  await client.query('create database panel_template');
  await client.end();
  await prepareTemplate(postgres.url);
  project.provide('postgresUrl', postgres.url);
  return async () => {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}
