import { and, asc, eq, isNull, or, sql } from 'drizzle-orm';
import { recordAudit } from '../platform/audit/audit.ts';
import { memoizePerServer, type Services } from '../platform/services/context.ts';
import { forgetCounts } from '../platform/db/count.ts';
import { isDue } from '../platform/db/due.ts';
import { codeOf } from '../platform/core/error-code.ts';
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
  const runner = newId();
  for (let leased = await leaseImport(services, runner, options); leased; leased = await leaseImport(services, runner, options)) {
    try {
      if (!(await work(services, leased, runner, options))) return;
    } catch (error) {
      services.log.error({ err: describeError(error), import: leased.id, attempts: leased.attempts }, 'import failed');
      await postpone(services, leased, runner, error);
    }
  }
}

async function leaseImport({ database: { db }, now }: Services, runner: string, { leaseMs = 30_000 }: WorkOptions) {
  const at = new Date(now());
  const dueImports = db
    .select({ id: imports.id })
    .from(imports)
    .where(
      and(eq(imports.state, 'running'), or(isNull(imports.leasedUntil), isDue(imports.leasedUntil, at.getTime(), maxLeaseMs))),
    )
    .orderBy(asc(imports.startedAt))
    .limit(1)
    .for('update', { skipLocked: true });
  const [taken] = await db
    .update(imports)
    .set({ runner, leasedUntil: new Date(at.getTime() + leaseMs), attempts: sql`${imports.attempts} + 1` })
    .where(eq(imports.id, sql`(${dueImports})`))
    .returning();
  return taken ?? null;
}

/** Until done, canceled or taken over. False: stopped. */
async function work(services: Services, leased: Import, runner: string, options: WorkOptions): Promise<boolean> {
  const { size = 1_000, continueImport } = options;
  const file = await readFile(services.database.db, leased);
  if (!file) throw new Error('the file of the import was deleted');
  let batches = 0;
  for await (const checked of checkRows(leased.kind, file, { after: leased.line, size })) {
    if (!(await writeBatch(services, leased.id, runner, checked, options))) return true;
    forgetCounts(services);
    if (continueImport && !(await continueImport(++batches))) {
      await services.database.db.update(imports).set({ leasedUntil: null }).where(isLeasedBy(leased.id, runner));
      return false;
    }
  }
  await finish(services, leased.id, runner);
  return true;
}

const isLeasedBy = (id: string, runner: string) =>
  and(eq(imports.id, id), eq(imports.runner, runner), eq(imports.state, 'running'));

/** One transaction for rows, refusals and progress. False: the lease was lost. */
async function writeBatch(
  { database: { db }, now }: Services,
  id: string,
  runner: string,
  { rows, good, bad }: CheckedRows,
  { leaseMs = 30_000 }: WorkOptions,
): Promise<boolean> {
  const at = new Date(now());
  return db.transaction(async (tx) => {
    const [own] = await tx.select().from(imports).where(isLeasedBy(id, runner)).for('update');
    const [first] = rows;
    const last = rows.at(-1);
    if (!own || !first || !last || first.line <= own.line) return false;
    const kind = importHandlers[own.kind];
    const refused = await kind.screen(tx).refuse(good);
    const lines = new Set(refused.map(({ line }) => line));
    const importable = good.filter(({ line }) => !lines.has(line));
    await kind.put(tx, own, importable, { id: own.administratorId, email: own.administratorEmail, at });
    const excluded = [...bad, ...refused].map(({ line, cells, texts, issues }) => ({
      importId: id,
      line,
      cells: JSON.stringify(cells),
      texts: JSON.stringify(texts),
      issues: JSON.stringify(issues),
    }));
    if (excluded.length > 0) await tx.insert(importRows).values(excluded);
    await tx
      .update(imports)
      .set({
        line: last.line,
        worked: own.worked + rows.length,
        imported: own.imported + importable.length,
        leasedUntil: new Date(at.getTime() + leaseMs),
        attempts: 0,
      })
      .where(eq(imports.id, id));
    return true;
  });
}

/** Deletes the file and writes the audit. */
async function finish(services: Services, id: string, runner: string): Promise<void> {
  const at = new Date(services.now());
  await services.database.db.transaction(async (tx) => {
    const [row] = await tx
      .update(imports)
      .set({ state: 'done', endedAt: at, runner: null, leasedUntil: null, version: sql`${imports.version} + 1` })
      .where(isLeasedBy(id, runner))
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
async function postpone(services: Services, leased: Import, runner: string, error: unknown): Promise<void> {
  const { database, now } = services;
  const at = now();
  const transient = codeOf(error) === '40P01' || codeOf(error) === '40001';
  await database.db.transaction(async (tx) => {
    const [own] = await tx.select().from(imports).where(isLeasedBy(leased.id, runner)).for('update');
    if (!own) return;
    if (own.attempts < maxAttempts) {
      const wait = transient ? 0 : 1_000 * 2 ** own.attempts;
      await tx
        .update(imports)
        .set({ leasedUntil: new Date(at + wait) })
        .where(eq(imports.id, leased.id));
      return;
    }
    const [row] = await tx
      .update(imports)
      .set({ state: 'failed', endedAt: new Date(at), runner: null, leasedUntil: null, version: sql`${imports.version} + 1` })
      .where(eq(imports.id, leased.id))
      .returning();
    if (row)
      await recordAudit(tx, actorOfImport(services, row), [
        { entity: 'import', id: row.id, action: 'failed', after: presentForAudit(row) },
      ]);
  });
}

const pollerOf = memoizePerServer(() => ({ now: () => {} }));

/** After the caller's transaction commits. */
export const checkForImports = (services: Services): void => pollerOf(services).now();

export function startImporter(services: Services): () => Promise<void> {
  let running: Promise<void> | null = null;
  let again = false;
  let stopped = false;
  const checkForWork = () => {
    if (stopped) return;
    again = running !== null;
    running ??= runImports(services, { continueImport: () => !stopped })
      .catch((error: unknown) => services.log.warn({ err: describeError(error) }, 'could not look for imports, will retry'))
      .finally(() => {
        running = null;
        if (again) checkForWork();
      });
  };
  pollerOf(services).now = checkForWork;
  const timer = setInterval(checkForWork, pollMs);
  timer.unref();
  return async () => {
    stopped = true;
    clearInterval(timer);
    await running;
  };
}
