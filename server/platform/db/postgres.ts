import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { lockFolder } from './folder-lock.ts';
import { findAccount, chownToAccount, type UnixAccount } from './postgres-account.ts';
import { StartError } from '../core/start-error.ts';

export interface Postgres {
  /** Unchanged by restarts. */
  url: string;
  stop(): Promise<void>;
}

export interface PostgresOptions {
  dataDir: string;
  /** Tests only: no fsync, cheap password hash. */
  durable?: boolean;
  log?: (message: string) => void;
}

const database = 'admin_panel';

/** Restarts PostgreSQL if it dies. It ends with this process. Throws StartError. */
export async function startPostgres({ dataDir, durable = true, log = () => {} }: PostgresOptions): Promise<Postgres> {
  const lock = await lockFolder(dataDir);
  try {
    const folder = realpathSync(dataDir);
    const account = findAccount(folder);
    const password = readPassword(folder);
    const cluster = join(folder, 'postgres');
    if (!existsSync(cluster)) await createCluster(account, cluster, password, durable);
    chownToAccount(account, cluster);
    await settle(cluster);

    const port = await freePort();
    let running = await run(account, cluster, port, durable);
    const url = `postgres://postgres:${password}@127.0.0.1:${port}/${database}`;
    await ensureDatabase(url);

    let stopping = false;
    const keep = async () => {
      for (;;) {
        await running.exited;
        if (stopping) return;
        log('PostgreSQL stopped unexpectedly, restarting it');
        for (let wait = 100; !stopping; wait = Math.min(wait * 2, 5000)) {
          try {
            await settle(cluster);
            running = await run(account, cluster, port, durable);
            if (stopping) return;
            log('PostgreSQL is running again');
            break;
          } catch (error) {
            log(error instanceof Error ? error.message : String(error));
            await sleep(wait);
          }
        }
      }
    };
    const data = keep();

    return {
      url,
      async stop() {
        stopping = true;
        await running.stop();
        await data;
        await running.stop();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

interface Running {
  exited: Promise<void>;
  stop(): Promise<void>;
}

// Fast shutdown when stdin closes, even if this process was killed. Exits with PostgreSQL.
const supervisor = `
exec 3<&0 </dev/null
"$@" 3<&- &
pid=$!
(read -r line <&3; kill -INT $pid) &
watcher=$!
exec 3<&-
wait $pid
code=$?
kill $watcher 2>/dev/null
exit $code`;

async function run(account: UnixAccount, cluster: string, port: number, durable: boolean): Promise<Running> {
  const settings: Record<string, string | number> = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: 200,
    shared_buffers: '256MB',
    log_checkpoints: 'off',
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  };
  const command = [...account.prefix, 'sh', '-c', supervisor, 'sh', join(account.native, 'bin', 'postgres'), '-D', cluster];
  for (const [name, value] of Object.entries(settings)) command.push('-c', `${name}=${value}`);
  // Ctrl-C must reach only this process, which first finishes requests.
  const child = start(command, account, true);
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => {
      child.stdin?.destroy();
      resolve();
    });
  });
  const stop = async () => {
    child.stdin?.end();
    await exited;
  };

  const lines: string[] = [];
  const ready = new Promise<boolean>((resolve) => {
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      lines.push(...chunk.split('\n').filter(Boolean));
      if (lines.length > 40) lines.splice(0, lines.length - 40);
      if (chunk.includes('ready to accept connections')) resolve(true);
    });
    void exited.then(() => resolve(false));
  });
  if (await ready) return { exited, stop };
  const reason = lines.findLast((line) => /FATAL|PANIC|ERROR/.test(line)) ?? lines.at(-1) ?? 'it printed no error';
  throw new StartError(`PostgreSQL didn’t start: ${reason.replace(/^.*?(FATAL|PANIC|ERROR): +/, '')}`);
}

async function createCluster(account: UnixAccount, cluster: string, password: string, durable: boolean): Promise<void> {
  // Moved into place when complete: a kill leaves no partial cluster.
  const part = `${cluster}.part`;
  let complaint = '';
  // Trigrams of Chinese need an LC_CTYPE beyond ASCII.
  for (const ctype of ['C.UTF-8', 'en_US.UTF-8', 'C']) {
    rmSync(part, { recursive: true, force: true });
    mkdirSync(part, { mode: 0o700 });
    chownToAccount(account, part);
    const options = ['-D', part, '-U', 'postgres', '--encoding=UTF8', '--locale=C', `--lc-ctype=${ctype}`];
    options.push('--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--data-checksums');
    options.push('--auth=scram-sha-256', '--pwfile=/dev/stdin', ...(durable ? [] : ['--no-sync', '-c', 'scram_iterations=1']));
    const command = [...account.prefix, 'sh', '-c', 'cat | "$@"', 'sh', join(account.native, 'bin', 'initdb'), ...options];
    const child = start(command, account, false);
    child.stdin?.end(`${password}\n`);
    complaint = '';
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (complaint += chunk));
    const code = await new Promise((resolve) => child.once('close', resolve));
    if (code === 0) {
      renameSync(part, cluster);
      return;
    }
  }
  rmSync(part, { recursive: true, force: true });
  throw new StartError(`PostgreSQL couldn’t create its data folder ${cluster}: ${complaint.trim().split('\n').at(-1) ?? ''}`);
}

function start(command: readonly string[], account: UnixAccount, detached: boolean): ChildProcess {
  return spawn(command[0] ?? 'sh', command.slice(1), {
    ...account.credentials,
    cwd: '/',
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['pipe', 'ignore', 'pipe'],
    detached,
  });
}

function readPassword(folder: string): string {
  const file = join(folder, 'postgres.secret');
  if (!existsSync(file)) {
    writeFileSync(`${file}.part`, randomBytes(24).toString('base64url'), { mode: 0o600, flush: true });
    renameSync(`${file}.part`, file);
  }
  return readFileSync(file, 'utf8').trim();
}

async function ensureDatabase(url: string): Promise<void> {
  const admin = new URL(url);
  admin.pathname = '/postgres';
  const client = new pg.Client({ connectionString: admin.href });
  await client.connect();
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [database]);
    if (!rowCount) await client.query(`create database ${database}`);
  } finally {
    await client.end();
  }
}

/** Waits for processes of a killed server and removes a stale pid file. */
async function settle(cluster: string): Promise<void> {
  if (process.platform !== 'linux') return;
  const until = Date.now() + 30_000;
  for (let pids = processesIn(cluster); pids.length; pids = processesIn(cluster)) {
    if (Date.now() > until)
      throw new StartError(`Another PostgreSQL (process ${pids[0]}) is using ${cluster}. Stop it with: kill -INT ${pids[0]}`);
    await sleep(50);
  }
  rmSync(join(cluster, 'postmaster.pid'), { force: true });
}

/** By working directory. */
function processesIn(folder: string): string[] {
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return readlinkSync(`/proc/${name}/cwd`) === folder && readFileSync(`/proc/${name}/comm`, 'utf8') === 'postgres\n';
    } catch {
      return false;
    }
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => (address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no free port'))));
    });
  });
}
