import { eq, max, sql } from 'drizzle-orm';
import { readReserve } from '../authority/shared/read-reserve.ts';
import { audit } from '../platform/audit/tables.ts';
import type { Services } from '../platform/services/context.ts';
import type { Tx } from '../platform/db/db.ts';
import { describeError } from '../platform/core/log.ts';
import {
  readChangesAfter,
  readTriggerableCrsms,
  readOutdatedCrsms,
  readBlockedDeposits,
  readWaitingDeposits,
  readLiftedFreezes,
  readOpenedFreezes,
  readFailedMints,
  readStuckMints,
  readUnmatchedRefunds,
  findReserveShortfall,
  findUnprovenReserve,
  readSilentWatches,
  readLeakedTokens,
  readTokensUsedLate,
  findIgnoredNetworks,
} from './conditions.ts';
import { readEndingProvisioning, readGuardedMappings, readMassDisabling } from './provider-conditions.ts';
import { createDeliveryQueues } from './deliver.ts';
import { channelsOf } from './message.ts';
import { clearAllExcept, clearResolved, raiseAlarm } from './raise.ts';
import { alarmCursors } from './tables.ts';

const alarmsLock = 4280_0042;
const auditCursor = 'audit';

/** Checks do not wait for deliveries. Does nothing without a channel. */
export function startAlarms(services: Services, pollMs = 5_000): () => Promise<void> {
  const { config, log } = services;
  if (channelsOf(config).length === 0) {
    if (config.production) log.warn('no alarms will be sent: set ALARM_MAIL or ALARM_WEBHOOKS');
    return async () => {};
  }
  let currentPass: Promise<void> | null = null;
  let isStopped = false;
  const deliveryQueues = createDeliveryQueues(services, () => isStopped);
  const checkAndDeliver = async () => {
    try {
      await checkAlarms(services);
    } finally {
      await deliveryQueues.start(); // sends earlier alarms even if the check fails
    }
  };
  const runPass = () => {
    currentPass ??= checkAndDeliver()
      .catch((error: unknown) => log.warn({ err: describeError(error) }, 'could not check for alarms, will retry'))
      .finally(() => (currentPass = null));
  };
  const timer = setInterval(runPass, pollMs);
  timer.unref();
  return async () => {
    isStopped = true;
    clearInterval(timer);
    await currentPass;
    await deliveryQueues.ended();
  };
}

/** One process at a time. */
export async function checkAlarms(services: Services): Promise<void> {
  const now = new Date(services.now());
  const cutoff = new Date(services.now() - services.config.alarms.waitMs);
  await services.database.db.transaction(async (tx) => {
    const { rows } = await tx.execute<{ mine: boolean }>(sql`select pg_try_advisory_xact_lock(${alarmsLock}) as mine`);
    if (!rows[0]?.mine) return;
    await raiseAlarm(tx, services, 'freezeOpened', await readOpenedFreezes(tx, now));
    await raiseAlarm(tx, services, 'freezeLifted', await readLiftedFreezes(tx, now));
    await raiseAlarm(tx, services, 'refundUnmatched', await readUnmatchedRefunds(tx));
    await raiseAlarm(tx, services, 'rulesChanged', await readRuleChanges(tx));
    await raiseAlarm(tx, services, 'tokenLeaked', await readLeakedTokens(tx, now));
    await raiseAlarm(tx, services, 'tokenUsedLate', await readTokensUsedLate(tx, now));
    await raiseAlarm(tx, services, 'networksIgnored', findIgnoredNetworks(services, now));
    await raiseAlarm(tx, services, 'providerDisabledMany', await readMassDisabling(tx, now));
    const reserve = await readReserve(services, tx);
    for (const [kind, subjects] of [
      ['reserveShort', findReserveShortfall(reserve)],
      ['reserveUnproven', findUnprovenReserve(reserve, cutoff)],
      ['watchSilent', await readSilentWatches(tx, services, cutoff)],
      ['provisioningEnds', await readEndingProvisioning(tx, services)],
      ['guardedMapping', await readGuardedMappings(tx)],
    ] as const) {
      await clearAllExcept(tx, kind, subjects);
      await raiseAlarm(tx, services, kind, subjects);
    }
    for (const [kind, { fresh, keys }] of [
      ['mintFailed', await readFailedMints(tx)],
      ['mintStuck', await readStuckMints(tx, cutoff)],
      ['depositBlocked', await readBlockedDeposits(tx)],
      ['depositWaits', await readWaitingDeposits(tx, cutoff)],
      ['crsmStale', await readOutdatedCrsms(tx, services, cutoff)],
    ] as const) {
      await clearResolved(tx, kind, keys);
      await raiseAlarm(tx, services, kind, fresh);
    }
    // A ratio can oscillate, even on purpose, so a CRSM is reported once in this time.
    const { fresh, keys } = await readTriggerableCrsms(tx, services);
    await clearResolved(tx, 'crsmTrigger', keys, cutoff);
    await raiseAlarm(tx, services, 'crsmTrigger', fresh);
  });
}

/** The first pass only records the position. */
async function readRuleChanges(tx: Tx) {
  const [cursor] = await tx.select().from(alarmCursors).where(eq(alarmCursors.name, auditCursor)).for('update');
  if (!cursor) {
    const [lastEntry] = await tx.select({ seq: max(audit.seq) }).from(audit);
    await tx.insert(alarmCursors).values({ name: auditCursor, seq: lastEntry?.seq ?? 0 });
    return [];
  }
  const { subjects, seq } = await readChangesAfter(tx, cursor.seq);
  if (seq !== cursor.seq) await tx.update(alarmCursors).set({ seq }).where(eq(alarmCursors.name, auditCursor));
  return subjects;
}
