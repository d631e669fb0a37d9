import { createAppError } from '../platform/core/errors.ts';
import { requirePerson, memoizePerServer, type Services } from '../platform/services/context.ts';
import { describeError } from '../platform/core/log.ts';
import type { RawRoute } from '../platform/http/raw-routes.ts';
import { idleCutoffSql, revokedSql } from '../platform/auth/sign-in/sessions.ts';

const pollMs = 1_000;
const heartbeatMs = 15_000;
/** Tabs of a browser share a stream, unless the browser cannot. */
const streamsPerSession = 6;
const streamsPerServer = 1_500;
/** Then the listener counts as gone. */
const maxUnread = 64;

interface StreamListener {
  sessionId: string;
  controller: ReadableStreamDefaultController<Uint8Array>;
}

/**
 * `arrived`: resource and number of records from outside, initially and on changes; the number reveals no content. `access`:
 * number of the last access change. `session-ended`: revoked or expired. Comments keep the connection alive.
 */
export const events: RawRoute = {
  method: 'GET',
  path: '/api/events',
  meta: { signedIn: true },
  handle: async ({ context }) => {
    const stream = await eventHubs(context.services).open(requirePerson(context).sessionId, context.services);
    return new Response(stream, {
      headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
    });
  },
};

export const stopEvents = (services: Services): void => eventHubs(services).stop();

const eventHubs = memoizePerServer(() => new EventHub());
const encoder = new TextEncoder();

class EventHub {
  readonly #listeners = new Set<StreamListener>();
  #number = '0';
  #arrived: ArrivalCounts = {};
  #timer: NodeJS.Timeout | null = null;
  #beatAt = 0;
  #stopped = false;

  async open(sessionId: string, services: Services): Promise<ReadableStream<Uint8Array>> {
    if (this.#stopped) throw createAppError('UNAVAILABLE');
    // Reads before registering, so that no later change is missed.
    if (this.#listeners.size === 0) ({ number: this.#number, arrived: this.#arrived } = await readChanges(services, []));
    // Counts after the last await, so that concurrent streams count each other.
    const sessionStreamCount = [...this.#listeners].filter((listener) => listener.sessionId === sessionId).length;
    if (sessionStreamCount >= streamsPerSession || this.#listeners.size >= streamsPerServer)
      throw createAppError('TOO_MANY_REQUESTS', { retryAfter: heartbeatMs / 1000 });
    let listener: StreamListener | null = null;
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          listener = { sessionId, controller };
          this.#listeners.add(listener);
          this.#say(listener, 'access', this.#number);
          for (const [resource, count] of Object.entries(this.#arrived)) this.#say(listener, 'arrived', `${resource} ${count}`);
          this.#keepLooking(services);
        },
        cancel: () => {
          if (listener) this.#listeners.delete(listener);
        },
      },
      { highWaterMark: maxUnread },
    );
  }

  stop(): void {
    this.#stopped = true;
    if (this.#timer) clearTimeout(this.#timer);
    for (const listener of this.#listeners) this.#close(listener);
  }

  /** Shared by all listeners of this process. */
  #keepLooking(services: Services): void {
    if (this.#timer || this.#stopped) return;
    this.#timer = setTimeout(() => {
      void this.#look(services)
        .catch((error: unknown) =>
          services.log.warn({ err: describeError(error) }, 'could not read live updates from the database'),
        )
        .finally(() => {
          this.#timer = null;
          if (this.#listeners.size > 0) this.#keepLooking(services);
        });
    }, pollMs);
    this.#timer.unref();
  }

  async #look(services: Services): Promise<void> {
    const listeners = [...this.#listeners];
    const { number, arrived, live, revoked } = await readChanges(
      services,
      listeners.map(({ sessionId }) => sessionId),
    );
    for (const listener of listeners) {
      if (live.has(listener.sessionId)) continue;
      this.#say(listener, 'session-ended', revoked.has(listener.sessionId) ? 'revoked' : 'expired');
      this.#close(listener);
    }
    const hasNewAuditRows = number !== this.#number;
    this.#number = number;
    const newArrivals = Object.entries(arrived).filter(([resource, count]) => this.#arrived[resource] !== count);
    this.#arrived = arrived;
    const isHeartbeatDue = Date.now() - this.#beatAt >= heartbeatMs;
    if (isHeartbeatDue) this.#beatAt = Date.now();
    for (const listener of this.#listeners) {
      if (hasNewAuditRows) this.#say(listener, 'access', number);
      for (const [resource, count] of newArrivals) this.#say(listener, 'arrived', `${resource} ${count}`);
      if (isHeartbeatDue && !hasNewAuditRows) this.#write(listener, ': \n\n');
    }
  }

  #say(listener: StreamListener, event: string, data: string): void {
    this.#write(listener, `event: ${event}\ndata: ${data}\n\n`);
  }

  #write(listener: StreamListener, text: string): void {
    const { controller } = listener;
    if ((controller.desiredSize ?? 0) <= 0) return this.#close(listener);
    controller.enqueue(encoder.encode(text));
  }

  #close(listener: StreamListener): void {
    if (!this.#listeners.delete(listener)) return;
    listener.controller.close();
  }
}

type ArrivalCounts = Readonly<Record<string, string>>;

const pollQuery = `
  select (select coalesce(json_object_agg(resource, total), '{}') from (select resource, sum(value)::text as total from sharded_counters where counter = 'arrivals' group by resource) a) as arrived,
    coalesce((select value from access_changes where id = 1), 0)::text as number, array_remove(array_agg(live), null) as live,
    array_remove(array_agg(revoked), null) as revoked
  from (
    select case when not gone and s.expires_at > $2 and s.last_seen_at > ${idleCutoffSql('$2', '$3')} then s.id::text end as live,
      case when gone then s.id::text end as revoked
    from sessions s join administrators a on a.id = s.administrator_id,
      lateral (select ${revokedSql('$4')} as gone) g
    where s.id = any($1::uuid[])
  ) as asked`;

async function readChanges({ database, config, now }: Services, sessions: readonly string[]) {
  const currentTime = now();
  const { rows } = await database.pool.query<{ number: string; arrived: ArrivalCounts; live: string[]; revoked: string[] }>({
    name: 'events',
    text: pollQuery,
    values: [[...new Set(sessions)], new Date(currentTime), new Date(currentTime - config.sessionIdleMs), config.demo],
  });
  const [row] = rows;
  return { number: row?.number ?? '0', arrived: row?.arrived ?? {}, live: new Set(row?.live), revoked: new Set(row?.revoked) };
}
