import { eq } from 'drizzle-orm';
import { codeOf } from '../platform/core/error-code.ts';
import { isAppError, toAppError } from '../platform/core/errors.ts';
import { describeError, rootCause } from '../platform/core/log.ts';
import { runEvery } from '../platform/services/run-every.ts';
import type { Services } from '../platform/services/context.ts';
import { requireUsable } from './shared/database-checks.ts';
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
  const outage = await reach(services);
  if (outage === null) {
    await open(services);
    return async () => {};
  }
  log.warn({ err: describeError(outage) }, 'the statistics database is unreachable: the panel starts without statistics');
  let isOpen = false;
  return runEvery(services, retryMs, 'opening the statistics database', async () => {
    if (isOpen) return;
    await open(services);
    isOpen = true;
    log.info('statistics are available again');
  });
}

/** The error of an outage, or null. Throws for a database that this panel has never reached. */
async function reach({ database }: Services): Promise<unknown> {
  const { statistics } = database;
  try {
    await statistics.pool.query('select 1');
    return null;
  } catch (error) {
    const isOutage = isAppError(toAppError(error), 'UNAVAILABLE') || codeOf(rootCause(error)) === 'ENOTFOUND';
    const known = await database.db.select().from(statisticsDatabases).where(eq(statisticsDatabases.place, statistics.place));
    if (isOutage && known.length > 0) return error;
    throw statistics.problemOf(error) ?? error;
  }
}

async function open(services: Services): Promise<void> {
  const { config, database, now } = services;
  const { statistics } = database;
  await requireUsable(database);
  await statistics.migrate();
  await setParts(statistics, config.statisticsParts, now());
  await createPartitions(services);
  await database.db
    .insert(statisticsDatabases)
    .values({ place: statistics.place, firstAt: new Date(now()) })
    .onConflictDoNothing();
}
