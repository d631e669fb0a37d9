import { createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ownKeys, tellVerdict } from './audit/verdict.ts';
import { restoreBackup } from './backup/restore.ts';
import { keyName } from './platform/audit/heads.ts';
import { ConfigError, readConfig } from './platform/core/config.ts';
import { printable } from './platform/core/redact.ts';
import { fileProblem, StartError } from './platform/core/start-error.ts';

const usage = `restore FOLDER [--key FILE]
  restores a backup into the empty database in DATABASE_URL, ends all sessions, holds back queued mail and alarms,
  and checks the audit and the authority log. Stop the panel first. pg_restore and psql must be on the PATH.
  --key   public or private key of earlier audit heads, PEM. Repeat it for several
Exit code: 0 if the restored data is sound, 1 if not or if nothing was restored.`;

/** npm run restore */
async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { key: { type: 'string', multiple: true }, help: { type: 'boolean' } },
  });
  const [folder] = positionals;
  if (values.help || folder === undefined || positionals.length > 1) {
    (values.help ? console.log : console.error)(usage);
    return values.help ? 0 : 2;
  }
  const config = readConfig();
  process.umask(0o077);
  const keys = [...ownKeys(config), ...(values.key ?? []).map((name) => createPublicKey(readFileSync(name)))];
  const { manifest, settled, audit, authority, differences } = await restoreBackup(config, resolve(folder), keys);
  console.log(`Restored the backup of "${manifest.database}" from ${manifest.time}, version ${manifest.version}.`);
  console.log(`Sessions ended: ${settled.sessions}. Mail codes and password links no longer work.`);
  console.log(`Emails held back: ${settled.mails}. Alarms held back: ${settled.alarms}.`);
  for (const id of manifest.missingPictures.slice(0, 100)) console.log(`warning: the backup lacks the picture ${id}`);
  tellVerdict(audit, keys.length > 0 ? `key ${keys.map(keyName).join(', ')}` : 'no key');
  for (const line of authority.lines) console.log(line);
  for (const difference of differences) console.log(`FOUND: ${difference}`);
  if (audit.problems.length > 0 || !authority.isValid || differences.length > 0) {
    console.error('The restored data isn’t sound. Don’t start the panel on this database.');
    return 1;
  }
  console.log('Passwords, roles and second factors are as in the backup. Repeat every change made since, then start the panel.');
  return 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  const cause = fileProblem(error) ?? error;
  if (cause instanceof StartError || cause instanceof ConfigError) console.error(cause.message);
  else console.error(printable(cause));
  process.exitCode = 1;
}
