import { and, eq, sql } from 'drizzle-orm';
import { queueMail } from '../platform/content/mail.ts';
import { createSafeFetch } from '../platform/content/safe-fetch.ts';
import type { AlarmWebhook } from '../platform/core/config.ts';
import { perServer, type Services } from '../platform/core/context.ts';
import { describeError } from '../platform/core/log.ts';
import type { Tx } from '../platform/db/db.ts';
import { channelsOf, mailOf, plain, postOf, refuseAnswer, type Alarm } from './message.ts';
import { alarmDeliveries, alarms } from './tables.ts';

const leaseMs = 60_000;
/** With an hour between the last of them: about a day. */
const mostAttempts = 32;

export type Delivery = typeof alarmDeliveries.$inferSelect;

/** Only what the operator configured is asked, and of that only our own JSON may be in a private network. */
const fetchOf = perServer(({ config }) =>
  createSafeFetch({
    httpsOnly: config.production,
    trusted: new Set(config.alarms.webhooks.filter(({ kind }) => kind === 'json').map(({ url }) => new URL(url).origin)),
    timeout: 10_000,
  }),
);

/** Sends what is due, until nothing is or it is told to stop. Any number of processes may: each delivery is taken by one. */
export async function deliver(services: Services, isStopped = () => false): Promise<void> {
  while (!isStopped()) {
    const [taken] = await take(services);
    if (!taken) return;
    await deliverOne(services, taken);
  }
}

/** Sends what this process has taken, all at once, and notes what came of it: no lease runs out behind a slow receiver. */
export async function deliverTaken(services: Services, taken: readonly Delivery[]): Promise<void> {
  await Promise.all(taken.map((delivery) => deliverOne(services, delivery)));
}

/** Takes the next that is due; of one alarm all, in the transaction that raises it: no other process can have it first. */
export async function take({ database, now }: Services, own?: { tx: Tx; alarmId: string }): Promise<Delivery[]> {
  const at = new Date(now()).toISOString();
  const due = sql`select ${alarmDeliveries.id} from ${alarmDeliveries}
    where ${alarmDeliveries.state} = 'queued' and ${alarmDeliveries.nextAt} <= ${at}::timestamptz
    and (${alarmDeliveries.leasedUntil} is null or ${alarmDeliveries.leasedUntil} <= ${at}::timestamptz)
    order by ${alarmDeliveries.nextAt} limit 1 for update skip locked`;
  return (own?.tx ?? database.db)
    .update(alarmDeliveries)
    .set({ leasedUntil: new Date(now() + leaseMs), attempts: sql`${alarmDeliveries.attempts} + 1` })
    .where(own ? eq(alarmDeliveries.alarmId, own.alarmId) : sql`${alarmDeliveries.id} = (${due})`)
    .returning();
}

async function deliverOne(services: Services, { id, alarmId, channel: name, attempts }: Delivery): Promise<void> {
  const { database, log, now } = services;
  // Who took it over after our lease ended settles it, not we.
  const mine = and(eq(alarmDeliveries.id, id), eq(alarmDeliveries.attempts, attempts), eq(alarmDeliveries.state, 'queued'));
  const done = () => ({ state: 'sent' as const, sentAt: new Date(now()), leasedUntil: null, error: null });
  try {
    const [row] = await database.db.select().from(alarms).where(eq(alarms.id, alarmId));
    const channel = channelsOf(services.config).find((one) => one.name === name);
    if (!row || !channel) {
      await database.db.update(alarmDeliveries).set({ state: 'failed', leasedUntil: null, error: 'no such channel' }).where(mine);
      return;
    }
    const alarm: Alarm = { ...row, lines: JSON.parse(row.lines) as string[] };
    if ('mail' in channel)
      await database.db.transaction(async (tx) => {
        const settled = await tx.update(alarmDeliveries).set(done()).where(mine).returning({ id: alarmDeliveries.id });
        if (settled.length > 0) await queueMail(tx, new Date(now()), { to: channel.mail, ...mailOf(alarm) });
      });
    else {
      await post(services, channel.webhook, alarm);
      await database.db.update(alarmDeliveries).set(done()).where(mine);
    }
  } catch (error) {
    const described = describeError(error);
    log.error({ err: described, channel: name, attempts }, 'an alarm was not taken');
    const wait = Math.min(3_600_000, 5_000 * 2 ** Math.min(attempts, 20));
    await database.db
      .update(alarmDeliveries)
      .set({
        state: attempts >= mostAttempts ? 'failed' : 'queued',
        nextAt: new Date(now() + wait),
        leasedUntil: null,
        error: plain(described.message),
      })
      .where(mine);
  }
}

async function post(services: Services, webhook: AlarmWebhook, alarm: Alarm): Promise<void> {
  const { url, body, headers } = postOf(webhook, alarm, services.now());
  const { bytes } = await fetchOf(services)(url, {
    accepts: () => true,
    maxBytes: 65_536,
    hosts: new Set([new URL(webhook.url).hostname]),
    post: { body, headers },
  });
  refuseAnswer(webhook.kind, Buffer.from(bytes).toString());
}
