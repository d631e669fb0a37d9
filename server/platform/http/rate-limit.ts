import { createHash } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { memoizePerServer, type Actor, type RequestContext, type Services } from '../services/context.ts';
import type { Queries } from '../db/db.ts';
import { isDue } from '../db/due.ts';
import { appError } from '../core/errors.ts';
import { networkOf } from './network.ts';
import { rateLimits } from './tables.ts';

// In memory and per process: for expensive work.

const minuteMs = 60_000;

export class Windows {
  readonly #counts = new Map<string, { since: number; count: number }>();

  take(key: string, limit: number, now: number): number | null {
    let window = this.#counts.get(key);
    if (!window || Math.abs(now - window.since) >= minuteMs) {
      if (this.#counts.size > 50_000) this.#counts.clear();
      window = { since: now, count: 0 };
      this.#counts.set(key, window);
    }
    if (window.count >= limit) return Math.max(1, Math.ceil((window.since + minuteMs - now) / 1000));
    window.count++;
    return null;
  }
}

const callsOf = memoizePerServer(() => new Windows());

/** Throws TOO_MANY_REQUESTS. */
export function countCall({ services }: RequestContext, actor: Actor, kind: 'read' | 'write'): void {
  const limit = kind === 'read' ? services.config.readsPerMinute : services.config.writesPerMinute;
  if (limit === 0 || services.isUnlimited?.()) return;
  const retryAfter = callsOf(services).take(`${kind} ${actor.id}`, limit, services.now());
  if (retryAfter !== null) throw appError('TOO_MANY_REQUESTS', { retryAfter });
}

/** Throws TOO_MANY_REQUESTS. */
export function countServiceCall({ services }: RequestContext, tokenId: string): void {
  const limit = services.config.serviceCallsPerMinute;
  if (limit === 0 || services.isUnlimited?.()) return;
  const retryAfter = callsOf(services).take(`service ${tokenId}`, limit, services.now());
  if (retryAfter !== null) throw appError('TOO_MANY_REQUESTS', { retryAfter });
}

/** For a second of CPU: twenty a minute per person. */
export function countUpload({ services }: RequestContext, actor: Actor, kind: 'picture' | 'import'): void {
  const limit = Math.min(20, services.config.writesPerMinute);
  if (limit === 0 || services.isUnlimited?.()) return;
  const retryAfter = callsOf(services).take(`${kind} ${actor.id}`, limit, services.now());
  if (retryAfter !== null) throw appError('TOO_MANY_REQUESTS', { retryAfter });
}

// In the database: for secrets that can be guessed and for messages.

const windowMs = 600_000;
const maxWaitSeconds = 900;
const forgetMs = 86_400_000;

/** Success uncounts it. */
export interface CountedAttempt {
  succeed(queries: Queries): Promise<void>;
}

/**
 * Counts account and network before the password check, so that concurrent guesses count. Known browsers count separately, so
 * that strangers cannot lock them out. Throws TOO_MANY_REQUESTS.
 */
export function consumeSignInAttempt(
  services: Services,
  email: string,
  ip: string,
  browser: string | null = null,
): Promise<CountedAttempt> {
  const account = `account ${createHash('sha256').update(email).digest('hex')}`;
  return countAttempt(services, browser === null ? account : `browser ${browser}`, ip);
}

export async function countAttempt(services: Services, key: string, ip: string): Promise<CountedAttempt> {
  if (services.isUnlimited?.()) return { succeed: async () => {} };
  const network = `network ${networkOf(ip)}`;
  await consumeFromNetwork(services, network);
  await consumeFromAccount(services, key);
  return {
    async succeed(queries) {
      await queries.delete(rateLimits).where(eq(rateLimits.key, key));
      await queries
        .update(rateLimits)
        .set({ count: sql`greatest(${rateLimits.count} - 1, 0)` })
        .where(eq(rateLimits.key, network));
    },
  };
}

/** Throws TOO_MANY_REQUESTS. */
export const consumeNetworkLimit = (services: Services, ip: string): Promise<void> =>
  consumeFromNetwork(services, `network ${networkOf(ip)}`);

/** Throws TOO_MANY_REQUESTS. */
export async function consumeRateLimit(
  { database: { db }, now, isUnlimited }: Services,
  key: string,
  intervalMs: number,
): Promise<void> {
  if (isUnlimited?.()) return;
  if (!(await isFirstInInterval(db, key, now(), intervalMs)))
    throw await tooMany(db, key, now(), (row) => row.blockedUntil?.getTime() ?? now());
}

export async function releaseRateLimit({ database: { db } }: Services, key: string): Promise<void> {
  await db.delete(rateLimits).where(eq(rateLimits.key, key));
}

/** False if reserved. Commits with the caller. */
export async function isFirstInInterval(queries: Queries, key: string, now: number, intervalMs: number): Promise<boolean> {
  const at = new Date(now);
  const until = new Date(now + intervalMs);
  const counted = await queries
    .insert(rateLimits)
    .values({ key, count: 1, since: at, lastAt: at, blockedUntil: until })
    .onConflictDoUpdate({
      target: rateLimits.key,
      set: { lastAt: at, blockedUntil: until },
      setWhere: isDue(rateLimits.blockedUntil, now, intervalMs),
    })
    .returning({ key: rateLimits.key });
  return counted.length > 0;
}

const consumeFromNetwork = (services: Services, key: string): Promise<void> =>
  consumeFromWindow(services, key, services.config.signInPerNetwork, windowMs);

/** Throws TOO_MANY_REQUESTS. */
export async function consumeFromWindow(
  { database, now, isUnlimited }: Services,
  key: string,
  max: number,
  ms: number,
): Promise<void> {
  if (isUnlimited?.()) return;
  const at = new Date(now());
  const old = isDue(rateLimits.since, now() - ms, 2 * ms);
  const counted = await database.db
    .insert(rateLimits)
    .values({ key, count: 1, since: at, lastAt: at })
    .onConflictDoUpdate({
      target: rateLimits.key,
      set: {
        count: sql`case when ${old} then 1 else ${rateLimits.count} + 1 end`,
        since: sql`case when ${old} then excluded.since else ${rateLimits.since} end`,
        lastAt: at,
      },
      setWhere: sql`${old} or ${rateLimits.count} < ${max}`,
    })
    .returning({ key: rateLimits.key });
  if (counted.length === 0) throw await tooMany(database.db, key, now(), (row) => row.since.getTime() + ms);
}

async function consumeFromAccount({ config, database, now }: Services, key: string): Promise<void> {
  const at = new Date(now());
  const free = config.signInFree;
  const forgotten = isDue(rateLimits.lastAt, now() - forgetMs, forgetMs);
  const count = sql`(case when ${forgotten} then 1 else ${rateLimits.count} + 1 end)`;
  const wait = sql`least(${maxWaitSeconds}, power(2, least(${count} - ${free} + 1, 20))) * interval '1 second'`;
  const counted = await database.db
    .insert(rateLimits)
    .values({ key, count: 1, since: at, lastAt: at, blockedUntil: free <= 1 ? new Date(now() + 2000) : null })
    .onConflictDoUpdate({
      target: rateLimits.key,
      set: {
        count,
        lastAt: at,
        blockedUntil: sql`case when ${count} >= ${free} then excluded.last_at + ${wait} end`,
      },
      setWhere: sql`${rateLimits.blockedUntil} is null or ${isDue(rateLimits.blockedUntil, now(), maxWaitSeconds * 1000)}`,
    })
    .returning({ key: rateLimits.key });
  if (counted.length === 0) throw await tooMany(database.db, key, now(), (row) => row.blockedUntil?.getTime() ?? now());
}

async function tooMany(queries: Queries, key: string, now: number, until: (row: typeof rateLimits.$inferSelect) => number) {
  const [row] = await queries.select().from(rateLimits).where(eq(rateLimits.key, key));
  return appError('TOO_MANY_REQUESTS', { retryAfter: row ? Math.max(1, Math.ceil((until(row) - now) / 1000)) : 1 });
}
