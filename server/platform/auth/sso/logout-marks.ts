import { and, gte, inArray, lte, sql } from 'drizzle-orm';
import type { Tx } from '../../db/db.ts';
import { hashSecret } from '../../http/cookies.ts';
import { rateLimits } from '../../http/tables.ts';

/** Longer than a sign-in takes. A later mark is from a clock that has been set back. */
const maxAheadMs = 3_600_000;

interface LoggedOut {
  issuer: string;
  subjects: readonly string[];
  idpSession: string | null;
}

const keysOf = ({ issuer, subjects, idpSession }: LoggedOut): string[] => [
  ...subjects.map((subject) => `loggedOut ${hashSecret(`${issuer} subject ${subject}`)}`),
  ...(idpSession === null ? [] : [`loggedOut ${hashSecret(`${issuer} session ${idpSession}`)}`]),
];

/**
 * For sign-ins under way, which have no session yet. `issuedAt` is by the provider's clock. Needs the access lock, so that a
 * sign-in commits either before or sees it. Deleted after a day, with the counts.
 */
export async function markLoggedOut(tx: Tx, loggedOut: LoggedOut, issuedAt: Date, receivedAt: Date): Promise<void> {
  const keys = [...new Set(keysOf(loggedOut))].toSorted();
  if (keys.length === 0) return;
  await tx
    .insert(rateLimits)
    .values(keys.map((key) => ({ key, count: 1, since: issuedAt, lastAt: receivedAt })))
    .onConflictDoUpdate({
      target: rateLimits.key,
      set: { since: sql`greatest(${rateLimits.since}, excluded.since)`, lastAt: receivedAt },
    });
}

/**
 * Whether a logout token came after the sign-in started, unless the person authenticated after the token. Times in milliseconds:
 * `startedAt` by the panel's clock, `authenticatedAt` by the provider's.
 */
export async function isLoggedOutSince(
  tx: Tx,
  loggedOut: LoggedOut,
  { startedAt, authenticatedAt }: { startedAt: number; authenticatedAt: number | null },
  now: number,
): Promise<boolean> {
  const marked = and(
    inArray(rateLimits.key, keysOf(loggedOut)),
    gte(rateLimits.lastAt, new Date(startedAt)),
    lte(rateLimits.lastAt, new Date(now + maxAheadMs)),
    authenticatedAt === null ? undefined : gte(rateLimits.since, new Date(authenticatedAt)),
  );
  return (await tx.$count(rateLimits, marked)) > 0;
}
