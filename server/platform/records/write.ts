import { createHash, randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { and, eq } from 'drizzle-orm';
import { idempotency } from './tables.ts';
import { recordAudit, recordRefusal } from '../audit/audit.ts';
import { type AuditEntry } from '../audit/system-audit.ts';
import { isAccessLocked, requireStillAllowed } from '../auth/rights/still-allowed.ts';
import { actorOf, type RequestContext } from '../core/context.ts';
import { forgetCounts } from '../db/count.ts';
import { newId } from '../core/ids.ts';
import type { Tx } from '../db/db.ts';
import { codeOf } from '../core/error-code.ts';
import { failure, isRefusal } from '../core/errors.ts';

/** Notes what a write did to one record; it becomes an audit row in the same transaction, of the answered id. */
export type Note = (entry: AuditEntry) => string;

const attempts = 3;

/**
 * The one way to change data: a transaction of effect, audit rows and the answer under the request's Idempotency-Key.
 * `payload` is the parsed input (or what stands for it): the same key with another payload is refused.
 * Who acts must still be signed in and hold the route's right when it is done: else it is not, with UNAUTHORIZED or FORBIDDEN.
 * An effect that notes nothing is a mistake, unless it answers `unchanged(value)`. Deadlocks are tried again.
 */
export async function write<T>(
  context: RequestContext,
  payload: unknown,
  effect: (tx: Tx, note: Note) => Promise<T | Unchanged<T>>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      const result = await once(context, payload, effect);
      forgetCounts(context.services);
      return result;
    } catch (error) {
      if (isRefusal(error)) await recordRefusal(context, error.code, error.data);
      const code = codeOf(error);
      if (attempt >= attempts || (code !== '40001' && code !== '40P01')) throw error;
      await sleep(randomInt(5, 40) * attempt);
    }
  }
}

/** The answer of a write that found nothing to do. */
export class Unchanged<T> {
  readonly value: T;
  constructor(value: T) {
    this.value = value;
  }
}
export const unchanged = <T>(value: T) => new Unchanged(value);

async function once<T>(
  context: RequestContext,
  payload: unknown,
  effect: (tx: Tx, note: Note) => Promise<T | Unchanged<T>>,
): Promise<T> {
  const slot = slotOf(context, payload);
  return context.db.transaction(async (tx) => {
    if (slot) {
      const earlier = await claim(tx, slot);
      if (earlier !== null) {
        context.answer.set('idempotent-replay', 'true');
        return JSON.parse(earlier) as T;
      }
    }
    const entries: AuditEntry[] = [];
    const result = await effect(tx, (entry) => {
      const entryId = newId();
      entries.push({ ...entry, entryId });
      return entryId;
    });
    if (!isAccessLocked(tx)) await requireStillAllowed(tx, context);
    if (entries.length === 0 && !(result instanceof Unchanged)) throw new Error('a write noted nothing for the audit');
    await recordAudit(tx, context, entries);
    const value = result instanceof Unchanged ? result.value : result;
    if (!slot) return value;
    // The first answer takes the same way through JSON as a replayed one, so that they are equal to the byte.
    const response = JSON.stringify(value);
    await tx.update(idempotency).set({ response }).where(at(slot));
    return JSON.parse(response) as T;
  });
}

type Slot = typeof idempotency.$inferInsert;

function slotOf(context: RequestContext, payload: unknown): Slot | null {
  if (context.idempotencyKey === null) return null;
  return {
    administratorId: actorOf(context).id,
    route: context.route?.name ?? '',
    key: context.idempotencyKey,
    requestHash: createHash('sha256')
      .update(JSON.stringify(payload) ?? '')
      .digest('hex'),
    createdAt: new Date(context.services.now()),
  };
}

const at = (slot: Slot) =>
  and(eq(idempotency.administratorId, slot.administratorId), eq(idempotency.route, slot.route), eq(idempotency.key, slot.key));

/** Takes the key for this transaction, or answers with what was answered under it. Waits for one that is at work. */
async function claim(tx: Tx, slot: Slot): Promise<string | null> {
  const inserted = await tx
    .insert(idempotency)
    .values(slot)
    .onConflictDoNothing()
    .returning({ key: idempotency.key })
    .catch((error: unknown) => {
      throw codeOf(error) === '55P03' ? failure('IN_PROGRESS') : error;
    });
  if (inserted.length > 0) return null;
  const [earlier] = await tx.select().from(idempotency).where(at(slot));
  if (!earlier || earlier.response === null) throw failure('IN_PROGRESS');
  if (earlier.requestHash !== slot.requestHash) throw failure('IDEMPOTENCY_MISMATCH');
  return earlier.response;
}
