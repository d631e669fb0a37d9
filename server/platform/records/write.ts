import { createHash, randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { and, eq, sql } from 'drizzle-orm';
import { idempotency } from './tables.ts';
import { auditTexts, recordRefusal } from '../audit/audit.ts';
import { type AuditEntry } from '../audit/system-audit.ts';
import { assertTokenStillAllowed, isActorSettled } from '../auth/rights/still-allowed.ts';
import { actorOf, permissionOf, type RequestContext } from '../services/context.ts';
import { forgetCounts } from '../db/count.ts';
import { newId } from '../core/ids.ts';
import type { Tx } from '../db/db.ts';
import { codeOf } from '../core/error-code.ts';
import { rootCause } from '../core/log.ts';
import { appError, isRefusal } from '../core/errors.ts';

/** Becomes an audit row in the same transaction. Returns its id. */
export type RecordAudit = (entry: AuditEntry) => string;

const attempts = 3;

/**
 * The only way to change data: effect, audit rows and the response under the Idempotency-Key commit together. A key is refused
 * with another `payload`. The actor must still be signed in and hold the permission at commit, else UNAUTHORIZED or FORBIDDEN. An
 * effect must note something or return `unchanged(value)`. Retries deadlocks.
 */
export async function writeOnce<T>(
  context: RequestContext,
  payload: unknown,
  effect: (tx: Tx, note: RecordAudit) => Promise<T | Unmodified<T>>,
): Promise<T> {
  if (context.actor?.isViewing) throw appError('VIEW_ONLY');
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

export class Unmodified<T> {
  readonly value: T;
  constructor(value: T) {
    this.value = value;
  }
}
export const unmodified = <T>(value: T) => new Unmodified(value);

async function once<T>(
  context: RequestContext,
  payload: unknown,
  effect: (tx: Tx, note: RecordAudit) => Promise<T | Unmodified<T>>,
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
    if (entries.length === 0 && !(result instanceof Unmodified)) throw new Error('a write recorded no audit entry');
    const value = result instanceof Unmodified ? result.value : result;
    // A first response takes the same JSON path as a replayed one, so both are equal.
    const response = slot && JSON.stringify(value);
    const answer = response === null ? value : (JSON.parse(response) as T);
    await endWrite(tx, context, entries, slot, response);
    return answer;
  });
}

/**
 * Last statement of a write: fails if the actor may no longer act, else stores audit rows and response (server/sql/access.sql).
 */
async function endWrite(
  tx: Tx,
  context: RequestContext,
  entries: readonly AuditEntry[],
  slot: Slot | null,
  response: string | null,
): Promise<void> {
  const permission = context.route && permissionOf(context.route.meta);
  const requirement = isActorSettled(tx) ? null : { permission, actor: context.actor };
  const texts = auditTexts(context, entries, 'done');
  const ids = texts.map(() => newId());
  if (requirement?.actor?.kind === 'service') await assertTokenStillAllowed(tx, context, requirement.actor, permission);
  const person = requirement?.actor?.kind === 'person' ? requirement.actor : null;
  try {
    await tx.execute(sql`select end_write(
      ${person && permission}, ${person?.id ?? null}, ${person?.sessionId ?? null},
      ${sql.param(ids)}, ${sql.param(texts)},
      ${slot?.administratorId ?? null}, ${slot?.route ?? null}, ${slot?.key ?? null}, ${response})`);
  } catch (error) {
    throw codeOf(error) === refusedCode
      ? appError((rootCause(error) as { message: 'UNAUTHORIZED' | 'FORBIDDEN' }).message)
      : error;
  }
}

/** Raised by `end_write`. */
const refusedCode = 'AP403';

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

/** Reserves the key, or returns the stored response. Waits for a running write. */
async function claim(tx: Tx, slot: Slot): Promise<string | null> {
  const { administratorId, route, key, requestHash } = slot;
  const claimed = await tx
    .insert(idempotency)
    .values(slot)
    .onConflictDoNothing()
    .returning({ key: idempotency.key })
    .catch((error: unknown) => {
      throw codeOf(error) === '55P03' ? appError('IN_PROGRESS') : error;
    });
  if (claimed.length > 0) return null;
  const [earlier] = await tx
    .select()
    .from(idempotency)
    .where(and(eq(idempotency.administratorId, administratorId), eq(idempotency.route, route), eq(idempotency.key, key)));
  if (!earlier || earlier.response === null) throw appError('IN_PROGRESS');
  if (earlier.requestHash !== requestHash) throw appError('IDEMPOTENCY_MISMATCH');
  return earlier.response;
}
