import { createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { formatAuditKeyName } from '../platform/audit/heads.ts';
import { NotAuditExportError, verifyDatabase, verifyExport, type AuditVerdict } from '../platform/audit/verify.ts';
import { ConfigError, readConfig, type Config } from '../platform/core/config.ts';
import { createLogger } from '../platform/core/log.ts';
import { describeConnectionProblem } from '../platform/db/connection-problem.ts';
import { createConnector } from '../platform/db/connector.ts';
import { recordMaintenance } from '../platform/db/maintenance.ts';
import { startPostgres } from '../platform/db/postgres.ts';
import { describeFileProblem, StartError } from '../platform/core/start-error.ts';
import { readOwnKeys, formatVerdict } from './verdict.ts';

const usageText = `npm run audit:verify -- [export.csv] [--part] [--heads FILE] [--key FILE]

Checks the number, order and hash of every audit row, and the signed heads stored outside the database.
  export.csv   an exported file instead of the database (DATABASE_URL or the panel’s own)
  --part       the file was exported with a filter, so rows between its rows are missing
  --heads      file of signed heads (default: AUDIT_HEADS_FILE)
  --key        public or private key of the heads, PEM (default: AUDIT_KEY_FILE). Repeat it for earlier keys
Exit code: 0 if nothing was changed, 1 if changes were found, 2 if the audit can’t be checked.`;

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      part: { type: 'boolean' },
      heads: { type: 'string' },
      key: { type: 'string', multiple: true },
      help: { type: 'boolean' },
    },
  });
  if (values.help || positionals.length > 1) {
    console.log(usageText);
    return values.help ? 0 : 2;
  }
  const config = readConfig();
  const keys = values.key?.map((name) => createPublicKey(readFileSync(name))) ?? readOwnKeys(config);
  const verifyOptions = { headsFile: values.heads ?? config.auditHeadsFile, keys };
  const [file] = positionals;
  const verdict = file
    ? await verifyExport(file, verifyOptions, { part: values.part ?? false })
    : await verifyFromDatabase(config, verifyOptions);
  formatVerdict(verdict, keys.length > 0 ? `key ${keys.map(formatAuditKeyName).join(', ')}` : 'no key');
  if (verdict.problems.length > 0) return 1;
  // A database without its heads is only half verified, so it must not succeed.
  if (file || (keys.length > 0 && verdict.heads > 0)) return 0;
  console.error(
    keys.length > 0
      ? `Not checked against signed heads: ${verifyOptions.headsFile} has none. Set --heads or AUDIT_HEADS_FILE.`
      : `Not checked against signed heads: ${config.dataDir} has no key. Set --key, AUDIT_KEY_FILE or DATA_DIR.`,
  );
  return 2;
}

async function verifyFromDatabase(config: Config, verifyOptions: Parameters<typeof verifyDatabase>[1]): Promise<AuditVerdict> {
  // A running server locks the folder: the error then says to stop it or set DATABASE_URL.
  const embeddedPostgres = config.databaseUrl === null ? await startPostgres({ dataDir: config.dataDir }) : null;
  const url = embeddedPostgres?.url ?? config.databaseDirectUrl ?? config.databaseUrl ?? '';
  const connector = createConnector(url, createLogger({ level: 'silent' }));
  const client = connector.newClient({ application_name: 'admin-panel audit:verify' });
  try {
    await client.connect().catch((error: unknown) => {
      throw describeConnectionProblem(error, url) ?? error;
    });
    const verdict = await verifyDatabase(client, verifyOptions);
    const isFullyVerified = verdict.problems.length === 0 && verdict.heads > 0 && verifyOptions.keys.length > 0;
    const maintenanceProblem = await recordMaintenance(client, 'audit-verify', isFullyVerified);
    if (maintenanceProblem !== null)
      console.error(`The time of this check was not recorded, so the alert AuditVerifyOld will fire: ${maintenanceProblem}.`);
    return verdict;
  } finally {
    await client.end().catch(() => {});
    connector.close();
    await embeddedPostgres?.stop();
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  const cause = describeFileProblem(error) ?? error;
  const isExpectedError = cause instanceof ConfigError || cause instanceof StartError || cause instanceof NotAuditExportError;
  if (isExpectedError) console.error(cause.message);
  else console.error(cause instanceof Error && 'code' in cause ? cause.message : cause);
  process.exitCode = 2;
}
