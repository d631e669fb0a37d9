import { ConfigError, readConfig } from './platform/core/config.ts';
import { createLogger } from './platform/core/log.ts';
import { escapeControls } from './platform/core/redact.ts';
import { StartError } from './platform/core/start-error.ts';
import { resealTotps } from './platform/auth/sign-in/factors.ts';
import { openDatabase } from './platform/db/db.ts';

/** npm run secret-key:rotate: re-encrypts with SECRET_KEY what SECRET_KEY_ACCEPTED can decrypt. */
async function main(): Promise<void> {
  const config = readConfig();
  if (config.databaseUrl === null) throw new StartError('Set DATABASE_URL to the database of the panel.');
  if (config.secretKey === null || config.acceptedSecretKey === null)
    throw new StartError('Set SECRET_KEY to the new key and SECRET_KEY_ACCEPTED to the old one.');
  const database = openDatabase({
    url: config.databaseUrl,
    directUrl: config.databaseDirectUrl,
    log: createLogger({ level: 'warn' }),
  });
  try {
    const { resealed, withRecoveryCodes } = await resealTotps(database.db, config);
    console.log(`Authenticator secrets encrypted with the new key: ${resealed}.`);
    console.log(
      withRecoveryCodes === 0
        ? 'SECRET_KEY_ACCEPTED can be removed on every server.'
        : `People with recovery codes: ${withRecoveryCodes}. Codes made with the old key stop working when SECRET_KEY_ACCEPTED is removed. Ask everyone who has recovery codes to create new ones first.`,
    );
  } finally {
    await database.close();
  }
}

try {
  await main();
} catch (error) {
  if (error instanceof StartError || error instanceof ConfigError) console.error(error.message);
  else console.error(escapeControls(error));
  process.exitCode = 1;
}
