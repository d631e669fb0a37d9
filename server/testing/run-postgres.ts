import { statfsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startPostgres } from '../platform/db/postgres.ts';

/** What a run's databases take at most, with room to spare. Bytes. */
const needed = 4 * 2 ** 30;

/**
 * One PostgreSQL for a whole run of tests; `stop` leaves nothing behind. In memory where there is enough of it: a database has nine
 * hundred files, and making and removing them takes a twentieth of all the work of a run on a disk.
 */
export async function startRunPostgres(): Promise<{ url: string; stop: () => Promise<void> }> {
  const dataDir = await mkdtemp(join(isRoomy('/dev/shm') ? '/dev/shm' : tmpdir(), 'panel-test-db-'));
  const postgres = await startPostgres({ dataDir, durable: false });
  const stop = async () => {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { url: postgres.url, stop };
}

function isRoomy(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= needed;
  } catch {
    return false;
  }
}

/** A database of the same server as `url` names. */
export const withDatabase = (url: string, name: string): string => Object.assign(new URL(url), { pathname: `/${name}` }).href;

/** A copy of a database under a new name: file by file, at half the work of writing it all to the log. Answers its URL. */
export async function copyDatabase(url: string, template: string, name: string): Promise<string> {
  await onServer(url, `create database ${name} template ${template} strategy file_copy`);
  return withDatabase(url, name);
}

export const dropDatabase = (url: string, name: string): Promise<void> =>
  onServer(url, `drop database if exists ${name} with (force)`);

/** One connection per server and worker: making one takes as long as a short test. */
const serverPools = new Map<string, pg.Pool>();

/** Runs a statement on the server's own database, outside of a transaction. */
export async function onServer(url: string, statement: string): Promise<void> {
  let pool = serverPools.get(url);
  if (!pool) {
    pool = new pg.Pool({ connectionString: url, max: 1, allowExitOnIdle: true });
    pool.on('error', () => {}); // the server stops at the end of the run
    serverPools.set(url, pool);
  }
  await pool.query(statement);
}
