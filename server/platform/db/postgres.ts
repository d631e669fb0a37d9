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
    await waitForOldProcesses(cluster);

    const port = await findFreePort();
    let runningServer = await startServer(account, cluster, port, durable);
    const url = `postgres://postgres:${password}@127.0.0.1:${port}/${database}`;
    await ensureDatabase(url);

    let isStopping = false;
    const keepRunning = async () => {
      for (;;) {
        await runningServer.exited;
        if (isStopping) return;
        log('PostgreSQL stopped unexpectedly, restarting it');
        for (let restartDelayMs = 100; !isStopping; restartDelayMs = Math.min(restartDelayMs * 2, 5000)) {
          try {
            await waitForOldProcesses(cluster);
            runningServer = await startServer(account, cluster, port, durable);
            if (isStopping) return;
            log('PostgreSQL is running again');
            break;
          } catch (error) {
            log(error instanceof Error ? error.message : String(error));
            await sleep(restartDelayMs);
          }
        }
      }
    };
    const data = keepRunning();

    return {
      url,
      async stop() {
        isStopping = true;
        await runningServer.stop();
        await data;
        await runningServer.stop();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

interface RunningServer {
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

async function startServer(account: UnixAccount, cluster: string, port: number, isDurable: boolean): Promise<RunningServer> {
  const serverSettings: Record<string, string | number> = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: 200,
    shared_buffers: '256MB',
    log_checkpoints: 'off',
    ...(isDurable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  };
  const command = [...account.prefix, 'sh', '-c', supervisor, 'sh', join(account.native, 'bin', 'postgres'), '-D', cluster];
  for (const [name, value] of Object.entries(serverSettings)) command.push('-c', `${name}=${value}`);
  // Ctrl-C must reach only this process, which first finishes requests.
  const child = spawnCommand(command, account, true);
  const exitPromise = new Promise<void>((resolve) => {
    child.once('exit', () => {
      child.stdin?.destroy();
      resolve();
    });
  });
  const stopServer = async () => {
    child.stdin?.end();
    await exitPromise;
  };

  const lines: string[] = [];
  const readiness = new Promise<boolean>((resolve) => {
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      lines.push(...chunk.split('\n').filter(Boolean));
      if (lines.length > 40) lines.splice(0, lines.length - 40);
      if (chunk.includes('ready to accept connections')) resolve(true);
    });
    void exitPromise.then(() => resolve(false));
  });
  if (await readiness) return { exited: exitPromise, stop: stopServer };
  const reason = lines.findLast((line) => /FATAL|PANIC|ERROR/.test(line)) ?? lines.at(-1) ?? 'it printed no error';
  throw new StartError(`PostgreSQL didn’t start: ${reason.replace(/^.*?(FATAL|PANIC|ERROR): +/, '')}`);
}

async function createCluster(account: UnixAccount, cluster: string, password: string, isDurable: boolean): Promise<void> {
  // Moved into place when complete: a kill leaves no partial cluster.
  const partialCluster = `${cluster}.part`;
  let errorOutput = '';
  // Trigrams of Chinese need an LC_CTYPE beyond ASCII.
  for (const localeName of ['C.UTF-8', 'en_US.UTF-8', 'C']) {
    rmSync(partialCluster, { recursive: true, force: true });
    mkdirSync(partialCluster, { mode: 0o700 });
    chownToAccount(account, partialCluster);
    const options = ['-D', partialCluster, '-U', 'postgres', '--encoding=UTF8', '--locale=C', `--lc-ctype=${localeName}`];
    options.push('--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--data-checksums');
    options.push('--auth=scram-sha-256', '--pwfile=/dev/stdin', ...(isDurable ? [] : ['--no-sync', '-c', 'scram_iterations=1']));
    const command = [...account.prefix, 'sh', '-c', 'cat | "$@"', 'sh', join(account.native, 'bin', 'initdb'), ...options];
    const child = spawnCommand(command, account, false);
    child.stdin?.end(`${password}\n`);
    errorOutput = '';
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (errorOutput += chunk));
    const code = await new Promise((resolve) => child.once('close', resolve));
    if (code === 0) {
      renameSync(partialCluster, cluster);
      return;
    }
  }
  rmSync(partialCluster, { recursive: true, force: true });
  throw new StartError(`PostgreSQL couldn’t create its data folder ${cluster}: ${errorOutput.trim().split('\n').at(-1) ?? ''}`);
}

function spawnCommand(command: readonly string[], account: UnixAccount, detached: boolean): ChildProcess {
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
  const adminUrl = new URL(url);
  adminUrl.pathname = '/postgres';
  const client = new pg.Client({ connectionString: adminUrl.href });
  await client.connect();
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [database]);
    if (!rowCount) await client.query(`create database ${database}`);
  } finally {
    await client.end();
  }
}

/** Waits for processes of a killed server and removes a stale pid file. */
async function waitForOldProcesses(cluster: string): Promise<void> {
  if (process.platform !== 'linux') return;
  const deadline = Date.now() + 30_000;
  for (let pids = findProcesses(cluster); pids.length; pids = findProcesses(cluster)) {
    if (Date.now() > deadline)
      throw new StartError(`Another PostgreSQL (process ${pids[0]}) is using ${cluster}. Stop it with: kill -INT ${pids[0]}`);
    await sleep(50);
  }
  rmSync(join(cluster, 'postmaster.pid'), { force: true });
}

/** By working directory. */
function findProcesses(folder: string): string[] {
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return readlinkSync(`/proc/${name}/cwd`) === folder && readFileSync(`/proc/${name}/comm`, 'utf8') === 'postgres\n';
    } catch {
      return false;
    }
  });
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => (address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no free port'))));
    });
  });
}
