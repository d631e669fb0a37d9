import { spawn, type ChildProcess } from 'node:child_process';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { getDatabaseErrorCode } from '../platform/core/error-code.ts';
import { StartError } from '../platform/core/start-error.ts';

type Environment = Readonly<Record<string, string>>;

/** The first version with settings that older servers refuse (transaction_timeout). */
const newSettingsVersion = 17;

/** In the environment, which other users cannot read. */
export function programEnvironment(
  { host, port, user, database, password }: Pick<pg.Client, 'host' | 'port' | 'user' | 'database' | 'password'>,
  url: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Environment {
  const query = new URLSearchParams(url.split('?', 2)[1]);
  const mode = query.get('sslmode') ?? (query.get('ssl') === 'true' ? 'require' : null);
  const usesLibpqModes = query.get('uselibpqcompat') === 'true';
  const sslMode = usesLibpqModes || mode === null ? mode : (sslModes[mode] ?? mode);
  const connectionVariables = {
    PGHOST: host,
    PGPORT: String(port),
    PGUSER: user,
    PGDATABASE: database,
    PGPASSWORD: password,
    PGSSLMODE: sslMode,
    PGSSLROOTCERT: query.get('sslrootcert'),
    PGSSLCERT: query.get('sslcert'),
    PGSSLKEY: query.get('sslkey'),
    PGOPTIONS: query.get('options'),
  };
  // No other libpq settings: PGHOSTADDR or PGSERVICE would redirect to another server.
  const inherited = Object.entries(environment).filter(([name]) => name === 'PATH' || name === 'HOME' || keptSettings.has(name));
  const variables = [...inherited, ...Object.entries(connectionVariables)].filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return { ...Object.fromEntries(variables), LC_ALL: 'C' };
}

const keptSettings = new Set(['PGSSLROOTCERT', 'PGSSLCERT', 'PGSSLKEY', 'PGSSLCRL', 'PGSSLCRLDIR', 'PGSSLPASSWORD']);

const sslModes: Readonly<Record<string, string>> = {
  'no-verify': 'require',
  prefer: 'verify-full',
  require: 'verify-full',
  'verify-ca': 'verify-full',
};

/** Major version. Throws StartError. */
export async function requireProgram(name: string, minVersion: number, env: Environment): Promise<number> {
  const installHint = `Install the PostgreSQL ${minVersion} client (Debian: postgresql-client-${minVersion}) and put it first on the PATH.`;
  const child = spawn(name, ['--version'], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  await waitForExit(child).catch((error: unknown) => {
    throw getDatabaseErrorCode(error) === 'ENOENT' ? new StartError(`${name} isn’t installed. ${installHint}`) : error;
  });
  const majorVersion = Number(/\(PostgreSQL\) (\d+)/.exec(output)?.[1] ?? 0);
  if (majorVersion < minVersion)
    throw new StartError(
      `${name} on the PATH is version ${majorVersion || 'unknown'}, which is too old for this. ${installHint}`,
    );
  return majorVersion;
}

/** The server may not understand a newer program's script. */
export function refuseNewerProgram(name: string, majorVersion: number, server: number): void {
  if (majorVersion >= newSettingsVersion && server < newSettingsVersion)
    throw new StartError(
      `${name} on the PATH is version ${majorVersion}, and PostgreSQL ${server} doesn’t support every setting that ${name} writes. Put the PostgreSQL ${server} client first on the PATH.`,
    );
}

/** Throws StartError with pg_dump's error. */
export async function dumpDatabase(
  file: string,
  snapshot: string,
  env: Environment,
  extraArgs: readonly string[] = [],
): Promise<void> {
  const args = ['--format=custom', '--no-password', '--lock-wait-timeout=60s', `--snapshot=${snapshot}`, `--file=${file}`];
  const child = spawn('pg_dump', [...args, ...extraArgs], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const readErrorLine = collectErrorLine(child);
  if ((await waitForExit(child)) !== 0) throw new StartError(`pg_dump failed: ${readErrorLine() ?? 'it gave no reason'}`);
}

/** One transaction. Returns psql's output. Throws StartError with PostgreSQL's error. */
export async function loadDatabase(file: string, extraArgs: string, env: Environment): Promise<string> {
  const { PGPASSWORD: _, ...withoutPassword } = env;
  const reader = spawn('pg_restore', ['--no-owner', '--no-comments', '--file=-', file], {
    env: withoutPassword,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const loader = spawn('psql', ['-X', '-q', '-A', '-t', '--no-password', '-v', 'ON_ERROR_STOP=1', '--file=-'], {
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const errorLines = [collectErrorLine(loader), collectErrorLine(reader)];
  let output = '';
  loader.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  const [hasRead, hasLoaded] = [waitForExit(reader), waitForExit(loader)];
  // Without a final `commit`, as after a crash, everything is rolled back.
  loader.stdin.write('begin;\n');
  const isPiped = await pipeline(reader.stdout, loader.stdin, { end: false }).then(
    () => true,
    () => false,
  );
  if (!isPiped) reader.kill();
  const hasReadSuccessfully = (await hasRead) === 0;
  if (isPiped && hasReadSuccessfully) loader.stdin.end(`\n${extraArgs}\ncommit;\n`);
  else loader.kill();
  const code = await hasLoaded;
  if (isPiped && hasReadSuccessfully && code === 0) return output;
  const failureReason =
    errorLines.map((readErrorLine) => readErrorLine()).find((line) => line !== null) ?? 'PostgreSQL gave no reason';
  const [, role] = /role "(.+)" does not exist/.exec(failureReason) ?? [];
  throw new StartError(
    role === undefined
      ? `The database could not be restored: ${failureReason}`
      : `The backup has grants for the database role "${role}", which doesn’t exist here. Create the role and run restore again.`,
  );
}

function waitForExit(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
    child.stdin?.on('error', () => {});
  });
}

function collectErrorLine(child: ChildProcess): () => string | null {
  let text = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (text = (text + chunk).slice(0, 100_000)));
  return () => {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    const line = lines.find((line) => /error:|ERROR:|FATAL:/.test(line)) ?? lines.at(-1);
    return line?.replace(/^(psql|pg_dump|pg_restore):(<stdin>:\d+:)? */, '').trim() ?? null;
  };
}
