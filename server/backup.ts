import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createBackup } from './backup/create.ts';
import { backupParts } from './backup/manifest.ts';
import { printFailure } from './backup/print-failure.ts';
import { readConfig, type Config } from './platform/core/config.ts';

const usageText = `backup FOLDER
  copies the database, the signed audit heads and the pictures of one moment into a new folder
  The panel may run, unless it runs its own PostgreSQL. pg_dump must be on the PATH, in the version of the database or newer.`;

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { help: { type: 'boolean' } } });
  const [folderArgument] = positionals;
  if (values.help || folderArgument === undefined || positionals.length > 1) {
    (values.help ? console.log : console.error)(usageText);
    return values.help ? 0 : 2;
  }
  const config = readConfig();
  const folder = resolve(folderArgument);
  process.umask(0o077);
  const { database, rows, heads, missingPictures, files, statistics, statisticsProblem } = await createBackup(config, folder);
  console.log(`Backup of the database "${database}" in ${folder}`);
  console.log(
    `  database  ${files[backupParts.dump]?.bytes ?? 0} bytes, audit rows: ${rows.audit}, authority lines: ${rows.authority}`,
  );
  if (statistics) console.log(`  visits    ${files[backupParts.statistics]?.bytes ?? 0} bytes, visits: ${statistics.visits}`);
  console.log(`  heads     ${heads}`);
  console.log(`  pictures  ${rows.pictures - missingPictures.length}`);
  for (const id of missingPictures.slice(0, 100))
    console.log(`warning: the file of the picture ${id} is missing, so it isn’t in the backup`);
  console.log(describeSeparateParts(config));
  if (statisticsProblem === null) return 0;
  console.error(`This backup has no visits, and everything else is complete: ${statisticsProblem}`);
  return 1;
}

const describeSeparateParts = ({ auditKeyFile, dataDir, secretKey }: Config): string =>
  `Not in the backup, and needed to restore it: ${[
    `the key that signs audit heads (${auditKeyFile ?? `${dataDir}/audit-key.pem`})`,
    secretKey === null ? `the secret key (${dataDir}/secret-key)` : 'SECRET_KEY',
  ].join(' and ')}. Keep both in another place than the backup.`;

try {
  process.exitCode = await main();
} catch (error) {
  printFailure(error);
  process.exitCode = 1;
}
