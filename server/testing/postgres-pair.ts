import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort } from '../../chain/free-port.ts';
import { ensureInstalled } from '../../scripts/suite/debian.mjs';
import { SetupError } from '../../scripts/setup.mjs';
import { waitUntil } from './process.ts';

const run = promisify(execFile);
const programs = '/usr/lib/postgresql';

export interface PostgresHost {
  readonly port: number;
  readonly folder: string;
  readonly url: string;
  /** The postmaster; the others die with it. */
  pid(): number | undefined;
  start(more?: Readonly<Record<string, string>>): Promise<void>;
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
  const bin = await debianPostgres();
  const account = await postgresAccount();
  const home = mkdtempSync(join(tmpdir(), 'pair-'));
  const password = randomBytes(12).toString('hex');
  const secret = join(home, 'password');
  writeFileSync(secret, password);
  for (const path of [home, secret]) chownSync(path, account.uid, account.gid);
  chmodSync(home, 0o700);
  const as = { ...account, cwd: home, env: { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8', PGPASSWORD: password } };
  const hosts = await Promise.all(['one', 'two'].map(async (name) => hostAt(join(home, name), await freePort())));
  let [primary, standby] = hosts as [PostgresHost, PostgresHost];

  function hostAt(folder: string, port: number): PostgresHost {
    const url = `postgres://postgres:${password}@127.0.0.1:${port}/panel`;
    let child: ChildProcess | null = null;
    let ended = Promise.resolve();
    const signal = (name: NodeJS.Signals) => {
      const master = child?.exitCode === null && child.signalCode === null ? child.pid : undefined;
      if (master === undefined) return; // its pid may be reused
      for (const pid of [master, ...childrenOf(master)]) if (isThere(pid)) process.kill(pid, name);
    };
    return {
      port,
      url,
      folder,
      pid: () => child?.pid,
      async start(more = {}) {
        const settings = { port, listen_addresses: '127.0.0.1', unix_socket_directories: '', max_connections: 200, ...more };
        const options = Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
        child = spawn(join(bin, 'postgres'), ['-D', folder, ...options], { ...as, stdio: 'ignore' });
        ended = new Promise((resolve) => child?.once('exit', () => resolve()));
        await waitUntil(() => isReachable(Object.assign(new URL(url), { pathname: '/postgres' }).href));
      },
      async kill() {
        signal('SIGKILL');
        await ended;
        child = null;
      },
      freeze: () => signal('SIGSTOP'),
      thaw: () => signal('SIGCONT'),
      query: (sql) => queryOnce(url, sql),
    };
  }

  async function follow() {
    const from = `host=127.0.0.1 port=${primary.port} user=postgres password=${password} application_name=standby`;
    await run(join(bin, 'pg_basebackup'), ['-d', from, '-D', standby.folder, '-R', '-X', 'stream', '-c', 'fast'], as);
    await standby.start();
    // After the copy, because a promoted standby must not wait for a standby.
    await primary.query(`alter system set synchronous_standby_names = 'standby'`);
    await primary.query('select pg_reload_conf()');
    await waitUntil(async () => {
      const rows = await primary.query<{ sync_state: string }>('select sync_state from pg_stat_replication');
      return rows[0]?.sync_state === 'sync';
    });
  }

  const stop = async () => {
    for (const host of hosts) await host.kill();
    rmSync(home, { recursive: true, force: true });
  };
  try {
    await run(
      join(bin, 'initdb'),
      ['-D', join(home, 'one'), '-U', 'postgres', '-A', 'scram-sha-256', '--pwfile', secret, '-k'],
      as,
    );
    await primary.start();
    await queryOnce(Object.assign(new URL(primary.url), { pathname: '/postgres' }).href, 'create database panel');
    await follow();
  } catch (error) {
    await stop();
    throw error;
  }
  const places = hosts.map(({ port }) => `127.0.0.1:${port}`).join(',');
  return {
    get primary() {
      return primary;
    },
    get standby() {
      return standby;
    },
    url: `postgres://postgres:${password}@${places}/panel?target_session_attrs=read-write`,
    promote: async () => {
      await standby.query('select pg_promote(true, 30)');
    },
    rejoin: async () => {
      await primary.kill();
      rmSync(primary.folder, { recursive: true });
      [primary, standby] = [standby, primary];
      await follow();
    },
    stop,
  };
}

export async function debianPostgres(): Promise<string> {
  await ensureInstalled(() => existsSync(programs), 'PostgreSQL', ['postgresql']);
  const newest = existsSync(programs)
    ? readdirSync(programs)
        .toSorted((a, b) => Number(a) - Number(b))
        .at(-1)
    : undefined;
  if (newest === undefined)
    throw new SetupError('The tests need the PostgreSQL of the distribution. Install it and run the tests again.');
  return join(programs, newest, 'bin');
}

/** PostgreSQL refuses to run as root. */
export async function postgresAccount(): Promise<{ uid: number; gid: number }> {
  if (process.getuid?.() !== 0) return { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  const idOf = async (flag: string) => Number((await run('id', [flag, 'postgres'])).stdout);
  return { uid: await idOf('-u'), gid: await idOf('-g') };
}

function childrenOf(parent: number): number[] {
  try {
    return readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

const isThere = (pid: number) => existsSync(`/proc/${pid}`);

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
