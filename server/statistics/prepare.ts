import { eq } from 'drizzle-orm';
import { getDatabaseErrorCode } from '../platform/core/error-code.ts';
import { isAppError, toAppError } from '../platform/core/errors.ts';
import { describeError, findRootCause } from '../platform/core/log.ts';
import { runEvery } from '../platform/services/run-every.ts';
import type { Services } from '../platform/services/context.ts';
import { requireUsableDatabase } from './shared/database-checks.ts';
import { createPartitions } from './jobs.ts';
import { setParts } from './slots.ts';
import { statisticsDatabases } from './tables.ts';

const retryMs = 2_000;

/**
 * Retries in the background if a database that this panel has used is unreachable. Throws
 * StartError. Returns the end of the retries.
 */
export async function prepareStatistics(services: Services): Promise<() => Promise<void>> {
  const { database, log } = services;
  if (!database.statistics.isSeparate) {
    await createPartitions(services);
    return async () => {};
  }
  const outageError = await checkConnection(services);
  if (outageError === null) {
    await openStatistics(services);
    return async () => {};
  }
  log.warn({ err: describeError(outageError) }, 'the statistics database is unreachable: the panel starts without statistics');
  let isPrepared = false;
  return runEvery(services, retryMs, 'opening the statistics database', async () => {
    if (isPrepared) return;
    await openStatistics(services);
    isPrepared = true;
    log.info('statistics are available again');
  });
}

/** The error of an outage, or null. Throws for a database that this panel has never reached. */
async function checkConnection({ database }: Services): Promise<unknown> {
  const { statistics } = database;
  try {
    await statistics.pool.query('select 1');
    return null;
  } catch (error) {
    const isOutage = isAppError(toAppError(error), 'UNAVAILABLE') || getDatabaseErrorCode(findRootCause(error)) === 'ENOTFOUND';
    const knownDatabase = await database.db
      .select()
      .from(statisticsDatabases)
      .where(eq(statisticsDatabases.place, statistics.place));
    if (isOutage && knownDatabase.length > 0) return error;
    throw statistics.problemOf(error) ?? error;
  }
}

async function openStatistics(services: Services): Promise<void> {
  const { config, database, now } = services;
  const { statistics } = database;
  await requireUsableDatabase(database);
  await statistics.migrate();
  await setParts(statistics, config.statisticsParts, now());
  await createPartitions(services);
  await database.db
    .insert(statisticsDatabases)
    .values({ place: statistics.place, firstAt: new Date(now()) })
    .onConflictDoNothing();
}
