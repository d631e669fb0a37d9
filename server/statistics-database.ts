import { parseArgs } from 'node:util';
import { ConfigError, readConfig } from './platform/core/config.ts';
import { createLogger } from './platform/core/log.ts';
import { StartError } from './platform/core/start-error.ts';
import { openDatabase } from './platform/db/db.ts';
import { requireUsableDatabase } from './statistics/shared/database-checks.ts';
import { moveStatistics, removeOldStatistics, type StatisticsComparison } from './statistics/move.ts';

const usageText = `statistics move | remove-old
  move        copies visits and their sums from DATABASE_URL to STATISTICS_DATABASE_URL while the panel runs, then compares them
              You can stop it at any time and run it again.
  remove-old  removes the old rows from DATABASE_URL, if STATISTICS_DATABASE_URL has them all
Exit code: 0 if both agree, 1 if not.`;

/** npm run statistics */
async function main(): Promise<number> {
  const { positionals } = parseArgs({ allowPositionals: true });
  const [what] = positionals;
  if (positionals.length !== 1 || (what !== 'move' && what !== 'remove-old')) throw new StartError(usageText);
  const config = readConfig();
  if (config.databaseUrl === null || config.statisticsDatabaseUrl === null)
    throw new ConfigError('STATISTICS_DATABASE_URL is required. Set it to the new database for visits');
  const database = openDatabase({
    url: config.databaseUrl,
    directUrl: config.databaseDirectUrl,
    statisticsUrl: config.statisticsDatabaseUrl,
    log: createLogger({ level: 'warn' }),
  });
  try {
    await database.migrate();
    await requireUsableDatabase(database);
    await database.statistics.migrate();
    if (what === 'move') return report(await moveStatistics(database, (line) => console.log(line)), 'Everything was moved.');
    return report(await removeOldStatistics(database), 'The old rows were removed.');
  } finally {
    await database.close();
  }
}

function report({ days, visits, newer, differences }: StatisticsComparison, success: string): number {
  for (const { day, what } of differences.slice(0, 100)) console.log(`DIFFERENT  ${day}  ${what}`);
  if (differences.length > 0) {
    console.error(`Days that differ: ${differences.length} of ${days}. Nothing was removed. Run statistics move again.`);
    return 1;
  }
  const newerText = newer === '0' ? '' : ` Received since the switch: ${newer}.`;
  console.log(`All sums are equal. Days: ${days}. Visits: ${visits}.${newerText} ${success}`);
  return 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (cause instanceof StartError || cause instanceof ConfigError) console.error(cause.message);
  else console.error(`Stopped: ${cause instanceof Error ? cause.message : String(cause)}. Run the command again to continue.`);
  process.exitCode = 1;
}
