// npm run seed -- --visits 10000000 [--days 365] [--name bench]: fills the database with visits of the website, as many as asked.
import { parseArgs } from 'node:util';
import { ConfigError, readConfig } from '../platform/core/config.ts';
import { openDatabase } from '../platform/db/db.ts';
import { createLogger } from '../platform/core/log.ts';
import { startPostgres } from '../platform/db/postgres.ts';
import { StartError } from '../platform/core/start-error.ts';
import { generateVisits } from '../statistics/generate.ts';

const dayMs = 86_400_000;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      visits: { type: 'string' },
      days: { type: 'string', default: '365' },
      name: { type: 'string', default: 'bench' },
    },
  });
  const [count, days] = [parseIntegerOption('--visits', values.visits), parseIntegerOption('--days', values.days)];
  const config = readConfig();
  if (config.production) throw new StartError('Demo visits can’t be generated in production.');
  const embeddedPostgres = config.databaseUrl === null ? await startPostgres({ dataDir: config.dataDir }) : null;
  const database = openDatabase({
    url: embeddedPostgres?.url ?? config.databaseUrl ?? '',
    directUrl: config.databaseDirectUrl,
    statisticsUrl: config.statisticsDatabaseUrl,
    log: createLogger({ level: 'warn' }),
  });
  try {
    await database.migrate();
    if (database.statistics.isSeparate) await database.statistics.migrate();
    const [startTime, endTime] = [Date.now(), new Date()];
    const printProgress = (doneCount: number) =>
      console.log(`${doneCount.toLocaleString('en')} of ${count.toLocaleString('en')}`);
    await generateVisits(database.statistics, {
      count,
      from: new Date(endTime.getTime() - days * dayMs),
      to: endTime,
      name: values.name,
      progress: printProgress,
    });
    console.log(`${Math.round(count / ((Date.now() - startTime) / 1000)).toLocaleString('en')} visits per second`);
  } finally {
    await database.close();
    await embeddedPostgres?.stop();
  }
}

function parseIntegerOption(name: string, value: string | undefined): number {
  if (value !== undefined && /^[1-9]\d{0,9}$/.test(value)) return Number(value);
  throw new StartError(`${name} must be a whole number above zero`);
}

main().catch((error: unknown) => {
  console.error(error instanceof StartError || error instanceof ConfigError ? error.message : error);
  process.exitCode = 1;
});
