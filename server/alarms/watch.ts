import { eq, max, sql } from 'drizzle-orm';
import { readReserve } from '../authority/shared/read-reserve.ts';
import { audit } from '../platform/audit/tables.ts';
import type { Services } from '../platform/services/context.ts';
import type { Tx } from '../platform/db/db.ts';
import { describeError } from '../platform/core/log.ts';
import {
  changesAfter,
  triggerableCrsms,
  staleCrsms,
  blockedDeposits,
  waitingDeposits,
  liftedFreezes,
  openedFreezes,
  failedMints,
  stuckMints,
  unmatchedRefunds,
  reserveShortfall,
  unprovenReserve,
  silentWatches,
} from './conditions.ts';
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
  let running: Promise<void> | null = null;
  let stopped = false;
  const lines = createDeliveryQueues(services, () => stopped);
  const lookAndSend = async () => {
    try {
      await checkAlarms(services);
    } finally {
      await lines.start(); // sends earlier alarms even if the check fails
    }
  };
  const tick = () => {
    running ??= lookAndSend()
      .catch((error: unknown) => log.warn({ err: describeError(error) }, 'could not check for alarms, will retry'))
      .finally(() => (running = null));
  };
  const timer = setInterval(tick, pollMs);
  timer.unref();
  return async () => {
    stopped = true;
    clearInterval(timer);
    await running;
    await lines.ended();
  };
}

/** One process at a time. */
export async function checkAlarms(services: Services): Promise<void> {
  const now = new Date(services.now());
  const before = new Date(services.now() - services.config.alarms.waitMs);
  await services.database.db.transaction(async (tx) => {
    const { rows } = await tx.execute<{ mine: boolean }>(sql`select pg_try_advisory_xact_lock(${alarmsLock}) as mine`);
    if (!rows[0]?.mine) return;
    await raiseAlarm(tx, services, 'freezeOpened', await openedFreezes(tx, now));
    await raiseAlarm(tx, services, 'freezeLifted', await liftedFreezes(tx, now));
    await raiseAlarm(tx, services, 'refundUnmatched', await unmatchedRefunds(tx));
    await raiseAlarm(tx, services, 'rulesChanged', await changes(tx));
    const reserve = await readReserve(services, tx);
    for (const [kind, subjects] of [
      ['reserveShort', reserveShortfall(reserve)],
      ['reserveUnproven', unprovenReserve(reserve, before)],
      ['watchSilent', await silentWatches(tx, services, before)],
    ] as const) {
      await clearAllExcept(tx, kind, subjects);
      await raiseAlarm(tx, services, kind, subjects);
    }
    for (const [kind, { fresh, keys }] of [
      ['mintFailed', await failedMints(tx)],
      ['mintStuck', await stuckMints(tx, before)],
      ['depositBlocked', await blockedDeposits(tx)],
      ['depositWaits', await waitingDeposits(tx, before)],
      ['crsmStale', await staleCrsms(tx, services, before)],
    ] as const) {
      await clearResolved(tx, kind, keys);
      await raiseAlarm(tx, services, kind, fresh);
    }
    // A ratio can oscillate, even on purpose, so a CRSM is reported once in this time.
    const { fresh, keys } = await triggerableCrsms(tx, services);
    await clearResolved(tx, 'crsmTrigger', keys, before);
    await raiseAlarm(tx, services, 'crsmTrigger', fresh);
  });
}

/** The first pass only records the position. */
async function changes(tx: Tx) {
  const [cursor] = await tx.select().from(alarmCursors).where(eq(alarmCursors.name, auditCursor)).for('update');
  if (!cursor) {
    const [head] = await tx.select({ seq: max(audit.seq) }).from(audit);
    await tx.insert(alarmCursors).values({ name: auditCursor, seq: head?.seq ?? 0 });
    return [];
  }
  const { subjects, seq } = await changesAfter(tx, cursor.seq);
  if (seq !== cursor.seq) await tx.update(alarmCursors).set({ seq }).where(eq(alarmCursors.name, auditCursor));
  return subjects;
}
