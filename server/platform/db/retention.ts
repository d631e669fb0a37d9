import { and, eq, lt } from 'drizzle-orm';
import { challenges, idempotency, imports, mailCodes, mails, passwordLinks, sessions, signInThrottles } from '../../tables.ts';
import type { Services } from '../core/context.ts';
import { describeError } from '../core/log.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** How long what has served its purpose is kept. */
const keptMs = {
  idempotency: 30 * dayMs,
  sessions: 30 * dayMs,
  throttles: dayMs,
  shortLived: dayMs,
  mails: 30 * dayMs,
  drafts: 7 * dayMs,
};

/** Deletes answers, sessions and throttles nobody will ask for again. Any number of processes may do it. */
export async function sweep({ database: { db }, now }: Services): Promise<void> {
  const before = (ms: number) => new Date(now() - ms);
  await db.delete(idempotency).where(lt(idempotency.createdAt, before(keptMs.idempotency)));
  await db.delete(sessions).where(lt(sessions.expiresAt, before(keptMs.sessions)));
  await db.delete(challenges).where(lt(challenges.expiresAt, before(keptMs.shortLived)));
  await db.delete(mailCodes).where(lt(mailCodes.expiresAt, before(keptMs.shortLived)));
  await db.delete(passwordLinks).where(lt(passwordLinks.expiresAt, before(keptMs.shortLived)));
  await db.delete(mails).where(lt(mails.createdAt, before(keptMs.mails)));
  // Files that were checked and never started; their rows may be anybody's data.
  await db.delete(imports).where(and(eq(imports.state, 'checked'), lt(imports.createdAt, before(keptMs.drafts))));
  await db.delete(signInThrottles).where(lt(signInThrottles.lastAt, before(keptMs.throttles)));
}

/** Sweeps every hour until the returned function is called. */
export function sweepHourly(services: Services): () => void {
  const timer = setInterval(() => {
    sweep(services).catch((error: unknown) =>
      services.log.warn({ err: describeError(error) }, 'sweeping failed; the next hour tries again'),
    );
  }, hourMs);
  timer.unref();
  return () => clearInterval(timer);
}
