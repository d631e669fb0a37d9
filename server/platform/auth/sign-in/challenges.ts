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
export async function storeChallenge(
  queries: Queries,
  { services: { now } }: RequestContext,
  { purpose, browser, administratorId }: ChallengeKey,
  message: string,
): Promise<void> {
  const nowMs = now();
  await queries.delete(challenges).where(and(eq(challenges.purpose, purpose), eq(challenges.browser, browser)));
  await queries.insert(challenges).values({
    id: newId(),
    purpose,
    browser,
    administratorId,
    message,
    createdAt: new Date(nowMs),
    expiresAt: new Date(nowMs + validMs),
  });
}

const validChallengeCondition = ({ services: { now } }: RequestContext, purpose: string, browser: string) =>
  and(
    eq(challenges.purpose, purpose),
    eq(challenges.browser, browser),
    isNull(challenges.usedAt),
    gt(challenges.expiresAt, new Date(now())),
  );

/** Does not consume it. */
export async function readChallenge(context: RequestContext, purpose: string, browser: string) {
  const [challenge] = await context.db
    .select()
    .from(challenges)
    .where(validChallengeCondition(context, purpose, browser));
  return challenge ?? null;
}

/** A second or wrong answer finds none. */
export async function consumeChallenge(queries: Queries, context: RequestContext, purpose: string, browser: string) {
  const [consumedChallenge] = await queries
    .update(challenges)
    .set({ usedAt: new Date(context.services.now()) })
    .where(validChallengeCondition(context, purpose, browser))
    .returning();
  return consumedChallenge ?? null;
}
