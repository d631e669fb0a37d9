import { and, asc, count, desc, eq, inArray, lt, lte, notInArray, sql } from 'drizzle-orm';
import { exportLimits } from '../../../api/exports/contract.ts';
import { createAppError } from '../core/errors.ts';
import type { Db, Queries, Tx } from '../db/db.ts';
import { memoizePerServer, requireActor, type Actor, type RequestContext, type Services } from '../services/context.ts';
import { exportJobs as table, exportParts } from './tables.ts';

const exportCheckOf = memoizePerServer(() => ({ now: () => {} }));

/** After the caller's transaction commits. */
export const checkForExports = (services: Services): void => exportCheckOf(services).now();

export const onExportCheck = (services: Services, checkExports: () => void): void =>
  void (exportCheckOf(services).now = checkExports);

export type ExportJob = typeof table.$inferSelect;

const hourMs = 3_600_000;
const jobRetentionMs = 7 * 24 * hourMs;

export const unfinishedCondition = inArray(table.state, ['queued', 'running']);

export const computeFileExpiry = (currentMs: number): Date => new Date(currentMs + exportLimits.hours * hourMs);

/** WHERE clause. Exports of a service account belong to all its tokens, so that a rotated token can still be read. */
export const ownJobsCondition = ({ kind, id }: Pick<Actor, 'kind' | 'id'>) =>
  eq(kind === 'service' ? table.serviceAccountId : table.administratorId, id);

/** Refuses a further export of an actor who runs as many as allowed, and makes room among finished ones. */
export async function addJob(
  tx: Tx,
  context: RequestContext,
  job: Pick<typeof table.$inferInsert, 'id' | 'list' | 'format' | 'input' | 'through' | 'total'>,
): Promise<void> {
  const actor = requireActor(context);
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`exports ${actor.id}`}, 0))`);
  const isOwn = ownJobsCondition(actor);
  const [runningJobs] = await tx.select({ jobs: count() }).from(table).where(and(isOwn, unfinishedCondition));
  if ((runningJobs?.jobs ?? 0) >= exportLimits.running) throw createAppError('EXPORT_LIMIT', { limit: exportLimits.running });
  const keptJobs = tx
    .select({ id: table.id })
    .from(table)
    .where(isOwn)
    .orderBy(desc(table.createdAt), desc(table.id))
    .limit(exportLimits.kept - 1);
  await tx.delete(table).where(and(isOwn, sql`not ${unfinishedCondition}`, notInArray(table.id, keptJobs)));
  const starter =
    actor.kind === 'service' ? { serviceAccountId: actor.id, tokenId: actor.tokenId } : { administratorId: actor.id };
  await tx.insert(table).values({
    ...job,
    ...starter,
    administratorEmail: actor.email,
    state: 'queued',
    createdAt: new Date(context.services.now()),
  });
}

export const readOwnJobs = (queries: Queries, actor: Actor): Promise<ExportJob[]> =>
  queries
    .select()
    .from(table)
    .where(ownJobsCondition(actor))
    .orderBy(desc(table.createdAt), desc(table.id))
    .limit(exportLimits.kept + exportLimits.running);

export async function readOwnJob(queries: Queries, actor: Actor, id: string): Promise<ExportJob> {
  const [job] = await queries
    .select()
    .from(table)
    .where(and(eq(table.id, id), ownJobsCondition(actor)));
  if (!job) throw createAppError('NOT_FOUND');
  return job;
}

/** Ends a job without a file. */
export async function endJobWithoutFile(
  tx: Tx,
  id: string,
  {
    state,
    problem = null,
    at: endedAt,
  }: { state: 'failed' | 'canceled' | 'expired'; problem?: ExportJob['problem']; at: number },
): Promise<ExportJob> {
  await tx.delete(exportParts).where(eq(exportParts.exportId, id));
  const [endedJob] = await tx
    .update(table)
    .set({ state, problem, endedAt: new Date(endedAt), runner: null, leasedUntil: null, expiresAt: null })
    .where(eq(table.id, id))
    .returning();
  if (!endedJob) throw new Error('the export disappeared');
  return endedJob;
}

export async function* readParts(db: Db, exportId: string): AsyncGenerator<Uint8Array> {
  for (let partNumber = 0; ; partNumber++) {
    const [exportPart] = await db
      .select({ content: exportParts.content })
      .from(exportParts)
      .where(and(eq(exportParts.exportId, exportId), eq(exportParts.number, partNumber)));
    if (exportPart) yield exportPart.content;
    else if (await hasAllParts(db, exportId, partNumber)) return;
    else throw new Error('the export expired during its download');
  }
}

async function hasAllParts(db: Db, exportId: string, parts: number): Promise<boolean> {
  const [storedParts] = await db.select({ parts: count() }).from(exportParts).where(eq(exportParts.exportId, exportId));
  return parts > 0 && storedParts?.parts === parts;
}

export async function deleteExpiredExports({ database: { db }, now }: Services): Promise<void> {
  const nowMs = now();
  const dueJobs = await db
    .select({ id: table.id })
    .from(table)
    .where(and(eq(table.state, 'done'), lte(table.expiresAt, new Date(nowMs))))
    .orderBy(asc(table.expiresAt));
  for (const { id } of dueJobs) await db.transaction((tx) => endJobWithoutFile(tx, id, { state: 'expired', at: nowMs }));
  await db.delete(table).where(and(sql`not ${unfinishedCondition}`, lt(table.endedAt, new Date(nowMs - jobRetentionMs))));
}
