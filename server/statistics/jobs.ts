import { lt } from 'drizzle-orm';
import { eventLimit } from '../../api/statistics/contract.ts';
import type { Services } from '../platform/services/context.ts';
import { runEvery } from '../platform/services/run-every.ts';
import { walletEvents } from './tables.ts';
import { detachMonths, createMonths } from './partitions.ts';
import { rollUp, rollUpAll } from './roll-up.ts';
import { recordDailySnapshot } from './snapshot.ts';

const rollUpMs = 2_000;
const snapshotMs = 60_000;
const hourMs = 3_600_000;

export const createPartitions = ({ database, now }: Services): Promise<void> =>
  createMonths(database.statistics, new Date(now() - eventLimit.oldestMs), new Date(now() + eventLimit.aheadMs));

export async function runMaintenance(services: Services): Promise<void> {
  const { config, database, now } = services;
  await createPartitions(services);
  await rollUpAll(database.statistics);
  if (config.statisticsKeepMonths > 0) await detachMonths(services, new Date(now()), config.statisticsKeepMonths);
  await database.db.delete(walletEvents).where(lt(walletEvents.at, new Date(now() - eventLimit.oldestMs - hourMs)));
}

export function startStatistics(services: Services): () => Promise<void> {
  const stopFunctions = [
    runEvery(services, rollUpMs, 'rolling up statistics', async (isStopped) => {
      const max = 2_000;
      while (!isStopped() && (await rollUp(services.database.statistics, { most: max, now: services.now() })) >= max);
    }),
    runEvery(services, snapshotMs, 'taking the daily snapshot', () => recordDailySnapshot(services)),
    runEvery(services, hourMs, 'deleting old statistics', () => runMaintenance(services)),
  ];
  return async () => {
    await Promise.all(stopFunctions.map((stop) => stop()));
  };
}
