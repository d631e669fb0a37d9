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
export function startServer(dataDir: string, env: Record<string, string> = {}, bundle = serverBundle): ServerProcess {
  const { DATABASE_URL: _url, ...inherited } = process.env;
  const child = fork(bundle, {
    execArgv: [],
    silent: true,
    env: { ...inherited, NODE_ENV: 'development', LOG_LEVEL: 'warn', PORT: '0', DATA_DIR: dataDir, ...env },
  });
  let text = '';
  const streams = [child.stdout, child.stderr].map((stream) => {
    stream?.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    return new Promise((resolve) => stream?.once('close', resolve));
  });
  // Not 'close', which never comes after the parent disconnects.
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) =>
    child.once('exit', (code, signal) => resolve({ code, signal })),
  );
  const ended = Promise.all([exited, ...streams]).then(([how]) => how);
  const ready = new Promise<string>((resolve, reject) => {
    child.once('message', (message: { origin: string }) => resolve(message.origin));
    void ended.then(({ code, signal }) => reject(new Error(`the server ended (${signal ?? code}) before it was ready: ${text}`)));
  });
  ready.catch(() => {});
  return { child, ready, ended, output: () => text };
}

export function postgresProcesses(dataDir: string): number[] {
  const cluster = join(dataDir, 'postgres');
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`) === cluster;
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** The others die with it. */
export function postmasterPid(dataDir: string): number {
  return Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
}

/** Stopped by a signal. */
export const isStill = ({ pid }: ChildProcess): boolean =>
  / T /.test(readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\)/s, ''));

/** Without a limit: the test's own timeout applies. */
export async function waitUntil(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 20));
}

export const oneWaits = ({ pool }: { pool: { query(text: string): Promise<{ rows: unknown[] }> } }): Promise<void> =>
  waitUntil(async () => {
    const { rows } = await pool.query(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    return rows.length > 0;
  });
