import { and, asc, count, eq, inArray, isNull, or, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import type { PgTable } from 'drizzle-orm/pg-core';
import type pg from 'pg';
import { exportLimits } from '../../../api/exports/contract.ts';
import type { MenuPath } from '../../../api/menu.ts';
import type { Permission } from '../../../api/names.ts';
import { recordAudit } from '../audit/audit.ts';
import { currentHolders, holdersOf } from '../auth/rights/current-holders.ts';
import { newId } from '../core/ids.ts';
import { describeError } from '../core/log.ts';
import type { Queries } from '../db/db.ts';
import { isDue } from '../db/due.ts';
import { streamRows } from '../db/read-rows.ts';
import type { QueryContext, Services } from '../services/context.ts';
import { exportBytes } from './file.ts';
import { endWithoutFile, fileExpiry, onExportCheck, type ExportJob } from './jobs.ts';
import { entityOfExport, exportSources, separateDatabase, type ExportPlan, type ExportSource } from './source.ts';
import { exportJobs as table, exportParts } from './tables.ts';

const pollMs = 1_000;
const maxAttempts = 3;
const maxLeaseMs = 60_000;
const maxConcurrency = 2;
const batch = 500;
const partBytes = 1024 * 1024;
/** Limits a step and a pause between two. */
const stepMs = 60_000;

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
      await fail(services, job, runner, 'interrupted');
      continue;
    }
    try {
      if ((await new ExportRun(services, job, source, runner, options).run()) === 'stopped') return;
    } catch (error) {
      services.log.error({ err: describeError(error), export: job.id, attempts: job.attempts }, 'export failed');
      if (job.attempts >= maxAttempts) await fail(services, job, runner, 'interrupted');
      else await release(services, job, runner, 1_000 * 2 ** job.attempts);
    }
  }
}

async function leaseJob({ database: { db }, now }: Services, runner: string, { leaseMs = 30_000 }: WorkOptions) {
  const at = new Date(now());
  const due = db
    .select({ id: table.id })
    .from(table)
    .where(
      and(
        inArray(table.state, ['queued', 'running']),
        inArray(table.list, [...exportSources.keys()]), // a newer version may have further lists
        or(isNull(table.leasedUntil), isDue(table.leasedUntil, at.getTime(), maxLeaseMs)),
      ),
    )
    .orderBy(asc(table.createdAt))
    .limit(1)
    .for('update', { skipLocked: true });
  const [leased] = await db
    .update(table)
    .set({ state: 'running', runner, leasedUntil: new Date(at.getTime() + leaseMs), attempts: sql`${table.attempts} + 1` })
    .where(eq(table.id, sql`(${due})`))
    .returning();
  return leased ?? null;
}

const mine = (id: string, runner: string) => and(eq(table.id, id), eq(table.runner, runner), eq(table.state, 'running'));

type Outcome = 'ended' | 'stopped';

class Stopped extends Error {}
class LeaseLost extends Error {}
class Refused extends Error {
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

  async run(): Promise<Outcome> {
    const { database } = this.#services;
    let client: pg.Client | null = null;
    try {
      await this.#requireRights(database.db);
      await database.db.delete(exportParts).where(eq(exportParts.exportId, this.#job.id));
      const plan = await this.#plan();
      client = await (separateDatabase(this.#source, this.#services) ?? database).connect();
      await client.query('begin isolation level repeatable read read only');
      await client.query(`set local statement_timeout = '${stepMs}ms'`);
      await client.query(`set local idle_in_transaction_session_timeout = '${stepMs}ms'`);
      await this.#write(client, plan);
      await this.#finish();
      return 'ended';
    } catch (error) {
      if (error instanceof LeaseLost) return 'ended';
      if (error instanceof Stopped) {
        await release(this.#services, this.#job, this.#runner, 0, true);
        return 'stopped';
      }
      if (!(error instanceof Refused)) throw error;
      await fail(this.#services, this.#job, this.#runner, error.problem);
      return 'ended';
    } finally {
      await client?.end().catch(() => {});
    }
  }

  async #plan(): Promise<ExportPlan<PgTable['$inferSelect']>> {
    const input = this.#source.input.parse(JSON.parse(this.#job.input));
    return this.#source.plan(contextOf(this.#services, this.#job), input, this.#job.through);
  }

  async #write(client: pg.Client, plan: ExportPlan<PgTable['$inferSelect']>): Promise<void> {
    const [found] = await drizzle(client).select({ rows: count() }).from(this.#source.table).where(plan.where);
    await this.#report({ total: found?.rows ?? 0 });
    const rows = plan.pages?.(client, batch) ?? streamRows(client, this.#source.table, plan, batch);
    const pages = this.#counted(rows);
    let held: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of exportBytes(this.#job.format, this.#job.list, plan.columns, pages)) {
      held.push(chunk);
      size += chunk.length;
      if (size < partBytes) continue;
      await this.#store(Buffer.concat(held));
      held = [];
      size = 0;
    }
    await this.#store(Buffer.concat(held));
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
    if (this.#bytes > (this.#options.maxBytes ?? exportLimits.bytes)) throw new Refused('tooLarge');
    await this.#services.database.db.insert(exportParts).values({ exportId: this.#job.id, number: this.#parts++, content });
  }

  /** Extends the lease. Throws LeaseLost after a cancellation too. */
  async #report(more: { total?: number } = {}): Promise<void> {
    const { database, now } = this.#services;
    this.#reportedAt = Date.now();
    const leasedUntil = new Date(now() + (this.#options.leaseMs ?? 30_000));
    const [job] = await database.db
      .update(table)
      .set({ ...more, written: this.#rows, bytes: this.#bytes, leasedUntil })
      .where(mine(this.#job.id, this.#runner))
      .returning();
    if (!job) throw new LeaseLost();
    await this.#requireRights(database.db);
    if (this.#options.continueExport && !(await this.#options.continueExport(job))) throw new Stopped();
  }

  async #requireRights(queries: Queries): Promise<void> {
    for (const right of rightsOf(this.#source))
      if ((await holdersOf(queries, { services: this.#services }, [this.#job.administratorId], right)).size === 0)
        throw new Refused('forbidden');
  }

  async #finish(): Promise<void> {
    const { database, now } = this.#services;
    const at = now();
    await database.db.transaction(async (tx) => {
      for (const right of rightsOf(this.#source))
        if ((await currentHolders(tx, { services: this.#services }, [this.#job.administratorId], right)).size === 0)
          throw new Refused('forbidden');
      const [done] = await tx
        .update(table)
        .set({
          state: 'done',
          written: this.#rows,
          bytes: this.#bytes,
          endedAt: new Date(at),
          expiresAt: fileExpiry(at),
          runner: null,
          leasedUntil: null,
        })
        .where(mine(this.#job.id, this.#runner))
        .returning();
      if (!done) throw new LeaseLost();
      await auditEnd(tx, this.#services, done, 'done');
    });
  }
}

const rightsOf = ({ permission, menu }: ExportSource): (Permission | MenuPath)[] => [permission, menu];

/** A job acts for the person who started it. */
const contextOf = (services: Services, job: ExportJob): QueryContext => ({
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

const auditEnd = (tx: Parameters<typeof recordAudit>[0], services: Services, job: ExportJob, action: 'done' | 'failed') =>
  recordAudit(
    tx,
    {
      ...contextOf(services, job),
      actor: { id: job.administratorId, email: job.administratorEmail },
      command: exportSources.get(job.list)?.permission ?? null,
    },
    [
      {
        entity: entityOfExport(job.list),
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

async function fail(
  services: Services,
  job: ExportJob,
  runner: string,
  problem: NonNullable<ExportJob['problem']>,
): Promise<void> {
  await services.database.db.transaction(async (tx) => {
    const [own] = await tx.select({ id: table.id }).from(table).where(mine(job.id, runner)).for('update');
    if (!own) return;
    const failed = await endWithoutFile(tx, job.id, { state: 'failed', problem, at: services.now() });
    await auditEnd(tx, services, failed, 'failed');
  });
}

/** Another attempt follows. A shutdown doesn't count as one. */
async function release(
  { database, now }: Services,
  job: ExportJob,
  runner: string,
  waitMs: number,
  uncounted = false,
): Promise<void> {
  await database.db
    .update(table)
    .set({
      state: 'queued',
      runner: null,
      leasedUntil: waitMs > 0 ? new Date(now() + waitMs) : null,
      attempts: sql`${table.attempts} - ${uncounted ? 1 : 0}`,
    })
    .where(mine(job.id, runner));
}

export function startExporter(services: Services): () => Promise<void> {
  const running = new Set<Promise<void>>();
  let stopped = false;
  const checkForWork = () => {
    if (stopped || running.size >= maxConcurrency) return;
    const run = runExports(services, { continueExport: () => !stopped })
      .catch((error: unknown) => services.log.warn({ err: describeError(error) }, 'could not look for exports, will retry'))
      .finally(() => running.delete(run));
    running.add(run);
  };
  onExportCheck(services, checkForWork);
  const timer = setInterval(checkForWork, pollMs);
  timer.unref();
  return async () => {
    stopped = true;
    clearInterval(timer);
    await Promise.all(running);
  };
}
