import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { findFreePort } from '../../chain/free-port.ts';
import { ensureInstalled } from '../../scripts/suite/debian.mjs';
import { SetupError } from '../../scripts/setup.mjs';
import { waitUntil } from './process.ts';

const execFileAsync = promisify(execFile);
const postgresFolder = '/usr/lib/postgresql';

export interface PostgresHost {
  readonly port: number;
  readonly folder: string;
  readonly url: string;
  /** The postmaster; the others die with it. */
  pid(): number | undefined;
  start(extraSettings?: Readonly<Record<string, string>>): Promise<void>;
  /** Kills all processes, like a power loss. */
  kill(): Promise<void>;
  /** SIGSTOP, like a host that lost the network, until thawed. */
  freeze(): void;
  thaw(): void;
  query<T extends pg.QueryResultRow>(sql: string): Promise<T[]>;
}

export interface PostgresPair {
  /** Until `rejoin`, even if it is dead and the standby was promoted. */
  readonly primary: PostgresHost;
  /** Receives every commit before it is acknowledged. */
  readonly standby: PostgresHost;
  readonly url: string;
  promote(): Promise<void>;
  /** After `promote`: the old primary starts over as synchronous standby. */
  rejoin(): Promise<void>;
  stop(): Promise<void>;
}

export async function startPostgresPair(): Promise<PostgresPair> {
  const binariesFolder = await findDebianPostgres();
  const account = await readPostgresAccount();
  const homeFolder = mkdtempSync(join(tmpdir(), 'pair-'));
  const password = randomBytes(12).toString('hex');
  const secret = join(homeFolder, 'password');
  writeFileSync(secret, password);
  for (const path of [homeFolder, secret]) chownSync(path, account.uid, account.gid);
  chmodSync(homeFolder, 0o700);
  const spawnOptions = {
    ...account,
    cwd: homeFolder,
    env: { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8', PGPASSWORD: password },
  };
  const hosts = await Promise.all(['one', 'two'].map(async (name) => createHost(join(homeFolder, name), await findFreePort())));
  let [primary, standby] = hosts as [PostgresHost, PostgresHost];

  function createHost(folder: string, port: number): PostgresHost {
    const url = `postgres://postgres:${password}@127.0.0.1:${port}/panel`;
    let postgresProcess: ChildProcess | null = null;
    let processExit = Promise.resolve();
    const signal = (name: NodeJS.Signals) => {
      const masterPid =
        postgresProcess?.exitCode === null && postgresProcess.signalCode === null ? postgresProcess.pid : undefined;
      if (masterPid === undefined) return; // its pid may be reused
      for (const pid of [masterPid, ...findChildProcesses(masterPid)]) if (isProcessRunning(pid)) process.kill(pid, name);
    };
    return {
      port,
      url,
      folder,
      pid: () => postgresProcess?.pid,
      async start(extraSettings = {}) {
        const settings = {
          port,
          listen_addresses: '127.0.0.1',
          unix_socket_directories: '',
          max_connections: 200,
          ...extraSettings,
        };
        const options = Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
        postgresProcess = spawn(join(binariesFolder, 'postgres'), ['-D', folder, ...options], {
          ...spawnOptions,
          stdio: 'ignore',
        });
        processExit = new Promise((resolve) => postgresProcess?.once('exit', () => resolve()));
        await waitUntil(() => isReachable(Object.assign(new URL(url), { pathname: '/postgres' }).href));
      },
      async kill() {
        signal('SIGKILL');
        await processExit;
        postgresProcess = null;
      },
      freeze: () => signal('SIGSTOP'),
      thaw: () => signal('SIGCONT'),
      query: (sql) => queryOnce(url, sql),
    };
  }

  async function followPrimary() {
    const connectionInfo = `host=127.0.0.1 port=${primary.port} user=postgres password=${password} application_name=standby`;
    await execFileAsync(
      join(binariesFolder, 'pg_basebackup'),
      ['-d', connectionInfo, '-D', standby.folder, '-R', '-X', 'stream', '-c', 'fast'],
      spawnOptions,
    );
    await standby.start();
    // After the copy, because a promoted standby must not wait for a standby.
    await primary.query(`alter system set synchronous_standby_names = 'standby'`);
    await primary.query('select pg_reload_conf()');
    await waitUntil(async () => {
      const rows = await primary.query<{ sync_state: string }>('select sync_state from pg_stat_replication');
      return rows[0]?.sync_state === 'sync';
    });
  }

  const stopPair = async () => {
    for (const host of hosts) await host.kill();
    rmSync(homeFolder, { recursive: true, force: true });
  };
  try {
    await execFileAsync(
      join(binariesFolder, 'initdb'),
      ['-D', join(homeFolder, 'one'), '-U', 'postgres', '-A', 'scram-sha-256', '--pwfile', secret, '-k'],
      spawnOptions,
    );
    await primary.start();
    await queryOnce(Object.assign(new URL(primary.url), { pathname: '/postgres' }).href, 'create database panel');
    await followPrimary();
  } catch (error) {
    await stopPair();
    throw error;
  }
  const hostList = hosts.map(({ port }) => `127.0.0.1:${port}`).join(',');
  return {
    get primary() {
      return primary;
    },
    get standby() {
      return standby;
    },
    url: `postgres://postgres:${password}@${hostList}/panel?target_session_attrs=read-write`,
    promote: async () => {
      await standby.query('select pg_promote(true, 30)');
    },
    rejoin: async () => {
      await primary.kill();
      rmSync(primary.folder, { recursive: true });
      [primary, standby] = [standby, primary];
      await followPrimary();
    },
    stop: stopPair,
  };
}

export async function findDebianPostgres(): Promise<string> {
  await ensureInstalled(() => existsSync(postgresFolder), 'PostgreSQL', ['postgresql']);
  const newestVersion = existsSync(postgresFolder)
    ? readdirSync(postgresFolder)
        .toSorted((a, b) => Number(a) - Number(b))
        .at(-1)
    : undefined;
  if (newestVersion === undefined)
    throw new SetupError('The tests need the PostgreSQL of the distribution. Install it and run the tests again.');
  return join(postgresFolder, newestVersion, 'bin');
}

/** PostgreSQL refuses to run as root. */
export async function readPostgresAccount(): Promise<{ uid: number; gid: number }> {
  if (process.getuid?.() !== 0) return { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  const readId = async (flag: string) => Number((await execFileAsync('id', [flag, 'postgres'])).stdout);
  return { uid: await readId('-u'), gid: await readId('-g') };
}

function findChildProcesses(parent: number): number[] {
  try {
    return readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

const isProcessRunning = (pid: number) => existsSync(`/proc/${pid}`);

async function queryOnce<T extends pg.QueryResultRow>(url: string, sql: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3_000 });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<T>(sql)).rows;
  } finally {
    await client.end();
  }
}

export const isReachable = (url: string) =>
  queryOnce(url, 'select 1').then(
    () => true,
    () => false,
  );
