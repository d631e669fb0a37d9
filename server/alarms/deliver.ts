import { and, eq, inArray, ne, sql } from 'drizzle-orm';
import { namesOf } from '../authority/shared/address-book.ts';
import { institutions } from '../custody/tables.ts';
import { queueMail } from '../platform/content/mail.ts';
import { createSafeFetch } from '../platform/content/safe-fetch.ts';
import type { AlarmWebhook } from '../platform/core/config.ts';
import { memoizePerServer, type Services } from '../platform/services/context.ts';
import { describeError } from '../platform/core/log.ts';
import type { Tx } from '../platform/db/db.ts';
import { toPlainText } from './facts.ts';
import { channelsOf, formatMail, formatWebhook, requireDelivered, type MessageContext } from './message.ts';
import { alarmDeliveries, alarms } from './tables.ts';
import { addressesIn, type Alarm } from './wording.ts';

const leaseMs = 60_000;
/** With hourly retries, about a day. */
const maxAttempts = 32;

export type Delivery = typeof alarmDeliveries.$inferSelect;

/** Only configured addresses. Only our own JSON may go to a private network. */
const fetchOf = memoizePerServer(({ config }) =>
  createSafeFetch({
    httpsOnly: config.production,
    trusted: new Set(config.alarms.webhooks.filter(({ kind }) => kind === 'json').map(({ url }) => new URL(url).origin)),
    timeout: 10_000,
  }),
);

/** One sequence per channel with due deliveries. */
export interface DeliveryQueues {
  /** Starts idle ones. */
  start(): Promise<void>;
  ended(): Promise<void>;
}

/**
 * Channels are independent. Each sends until nothing is due, it fails or it is stopped. Each delivery is leased by one process.
 */
export function createDeliveryQueues(services: Services, isStopped = () => false): DeliveryQueues {
  const lines = new Map<string, Promise<void>>();
  return {
    async start() {
      for (const channel of await dueChannels(services))
        if (!lines.has(channel))
          lines.set(
            channel,
            sendChannel(channel).finally(() => lines.delete(channel)),
          );
    },
    async ended() {
      await Promise.all(lines.values());
    },
  };

  async function sendChannel(channel: string): Promise<void> {
    try {
      while (!isStopped()) {
        const [taken] = await leaseDeliveries(services, { channel });
        if (!taken || !(await deliverOne(services, taken))) return;
      }
    } catch (error) {
      services.log.warn({ err: describeError(error), channel }, 'could not send alarms, will retry');
    }
  }
}

/** In parallel, so that a slow receiver lets no lease expire. */
export async function deliverLeased(services: Services, leased: readonly Delivery[]): Promise<void> {
  await Promise.all(leased.map((delivery) => deliverOne(services, delivery)));
}

/** For a new alarm in the transaction that raises it, so that no other process takes it first. */
export async function leaseDeliveries(
  { database, now }: Services,
  what: { channel: string } | { tx: Tx; alarmId: string },
): Promise<Delivery[]> {
  const [db, chosen] =
    'tx' in what
      ? [what.tx, eq(alarmDeliveries.alarmId, what.alarmId)]
      : [
          database.db,
          sql`${alarmDeliveries.id} = (select ${alarmDeliveries.id} from ${alarmDeliveries}
            where ${alarmDeliveries.channel} = ${what.channel} and ${isDue(now())}
            order by ${alarmDeliveries.nextAt} limit 1 for update skip locked)`,
        ];
  return db
    .update(alarmDeliveries)
    .set({ leasedUntil: new Date(now() + leaseMs), attempts: sql`${alarmDeliveries.attempts} + 1` })
    .where(chosen)
    .returning();
}

/** Includes removed channels, whose deliveries must be closed. */
async function dueChannels({ database, now }: Services): Promise<string[]> {
  const rows = await database.db.selectDistinct({ channel: alarmDeliveries.channel }).from(alarmDeliveries).where(isDue(now()));
  return rows.map(({ channel }) => channel);
}

function isDue(now: number) {
  const at = new Date(now).toISOString();
  return sql`${alarmDeliveries.state} = 'queued' and ${alarmDeliveries.nextAt} <= ${at}::timestamptz
    and (${alarmDeliveries.leasedUntil} is null or ${alarmDeliveries.leasedUntil} <= ${at}::timestamptz)`;
}

/** False: retried later. */
async function deliverOne(services: Services, { id, alarmId, channel: name, attempts }: Delivery): Promise<boolean> {
  const { database, log, now } = services;
  // Only while this process holds the lease.
  const stillLeased = and(
    eq(alarmDeliveries.id, id),
    eq(alarmDeliveries.attempts, attempts),
    eq(alarmDeliveries.state, 'queued'),
  );
  const done = () => ({ state: 'sent' as const, sentAt: new Date(now()), leasedUntil: null, error: null });
  try {
    const [row] = await database.db.select().from(alarms).where(eq(alarms.id, alarmId));
    const channel = channelsOf(services.config).find((one) => one.name === name);
    if (!row || !channel) {
      await database.db
        .update(alarmDeliveries)
        .set({ state: 'failed', leasedUntil: null, error: 'the channel is no longer configured' })
        .where(stillLeased);
      return true;
    }
    const alarm: Alarm = { ...row, subjects: JSON.parse(row.subjects) as unknown[] };
    const messageContext = { publicUrl: services.config.publicUrl, names: await namesIn(services, alarm) };
    if ('mail' in channel)
      await database.db.transaction(async (tx) => {
        const settled = await tx.update(alarmDeliveries).set(done()).where(stillLeased).returning({ id: alarmDeliveries.id });
        if (settled.length > 0)
          await queueMail(tx, new Date(now()), { to: channel.mail.address, ...formatMail(alarm, channel.mail, messageContext) });
      });
    else {
      await post(services, channel.webhook, alarm, messageContext);
      await database.db.update(alarmDeliveries).set(done()).where(stillLeased);
    }
    return true;
  } catch (error) {
    const described = describeError(error);
    log.error({ err: described, channel: name, attempts }, 'alarm delivery failed, will retry');
    const wait = Math.min(3_600_000, 5_000 * 2 ** Math.min(attempts, 20));
    await database.db
      .update(alarmDeliveries)
      .set({
        state: attempts >= maxAttempts ? 'failed' : 'queued',
        nextAt: new Date(now() + wait),
        leasedUntil: null,
        error: toPlainText(described.message),
      })
      .where(stillLeased);
    return false;
  }
}

/** Names of addresses. The alarm is sent even if these cannot be read. */
async function namesIn(services: Services, alarm: Alarm): Promise<ReadonlyMap<string, string>> {
  const addresses = addressesIn(alarm);
  if (addresses.length === 0) return new Map();
  const { db } = services.database;
  try {
    const institutionNames = await db
      .select({ address: institutions.id, name: institutions.name })
      .from(institutions)
      .where(and(inArray(institutions.id, addresses), ne(institutions.name, '')));
    const booked = await namesOf(services, db, addresses);
    return new Map([...institutionNames, ...booked].map(({ address, name }) => [address, name]));
  } catch (error) {
    services.log.warn({ err: describeError(error) }, 'could not read the names for an alarm');
    return new Map();
  }
}

async function post(services: Services, webhook: AlarmWebhook, alarm: Alarm, messageContext: MessageContext): Promise<void> {
  const { url, body, headers } = formatWebhook(webhook, alarm, messageContext, services.now());
  const { bytes } = await fetchOf(services)(url, {
    accepts: () => true,
    maxBytes: 65_536,
    hosts: new Set([new URL(webhook.url).hostname]),
    post: { body, headers },
  });
  requireDelivered(webhook.kind, Buffer.from(bytes).toString());
}
