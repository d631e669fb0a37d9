import { existsSync } from 'node:fs';
import { copyFile, mkdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import pg from 'pg';
import { failure } from './platform/core/errors.ts';
import type { Config } from './platform/core/config.ts';
import type { Log } from './platform/core/log.ts';
import type { Environment } from './workspace/qa-tools.ts';

interface Parts {
  config: Config;
  databaseUrl: string;
  log: Log;
  /** Stops all that holds the database and the chain, does the work, and starts it again. */
  pause: (work: () => Promise<void>) => Promise<void>;
}

/** What a test environment is begun anew from: its database copied whole, and the files of its chain and of the audit's heads. */
export function environmentOf({ config, databaseUrl, log, pause }: Parts): Environment {
  const database = new URL(databaseUrl).pathname.slice(1);
  const keptAs = (name: string) => `${database}_kept_${name}`;
  const files = [join(config.dataDir, 'devnet.json'), config.auditHeadsFile];
  const folderOf = (name: string) => join(config.dataDir, 'kept', name);

  let isBusy = false; // what comes after a change has an environment of its own
  const change = async (work: (client: pg.Client) => Promise<void>) => {
    if (isBusy) throw failure('IN_PROGRESS');
    isBusy = true;
    if (!(await wasMadeByDemo(databaseUrl))) {
      isBusy = false;
      throw failure('FORBIDDEN'); // whoever pointed DATABASE_URL at another one by mistake loses nothing
    }
    void pause(() => withServer(databaseUrl, work)).catch((error: unknown) => {
      log.fatal({ err: error }, 'the test environment does not come back');
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
        if (!rowCount) throw failure('NOT_FOUND');
      });
      await change(async (client) => {
        await client.query(`drop database ${quoted(database)} with (force)`);
        await client.query(`create database ${quoted(database)} template ${quoted(keptAs(name))}`);
        for (const file of files) {
          const kept = join(folderOf(name), basename(file));
          if (existsSync(kept)) await copyFile(kept, file);
          else await rm(file, { force: true });
        }
      });
    },
  };
}

const quoted = (name: string) => pg.escapeIdentifier(name);

/** Its first administrator is a demo's: in any other somebody was there before, and a demo that was pointed at it came later. */
async function wasMadeByDemo(url: string): Promise<boolean> {
  let isDemo = false;
  await withClient(url, async (client) => {
    const { rows } = await client.query<{ demo: boolean }>('select demo from administrators order by created_at, id limit 1');
    isDemo = rows[0]?.demo === true;
  });
  return isDemo;
}

/** Over PostgreSQL's own database: nobody may be in the one that is copied. */
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
