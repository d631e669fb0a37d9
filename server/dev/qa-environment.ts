import { existsSync } from 'node:fs';
import { copyFile, mkdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import pg from 'pg';
import { bitcoinFile } from './bitcoin.ts';
import { createFieldError, createAppError } from '../platform/core/errors.ts';
import type { Config } from '../platform/core/config.ts';
import type { Log } from '../platform/core/log.ts';
import type { EnvironmentState } from './qa-environment-state.ts';
import type { QaEnvironment } from './qa-tools.ts';

interface QaEnvironmentOptions {
  config: Config;
  databaseUrl: string;
  log: Log;
  state: EnvironmentState;
  /** Applies the clock to chain and signer. */
  follow: () => Promise<void>;
  /** Stops everything that uses the database or chain during `run`. */
  pause: (run: () => Promise<void>) => Promise<void>;
}

/** Resets the database from a template copy, with the files of chain, signer, clock and audit heads. */
export function createQaEnvironment({ config, databaseUrl, log, state, follow, pause }: QaEnvironmentOptions): QaEnvironment {
  const database = new URL(databaseUrl).pathname.slice(1);
  const snapshotDatabaseName = (name: string) => `${database}_kept_${name}`;
  const files = [
    join(config.dataDir, 'devnet.json'),
    join(config.dataDir, 'signer', 'signer.json'), // the signer refuses another log's record
    state.file,
    bitcoinFile(config),
    config.auditHeadsFile,
  ];
  const snapshotFolder = (name: string) => join(config.dataDir, 'kept', name);

  let isBusy = false; // the next start creates another environment
  /** Protects a database that DATABASE_URL names by mistake. */
  const requireDemo = async () => {
    if (!(await isDemoDatabase(databaseUrl))) throw createAppError('FORBIDDEN');
  };
  const changeEnvironment = async (run: (client: pg.Client) => Promise<void>) => {
    if (isBusy) throw createAppError('IN_PROGRESS');
    isBusy = true;
    await requireDemo().catch((error: unknown) => {
      isBusy = false;
      throw error;
    });
    void pause(() => withServerClient(databaseUrl, run)).catch((error: unknown) => {
      log.fatal({ err: error }, 'could not restart the test environment');
      process.exit(1);
    });
  };

  return {
    reset: () =>
      changeEnvironment(async (client) => {
        await client.query(`drop database ${quoteIdentifier(database)} with (force)`);
        await client.query(`create database ${quoteIdentifier(database)}`);
        for (const file of files) await rm(file, { force: true });
      }),
    keep: (name) =>
      changeEnvironment(async (client) => {
        await client.query(`drop database if exists ${quoteIdentifier(snapshotDatabaseName(name))}`);
        await client.query(
          `create database ${quoteIdentifier(snapshotDatabaseName(name))} template ${quoteIdentifier(database)}`,
        );
        await rm(snapshotFolder(name), { recursive: true, force: true });
        await mkdir(snapshotFolder(name), { recursive: true });
        for (const file of files) if (existsSync(file)) await copyFile(file, join(snapshotFolder(name), basename(file)));
      }),
    restore: async (name) => {
      await withServerClient(databaseUrl, async (client) => {
        const { rowCount } = await client.query('select from pg_database where datname = $1', [snapshotDatabaseName(name)]);
        if (!rowCount) throw createAppError('NOT_FOUND');
      });
      await changeEnvironment(async (client) => {
        await client.query(`drop database ${quoteIdentifier(database)} with (force)`);
        await client.query(
          `create database ${quoteIdentifier(database)} template ${quoteIdentifier(snapshotDatabaseName(name))}`,
        );
        for (const file of files) {
          const snapshotFile = join(snapshotFolder(name), basename(file));
          if (existsSync(snapshotFile)) await copyFile(snapshotFile, file);
          else await rm(file, { force: true });
        }
      });
    },
    now: state.now,
    aheadMs: state.aheadMs,
    isUnlimited: state.isUnlimited,
    async setTime(at) {
      await requireDemo();
      if (at < state.now() || at > Date.now() + maxMs) throw createFieldError('time', 'range');
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

const quoteIdentifier = (name: string) => pg.escapeIdentifier(name);

/** By its first administrator. Null: empty. */
export async function isDemoDatabase(url: string): Promise<boolean | null> {
  let isDemo: boolean | null = null;
  await withClient(url, async (client) => {
    const administratorsTable = await client.query<{ is: boolean }>(`select to_regclass('administrators') is not null as is`);
    if (!administratorsTable.rows[0]?.is) return;
    const { rows } = await client.query<{ demo: boolean }>('select demo from administrators order by created_at, id limit 1');
    isDemo = rows[0]?.demo ?? null;
  });
  return isDemo;
}

/** Uses the maintenance database, because a template must have no connections. */
function withServerClient(url: string, run: (client: pg.Client) => Promise<void>): Promise<void> {
  const server = new URL(url);
  server.pathname = '/postgres';
  return withClient(server.href, run);
}

async function withClient(connectionString: string, run: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await run(client);
  } finally {
    await client.end();
  }
}
