import { lt } from 'drizzle-orm';
import { challenges, mailCodes, passwordLinks, sessions } from '../auth/tables.ts';
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

export async function sweep({ database: { db }, now }: Services): Promise<void> {
  const before = (ms: number) => new Date(now() - ms);
  await db.delete(idempotency).where(lt(idempotency.createdAt, before(retentionMs.idempotency)));
  await db.delete(sessions).where(lt(sessions.expiresAt, before(retentionMs.sessions)));
  await db.delete(challenges).where(lt(challenges.expiresAt, before(retentionMs.shortLived)));
  await db.delete(mailCodes).where(lt(mailCodes.expiresAt, before(retentionMs.shortLived)));
  await db.delete(passwordLinks).where(lt(passwordLinks.expiresAt, before(retentionMs.shortLived)));
  await db.delete(mails).where(lt(mails.createdAt, before(retentionMs.mails)));
  await db.delete(rateLimits).where(lt(rateLimits.lastAt, before(retentionMs.throttles)));
}

export function sweepHourly(services: Services, more: readonly ((services: Services) => Promise<void>)[]): () => void {
  const all = async () => {
    for (const one of [sweep, ...more]) await one(services);
  };
  const timer = setInterval(() => {
    all().catch((error: unknown) =>
      services.log.warn({ err: describeError(error) }, 'could not delete expired rows, will retry in an hour'),
    );
  }, hourMs);
  timer.unref();
  return () => clearInterval(timer);
}
