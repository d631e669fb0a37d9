import { createHash, type KeyObject } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type pg from 'pg';
import { readHeads } from '../platform/audit/heads.ts';
import { formatFinding, verifyDatabase, type AuditVerdict } from '../platform/audit/verify.ts';
import { canOpenTotp } from '../platform/auth/sign-in/factors.ts';
import type { PictureStore } from '../platform/content/pictures-store.ts';
import type { Config } from '../platform/core/config.ts';
import { openExternalServices } from '../platform/services/services.ts';
import { StartError } from '../platform/core/start-error.ts';
import { writeFileOnce } from '../platform/core/write-once.ts';
import { withAdvisoryLock } from '../platform/db/advisory-lock.ts';
import { clearUnverifiedSql, isUnverifiedSql, readPanelSchema, requireUsableSchema } from '../platform/db/migrations.ts';
import { parseDatabaseHosts } from '../platform/core/database-url.ts';
import { openBackupSource, serverVersion, type BackupSource } from './connection.ts';
import { findFirstObject } from './first-object.ts';
import { runInBatches } from './parallel-steps.ts';
import { backupParts, pictureFileName, readBackup, type Manifest } from './manifest.ts';
import { loadDatabase, programEnvironment, refuseNewerProgram, requireProgram } from './postgres-programs.ts';
import { parseSettleResult, recordStatements, settleStatements, type SettleResult } from './settle.ts';

export interface RestoreResult {
  readonly manifest: Manifest;
  readonly settled: SettleResult;
  readonly audit: AuditVerdict;
  /** Tables with missing or extra rows. */
  readonly differences: readonly string[];
  /** People whose authenticator app this server's key cannot decrypt. */
  readonly closedFactors: number;
  readonly authority: AuthorityVerdict;
  /** Audit problems that the operator accepted. */
  readonly accepted: { readonly reason: string; readonly problems: number; readonly digest: string } | null;
  /**
   * SHA-256 of the audit problems, to accept exactly these. Null: another check failed, or none.
   */
  readonly digest: string | null;
  /** False: no panel starts on the database unless problems were accepted. */
  readonly isSound: boolean;
}

export interface ProblemAcceptance {
  readonly reason: string;
  readonly digest: string;
}

export interface AuthorityVerdict {
  readonly isValid: boolean;
  readonly report: readonly string[];
}

/**
 * Loads the database last in one transaction, so that an interrupted attempt can be repeated. No
 * panel starts until it is verified. Throws StartError.
 */
export async function restoreBackup(
  config: Config,
  folder: string,
  keys: readonly KeyObject[],
  verifyAuthority: (lines: readonly string[]) => Promise<AuthorityVerdict>,
): Promise<RestoreResult> {
  const manifest = await readBackup(folder);
  requireUsableSchema(manifest.migrations, readPanelSchema(), 'backup');
  await requireMatchingHeads(config, folder, manifest, keys);
  const { pictures: store } = openExternalServices(config);
  const ids = pictureIds(manifest);
  await requireMatchingPictures(store, folder, ids);
  const source = await openBackupSource(config);
  try {
    // A panel that starts now waits.
    return await withAdvisoryLock(
      () => source.connect('restore'),
      'migrate',
      async (client) => {
        await requireNoPanels(client);
        await requireEmptyDatabase(client, config, source);
        const env = await requirePrograms(client, source, manifest);
        await restoreHeads(config, folder, manifest);
        await runInBatches(ids, async (id) => {
          if ((await store.get(id)) === null) await store.put(id, await readFile(join(folder, pictureFileName(id))));
        });
        const settleResult = await loadDump(
          client,
          join(folder, backupParts.dump),
          settleStatements(manifest.time, new Date()),
          env,
        );
        return { manifest, settled: settleResult, ...(await check(client, config, manifest, keys, verifyAuthority, null)) };
      },
    );
  } finally {
    await source.close();
  }
}

const pictureIds = ({ files }: Manifest): string[] =>
  Object.keys(files).flatMap((name) => /^pictures\/(.+)\.webp$/.exec(name)?.[1] ?? []);

/** Heads must be signed with an available key, and must not replace others. */
async function requireMatchingHeads(
  config: Config,
  folder: string,
  manifest: Manifest,
  keys: readonly KeyObject[],
): Promise<void> {
  const existingHeads = existsSync(config.auditHeadsFile) ? readFileSync(config.auditHeadsFile, 'utf8') : '';
  const hasHeads = manifest.files[backupParts.heads] !== undefined;
  const backupHeads = hasHeads ? readFileSync(join(folder, backupParts.heads), 'utf8') : '';
  if (existingHeads !== '' && existingHeads !== backupHeads)
    throw new StartError(
      `${config.auditHeadsFile} already exists and differs from the heads in the backup. Move it to another place or set AUDIT_HEADS_FILE, and run restore again.`,
    );
  if (!hasHeads) return;
  if (keys.length === 0)
    throw new StartError(
      `The backup has signed audit heads, but the key that signed them isn’t in ${config.dataDir}. Put audit-key.pem there or set AUDIT_KEY_FILE, and run restore again.`,
    );
  const { problems } = await readHeads(join(folder, backupParts.heads), keys);
  if (problems.length > 0)
    throw new StartError(
      'The backup has audit heads that none of the given keys signed. Set AUDIT_KEY_FILE to the key of that panel, and name earlier keys with --key.',
    );
}

/** A different picture with the same id belongs to another panel. */
async function requireMatchingPictures(store: PictureStore, folder: string, ids: readonly string[]): Promise<void> {
  await store.check();
  await runInBatches(ids, async (id) => {
    const existingPicture = await store.get(id);
    if (existingPicture !== null && !Buffer.from(existingPicture).equals(await readFile(join(folder, pictureFileName(id)))))
      throw new StartError(
        `The picture ${id} already exists and differs from the one in the backup. Set DATA_DIR or S3_BUCKET to an empty place, and run restore again.`,
      );
  });
}

async function requireNoPanels(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string; connections: number }>(
    `select application_name as name, count(*)::int as connections from pg_stat_activity
      where datname = current_database() and application_name like 'admin-panel%' and pid <> pg_backend_pid()
      group by application_name order by application_name`,
  );
  if (rows.length === 0) return;
  const names = rows.map(({ name, connections }) => `${name} (connections: ${connections})`).join(', ');
  throw new StartError(
    `A panel uses the database "${client.database}": ${names}. Stop every server and the signer, and run restore again.`,
  );
}

async function requireEmptyDatabase(client: pg.Client, config: Config, { url }: BackupSource): Promise<void> {
  const existingObject = await findFirstObject(client);
  if (existingObject === null) return;
  throw new StartError(
    config.databaseUrl === null
      ? `The panel’s own database in ${config.dataDir} isn’t empty (${existingObject}). Set DATA_DIR to a new folder, put audit-key.pem there, and run restore again.`
      : `The database "${client.database}" at ${parseDatabaseHosts(url).names.join(', ')} isn’t empty (${existingObject}). Create an empty database, set DATABASE_URL to it, and run restore again.`,
  );
}

async function requirePrograms(client: pg.Client, source: BackupSource, { postgres }: Manifest) {
  const env = programEnvironment(client, source.url);
  const server = await serverVersion(client);
  if (server < postgres.server)
    throw new StartError(
      `The backup is from PostgreSQL ${postgres.server}, and the database runs PostgreSQL ${server}. Restore into PostgreSQL ${postgres.server} or newer.`,
    );
  const reader = await requireProgram('pg_restore', postgres.dump, env);
  await requireProgram('psql', postgres.dump, env);
  refuseNewerProgram('pg_restore', reader, server);
  return env;
}

async function restoreHeads({ auditHeadsFile }: Config, folder: string, { files }: Manifest): Promise<void> {
  if (files[backupParts.heads] === undefined) return;
  mkdirSync(dirname(auditHeadsFile), { recursive: true });
  writeFileOnce(auditHeadsFile, await readFile(join(folder, backupParts.heads), 'utf8'));
}

async function loadDump(
  client: pg.Client,
  dumpFile: string,
  settleSql: string,
  env: Parameters<typeof loadDatabase>[2],
): Promise<SettleResult> {
  try {
    return parseSettleResult(await loadDatabase(dumpFile, settleSql, env));
  } catch (error) {
    if (!(error instanceof StartError) || (await findFirstObject(client)) !== null) throw error;
    throw new StartError(`${error.message} The database is empty as before.`);
  }
}

/** Continues a restore that loaded the database. An acceptance is audited. Throws StartError. */
export async function verifyRestored(
  config: Config,
  folder: string,
  keys: readonly KeyObject[],
  verifyAuthority: (lines: readonly string[]) => Promise<AuthorityVerdict>,
  acceptance: ProblemAcceptance | null,
): Promise<Omit<RestoreResult, 'settled'>> {
  const manifest = await readBackup(folder);
  const source = await openBackupSource(config);
  try {
    return await withAdvisoryLock(
      () => source.connect('restore'),
      'migrate',
      async (client) => {
        const { rows } = await client.query<{ unverified: boolean }>(`select ${isUnverifiedSql} as unverified`);
        if (!rows[0]?.unverified)
          throw new StartError('No restore into this database is waiting to be verified. Check DATABASE_URL.');
        return { manifest, ...(await check(client, config, manifest, keys, verifyAuthority, acceptance)) };
      },
    );
  } finally {
    await source.close();
  }
}

async function check(
  client: pg.Client,
  config: Config,
  { rows }: Manifest,
  keys: readonly KeyObject[],
  verifyAuthority: (lines: readonly string[]) => Promise<AuthorityVerdict>,
  acceptance: ProblemAcceptance | null,
) {
  const audit = await verifyDatabase(client, { headsFile: config.auditHeadsFile, keys });
  const rowCounts = await client.query<{ audit: string; authority: string; pictures: string }>(
    `select (select count(*) from audit) as audit, (select count(*) from authority_lines) as authority,
       (select count(*) from pictures) as pictures`,
  );
  const expected = { ...rows, audit: rows.audit + 1 };
  const describeDifference = (name: 'audit' | 'authority' | 'pictures') => {
    const actualCount = Number(rowCounts.rows[0]?.[name]);
    return actualCount === expected[name] ? [] : [`${name} has ${actualCount} rows instead of ${expected[name]}`];
  };
  const outsideAudit = [...describeDifference('authority'), ...describeDifference('pictures')];
  const differences = [...describeDifference('audit'), ...outsideAudit];
  const { rows: lines } = await client.query<{ line: string }>('select line from authority_lines order by number');
  const { rows: encryptedSecrets } = await client.query<{ id: string; secret: string }>(
    'select id, totp_secret as secret from administrators where totp_secret is not null',
  );
  const closedFactors = encryptedSecrets.filter(({ id, secret }) => !canOpenTotp(config, id, secret)).length;
  const authority = await verifyAuthority(lines.map(({ line }) => line));
  const problem =
    (audit.problems.length > 0 && 'the audit is not sound') ||
    (!authority.isValid && 'the authority log is not valid') ||
    differences[0];
  const auditProblems = [...audit.problems.map(formatFinding), ...describeDifference('audit')];
  // Only the audit may have known problems: the authority log says who may move money.
  const digest =
    problem && authority.isValid && outsideAudit.length === 0
      ? createHash('sha256').update(auditProblems.join('\n')).digest('hex')
      : null;
  const acceptedProblems =
    digest !== null && acceptance?.digest === digest
      ? { reason: acceptance.reason, problems: auditProblems.length, digest }
      : null;
  if (acceptedProblems)
    await client.query(
      `begin; set local search_path = public, pg_temp; ${recordStatements('acceptProblems', acceptedProblems, new Date())} ${clearUnverifiedSql}; commit`,
    );
  else if (problem) await client.query('update schema_history.unverified_restore set problem = $1', [problem]);
  else await client.query(clearUnverifiedSql);
  return { audit, differences, closedFactors, authority, accepted: acceptedProblems, digest, isSound: !problem };
}
