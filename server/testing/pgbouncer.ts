import { spawn } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { findFreePort } from '../../chain/free-port.ts';
import { requireProgram } from '../../scripts/suite/debian.mjs';
import { waitUntil } from './process.ts';

/** Transaction mode with few connections, so that they are shared. */
export async function startPgbouncer(postgresUrl: string, settings: Readonly<Record<string, string>> = {}) {
  await requireProgram('pgbouncer');
  const { host, port, user, password } = new pg.Client({ connectionString: postgresUrl });
  const folder = mkdtempSync(join(tmpdir(), 'pgbouncer-'));
  const poolerPort = await findFreePort();
  const [file, usersFile] = [join(folder, 'pgbouncer.ini'), join(folder, 'users.txt')];
  const poolerSettings: Record<string, string> = {
    listen_addr: '127.0.0.1',
    listen_port: String(poolerPort),
    unix_socket_dir: '',
    auth_type: 'trust',
    auth_file: usersFile,
    pool_mode: 'transaction',
    default_pool_size: '3',
    max_client_conn: '2000',
    ...settings,
  };
  const settingLines = Object.entries(poolerSettings).map(([name, value]) => `${name} = ${value}`);
  writeFileSync(usersFile, `"${user}" "${password ?? ''}"\n`);
  writeFileSync(file, `[databases]\n* = host=${host} port=${port}\n[pgbouncer]\n${settingLines.join('\n')}\n`);
  const isRoot = process.getuid?.() === 0; // it refuses to run as root
  const nobodyUid = 65_534;
  if (isRoot) for (const path of [folder, file, usersFile]) chownSync(path, nobodyUid, nobodyUid);
  const poolerProcess = spawn('pgbouncer', [file], { stdio: 'ignore', ...(isRoot && { uid: nobodyUid, gid: nobodyUid }) });
  const processExit = new Promise<void>((resolve) => poolerProcess.once('exit', () => resolve()));
  const url = Object.assign(new URL(postgresUrl), { host: `127.0.0.1:${poolerPort}` }).href;
  await waitUntil(() => isReachable(url));
  return {
    url,
    stop: async () => {
      poolerProcess.kill('SIGKILL');
      await processExit;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function isReachable(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}
