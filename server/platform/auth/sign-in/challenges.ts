import { and, eq, gt, isNull } from 'drizzle-orm';
import { challenges } from '../tables.ts';
import type { RequestContext } from '../../services/context.ts';
import type { Queries } from '../../db/db.ts';
import { newId } from '../../core/ids.ts';

const validMs = 600_000;

interface ChallengeKey {
  purpose: string;
  /** Fingerprint of the pre-session, or the session's id. */
  browser: string;
  administratorId: string;
}

/** Valid for ten minutes. Replaces an earlier one. */
export async function putChallenge(
  queries: Queries,
  { services: { now } }: RequestContext,
  { purpose, browser, administratorId }: ChallengeKey,
  message: string,
): Promise<void> {
  const at = now();
  await queries.delete(challenges).where(and(eq(challenges.purpose, purpose), eq(challenges.browser, browser)));
  await queries.insert(challenges).values({
    id: newId(),
    purpose,
    browser,
    administratorId,
    message,
    createdAt: new Date(at),
    expiresAt: new Date(at + validMs),
  });
}

const live = ({ services: { now } }: RequestContext, purpose: string, browser: string) =>
  and(
    eq(challenges.purpose, purpose),
    eq(challenges.browser, browser),
    isNull(challenges.usedAt),
    gt(challenges.expiresAt, new Date(now())),
  );

/** Does not consume it. */
export async function peekChallenge(context: RequestContext, purpose: string, browser: string) {
  const [found] = await context.db
    .select()
    .from(challenges)
    .where(live(context, purpose, browser));
  return found ?? null;
}

/** A second or wrong answer finds none. */
export async function burnChallenge(queries: Queries, context: RequestContext, purpose: string, browser: string) {
  const [burnt] = await queries
    .update(challenges)
    .set({ usedAt: new Date(context.services.now()) })
    .where(live(context, purpose, browser))
    .returning();
  return burnt ?? null;
}
