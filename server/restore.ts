import { createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readOwnKeys, formatVerdict } from './audit/verdict.ts';
import { verifyLog } from './authority/verify-log.ts';
import { restoreBackup, verifyRestored, type AuthorityVerdict } from './backup/restore.ts';
import { restoreStatistics } from './backup/restore-statistics.ts';
import { printFailure } from './backup/print-failure.ts';
import { formatAuditKeyName } from './platform/audit/heads.ts';
import { readConfig } from './platform/core/config.ts';

const usageText = `restore FOLDER [--statistics | --verify [--accept-problems REASON --digest DIGEST]] [--key FILE]
  restores a backup into the empty database in DATABASE_URL, ends all sessions, holds back queued emails and alarms,
  and checks the audit and the authority log. Stop the panel first. pg_restore and psql must be on the PATH.
  --statistics  only restore the visits, into the empty database in STATISTICS_DATABASE_URL
  --verify  only repeat the checks, after a restore that loaded the database and then stopped
  --accept-problems  with --verify: let panels start although the audit has known problems. Records the reason in the audit.
            Refused if the authority log or the pictures have problems
  --digest  with --accept-problems: the digest that --verify printed, so that only those problems are accepted
  --key     public or private key of earlier audit heads, PEM. Repeat it for several
Exit code: 0 if the restored data is sound, 1 if not or if nothing was restored.`;

/** npm run restore */
async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      key: { type: 'string', multiple: true },
      statistics: { type: 'boolean' },
      verify: { type: 'boolean' },
      'accept-problems': { type: 'string' },
      digest: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  const [folder] = positionals;
  if (values.help || folder === undefined || positionals.length > 1) {
    (values.help ? console.log : console.error)(usageText);
    return values.help ? 0 : 2;
  }
  if (values.statistics) {
    const { visits } = await restoreStatistics(readConfig(), resolve(folder));
    console.log(`Restored ${visits} visits.`);
    return 0;
  }
  const { digest: givenDigest } = values;
  const reason = values['accept-problems']?.trim();
  const hasAcceptance = reason !== undefined || givenDigest !== undefined;
  const acceptance = reason !== undefined && givenDigest !== undefined ? { reason, digest: givenDigest } : null;
  if (hasAcceptance && (!values.verify || !acceptance || acceptance.reason.length < 10 || acceptance.reason.length > 500)) {
    console.error('--accept-problems needs --verify, --digest and a reason of 10 to 500 characters.');
    return 2;
  }
  const config = readConfig();
  const keys = [...readOwnKeys(config), ...(values.key ?? []).map((name) => createPublicKey(readFileSync(name)))];
  const restoreArgs = [config, resolve(folder), keys, verifyAuthority] as const;
  const { manifest, settled, audit, authority, differences, closedFactors, accepted, digest, isSound } = values.verify
    ? { ...(await verifyRestored(...restoreArgs, acceptance)), settled: null }
    : await restoreBackup(...restoreArgs);
  console.log(
    `${settled ? 'Restored' : 'Verified'} the backup of "${manifest.database}" from ${manifest.time}, version ${manifest.version}.`,
  );
  if (settled) {
    console.log(`Sessions ended: ${settled.sessions}. Email codes and password links no longer work.`);
    console.log(`Emails held back: ${settled.mails}. Alarms held back: ${settled.alarms}.`);
  }
  for (const id of manifest.missingPictures.slice(0, 100)) console.log(`warning: the backup lacks the picture ${id}`);
  formatVerdict(
    audit,
    keys.length > 0 ? `key ${keys.map(formatAuditKeyName).join(', ')}` : 'no key',
    values.verify ? Infinity : 100,
  );
  for (const line of authority.report) console.log(line);
  for (const difference of differences) console.log(`FOUND: ${difference}`);
  if (closedFactors > 0)
    console.log(
      `warning: SECRET_KEY doesn’t open the authenticator secrets (people: ${closedFactors}). Set the SECRET_KEY of the panel that was backed up.`,
    );
  if (accepted) {
    console.log(`Problems accepted: ${accepted.problems} (digest ${accepted.digest}). The audit has the reason.`);
  } else if (!isSound) {
    if (acceptance)
      console.error(
        digest === null
          ? 'Nothing was accepted. Only problems of the audit can be.'
          : 'Nothing was accepted. The problems are not those of the digest.',
      );
    if (digest !== null) console.error(`Digest of the problems: ${digest}`);
    console.error('The restored data isn’t sound. The panel refuses to start on this database.');
    return 1;
  }
  if (manifest.statistics)
    console.log(`The backup also has ${manifest.statistics.visits} visits. To restore them, run restore FOLDER --statistics.`);
  console.log('Passwords, roles and second factors are as in the backup. Repeat every change made since, then start the panel.');
  return 0;
}

/** Full output for an invalid log. */
async function verifyAuthority(log: readonly string[]): Promise<AuthorityVerdict> {
  if (log.length === 0) return { isValid: true, report: ['The authority log is empty.'] };
  const reportLines: string[] = [];
  const collectLine = (line: string) => void reportLines.push(line);
  const code = await verifyLog([], {
    command: 'authority:verify',
    fromDatabase: () => Promise.resolve(log),
    say: collectLine,
    complain: collectLine,
  });
  return code === 0
    ? {
        isValid: true,
        report: reportLines.filter((line) => /^note:|valid\.$/.test(line)).map((line) => `Authority log: ${line}`),
      }
    : { isValid: false, report: reportLines };
}

try {
  process.exitCode = await main();
} catch (error) {
  printFailure(error);
  process.exitCode = 1;
}
