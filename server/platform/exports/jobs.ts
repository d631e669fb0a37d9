import { and, asc, count, desc, eq, inArray, lt, lte, notInArray, sql } from 'drizzle-orm';
import { exportLimits } from '../../../api/exports/contract.ts';
import { appError } from '../core/errors.ts';
import type { Db, Queries, Tx } from '../db/db.ts';
import { requirePerson, memoizePerServer, type RequestContext, type Services } from '../services/context.ts';
import { exportJobs as table, exportParts } from './tables.ts';

const looks = memoizePerServer(() => ({ now: () => {} }));

/** After the caller's transaction commits. */
export const checkForExports = (services: Services): void => looks(services).now();

export const onExportCheck = (services: Services, check: () => void): void => void (looks(services).now = check);

export type ExportJob = typeof table.$inferSelect;

const hourMs = 3_600_000;
const keptRowsMs = 7 * 24 * hourMs;

export const isUnfinished = inArray(table.state, ['queued', 'running']);

export const fileExpiry = (at: number): Date => new Date(at + exportLimits.hours * hourMs);

/** Refuses a further export of a person who runs as many as allowed, and makes room among finished ones. */
export async function addJob(
  tx: Tx,
  context: RequestContext,
  job: Pick<typeof table.$inferInsert, 'id' | 'list' | 'format' | 'input' | 'through' | 'total'>,
): Promise<void> {
  const { id: administratorId, email: administratorEmail } = requirePerson(context);
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`exports ${administratorId}`}, 0))`);
  const ownJobs = eq(table.administratorId, administratorId);
  const [running] = await tx.select({ jobs: count() }).from(table).where(and(ownJobs, isUnfinished));
  if ((running?.jobs ?? 0) >= exportLimits.running) throw appError('EXPORT_LIMIT', { limit: exportLimits.running });
  const kept = tx
    .select({ id: table.id })
    .from(table)
    .where(ownJobs)
    .orderBy(desc(table.createdAt), desc(table.id))
    .limit(exportLimits.kept - 1);
  await tx.delete(table).where(and(ownJobs, sql`not ${isUnfinished}`, notInArray(table.id, kept)));
  await tx
    .insert(table)
    .values({ ...job, administratorId, administratorEmail, state: 'queued', createdAt: new Date(context.services.now()) });
}

export const ownJobs = (queries: Queries, administratorId: string): Promise<ExportJob[]> =>
  queries
    .select()
    .from(table)
    .where(eq(table.administratorId, administratorId))
    .orderBy(desc(table.createdAt), desc(table.id))
    .limit(exportLimits.kept + exportLimits.running);

export async function ownJob(queries: Queries, administratorId: string, id: string): Promise<ExportJob> {
  const [job] = await queries
    .select()
    .from(table)
    .where(and(eq(table.id, id), eq(table.administratorId, administratorId)));
  if (!job) throw appError('NOT_FOUND');
  return job;
}

/** Ends a job without a file. */
export async function endWithoutFile(
  tx: Tx,
  id: string,
  { state, problem = null, at }: { state: 'failed' | 'canceled' | 'expired'; problem?: ExportJob['problem']; at: number },
): Promise<ExportJob> {
  await tx.delete(exportParts).where(eq(exportParts.exportId, id));
  const [ended] = await tx
    .update(table)
    .set({ state, problem, endedAt: new Date(at), runner: null, leasedUntil: null, expiresAt: null })
    .where(eq(table.id, id))
    .returning();
  if (!ended) throw new Error('the export disappeared');
  return ended;
}

export async function* partsOf(db: Db, exportId: string): AsyncGenerator<Uint8Array> {
  for (let number = 0; ; number++) {
    const [part] = await db
      .select({ content: exportParts.content })
      .from(exportParts)
      .where(and(eq(exportParts.exportId, exportId), eq(exportParts.number, number)));
    if (part) yield part.content;
    else if (await isWhole(db, exportId, number)) return;
    else throw new Error('the export expired during its download');
  }
}

async function isWhole(db: Db, exportId: string, parts: number): Promise<boolean> {
  const [found] = await db.select({ parts: count() }).from(exportParts).where(eq(exportParts.exportId, exportId));
  return parts > 0 && found?.parts === parts;
}

export async function sweepExports({ database: { db }, now }: Services): Promise<void> {
  const at = now();
  const due = await db
    .select({ id: table.id })
    .from(table)
    .where(and(eq(table.state, 'done'), lte(table.expiresAt, new Date(at))))
    .orderBy(asc(table.expiresAt));
  for (const { id } of due) await db.transaction((tx) => endWithoutFile(tx, id, { state: 'expired', at }));
  await db.delete(table).where(and(sql`not ${isUnfinished}`, lt(table.endedAt, new Date(at - keptRowsMs))));
}
