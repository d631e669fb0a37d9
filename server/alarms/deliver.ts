import { and, eq, inArray, ne, sql } from 'drizzle-orm';
import { findNames } from '../authority/shared/address-book.ts';
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

export type AlarmDelivery = typeof alarmDeliveries.$inferSelect;

/** Only configured addresses. Only our own JSON may go to a private network. */
const webhookFetch = memoizePerServer(({ config }) =>
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
  const channelRuns = new Map<string, Promise<void>>();
  return {
    async start() {
      for (const channel of await readDueChannels(services))
        if (!channelRuns.has(channel))
          channelRuns.set(
            channel,
            sendChannel(channel).finally(() => channelRuns.delete(channel)),
          );
    },
    async ended() {
      await Promise.all(channelRuns.values());
    },
  };

  async function sendChannel(channel: string): Promise<void> {
    try {
      while (!isStopped()) {
        const [nextDelivery] = await leaseDeliveries(services, { channel });
        if (!nextDelivery || !(await sendDelivery(services, nextDelivery))) return;
      }
    } catch (error) {
      services.log.warn({ err: describeError(error), channel }, 'could not send alarms, will retry');
    }
  }
}

/** In parallel, so that a slow receiver lets no lease expire. */
export async function deliverLeased(services: Services, leasedDeliveries: readonly AlarmDelivery[]): Promise<void> {
  await Promise.all(leasedDeliveries.map((delivery) => sendDelivery(services, delivery)));
}

/** For a new alarm in the transaction that raises it, so that no other process takes it first. */
export async function leaseDeliveries(
  { database, now }: Services,
  target: { channel: string } | { tx: Tx; alarmId: string },
): Promise<AlarmDelivery[]> {
  const [db, isChosen] =
    'tx' in target
      ? [target.tx, eq(alarmDeliveries.alarmId, target.alarmId)]
      : [
          database.db,
          sql`${alarmDeliveries.id} = (select ${alarmDeliveries.id} from ${alarmDeliveries}
            where ${alarmDeliveries.channel} = ${target.channel} and ${isDeliveryDue(now())}
            order by ${alarmDeliveries.nextAt} limit 1 for update skip locked)`,
        ];
  return db
    .update(alarmDeliveries)
    .set({ leasedUntil: new Date(now() + leaseMs), attempts: sql`${alarmDeliveries.attempts} + 1` })
    .where(isChosen)
    .returning();
}

/** Includes removed channels, whose deliveries must be closed. */
async function readDueChannels({ database, now }: Services): Promise<string[]> {
  const rows = await database.db
    .selectDistinct({ channel: alarmDeliveries.channel })
    .from(alarmDeliveries)
    .where(isDeliveryDue(now()));
  return rows.map(({ channel }) => channel);
}

function isDeliveryDue(now: number) {
  const isoNow = new Date(now).toISOString();
  return sql`${alarmDeliveries.state} = 'queued' and ${alarmDeliveries.nextAt} <= ${isoNow}::timestamptz
    and (${alarmDeliveries.leasedUntil} is null or ${alarmDeliveries.leasedUntil} <= ${isoNow}::timestamptz)`;
}

/** False: retried later. */
async function sendDelivery(services: Services, { id, alarmId, channel: name, attempts }: AlarmDelivery): Promise<boolean> {
  const { database, log, now } = services;
  // Only while this process holds the lease.
  const isStillLeased = and(
    eq(alarmDeliveries.id, id),
    eq(alarmDeliveries.attempts, attempts),
    eq(alarmDeliveries.state, 'queued'),
  );
  const sentFields = () => ({ state: 'sent' as const, sentAt: new Date(now()), leasedUntil: null, error: null });
  try {
    const [row] = await database.db.select().from(alarms).where(eq(alarms.id, alarmId));
    const channel = channelsOf(services.config).find((candidate) => candidate.name === name);
    if (!row || !channel) {
      await database.db
        .update(alarmDeliveries)
        .set({ state: 'failed', leasedUntil: null, error: 'the channel is no longer configured' })
        .where(isStillLeased);
      return true;
    }
    const alarm: Alarm = { ...row, subjects: JSON.parse(row.subjects) as unknown[] };
    const messageContext = { publicUrl: services.config.publicUrl, names: await readNames(services, alarm) };
    if ('mail' in channel)
      await database.db.transaction(async (tx) => {
        const updatedRows = await tx
          .update(alarmDeliveries)
          .set(sentFields())
          .where(isStillLeased)
          .returning({ id: alarmDeliveries.id });
        if (updatedRows.length > 0)
          await queueMail(tx, new Date(now()), { to: channel.mail.address, ...formatMail(alarm, channel.mail, messageContext) });
      });
    else {
      await postWebhook(services, channel.webhook, alarm, messageContext);
      await database.db.update(alarmDeliveries).set(sentFields()).where(isStillLeased);
    }
    return true;
  } catch (error) {
    const errorText = describeError(error);
    log.error({ err: errorText, channel: name, attempts }, 'alarm delivery failed, will retry');
    const retryDelayMs = Math.min(3_600_000, 5_000 * 2 ** Math.min(attempts, 20));
    await database.db
      .update(alarmDeliveries)
      .set({
        state: attempts >= maxAttempts ? 'failed' : 'queued',
        nextAt: new Date(now() + retryDelayMs),
        leasedUntil: null,
        error: toPlainText(errorText.message),
      })
      .where(isStillLeased);
    return false;
  }
}

/** Names of addresses. The alarm is sent even if these cannot be read. */
async function readNames(services: Services, alarm: Alarm): Promise<ReadonlyMap<string, string>> {
  const addresses = addressesIn(alarm);
  if (addresses.length === 0) return new Map();
  const { db } = services.database;
  try {
    const institutionNames = await db
      .select({ address: institutions.id, name: institutions.name })
      .from(institutions)
      .where(and(inArray(institutions.id, addresses), ne(institutions.name, '')));
    const addressBookNames = await findNames(services, db, addresses);
    return new Map([...institutionNames, ...addressBookNames].map(({ address, name }) => [address, name]));
  } catch (error) {
    services.log.warn({ err: describeError(error) }, 'could not read the names for an alarm');
    return new Map();
  }
}

async function postWebhook(
  services: Services,
  webhook: AlarmWebhook,
  alarm: Alarm,
  messageContext: MessageContext,
): Promise<void> {
  const { url, body, headers } = formatWebhook(webhook, alarm, messageContext, services.now());
  const { bytes } = await webhookFetch(services)(url, {
    accepts: () => true,
    maxBytes: 65_536,
    hosts: new Set([new URL(webhook.url).hostname]),
    post: { body, headers },
  });
  requireDelivered(webhook.kind, Buffer.from(bytes).toString());
}
