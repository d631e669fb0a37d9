import { createHash, randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { and, eq, sql } from 'drizzle-orm';
import { idempotency } from './tables.ts';
import { buildAuditPayloads, recordRefusal } from '../audit/audit.ts';
import { type AuditEntry } from '../audit/system-audit.ts';
import { createNetworkRefusal, unknownAddress } from '../auth/rights/role-networks.ts';
import { assertNotFromCli, assertTokenStillAllowed, isActorSettled } from '../auth/rights/still-allowed.ts';
import { requireActor, requiredPermission, type RequestContext } from '../services/context.ts';
import { forgetCounts } from '../db/count.ts';
import { newId } from '../core/ids.ts';
import type { Tx } from '../db/db.ts';
import { getDatabaseErrorCode } from '../core/error-code.ts';
import { findRootCause } from '../core/log.ts';
import { createAppError, isRefusal } from '../core/errors.ts';

/** Becomes an audit row in the same transaction. Returns its id. */
export type RecordAudit = (entry: AuditEntry) => string;

const maxAttempts = 3;

/**
 * The only way to change data: effect, audit rows and the response under the Idempotency-Key commit together. A key is refused
 * with another `payload`. The actor must still be signed in and hold the permission at commit, else UNAUTHORIZED, FORBIDDEN or NETWORK. An
 * effect must call `recordAudit` or return `asUnmodified(value)`. Retries deadlocks.
 */
export async function writeOnce<T>(
  context: RequestContext,
  payload: unknown,
  effect: (tx: Tx, recordAudit: RecordAudit) => Promise<T | Unmodified<T>>,
): Promise<T> {
  if (context.actor?.isViewing) throw createAppError('VIEW_ONLY');
  for (let attempt = 1; ; attempt++) {
    try {
      const result = await writeInTransaction(context, payload, effect);
      forgetCounts(context.services);
      return result;
    } catch (error) {
      if (isRefusal(error)) await recordRefusal(context, error.code, error.data);
      const code = getDatabaseErrorCode(error);
      if (attempt >= maxAttempts || (code !== '40001' && code !== '40P01')) throw error;
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
export const asUnmodified = <T>(value: T) => new Unmodified(value);

async function writeInTransaction<T>(
  context: RequestContext,
  payload: unknown,
  effect: (tx: Tx, recordAudit: RecordAudit) => Promise<T | Unmodified<T>>,
): Promise<T> {
  const idempotencySlot = createIdempotencySlot(context, payload);
  return context.db.transaction(async (tx) => {
    if (idempotencySlot) {
      const earlierResponse = await claimSlot(tx, idempotencySlot);
      if (earlierResponse !== null) {
        context.answer.set('idempotent-replay', 'true');
        return JSON.parse(earlierResponse) as T;
      }
    }
    const entries: AuditEntry[] = [];
    const result = await effect(tx, (entry) => {
      const auditEntryId = newId();
      entries.push({ ...entry, entryId: auditEntryId });
      return auditEntryId;
    });
    if (entries.length === 0 && !(result instanceof Unmodified)) throw new Error('a write recorded no audit entry');
    const value = result instanceof Unmodified ? result.value : result;
    // A first response takes the same JSON path as a replayed one, so both are equal.
    const response = idempotencySlot && JSON.stringify(value);
    const replayableValue = response === null ? value : (JSON.parse(response) as T);
    await endWrite(tx, context, entries, idempotencySlot, response);
    return replayableValue;
  });
}

/**
 * Last statement of a write: fails if the actor may no longer act, else stores audit rows and response (server/sql/access.sql).
 */
async function endWrite(
  tx: Tx,
  context: RequestContext,
  entries: readonly AuditEntry[],
  idempotencySlot: IdempotencySlot | null,
  response: string | null,
): Promise<void> {
  const permission = context.route && requiredPermission(context.route.meta);
  const requirement = isActorSettled(tx) ? null : { permission, actor: context.actor };
  const auditTexts = buildAuditPayloads(context, entries, 'done');
  const ids = auditTexts.map(() => newId());
  if (requirement?.actor?.kind === 'service') await assertTokenStillAllowed(tx, context, requirement.actor, permission);
  if (context.actor?.kind === 'person') await assertNotFromCli(tx, context.actor, permission);
  const person = requirement?.actor?.kind === 'person' ? requirement.actor : null;
  const { ip, ignoresNetworks } = person?.calledFrom ?? unknownAddress;
  try {
    await tx.execute(sql`select end_write(
      ${person && permission}, ${person?.id ?? null}, ${person?.sessionId ?? null},
      ${sql.param(ids)}, ${sql.param(auditTexts)},
      ${idempotencySlot?.administratorId ?? null}, ${idempotencySlot?.route ?? null}, ${idempotencySlot?.key ?? null}, ${response},
      ${ip}::inet, ${ignoresNetworks})`);
  } catch (error) {
    throw getDatabaseErrorCode(error) === refusedCode ? createCommitRefusal(findRootCause(error)) : error;
  }
}

function createCommitRefusal(cause: unknown) {
  const { message, detail = '' } = cause as { message: 'UNAUTHORIZED' | 'FORBIDDEN' | 'NETWORK'; detail?: string };
  return message === 'NETWORK' ? createNetworkRefusal(detail) : createAppError(message);
}

/** Raised by `end_write`. */
const refusedCode = 'AP403';

type IdempotencySlot = typeof idempotency.$inferInsert;

function createIdempotencySlot(context: RequestContext, payload: unknown): IdempotencySlot | null {
  if (context.idempotencyKey === null) return null;
  return {
    administratorId: requireActor(context).id,
    route: context.route?.name ?? '',
    key: context.idempotencyKey,
    requestHash: createHash('sha256')
      .update(JSON.stringify(payload) ?? '')
      .digest('hex'),
    createdAt: new Date(context.services.now()),
  };
}

/** Reserves the key, or returns the stored response. Waits for a running write. */
async function claimSlot(tx: Tx, idempotencySlot: IdempotencySlot): Promise<string | null> {
  const { administratorId, route, key, requestHash } = idempotencySlot;
  const claimedSlots = await tx
    .insert(idempotency)
    .values(idempotencySlot)
    .onConflictDoNothing()
    .returning({ key: idempotency.key })
    .catch((error: unknown) => {
      throw getDatabaseErrorCode(error) === '55P03' ? createAppError('IN_PROGRESS') : error;
    });
  if (claimedSlots.length > 0) return null;
  const [earlierSlot] = await tx
    .select()
    .from(idempotency)
    .where(and(eq(idempotency.administratorId, administratorId), eq(idempotency.route, route), eq(idempotency.key, key)));
  if (!earlierSlot || earlierSlot.response === null) throw createAppError('IN_PROGRESS');
  if (earlierSlot.requestHash !== requestHash) throw createAppError('IDEMPOTENCY_MISMATCH');
  return earlierSlot.response;
}
