import { statfsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startPostgres } from '../platform/db/postgres.ts';

/** Bytes, with reserve. */
const neededBytes = 4 * 2 ** 30;

/** One PostgreSQL per run, in memory if there is room, because a database has nine hundred files. */
export async function startRunPostgres(): Promise<{ url: string; stop: () => Promise<void> }> {
  const dataDir = await mkdtemp(join(hasEnoughSpace('/dev/shm') ? '/dev/shm' : tmpdir(), 'panel-test-db-'));
  const postgres = await startPostgres({ dataDir, durable: false });
  const stopPostgres = async () => {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { url: postgres.url, stop: stopPostgres };
}

function hasEnoughSpace(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= neededBytes;
  } catch {
    return false;
  }
}

export const replaceDatabase = (url: string, name: string): string => Object.assign(new URL(url), { pathname: `/${name}` }).href;

/** Copies files, which is cheaper than through the log. Returns the URL. */
export async function copyDatabase(url: string, template: string, name: string): Promise<string> {
  await runOnServer(url, `create database ${name} template ${template} strategy file_copy`);
  return replaceDatabase(url, name);
}

export const dropDatabase = (url: string, name: string): Promise<void> =>
  runOnServer(url, `drop database if exists ${name} with (force)`);

/** Reused per server and worker, because connecting takes as long as a short test. */
const serverPools = new Map<string, pg.Pool>();

export async function runOnServer(url: string, statement: string): Promise<void> {
  let pool = serverPools.get(url);
  if (!pool) {
    pool = new pg.Pool({ connectionString: url, max: 1, allowExitOnIdle: true });
    pool.on('error', () => {}); // the server stops at the end of the run
    serverPools.set(url, pool);
  }
  await pool.query(statement);
}
