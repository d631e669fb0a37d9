import { and, asc, eq, isNull, or, sql } from 'drizzle-orm';
import { recordAudit } from '../platform/audit/audit.ts';
import { memoizePerServer, type Services } from '../platform/services/context.ts';
import { forgetCounts } from '../platform/db/count.ts';
import { dueCondition } from '../platform/db/due.ts';
import { getDatabaseErrorCode } from '../platform/core/error-code.ts';
import { newId } from '../platform/core/ids.ts';
import { describeError } from '../platform/core/log.ts';
import { readFile } from './read-file.ts';
import { importFiles, importRows, imports } from './tables.ts';
import { checkRows, type CheckedRows } from './check-rows.ts';
import { importHandlers } from './import-handlers.ts';
import { presentForAudit } from './present.ts';

type Import = typeof imports.$inferSelect;

const pollMs = 1_000;
const maxAttempts = 5;
const maxLeaseMs = 60_000;

interface WorkOptions {
  /** Rows per transaction. */
  size?: number;
  /** After the last batch. */
  leaseMs?: number;
  /** Called after each batch. False stops like a shutdown. */
  continueImport?: (batches: number) => boolean | Promise<boolean>;
}

/** Runs started imports until none is left. A lease gives each import to one process at a time. */
export async function runImports(services: Services, options: WorkOptions = {}): Promise<void> {
  const runnerId = newId();
  for (
    let leasedImport = await leaseImport(services, runnerId, options);
    leasedImport;
    leasedImport = await leaseImport(services, runnerId, options)
  ) {
    try {
      if (!(await processImport(services, leasedImport, runnerId, options))) return;
    } catch (error) {
      services.log.error(
        { err: describeError(error), import: leasedImport.id, attempts: leasedImport.attempts },
        'import failed',
      );
      await postpone(services, leasedImport, runnerId, error);
    }
  }
}

async function leaseImport({ database: { db }, now }: Services, runnerId: string, { leaseMs = 30_000 }: WorkOptions) {
  const currentTime = new Date(now());
  const dueImport = db
    .select({ id: imports.id })
    .from(imports)
    .where(
      and(
        eq(imports.state, 'running'),
        or(isNull(imports.leasedUntil), dueCondition(imports.leasedUntil, currentTime.getTime(), maxLeaseMs)),
      ),
    )
    .orderBy(asc(imports.startedAt))
    .limit(1)
    .for('update', { skipLocked: true });
  const [leasedImport] = await db
    .update(imports)
    .set({ runner: runnerId, leasedUntil: new Date(currentTime.getTime() + leaseMs), attempts: sql`${imports.attempts} + 1` })
    .where(eq(imports.id, sql`(${dueImport})`))
    .returning();
  return leasedImport ?? null;
}

/** Until done, canceled or taken over. False: stopped. */
async function processImport(services: Services, leasedImport: Import, runnerId: string, options: WorkOptions): Promise<boolean> {
  const { size = 1_000, continueImport } = options;
  const file = await readFile(services.database.db, leasedImport);
  if (!file) throw new Error('the file of the import was deleted');
  let batches = 0;
  for await (const checkedRows of checkRows(leasedImport.kind, file, { after: leasedImport.line, size })) {
    if (!(await writeBatch(services, leasedImport.id, runnerId, checkedRows, options))) return true;
    forgetCounts(services);
    if (continueImport && !(await continueImport(++batches))) {
      await services.database.db.update(imports).set({ leasedUntil: null }).where(isLeasedBy(leasedImport.id, runnerId));
      return false;
    }
  }
  await completeImport(services, leasedImport.id, runnerId);
  return true;
}

const isLeasedBy = (id: string, runnerId: string) =>
  and(eq(imports.id, id), eq(imports.runner, runnerId), eq(imports.state, 'running'));

/** One transaction for rows, refusals and progress. False: the lease was lost. */
async function writeBatch(
  { database: { db }, now }: Services,
  id: string,
  runnerId: string,
  { rows, good, bad }: CheckedRows,
  { leaseMs = 30_000 }: WorkOptions,
): Promise<boolean> {
  const currentTime = new Date(now());
  return db.transaction(async (tx) => {
    const [ownedImport] = await tx.select().from(imports).where(isLeasedBy(id, runnerId)).for('update');
    const [firstRow] = rows;
    const lastRow = rows.at(-1);
    if (!ownedImport || !firstRow || !lastRow || firstRow.line <= ownedImport.line) return false;
    const kind = importHandlers[ownedImport.kind];
    const rejectedRows = await kind.screen(tx).refuse(good);
    const lines = new Set(rejectedRows.map(({ line }) => line));
    const rowsToInsert = good.filter(({ line }) => !lines.has(line));
    await kind.put(tx, ownedImport, rowsToInsert, {
      id: ownedImport.administratorId,
      email: ownedImport.administratorEmail,
      at: currentTime,
    });
    const rowsToReject = [...bad, ...rejectedRows].map(({ line, cells, texts, issues }) => ({
      importId: id,
      line,
      cells: JSON.stringify(cells),
      texts: JSON.stringify(texts),
      issues: JSON.stringify(issues),
    }));
    if (rowsToReject.length > 0) await tx.insert(importRows).values(rowsToReject);
    await tx
      .update(imports)
      .set({
        line: lastRow.line,
        worked: ownedImport.worked + rows.length,
        imported: ownedImport.imported + rowsToInsert.length,
        leasedUntil: new Date(currentTime.getTime() + leaseMs),
        attempts: 0,
      })
      .where(eq(imports.id, id));
    return true;
  });
}

/** Deletes the file and writes the audit. */
async function completeImport(services: Services, id: string, runnerId: string): Promise<void> {
  const currentTime = new Date(services.now());
  await services.database.db.transaction(async (tx) => {
    const [row] = await tx
      .update(imports)
      .set({ state: 'done', endedAt: currentTime, runner: null, leasedUntil: null, version: sql`${imports.version} + 1` })
      .where(isLeasedBy(id, runnerId))
      .returning();
    if (!row) return;
    await tx.delete(importFiles).where(eq(importFiles.importId, id));
    await recordAudit(tx, actorOfImport(services, row), [{ entity: 'import', id, action: 'done', after: presentForAudit(row) }]);
  });
}

/** A job acts for the administrator who started it. */
const actorOfImport = (services: Services, { id, kind, administratorId, administratorEmail }: Import) => ({
  services,
  route: null,
  command: `${kind}.import` as const,
  requestId: id,
  ip: '',
  idempotencyKey: null,
  actor: { id: administratorId, email: administratorEmail },
});

/** Retries after an error. After several in a row, a person must resume it. */
async function postpone(services: Services, leasedImport: Import, runnerId: string, error: unknown): Promise<void> {
  const { database, now } = services;
  const currentTime = now();
  const isTransient = getDatabaseErrorCode(error) === '40P01' || getDatabaseErrorCode(error) === '40001';
  await database.db.transaction(async (tx) => {
    const [ownedImport] = await tx.select().from(imports).where(isLeasedBy(leasedImport.id, runnerId)).for('update');
    if (!ownedImport) return;
    if (ownedImport.attempts < maxAttempts) {
      const delayMs = isTransient ? 0 : 1_000 * 2 ** ownedImport.attempts;
      await tx
        .update(imports)
        .set({ leasedUntil: new Date(currentTime + delayMs) })
        .where(eq(imports.id, leasedImport.id));
      return;
    }
    const [row] = await tx
      .update(imports)
      .set({
        state: 'failed',
        endedAt: new Date(currentTime),
        runner: null,
        leasedUntil: null,
        version: sql`${imports.version} + 1`,
      })
      .where(eq(imports.id, leasedImport.id))
      .returning();
    if (row)
      await recordAudit(tx, actorOfImport(services, row), [
        { entity: 'import', id: row.id, action: 'failed', after: presentForAudit(row) },
      ]);
  });
}

const importPoller = memoizePerServer(() => ({ now: () => {} }));

/** After the caller's transaction commits. */
export const checkForImports = (services: Services): void => importPoller(services).now();

export function startImporter(services: Services): () => Promise<void> {
  let currentRun: Promise<void> | null = null;
  let hasPendingRun = false;
  let isStopped = false;
  const checkForWork = () => {
    if (isStopped) return;
    hasPendingRun = currentRun !== null;
    currentRun ??= runImports(services, { continueImport: () => !isStopped })
      .catch((error: unknown) => services.log.warn({ err: describeError(error) }, 'could not look for imports, will retry'))
      .finally(() => {
        currentRun = null;
        if (hasPendingRun) checkForWork();
      });
  };
  importPoller(services).now = checkForWork;
  const timer = setInterval(checkForWork, pollMs);
  timer.unref();
  return async () => {
    isStopped = true;
    clearInterval(timer);
    await currentRun;
  };
}
