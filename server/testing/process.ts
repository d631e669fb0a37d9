import { fork, type ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { serverBundle } from '../../scripts/setup.mjs';

export interface ServerProcess {
  readonly child: ChildProcess;
  /** The URL. Rejects if the process ends first. */
  readonly ready: Promise<string>;
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  output(): string;
}

/** Stops when this process dies. */
export function startServer(dataDir: string, env: Record<string, string> = {}, bundlePath = serverBundle): ServerProcess {
  const { DATABASE_URL: _url, ...inheritedEnv } = process.env;
  const serverProcess = fork(bundlePath, {
    execArgv: [],
    silent: true,
    env: { ...inheritedEnv, NODE_ENV: 'development', LOG_LEVEL: 'warn', PORT: '0', DATA_DIR: dataDir, ...env },
  });
  let text = '';
  const closedStreams = [serverProcess.stdout, serverProcess.stderr].map((stream) => {
    stream?.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    return new Promise((resolve) => stream?.once('close', resolve));
  });
  // Not 'close', which never comes after the parent disconnects.
  const processExit = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) =>
    serverProcess.once('exit', (code, signal) => resolve({ code, signal })),
  );
  const exitAfterOutput = Promise.all([processExit, ...closedStreams]).then(([exitStatus]) => exitStatus);
  const originReady = new Promise<string>((resolve, reject) => {
    serverProcess.once('message', (message: { origin: string }) => resolve(message.origin));
    void exitAfterOutput.then(({ code, signal }) =>
      reject(new Error(`the server ended (${signal ?? code}) before it was ready: ${text}`)),
    );
  });
  originReady.catch(() => {});
  return { child: serverProcess, ready: originReady, ended: exitAfterOutput, output: () => text };
}

export function findPostgresProcesses(dataDir: string): number[] {
  const clusterFolder = join(dataDir, 'postgres');
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`) === clusterFolder;
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** The others die with it. */
export function readPostmasterPid(dataDir: string): number {
  return Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
}

/** Stopped by a signal. */
export const isFrozen = ({ pid }: ChildProcess): boolean =>
  / T /.test(readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\)/s, ''));

/** Without a limit: the test's own timeout applies. */
export async function waitUntil(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 20));
}

export const isOneQueryWaiting = ({ pool }: { pool: { query(text: string): Promise<{ rows: unknown[] }> } }): Promise<void> =>
  waitUntil(async () => {
    const { rows } = await pool.query(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    return rows.length > 0;
  });
