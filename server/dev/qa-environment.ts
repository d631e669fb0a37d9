import { existsSync } from 'node:fs';
import { copyFile, mkdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import pg from 'pg';
import { bitcoinFile } from './bitcoin.ts';
import { badField, appError } from '../platform/core/errors.ts';
import type { Config } from '../platform/core/config.ts';
import type { Log } from '../platform/core/log.ts';
import type { EnvironmentState } from './qa-environment-state.ts';
import type { QaEnvironment } from './qa-tools.ts';

interface Parts {
  config: Config;
  databaseUrl: string;
  log: Log;
  state: EnvironmentState;
  /** Applies the clock to chain and signer. */
  follow: () => Promise<void>;
  /** Stops everything that uses the database or chain during `work`. */
  pause: (work: () => Promise<void>) => Promise<void>;
}

/** Resets the database from a template copy, with the files of chain, signer, clock and audit heads. */
export function environmentOf({ config, databaseUrl, log, state, follow, pause }: Parts): QaEnvironment {
  const database = new URL(databaseUrl).pathname.slice(1);
  const keptAs = (name: string) => `${database}_kept_${name}`;
  const files = [
    join(config.dataDir, 'devnet.json'),
    join(config.dataDir, 'signer', 'signer.json'), // the signer refuses another log's record
    state.file,
    bitcoinFile(config),
    config.auditHeadsFile,
  ];
  const folderOf = (name: string) => join(config.dataDir, 'kept', name);

  let isBusy = false; // the next start creates another environment
  /** Protects a database that DATABASE_URL names by mistake. */
  const requireDemo = async () => {
    if (!(await isDemoDatabase(databaseUrl))) throw appError('FORBIDDEN');
  };
  const change = async (work: (client: pg.Client) => Promise<void>) => {
    if (isBusy) throw appError('IN_PROGRESS');
    isBusy = true;
    await requireDemo().catch((error: unknown) => {
      isBusy = false;
      throw error;
    });
    void pause(() => withServer(databaseUrl, work)).catch((error: unknown) => {
      log.fatal({ err: error }, 'could not restart the test environment');
      process.exit(1);
    });
  };

  return {
    reset: () =>
      change(async (client) => {
        await client.query(`drop database ${quoted(database)} with (force)`);
        await client.query(`create database ${quoted(database)}`);
        for (const file of files) await rm(file, { force: true });
      }),
    keep: (name) =>
      change(async (client) => {
        await client.query(`drop database if exists ${quoted(keptAs(name))}`);
        await client.query(`create database ${quoted(keptAs(name))} template ${quoted(database)}`);
        await rm(folderOf(name), { recursive: true, force: true });
        await mkdir(folderOf(name), { recursive: true });
        for (const file of files) if (existsSync(file)) await copyFile(file, join(folderOf(name), basename(file)));
      }),
    restore: async (name) => {
      await withServer(databaseUrl, async (client) => {
        const { rowCount } = await client.query('select from pg_database where datname = $1', [keptAs(name)]);
        if (!rowCount) throw appError('NOT_FOUND');
      });
      await change(async (client) => {
        await client.query(`drop database ${quoted(database)} with (force)`);
        await client.query(`create database ${quoted(database)} template ${quoted(keptAs(name))}`);
        for (const file of files) {
          const keptFile = join(folderOf(name), basename(file));
          if (existsSync(keptFile)) await copyFile(keptFile, file);
          else await rm(file, { force: true });
        }
      });
    },
    now: state.now,
    aheadMs: state.aheadMs,
    isUnlimited: state.isUnlimited,
    async setTime(at) {
      await requireDemo();
      if (at < state.now() || at > Date.now() + maxMs) throw badField('time', 'range');
      state.set({ aheadMs: at - Date.now() });
      await follow();
    },
    async setLimits(isOn) {
      await requireDemo();
      state.set({ unlimited: !isOn });
    },
  };
}

/** Certificates, keys and partitions do not last longer. */
const maxMs = 5 * 366 * 86_400_000;

const quoted = (name: string) => pg.escapeIdentifier(name);

/** By its first administrator. Null: empty. */
export async function isDemoDatabase(url: string): Promise<boolean | null> {
  let isDemo: boolean | null = null;
  await withClient(url, async (client) => {
    const made = await client.query<{ is: boolean }>(`select to_regclass('administrators') is not null as is`);
    if (!made.rows[0]?.is) return;
    const { rows } = await client.query<{ demo: boolean }>('select demo from administrators order by created_at, id limit 1');
    isDemo = rows[0]?.demo ?? null;
  });
  return isDemo;
}

/** Uses the maintenance database, because a template must have no connections. */
function withServer(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const server = new URL(url);
  server.pathname = '/postgres';
  return withClient(server.href, work);
}

async function withClient(connectionString: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
