import { lt } from 'drizzle-orm';
import { challenges, enrollmentCodes, linkInvitations, mailCodes, passwordLinks, sessions } from '../auth/tables.ts';
import { mails } from '../content/tables.ts';
import { rateLimits } from '../http/tables.ts';
import { idempotency } from '../records/tables.ts';
import type { Services } from '../services/context.ts';
import { describeError } from '../core/log.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const retentionMs = {
  idempotency: 30 * dayMs,
  sessions: 30 * dayMs,
  throttles: dayMs,
  shortLived: dayMs,
  mails: 30 * dayMs,
};

export async function deleteExpired({ database: { db }, now }: Services): Promise<void> {
  const cutoffOf = (ms: number) => new Date(now() - ms);
  await db.delete(idempotency).where(lt(idempotency.createdAt, cutoffOf(retentionMs.idempotency)));
  await db.delete(sessions).where(lt(sessions.expiresAt, cutoffOf(retentionMs.sessions)));
  await db.delete(challenges).where(lt(challenges.expiresAt, cutoffOf(retentionMs.shortLived)));
  await db.delete(mailCodes).where(lt(mailCodes.expiresAt, cutoffOf(retentionMs.shortLived)));
  await db.delete(enrollmentCodes).where(lt(enrollmentCodes.expiresAt, cutoffOf(retentionMs.shortLived)));
  await db.delete(passwordLinks).where(lt(passwordLinks.expiresAt, cutoffOf(retentionMs.shortLived)));
  await db.delete(linkInvitations).where(lt(linkInvitations.expiresAt, cutoffOf(retentionMs.shortLived)));
  await db.delete(mails).where(lt(mails.createdAt, cutoffOf(retentionMs.mails)));
  await db.delete(rateLimits).where(lt(rateLimits.lastAt, cutoffOf(retentionMs.throttles)));
}

export function startHourlySweep(
  services: Services,
  otherSweeps: readonly ((services: Services) => Promise<void>)[],
): () => void {
  const runAll = async () => {
    for (const sweepStep of [deleteExpired, ...otherSweeps]) await sweepStep(services);
  };
  const timer = setInterval(() => {
    runAll().catch((error: unknown) =>
      services.log.warn({ err: describeError(error) }, 'could not delete expired rows, will retry in an hour'),
    );
  }, hourMs);
  timer.unref();
  return () => clearInterval(timer);
}
