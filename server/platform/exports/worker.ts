import { and, asc, count, eq, inArray, isNull, or, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import type { PgTable } from 'drizzle-orm/pg-core';
import type pg from 'pg';
import { exportLimits } from '../../../api/exports/contract.ts';
import type { MenuPath } from '../../../api/menu.ts';
import type { Permission } from '../../../api/names.ts';
import { recordAudit } from '../audit/audit.ts';
import { holdersOf } from '../auth/rights/current-holders.ts';
import { lockAccessShared } from '../auth/rights/escalation.ts';
import { findTokenRefusal } from '../auth/rights/still-allowed.ts';
import { isServiceScope } from '../auth/service-accounts/service-rights.ts';
import { newId } from '../core/ids.ts';
import { describeError } from '../core/log.ts';
import type { Queries } from '../db/db.ts';
import { dueCondition } from '../db/due.ts';
import { streamRows } from '../db/read-rows.ts';
import type { QueryContext, Services } from '../services/context.ts';
import { createExportBytes } from './file.ts';
import { endJobWithoutFile, computeFileExpiry, onExportCheck, type ExportJob } from './jobs.ts';
import { exportEntityOf, exportSources, openSeparateDatabase, type ExportPlan, type ExportSource } from './source.ts';
import { exportJobs as table, exportParts } from './tables.ts';

const pollMs = 1_000;
const maxAttempts = 3;
const maxLeaseMs = 60_000;
const maxConcurrency = 2;
const batchSize = 500;
const partBytes = 1024 * 1024;
/** Limits a step and a pause between two. */
const pauseMs = 60_000;

interface WorkOptions {
  leaseMs?: number;
  /** Time between two reports of progress. */
  reportMs?: number;
  maxBytes?: number;
  /** Called after each report. False stops like a shutdown. */
  continueExport?: (job: ExportJob) => boolean | Promise<boolean>;
}

/** Runs queued exports until none is left. A lease gives each export to one process at a time. */
export async function runExports(services: Services, options: WorkOptions = {}): Promise<void> {
  for (;;) {
    const runner = newId();
    const job = await leaseJob(services, runner, options);
    if (!job) return;
    const source = exportSources.get(job.list);
    if (!source) return;
    if (job.attempts > maxAttempts) {
      await failJob(services, job, runner, 'interrupted');
      continue;
    }
    try {
      if ((await new ExportRun(services, job, source, runner, options).run()) === 'stopped') return;
    } catch (error) {
      services.log.error({ err: describeError(error), export: job.id, attempts: job.attempts }, 'export failed');
      if (job.attempts >= maxAttempts) await failJob(services, job, runner, 'interrupted');
      else await releaseJob(services, job, runner, 1_000 * 2 ** job.attempts);
    }
  }
}

async function leaseJob({ database: { db }, now }: Services, runner: string, { leaseMs = 30_000 }: WorkOptions) {
  const currentTime = new Date(now());
  const dueJob = db
    .select({ id: table.id })
    .from(table)
    .where(
      and(
        inArray(table.state, ['queued', 'running']),
        inArray(table.list, [...exportSources.keys()]), // a newer version may have further lists
        or(isNull(table.leasedUntil), dueCondition(table.leasedUntil, currentTime.getTime(), maxLeaseMs)),
      ),
    )
    .orderBy(asc(table.createdAt))
    .limit(1)
    .for('update', { skipLocked: true });
  const [leasedJob] = await db
    .update(table)
    .set({
      state: 'running',
      runner,
      leasedUntil: new Date(currentTime.getTime() + leaseMs),
      attempts: sql`${table.attempts} + 1`,
    })
    .where(eq(table.id, sql`(${dueJob})`))
    .returning();
  return leasedJob ?? null;
}

const ownJobCondition = (id: string, runner: string) =>
  and(eq(table.id, id), eq(table.runner, runner), eq(table.state, 'running'));

type RunOutcome = 'ended' | 'stopped';

class StoppedError extends Error {}
class LeaseLostError extends Error {}
class RefusedError extends Error {
  readonly problem: 'forbidden' | 'tooLarge';
  constructor(problem: 'forbidden' | 'tooLarge') {
    super(problem);
    this.problem = problem;
  }
}

/** One attempt, from the first row. */
class ExportRun {
  readonly #services: Services;
  readonly #job: ExportJob;
  readonly #source: ExportSource;
  readonly #runner: string;
  readonly #options: WorkOptions;
  #rows = 0;
  #bytes = 0;
  #parts = 0;
  #reportedAt = 0;

  constructor(services: Services, job: ExportJob, source: ExportSource, runner: string, options: WorkOptions) {
    this.#services = services;
    this.#job = job;
    this.#source = source;
    this.#runner = runner;
    this.#options = options;
  }

  async run(): Promise<RunOutcome> {
    const { database } = this.#services;
    let client: pg.Client | null = null;
    try {
      await this.#requireRights(database.db);
      await database.db.delete(exportParts).where(eq(exportParts.exportId, this.#job.id));
      const plan = await this.#plan();
      client = await (openSeparateDatabase(this.#source, this.#services) ?? database).connect();
      await client.query('begin isolation level repeatable read read only');
      await client.query(`set local statement_timeout = '${pauseMs}ms'`);
      await client.query(`set local idle_in_transaction_session_timeout = '${pauseMs}ms'`);
      await this.#write(client, plan);
      await this.#finish();
      return 'ended';
    } catch (error) {
      if (error instanceof LeaseLostError) return 'ended';
      if (error instanceof StoppedError) {
        await releaseJob(this.#services, this.#job, this.#runner, 0, true);
        return 'stopped';
      }
      if (!(error instanceof RefusedError)) throw error;
      await failJob(this.#services, this.#job, this.#runner, error.problem);
      return 'ended';
    } finally {
      await client?.end().catch(() => {});
    }
  }

  async #plan(): Promise<ExportPlan<PgTable['$inferSelect']>> {
    const input = this.#source.input.parse(JSON.parse(this.#job.input));
    return this.#source.plan(createJobContext(this.#services, this.#job), input, this.#job.through);
  }

  async #write(client: pg.Client, plan: ExportPlan<PgTable['$inferSelect']>): Promise<void> {
    const [rowCountRow] = await drizzle(client).select({ rows: count() }).from(this.#source.table).where(plan.where);
    await this.#report({ total: rowCountRow?.rows ?? 0 });
    const rows = plan.pages?.(client, batchSize) ?? streamRows(client, this.#source.table, plan, batchSize);
    const pages = this.#counted(rows);
    let heldParts: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of createExportBytes(this.#job.format, this.#job.list, plan.columns, pages)) {
      heldParts.push(chunk);
      size += chunk.length;
      if (size < partBytes) continue;
      await this.#store(Buffer.concat(heldParts));
      heldParts = [];
      size = 0;
    }
    await this.#store(Buffer.concat(heldParts));
  }

  async *#counted<Row>(pages: AsyncIterable<Row[]>): AsyncGenerator<Row[]> {
    for await (const page of pages) {
      if (page.length > 0) yield page;
      this.#rows += page.length;
      if (Date.now() - this.#reportedAt >= (this.#options.reportMs ?? 1_000)) await this.#report();
    }
  }

  async #store(content: Buffer): Promise<void> {
    this.#bytes += content.length;
    if (this.#bytes > (this.#options.maxBytes ?? exportLimits.bytes)) throw new RefusedError('tooLarge');
    await this.#services.database.db.insert(exportParts).values({ exportId: this.#job.id, number: this.#parts++, content });
  }

  /** Extends the lease. Throws LeaseLost after a cancellation too. */
  async #report(extraFields: { total?: number } = {}): Promise<void> {
    const { database, now } = this.#services;
    this.#reportedAt = Date.now();
    const leasedUntil = new Date(now() + (this.#options.leaseMs ?? 30_000));
    const [job] = await database.db
      .update(table)
      .set({ ...extraFields, written: this.#rows, bytes: this.#bytes, leasedUntil })
      .where(ownJobCondition(this.#job.id, this.#runner))
      .returning();
    if (!job) throw new LeaseLostError();
    await this.#requireRights(database.db);
    if (this.#options.continueExport && !(await this.#options.continueExport(job))) throw new StoppedError();
  }

  /** In a transaction, the rights stay until it commits. */
  async #requireRights(queries: Queries): Promise<void> {
    for (const permission of listPermissions(this.#source))
      if (!(await this.#hasRight(queries, permission))) throw new RefusedError('forbidden');
  }

  async #hasRight(queries: Queries, permission: Permission | MenuPath): Promise<boolean> {
    const { administratorId, serviceAccountId, tokenId } = this.#job;
    if (serviceAccountId !== null && tokenId !== null)
      return (
        isServiceScope(permission) &&
        (await findTokenRefusal(queries, this.#services, { id: serviceAccountId, tokenId }, permission)) === null
      );
    if (administratorId === null) return false;
    return (await holdersOf(queries, { services: this.#services }, [administratorId], permission)).size > 0;
  }

  async #finish(): Promise<void> {
    const { database, now } = this.#services;
    const nowMs = now();
    await database.db.transaction(async (tx) => {
      await lockAccessShared(tx);
      await this.#requireRights(tx);
      const [finishedJob] = await tx
        .update(table)
        .set({
          state: 'done',
          written: this.#rows,
          bytes: this.#bytes,
          endedAt: new Date(nowMs),
          expiresAt: computeFileExpiry(nowMs),
          runner: null,
          leasedUntil: null,
        })
        .where(ownJobCondition(this.#job.id, this.#runner))
        .returning();
      if (!finishedJob) throw new LeaseLostError();
      await recordEnd(tx, this.#services, finishedJob, 'done');
    });
  }
}

const listPermissions = ({ permission, menu }: ExportSource): (Permission | MenuPath)[] => [permission, menu];

/** A job acts for the person or service account that started it. */
const createJobContext = (services: Services, job: ExportJob): QueryContext => ({
  services,
  db: services.database.db,
  requestId: job.id,
  log: services.log,
  ip: '',
  userAgent: '',
  headers: new Headers(),
  answer: new Headers(),
  command: null,
  idempotencyKey: null,
  session: () => Promise.resolve(null),
  actor: null,
  route: null,
});

const recordEnd = (tx: Parameters<typeof recordAudit>[0], services: Services, job: ExportJob, action: 'done' | 'failed') =>
  recordAudit(
    tx,
    {
      ...createJobContext(services, job),
      actor: {
        id: job.administratorId ?? job.serviceAccountId,
        email: job.administratorEmail,
        tokenId: job.tokenId ?? undefined,
      },
      command: exportSources.get(job.list)?.permission ?? null,
    },
    [
      {
        entity: exportEntityOf(job.list),
        id: job.id,
        action,
        after: {
          ...(JSON.parse(job.input) as object),
          rows: job.written,
          bytes: job.bytes,
          ...(job.problem && { problem: job.problem }),
        },
      },
    ],
  );

async function failJob(
  services: Services,
  job: ExportJob,
  runner: string,
  problem: NonNullable<ExportJob['problem']>,
): Promise<void> {
  await services.database.db.transaction(async (tx) => {
    const [leasedJob] = await tx.select({ id: table.id }).from(table).where(ownJobCondition(job.id, runner)).for('update');
    if (!leasedJob) return;
    const failedJob = await endJobWithoutFile(tx, job.id, { state: 'failed', problem, at: services.now() });
    await recordEnd(tx, services, failedJob, 'failed');
  });
}

/** Another attempt follows. A shutdown doesn't count as one. */
async function releaseJob(
  { database, now }: Services,
  job: ExportJob,
  runner: string,
  waitMs: number,
  isUncounted = false,
): Promise<void> {
  await database.db
    .update(table)
    .set({
      state: 'queued',
      runner: null,
      leasedUntil: waitMs > 0 ? new Date(now() + waitMs) : null,
      attempts: sql`${table.attempts} - ${isUncounted ? 1 : 0}`,
    })
    .where(ownJobCondition(job.id, runner));
}

export function startExporter(services: Services): () => Promise<void> {
  const runningJobs = new Set<Promise<void>>();
  let isStopped = false;
  const checkForWork = () => {
    if (isStopped || runningJobs.size >= maxConcurrency) return;
    const jobRun = runExports(services, { continueExport: () => !isStopped })
      .catch((error: unknown) => services.log.warn({ err: describeError(error) }, 'could not look for exports, will retry'))
      .finally(() => runningJobs.delete(jobRun));
    runningJobs.add(jobRun);
  };
  onExportCheck(services, checkForWork);
  const timer = setInterval(checkForWork, pollMs);
  timer.unref();
  return async () => {
    isStopped = true;
    clearInterval(timer);
    await Promise.all(runningJobs);
  };
}
