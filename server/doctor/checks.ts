import { accessSync, constants, existsSync, mkdirSync, statfsSync } from 'node:fs';
import { resolve } from 'node:path';
import { createTransport } from 'nodemailer';
import pg from 'pg';
import { readGenesis } from '../authority/shared/genesis-file.ts';
import { findContractProblems } from '../custody/shared/contract-check.ts';
import { readAuditKey } from '../platform/audit/heads.ts';
import { fetchTip } from '../platform/bitcoin/esplora.ts';
import { openCountries } from '../platform/content/countries.ts';
import { ConfigError, type Config } from '../platform/core/config.ts';
import { isLoopback } from '../platform/core/config-checks.ts';
import { checkSecretKey } from '../platform/core/encryption.ts';
import { describeError, type Log } from '../platform/core/log.ts';
import { openExternalServices } from '../platform/services/services.ts';
import { describeFileProblem, StartError } from '../platform/core/start-error.ts';
import { clockTolerance, describeOffset } from '../platform/db/clock-offset.ts';
import { describeConnectionProblem } from '../platform/db/connection-problem.ts';
import { openDatabase } from '../platform/db/db.ts';
import { readPanelSchema, readStatisticsSchema, listTables } from '../platform/db/migrations.ts';
import { describeLackingGrants, lacksServerGrants, readCurrentRole } from '../platform/db/server-grants.ts';
import { parseDatabaseHosts, isLocalDatabase } from '../platform/core/database-url.ts';
import { requireUsableDatabase, findSilentWorkers } from '../statistics/shared/database-checks.ts';
import { openNodes } from '../platform/evm/read.ts';

/** What a check found. `text` says what is wrong and what to do, or what is fine. */
export interface DoctorFinding {
  readonly level: 'ok' | 'warning' | 'problem';
  readonly subject: string;
  readonly text: string;
}

type DoctorCheck = (config: Config, log: Log) => Promise<DoctorFinding[]>;

const okFinding = (subject: string, text: string): DoctorFinding => ({ level: 'ok', subject, text });
const warningFinding = (subject: string, text: string): DoctorFinding => ({ level: 'warning', subject, text });
const problemFinding = (subject: string, text: string): DoctorFinding => ({ level: 'problem', subject, text });

const bytesPerGigabyte = 1024 ** 3;
/** Bytes below which a disk is called nearly full, and too full to start. */
const diskLimits = { low: 2 * bytesPerGigabyte, full: bytesPerGigabyte / 10 };
/** Milliseconds that anything outside may take to answer. */
const timeoutMs = 10_000;

/** Everything that a start needs, one finding or more for each subject. Creates only a missing data folder. Never throws for what it checks. */
export async function diagnose(config: Config, log: Log): Promise<DoctorFinding[]> {
  const findings: DoctorFinding[] = [];
  for (const [subject, check] of checks)
    findings.push(...(await check(config, log).catch((error: unknown) => [problemFinding(subject, describeFailure(error))])));
  return findings;
}

/** As a start says it. */
function describeFailure(error: unknown): string {
  if (error instanceof StartError || error instanceof ConfigError) return error.message;
  return describeFileProblem(error)?.message ?? describeError(error).message;
}

const checkDataFolder: DoctorCheck = async ({ dataDir }) => {
  const subject = 'Data folder';
  if (!existsSync(dataDir)) {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  }
  accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  const { bavail, bsize } = statfsSync(dataDir);
  const freeBytes = bavail * bsize;
  const size = `${(freeBytes / bytesPerGigabyte).toFixed(1)} GB free in ${dataDir}`;
  if (freeBytes < diskLimits.full) return [problemFinding(subject, `Only ${size}. Free some space.`)];
  return [freeBytes < diskLimits.low ? warningFinding(subject, `Only ${size}. Free some space soon.`) : okFinding(subject, size)];
};

const checkSecrets: DoctorCheck = async (config) => {
  checkSecretKey(config);
  const keyFile = config.auditKeyFile ?? resolve(config.dataDir, 'audit-key.pem');
  if (config.auditKeyFile !== null || existsSync(keyFile)) readAuditKey(config);
  const findings = [okFinding('Secrets', config.secretKey === null ? 'The key is in the data folder.' : 'SECRET_KEY is set.')];
  if (config.production && config.auditKeyFile === null)
    findings.push(
      warningFinding(
        'Secrets',
        'The key that signs audit heads is next to the data. Set AUDIT_KEY_FILE to a key stored elsewhere.',
      ),
    );
  if (config.acceptedSecretKey !== null)
    findings.push(
      warningFinding('Secrets', 'SECRET_KEY_ACCEPTED is set. Run secret-key:rotate and remove it when the rotation is done.'),
    );
  return findings;
};

const checkDatabase: DoctorCheck = async (config, log) => {
  const subject = 'Database';
  if (config.databaseUrl === null) return [okFinding(subject, `The panel runs its own PostgreSQL in ${config.dataDir}.`)];
  const urls: [string, string][] = [['DATABASE_URL', config.databaseUrl]];
  if (config.databaseDirectUrl !== null) urls.push(['DATABASE_DIRECT_URL', config.databaseDirectUrl]);
  if (config.databaseReadUrl !== null) urls.push(['DATABASE_READ_URL', config.databaseReadUrl]);
  const findings: DoctorFinding[] = [];
  for (const [variable, url] of urls) findings.push(...(await checkConnection(variable, url)));
  if (findings.some(({ level }) => level === 'problem')) return findings;
  const openedDatabase = openDatabase({ url: config.databaseUrl, directUrl: config.databaseDirectUrl, log });
  try {
    return [
      ...findings,
      ...(await schema(openedDatabase)),
      ...(await checkClock(openedDatabase)),
      ...(await checkAuthorityLog(config, openedDatabase)),
    ];
  } finally {
    await openedDatabase.close();
  }
};

/** As a start checks a separate statistics database. */
const checkStatistics: DoctorCheck = async (config, log) => {
  const { databaseUrl: url, statisticsDatabaseUrl: statisticsUrl } = config;
  if (url === null || statisticsUrl === null) return [];
  const subject = 'Statistics';
  const findings = await checkConnection('STATISTICS_DATABASE_URL', statisticsUrl, subject);
  if (findings.some(({ level }) => level === 'problem')) return findings;
  const openedDatabase = openDatabase({ url, directUrl: config.databaseDirectUrl, statisticsUrl, log });
  try {
    await requireUsableDatabase(openedDatabase);
    const silentWorkerFindings = (await findSilentWorkers(openedDatabase.statistics.pool)).map((worker) =>
      warningFinding(
        subject,
        `The Citus worker ${worker} doesn’t respond or rejects the coordinator’s password, so some visits are unavailable. Start the worker, or check .pgpass and pg_hba.conf.`,
      ),
    );
    return [...findings, ...silentWorkerFindings, ...(await schema(openedDatabase.statistics, readStatisticsSchema(), subject))];
  } finally {
    await openedDatabase.close();
  }
};

async function checkConnection(variable: string, url: string, subject = 'Database'): Promise<DoctorFinding[]> {
  const { urls, names } = parseDatabaseHosts(url);
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
    const [connectionFacts] = rows;
    if (!connectionFacts) return [problemFinding(subject, `${names.join(', ')} gave no answer. Check ${variable}.`)];
    const findings: DoctorFinding[] = [
      okFinding(subject, `PostgreSQL ${connectionFacts.version} at ${names.join(', ')} (${variable})`),
    ];
    if (connectionFacts.number < 140_000)
      findings.push(problemFinding(subject, `PostgreSQL ${connectionFacts.version} is too old. Upgrade to 14 or newer.`));
    if (connectionFacts.encoding !== 'UTF8')
      findings.push(
        problemFinding(subject, `The encoding is ${connectionFacts.encoding}. Create the database with ENCODING 'UTF8'.`),
      );
    if (connectionFacts.letters === 'C' || connectionFacts.letters === 'POSIX')
      findings.push(
        warningFinding(
          subject,
          `LC_CTYPE is ${connectionFacts.letters}, so the search in Chinese titles is slow. Create the database with LOCALE 'C.UTF-8'.`,
        ),
      );
    if (!connectionFacts.trigrams && variable !== 'STATISTICS_DATABASE_URL')
      findings.push(problemFinding(subject, 'The extension pg_trgm is missing. Install the contrib package of PostgreSQL.'));
    if (!connectionFacts.encrypted && !isLocalDatabase(url))
      findings.push(
        warningFinding(
          subject,
          `The connection to ${names.join(', ')} is not encrypted. Add sslmode=verify-full to ${variable}.`,
        ),
      );
    return findings;
  } catch (error) {
    return [problemFinding(subject, describeConnectionProblem(error, url, variable)?.message ?? describeFailure(error))];
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
  files = readPanelSchema(),
  subject = 'Schema',
): Promise<DoctorFinding[]> {
  const { pending, changedSql, newerVersion, applied } = await schemaStatus();
  const pendingNames = [...pending, ...changedSql].map(({ name }) => name);
  const { rows } = await pool.query<{ may: boolean; owns: boolean }>(
    `select has_schema_privilege('public', 'create') as may,
       not exists (select from pg_tables where schemaname = 'public' and not pg_has_role(tableowner, 'member')) as owns`,
  );
  const mayChange = rows[0]?.may && rows[0].owns;
  if (pendingNames.length > 0)
    return [
      mayChange
        ? okFinding(
            subject,
            applied.length === 0
              ? 'The database is empty. The next start creates the tables.'
              : `The next start applies ${pendingNames.join(', ')}.`,
          )
        : problemFinding(
            subject,
            `${pendingNames.join(', ')} must be applied by the owner of the tables. Run migrate with the owner’s URL in ${files.of === 'panel' ? 'DATABASE_URL' : 'STATISTICS_DATABASE_URL'}.`,
          ),
    ];
  if (newerVersion === null && (await lacksServerGrants(pool, listTables(files))))
    return [problemFinding(subject, describeLackingGrants(await readCurrentRole(pool), files.of))];
  if (newerVersion !== null)
    return [
      warningFinding(subject, `Version ${newerVersion} has upgraded the database. This version can use it. Upgrade this server.`),
    ];
  return [okFinding(subject, 'Every migration is applied.')];
}

async function checkClock({ clockOffset }: OpenedDatabase): Promise<DoctorFinding[]> {
  const offset = await clockOffset();
  const text = `The clock of this server ${describeOffset(offset)}.`;
  if (Math.abs(offset) > clockTolerance) return [problemFinding('Clock', `${text} Turn on time synchronization.`)];
  if (Math.abs(offset) > 2_000) return [warningFinding('Clock', `${text} Check its time synchronization.`)];
  return [okFinding('Clock', 'The clocks of this server and the database agree.')];
}

async function checkAuthorityLog(config: Config, { pool }: OpenedDatabase): Promise<DoctorFinding[]> {
  if (config.authorityGenesisFile === null) return [];
  const subject = 'Authority';
  try {
    const { rows: tables } = await pool.query<{ name: string | null }>(
      `select to_regclass('public.authority_lines')::text as name`,
    );
    if (tables[0]?.name != null && (await pool.query('select from authority_lines limit 1')).rowCount)
      return [okFinding(subject, 'The authority log has begun.')];
    await readGenesis(config, Date.now);
    return [okFinding(subject, `The next start begins the authority log with ${config.authorityGenesisFile}.`)];
  } catch (error) {
    return [problemFinding(subject, describeFailure(error))];
  }
}

const checkMail: DoctorCheck = async ({ smtpUrl, demo, newBrowserCode }) => {
  const subject = 'Email';
  if (smtpUrl === null) {
    if (demo) return [okFinding(subject, 'Emails stay in this panel and aren’t sent.')];
    const text = 'SMTP_URL is not set, so no codes, links or alarm emails are sent.';
    return [newBrowserCode ? problemFinding(subject, `${text} Set it, or NEW_BROWSER_CODE=off.`) : warningFinding(subject, text)];
  }
  const mailTransport = createTransport({
    url: smtpUrl,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  });
  try {
    await mailTransport.verify();
    return [okFinding(subject, `${new URL(smtpUrl).host} accepts email.`)];
  } catch (error) {
    return [
      problemFinding(subject, `${new URL(smtpUrl).host} doesn’t accept email: ${describeError(error).message}. Check SMTP_URL.`),
    ];
  } finally {
    mailTransport.close();
  }
};

const chain: DoctorCheck = async ({ evm, devnet }) => {
  const subject = 'Chain';
  if (!evm)
    return [okFinding(subject, devnet ? 'The panel runs its own devnet.' : 'EVM_RPC_URLS is not set: custody and CRSM are off.')];
  const findings: DoctorFinding[] = [];
  for (const node of openNodes(evm, { timeoutMs })) {
    try {
      const client = await node.client();
      const block = await client.getBlock();
      const blockAgeSeconds = Math.round(Date.now() / 1000 - Number(block.timestamp));
      findings.push(
        blockAgeSeconds > 600
          ? warningFinding(
              subject,
              `The newest block of ${node.name} is ${Math.round(blockAgeSeconds / 60)} minutes old. Check whether the node is synchronized.`,
            )
          : okFinding(subject, `${node.name}: block ${block.number}`),
      );
      for (const text of await findContractProblems(evm, client))
        findings.push(problemFinding(subject, `${node.name} reports: ${text}. Check the contract addresses.`));
    } catch (error) {
      findings.push(
        problemFinding(
          subject,
          `${node.name} gave no usable answer: ${describeError(error).message}. Check EVM_RPC_URLS and EVM_CHAIN_ID.`,
        ),
      );
    }
  }
  return findings;
};

const checkBitcoin: DoctorCheck = async ({ esploraUrls, demo }) => {
  const subject = 'Bitcoin';
  if (demo) return [okFinding(subject, 'The panel runs its own demo Bitcoin.')];
  if (esploraUrls.length === 0) return [okFinding(subject, 'ESPLORA_URLS is not set: deposits are not checked.')];
  const findings: DoctorFinding[] = [];
  for (const url of esploraUrls) {
    const { host } = new URL(url);
    try {
      const { height } = await fetchTip(url, AbortSignal.timeout(timeoutMs));
      findings.push(okFinding(subject, `${host}: block ${height}`));
    } catch (error) {
      findings.push(
        problemFinding(subject, `${host} gave no usable answer: ${describeError(error).message}. Check ESPLORA_URLS.`),
      );
    }
  }
  return findings;
};

const checkStorage: DoctorCheck = async (config) => {
  if (!config.s3) return [okFinding('Pictures', `Pictures are in ${config.dataDir}.`)];
  const { endpoint, bucket } = config.s3;
  try {
    await openExternalServices(config).pictures.check();
    return [okFinding('Pictures', `${endpoint} gives access to the bucket ${bucket}.`)];
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    return [
      problemFinding(
        'Pictures',
        `${endpoint} gives no access to the bucket ${bucket}: ${describeError(cause).message}. Check the S3_ variables.`,
      ),
    ];
  }
};

const address: DoctorCheck = async ({ production, publicUrl, trustProxy }) => {
  const subject = 'Address';
  if (production && !publicUrl.startsWith('https:') && !isLoopback(publicUrl))
    return [
      problemFinding(
        subject,
        `PUBLIC_URL is ${publicUrl}. Browsers sign in and use wallets over https only. Put a proxy with TLS in front.`,
      ),
    ];
  if (production && trustProxy === 0)
    return [
      warningFinding(
        subject,
        'TRUST_PROXY is 0. Behind a proxy, every visitor appears with the proxy’s address. Set TRUST_PROXY to the number of proxies.',
      ),
    ];
  return [okFinding(subject, publicUrl)];
};

const checkCountries: DoctorCheck = async (config) => {
  openCountries(config);
  return config.countryDatabase === null ? [] : [okFinding('Countries', `${config.countryDatabase} is readable.`)];
};

const checks: readonly (readonly [string, DoctorCheck])[] = [
  ['Data folder', checkDataFolder],
  ['Secrets', checkSecrets],
  ['Address', address],
  ['Database', checkDatabase],
  ['Statistics', checkStatistics],
  ['Email', checkMail],
  ['Pictures', checkStorage],
  ['Countries', checkCountries],
  ['Chain', chain],
  ['Bitcoin', checkBitcoin],
];
