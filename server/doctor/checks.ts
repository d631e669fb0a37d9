import { accessSync, constants, existsSync, mkdirSync, statfsSync } from 'node:fs';
import { resolve } from 'node:path';
import { createTransport } from 'nodemailer';
import pg from 'pg';
import { readGenesis } from '../authority/shared/genesis-file.ts';
import { contractProblems } from '../custody/shared/contract-check.ts';
import { readAuditKey } from '../platform/audit/heads.ts';
import { fetchTip } from '../platform/bitcoin/esplora.ts';
import { openCountries } from '../platform/content/countries.ts';
import { ConfigError, type Config } from '../platform/core/config.ts';
import { isLoopback } from '../platform/core/config-checks.ts';
import { checkSecretKey } from '../platform/core/encryption.ts';
import { describeError, type Log } from '../platform/core/log.ts';
import { openExternalServices } from '../platform/services/services.ts';
import { fileProblem, StartError } from '../platform/core/start-error.ts';
import { clockTolerance, describeOffset } from '../platform/db/clock-offset.ts';
import { connectionProblem } from '../platform/db/connection-problem.ts';
import { openDatabase } from '../platform/db/db.ts';
import { ownSchema, statisticsSchema, tablesOf } from '../platform/db/migrations.ts';
import { lacksGrants, lacksServerGrants, currentRole } from '../platform/db/server-grants.ts';
import { databaseHosts, isOnThisMachine } from '../platform/core/database-url.ts';
import { requireUsable, silentWorkers } from '../statistics/shared/database-checks.ts';
import { openNodes } from '../platform/evm/read.ts';

/** What a check found. `text` says what is wrong and what to do, or what is fine. */
export interface DoctorFinding {
  readonly level: 'ok' | 'warning' | 'problem';
  readonly subject: string;
  readonly text: string;
}

type Check = (config: Config, log: Log) => Promise<DoctorFinding[]>;

const ok = (subject: string, text: string): DoctorFinding => ({ level: 'ok', subject, text });
const warning = (subject: string, text: string): DoctorFinding => ({ level: 'warning', subject, text });
const problem = (subject: string, text: string): DoctorFinding => ({ level: 'problem', subject, text });

const bytesPerGigabyte = 1024 ** 3;
/** Bytes below which a disk is called nearly full, and too full to start. */
const disk = { low: 2 * bytesPerGigabyte, full: bytesPerGigabyte / 10 };
/** Milliseconds that anything outside may take to answer. */
const timeoutMs = 10_000;

/** Everything that a start needs, one finding or more for each subject. Creates only a missing data folder. Never throws for what it checks. */
export async function diagnose(config: Config, log: Log): Promise<DoctorFinding[]> {
  const found: DoctorFinding[] = [];
  for (const [subject, check] of checks)
    found.push(...(await check(config, log).catch((error: unknown) => [problem(subject, explain(error))])));
  return found;
}

/** As a start says it. */
function explain(error: unknown): string {
  if (error instanceof StartError || error instanceof ConfigError) return error.message;
  return fileProblem(error)?.message ?? describeError(error).message;
}

const dataFolder: Check = async ({ dataDir }) => {
  const subject = 'Data folder';
  if (!existsSync(dataDir)) {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  }
  accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  const { bavail, bsize } = statfsSync(dataDir);
  const free = bavail * bsize;
  const size = `${(free / bytesPerGigabyte).toFixed(1)} GB free in ${dataDir}`;
  if (free < disk.full) return [problem(subject, `Only ${size}. Free some space.`)];
  return [free < disk.low ? warning(subject, `Only ${size}. Free some space soon.`) : ok(subject, size)];
};

const secrets: Check = async (config) => {
  checkSecretKey(config);
  const keyFile = config.auditKeyFile ?? resolve(config.dataDir, 'audit-key.pem');
  if (config.auditKeyFile !== null || existsSync(keyFile)) readAuditKey(config);
  const found = [ok('Secrets', config.secretKey === null ? 'The key is in the data folder.' : 'SECRET_KEY is set.')];
  if (config.production && config.auditKeyFile === null)
    found.push(
      warning('Secrets', 'The key that signs audit heads is next to the data. Set AUDIT_KEY_FILE to a key stored elsewhere.'),
    );
  if (config.acceptedSecretKey !== null)
    found.push(warning('Secrets', 'SECRET_KEY_ACCEPTED is set. Run secret-key:rotate and remove it when the rotation is done.'));
  return found;
};

const database: Check = async (config, log) => {
  const subject = 'Database';
  if (config.databaseUrl === null) return [ok(subject, `The panel runs its own PostgreSQL in ${config.dataDir}.`)];
  const urls: [string, string][] = [['DATABASE_URL', config.databaseUrl]];
  if (config.databaseDirectUrl !== null) urls.push(['DATABASE_DIRECT_URL', config.databaseDirectUrl]);
  if (config.databaseReadUrl !== null) urls.push(['DATABASE_READ_URL', config.databaseReadUrl]);
  const found: DoctorFinding[] = [];
  for (const [variable, url] of urls) found.push(...(await connection(variable, url)));
  if (found.some(({ level }) => level === 'problem')) return found;
  const opened = openDatabase({ url: config.databaseUrl, directUrl: config.databaseDirectUrl, log });
  try {
    return [...found, ...(await schema(opened)), ...(await clock(opened)), ...(await authorityLog(config, opened))];
  } finally {
    await opened.close();
  }
};

/** As a start checks a separate statistics database. */
const statistics: Check = async (config, log) => {
  const { databaseUrl: url, statisticsDatabaseUrl: statisticsUrl } = config;
  if (url === null || statisticsUrl === null) return [];
  const subject = 'Statistics';
  const found = await connection('STATISTICS_DATABASE_URL', statisticsUrl, subject);
  if (found.some(({ level }) => level === 'problem')) return found;
  const opened = openDatabase({ url, directUrl: config.databaseDirectUrl, statisticsUrl, log });
  try {
    await requireUsable(opened);
    const silent = (await silentWorkers(opened.statistics.pool)).map((worker) =>
      warning(
        subject,
        `The Citus worker ${worker} doesn’t respond or rejects the coordinator’s password, so some visits are unavailable. Start the worker, or check .pgpass and pg_hba.conf.`,
      ),
    );
    return [...found, ...silent, ...(await schema(opened.statistics, statisticsSchema(), subject))];
  } finally {
    await opened.close();
  }
};

async function connection(variable: string, url: string, subject = 'Database'): Promise<DoctorFinding[]> {
  const { urls, names } = databaseHosts(url);
  const [connectionString] = urls;
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: timeoutMs });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<ConnectionFacts>(`
      select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
        current_setting('server_encoding') as encoding,
        (select datctype from pg_database where datname = current_database()) as letters,
        (select ssl from pg_stat_ssl where pid = pg_backend_pid()) as encrypted,
        exists (select from pg_available_extensions where name = 'pg_trgm') as trigrams`);
    const [about] = rows;
    if (!about) return [problem(subject, `${names.join(', ')} gave no answer. Check ${variable}.`)];
    const found: DoctorFinding[] = [ok(subject, `PostgreSQL ${about.version} at ${names.join(', ')} (${variable})`)];
    if (about.number < 140_000) found.push(problem(subject, `PostgreSQL ${about.version} is too old. Upgrade to 14 or newer.`));
    if (about.encoding !== 'UTF8')
      found.push(problem(subject, `The encoding is ${about.encoding}. Create the database with ENCODING 'UTF8'.`));
    if (about.letters === 'C' || about.letters === 'POSIX')
      found.push(
        warning(
          subject,
          `LC_CTYPE is ${about.letters}, so the search in Chinese titles is slow. Create the database with LOCALE 'C.UTF-8'.`,
        ),
      );
    if (!about.trigrams && variable !== 'STATISTICS_DATABASE_URL')
      found.push(problem(subject, 'The extension pg_trgm is missing. Install the contrib package of PostgreSQL.'));
    if (!about.encrypted && !isOnThisMachine(url))
      found.push(
        warning(subject, `The connection to ${names.join(', ')} is not encrypted. Add sslmode=verify-full to ${variable}.`),
      );
    return found;
  } catch (error) {
    return [problem(subject, connectionProblem(error, url, variable)?.message ?? explain(error))];
  } finally {
    await client.end().catch(() => {});
  }
}

interface ConnectionFacts {
  version: string;
  number: number;
  encoding: string;
  letters: string;
  encrypted: boolean;
  trigrams: boolean;
}

type OpenedDatabase = ReturnType<typeof openDatabase>;

async function schema(
  { schemaStatus, pool }: Pick<OpenedDatabase, 'schemaStatus' | 'pool'>,
  files = ownSchema(),
  subject = 'Schema',
): Promise<DoctorFinding[]> {
  const { pending, changedSql, newerVersion, applied } = await schemaStatus();
  const waiting = [...pending, ...changedSql].map(({ name }) => name);
  const { rows } = await pool.query<{ may: boolean; owns: boolean }>(
    `select has_schema_privilege('public', 'create') as may,
       not exists (select from pg_tables where schemaname = 'public' and not pg_has_role(tableowner, 'member')) as owns`,
  );
  const mayChange = rows[0]?.may && rows[0].owns;
  if (waiting.length > 0)
    return [
      mayChange
        ? ok(
            subject,
            applied.length === 0
              ? 'The database is empty. The next start creates the tables.'
              : `The next start applies ${waiting.join(', ')}.`,
          )
        : problem(
            subject,
            `${waiting.join(', ')} must be applied by the owner of the tables. Run migrate with the owner’s URL in ${files.of === 'panel' ? 'DATABASE_URL' : 'STATISTICS_DATABASE_URL'}.`,
          ),
    ];
  if (newerVersion === null && (await lacksServerGrants(pool, tablesOf(files))))
    return [problem(subject, lacksGrants(await currentRole(pool), files.of))];
  if (newerVersion !== null)
    return [warning(subject, `Version ${newerVersion} has upgraded the database. This version can use it. Upgrade this server.`)];
  return [ok(subject, 'Every migration is applied.')];
}

async function clock({ clockOffset }: OpenedDatabase): Promise<DoctorFinding[]> {
  const offset = await clockOffset();
  const text = `The clock of this server ${describeOffset(offset)}.`;
  if (Math.abs(offset) > clockTolerance) return [problem('Clock', `${text} Turn on time synchronization.`)];
  if (Math.abs(offset) > 2_000) return [warning('Clock', `${text} Check its time synchronization.`)];
  return [ok('Clock', 'The clocks of this server and the database agree.')];
}

async function authorityLog(config: Config, { pool }: OpenedDatabase): Promise<DoctorFinding[]> {
  if (config.authorityGenesisFile === null) return [];
  const subject = 'Authority';
  try {
    const { rows: tables } = await pool.query<{ name: string | null }>(
      `select to_regclass('public.authority_lines')::text as name`,
    );
    if (tables[0]?.name != null && (await pool.query('select from authority_lines limit 1')).rowCount)
      return [ok(subject, 'The authority log has begun.')];
    await readGenesis(config, Date.now);
    return [ok(subject, `The next start begins the authority log with ${config.authorityGenesisFile}.`)];
  } catch (error) {
    return [problem(subject, explain(error))];
  }
}

const mail: Check = async ({ smtpUrl, demo, newBrowserCode }) => {
  const subject = 'Email';
  if (smtpUrl === null) {
    if (demo) return [ok(subject, 'Emails stay in this panel and aren’t sent.')];
    const text = 'SMTP_URL is not set, so no codes, links or alarm emails are sent.';
    return [newBrowserCode ? problem(subject, `${text} Set it, or NEW_BROWSER_CODE=off.`) : warning(subject, text)];
  }
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  });
  try {
    await transport.verify();
    return [ok(subject, `${new URL(smtpUrl).host} accepts email.`)];
  } catch (error) {
    return [problem(subject, `${new URL(smtpUrl).host} doesn’t accept email: ${describeError(error).message}. Check SMTP_URL.`)];
  } finally {
    transport.close();
  }
};

const chain: Check = async ({ evm, devnet }) => {
  const subject = 'Chain';
  if (!evm)
    return [ok(subject, devnet ? 'The panel runs its own devnet.' : 'EVM_RPC_URLS is not set: custody and CRSM are off.')];
  const found: DoctorFinding[] = [];
  for (const node of openNodes(evm, { timeoutMs: timeoutMs })) {
    try {
      const client = await node.client();
      const block = await client.getBlock();
      const age = Math.round(Date.now() / 1000 - Number(block.timestamp));
      found.push(
        age > 600
          ? warning(
              subject,
              `The newest block of ${node.name} is ${Math.round(age / 60)} minutes old. Check whether the node is synchronized.`,
            )
          : ok(subject, `${node.name}: block ${block.number}`),
      );
      for (const text of await contractProblems(evm, client))
        found.push(problem(subject, `${node.name} reports: ${text}. Check the contract addresses.`));
    } catch (error) {
      found.push(
        problem(
          subject,
          `${node.name} gave no usable answer: ${describeError(error).message}. Check EVM_RPC_URLS and EVM_CHAIN_ID.`,
        ),
      );
    }
  }
  return found;
};

const bitcoin: Check = async ({ esploraUrls, demo }) => {
  const subject = 'Bitcoin';
  if (demo) return [ok(subject, 'The panel runs its own demo Bitcoin.')];
  if (esploraUrls.length === 0) return [ok(subject, 'ESPLORA_URLS is not set: deposits are not checked.')];
  const found: DoctorFinding[] = [];
  for (const url of esploraUrls) {
    const { host } = new URL(url);
    try {
      const { height } = await fetchTip(url, AbortSignal.timeout(timeoutMs));
      found.push(ok(subject, `${host}: block ${height}`));
    } catch (error) {
      found.push(problem(subject, `${host} gave no usable answer: ${describeError(error).message}. Check ESPLORA_URLS.`));
    }
  }
  return found;
};

const storage: Check = async (config) => {
  if (!config.s3) return [ok('Pictures', `Pictures are in ${config.dataDir}.`)];
  const { endpoint, bucket } = config.s3;
  try {
    await openExternalServices(config).pictures.check();
    return [ok('Pictures', `${endpoint} gives access to the bucket ${bucket}.`)];
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    return [
      problem(
        'Pictures',
        `${endpoint} gives no access to the bucket ${bucket}: ${describeError(cause).message}. Check the S3_ variables.`,
      ),
    ];
  }
};

const address: Check = async ({ production, publicUrl, trustProxy }) => {
  const subject = 'Address';
  if (production && !publicUrl.startsWith('https:') && !isLoopback(publicUrl))
    return [
      problem(
        subject,
        `PUBLIC_URL is ${publicUrl}. Browsers sign in and use wallets over https only. Put a proxy with TLS in front.`,
      ),
    ];
  if (production && trustProxy === 0)
    return [
      warning(
        subject,
        'TRUST_PROXY is 0. Behind a proxy, every visitor appears with the proxy’s address. Set TRUST_PROXY to the number of proxies.',
      ),
    ];
  return [ok(subject, publicUrl)];
};

const countries: Check = async (config) => {
  openCountries(config);
  return config.countryDatabase === null ? [] : [ok('Countries', `${config.countryDatabase} is readable.`)];
};

const checks: readonly (readonly [string, Check])[] = [
  ['Data folder', dataFolder],
  ['Secrets', secrets],
  ['Address', address],
  ['Database', database],
  ['Statistics', statistics],
  ['Email', mail],
  ['Pictures', storage],
  ['Countries', countries],
  ['Chain', chain],
  ['Bitcoin', bitcoin],
];
