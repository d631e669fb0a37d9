import { parseArgs } from 'node:util';
import { ConfigError, readConfig } from './platform/core/config.ts';
import { createLogger } from './platform/core/log.ts';
import { pictureFolderPath } from './platform/services/services.ts';
import { StartError } from './platform/core/start-error.ts';
import { createS3PictureStore } from './platform/content/pictures-s3.ts';
import { createDiskPictureStore } from './platform/content/pictures-store.ts';
import { openDatabase } from './platform/db/db.ts';
import { startPostgres } from './platform/db/postgres.ts';
import { movePictures } from './pictures/move-pictures.ts';

const usageText = `npm run pictures:move -- --to s3|disk

Copies every picture from the data folder to the object storage (S3_ENDPOINT and the other S3_ variables) or back, and checks each copy.
You can stop it at any time and run it again. Exit code: 0 on success, 1 if a picture is missing in both places.`;

/** npm run pictures:move */
async function main(): Promise<number> {
  const { values } = parseArgs({ options: { to: { type: 'string' } } });
  if (values.to !== 's3' && values.to !== 'disk') throw new StartError(usageText);
  const config = readConfig();
  if (!config.s3) throw new ConfigError('S3_ENDPOINT is required to move pictures in either direction');
  const [diskStore, s3Store] = [createDiskPictureStore(pictureFolderPath(config)), createS3PictureStore(config.s3)];
  const [from, targetStore] = values.to === 's3' ? [diskStore, s3Store] : [s3Store, diskStore];
  const embeddedPostgres = config.databaseUrl === null ? await startPostgres({ dataDir: config.dataDir }) : null;
  const url = embeddedPostgres?.url ?? config.databaseUrl ?? '';
  const database = openDatabase({ url, directUrl: config.databaseDirectUrl, log: createLogger({ level: 'warn' }) });
  try {
    const printProgress = (doneCount: number) => console.log(`${doneCount} checked`);
    const { copied, there, missing } = await movePictures({ db: database.db, from, to: targetStore, progress: printProgress });
    console.log(`${copied} copied, ${there} already there, ${missing.length} missing in both places`);
    for (const id of missing.slice(0, 100)) console.log(`missing: ${id}`);
    return missing.length > 0 ? 1 : 0;
  } finally {
    await database.close();
    await embeddedPostgres?.stop();
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (cause instanceof StartError || cause instanceof ConfigError) console.error(cause.message);
  else console.error(`Stopped: ${cause instanceof Error ? cause.message : String(cause)}. Run the command again to continue.`);
  process.exitCode = 1;
}
