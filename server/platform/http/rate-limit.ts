import { createHash } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { memoizePerServer, type Actor, type RequestContext, type Services } from '../services/context.ts';
import type { Queries } from '../db/db.ts';
import { dueCondition } from '../db/due.ts';
import { createAppError } from '../core/errors.ts';
import { getNetwork } from './network.ts';
import { rateLimits } from './tables.ts';

// In memory and per process: for expensive work.

const minuteMs = 60_000;

export class RateWindows {
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

const callWindowsOf = memoizePerServer(() => new RateWindows());

/** Throws TOO_MANY_REQUESTS. */
export function countCall({ services }: RequestContext, actor: Actor, kind: 'read' | 'write'): void {
  const limit = kind === 'read' ? services.config.readsPerMinute : services.config.writesPerMinute;
  if (limit === 0 || services.isUnlimited?.()) return;
  const retryAfter = callWindowsOf(services).take(`${kind} ${actor.id}`, limit, services.now());
  if (retryAfter !== null) throw createAppError('TOO_MANY_REQUESTS', { retryAfter });
}

/** Throws TOO_MANY_REQUESTS. */
export function countServiceCall({ services }: RequestContext, tokenId: string): void {
  const limit = services.config.serviceCallsPerMinute;
  if (limit === 0 || services.isUnlimited?.()) return;
  const retryAfter = callWindowsOf(services).take(`service ${tokenId}`, limit, services.now());
  if (retryAfter !== null) throw createAppError('TOO_MANY_REQUESTS', { retryAfter });
}

const provisioningCallsPerMinute = 1_500;

/** Throws TOO_MANY_REQUESTS. */
export function countProvisioningCall({ services }: RequestContext, tokenId: string): void {
  if (services.isUnlimited?.()) return;
  const retryAfter = callWindowsOf(services).take(`scim ${tokenId}`, provisioningCallsPerMinute, services.now());
  if (retryAfter !== null) throw createAppError('TOO_MANY_REQUESTS', { retryAfter });
}

/** For a second of CPU: twenty a minute per person. */
export function countUpload({ services }: RequestContext, actor: Actor, kind: 'picture' | 'import'): void {
  const limit = Math.min(20, services.config.writesPerMinute);
  if (limit === 0 || services.isUnlimited?.()) return;
  const retryAfter = callWindowsOf(services).take(`${kind} ${actor.id}`, limit, services.now());
  if (retryAfter !== null) throw createAppError('TOO_MANY_REQUESTS', { retryAfter });
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
  browserKey: string | null = null,
): Promise<CountedAttempt> {
  const accountKey = `account ${createHash('sha256').update(email).digest('hex')}`;
  return countAttempt(services, browserKey === null ? accountKey : `browser ${browserKey}`, ip);
}

export async function countAttempt(services: Services, key: string, ip: string): Promise<CountedAttempt> {
  if (services.isUnlimited?.()) return { succeed: async () => {} };
  const networkAttempt = await countNetworkAttempt(services, ip);
  await consumeFromAccount(services, key);
  return {
    async succeed(queries) {
      await queries.delete(rateLimits).where(eq(rateLimits.key, key));
      await networkAttempt.succeed(queries);
    },
  };
}

/** Where nothing is guessed, so that colleagues in one network don't wait for each other. Throws TOO_MANY_REQUESTS. */
export async function countNetworkAttempt(services: Services, ip: string): Promise<CountedAttempt> {
  const networkKey = `network ${getNetwork(ip)}`;
  await consumeFromNetwork(services, networkKey);
  return { succeed: (queries) => uncount(queries, networkKey) };
}

/** Started sign-ins through the provider. Apart from the answers. Throws TOO_MANY_REQUESTS. */
export const countSsoStart = (services: Services, ip: string): Promise<void> => consumeFromNetwork(services, ssoStartKey(ip));

/** Once the sign-in succeeded. */
export const uncountSsoStart = (queries: Queries, ip: string): Promise<void> => uncount(queries, ssoStartKey(ip));

const ssoStartKey = (ip: string) => `ssoStart ${getNetwork(ip)}`;

async function uncount(queries: Queries, key: string): Promise<void> {
  await queries
    .update(rateLimits)
    .set({ count: sql`greatest(${rateLimits.count} - 1, 0)` })
    .where(eq(rateLimits.key, key));
}

/** Throws TOO_MANY_REQUESTS. */
export const consumeNetworkLimit = (services: Services, ip: string): Promise<void> =>
  consumeFromNetwork(services, `network ${getNetwork(ip)}`);

/** Throws TOO_MANY_REQUESTS. */
export async function consumeRateLimit(
  { database: { db }, now, isUnlimited }: Services,
  key: string,
  intervalMs: number,
): Promise<void> {
  if (isUnlimited?.()) return;
  if (!(await isFirstInInterval(db, key, now(), intervalMs)))
    throw await throwTooManyRequests(db, key, now(), (row) => row.blockedUntil?.getTime() ?? now());
}

export async function releaseRateLimit({ database: { db } }: Services, key: string): Promise<void> {
  await db.delete(rateLimits).where(eq(rateLimits.key, key));
}

/** False if reserved. Commits with the caller. */
export async function isFirstInInterval(queries: Queries, key: string, now: number, intervalMs: number): Promise<boolean> {
  const currentTime = new Date(now);
  const expiresAt = new Date(now + intervalMs);
  const countedRows = await queries
    .insert(rateLimits)
    .values({ key, count: 1, since: currentTime, lastAt: currentTime, blockedUntil: expiresAt })
    .onConflictDoUpdate({
      target: rateLimits.key,
      set: { lastAt: currentTime, blockedUntil: expiresAt },
      setWhere: dueCondition(rateLimits.blockedUntil, now, intervalMs),
    })
    .returning({ key: rateLimits.key });
  return countedRows.length > 0;
}

const consumeFromNetwork = (services: Services, key: string): Promise<void> =>
  consumeFromWindow(services, key, services.config.signInPerNetwork, windowMs);

/** Throws TOO_MANY_REQUESTS. */
export async function consumeFromWindow(
  { database, now, isUnlimited }: Services,
  key: string,
  maxCount: number,
  intervalMs: number,
): Promise<void> {
  if (isUnlimited?.()) return;
  const currentTime = new Date(now());
  const isExpired = dueCondition(rateLimits.since, now() - intervalMs, 2 * intervalMs);
  const countedRows = await database.db
    .insert(rateLimits)
    .values({ key, count: 1, since: currentTime, lastAt: currentTime })
    .onConflictDoUpdate({
      target: rateLimits.key,
      set: {
        count: sql`case when ${isExpired} then 1 else ${rateLimits.count} + 1 end`,
        since: sql`case when ${isExpired} then excluded.since else ${rateLimits.since} end`,
        lastAt: currentTime,
      },
      setWhere: sql`${isExpired} or ${rateLimits.count} < ${maxCount}`,
    })
    .returning({ key: rateLimits.key });
  if (countedRows.length === 0)
    throw await throwTooManyRequests(database.db, key, now(), (row) => row.since.getTime() + intervalMs);
}

async function consumeFromAccount({ config, database, now }: Services, key: string): Promise<void> {
  const currentTime = new Date(now());
  const freeAttempts = config.signInFree;
  const isForgotten = dueCondition(rateLimits.lastAt, now() - forgetMs, forgetMs);
  const count = sql`(case when ${isForgotten} then 1 else ${rateLimits.count} + 1 end)`;
  const waitSeconds = sql`least(${maxWaitSeconds}, power(2, least(${count} - ${freeAttempts} + 1, 20))) * interval '1 second'`;
  const countedRows = await database.db
    .insert(rateLimits)
    .values({
      key,
      count: 1,
      since: currentTime,
      lastAt: currentTime,
      blockedUntil: freeAttempts <= 1 ? new Date(now() + 2000) : null,
    })
    .onConflictDoUpdate({
      target: rateLimits.key,
      set: {
        count,
        lastAt: currentTime,
        blockedUntil: sql`case when ${count} >= ${freeAttempts} then excluded.last_at + ${waitSeconds} end`,
      },
      setWhere: sql`${rateLimits.blockedUntil} is null or ${dueCondition(rateLimits.blockedUntil, now(), maxWaitSeconds * 1000)}`,
    })
    .returning({ key: rateLimits.key });
  if (countedRows.length === 0)
    throw await throwTooManyRequests(database.db, key, now(), (row) => row.blockedUntil?.getTime() ?? now());
}

async function throwTooManyRequests(
  queries: Queries,
  key: string,
  now: number,
  retryTimeOf: (row: typeof rateLimits.$inferSelect) => number,
) {
  const [row] = await queries.select().from(rateLimits).where(eq(rateLimits.key, key));
  return createAppError('TOO_MANY_REQUESTS', { retryAfter: row ? Math.max(1, Math.ceil((retryTimeOf(row) - now) / 1000)) : 1 });
}
