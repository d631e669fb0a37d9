import { count, sql, type SQL } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type pg from 'pg';
import type * as z from 'zod/mini';
import type { ExportFormat } from '../../../api/base.ts';
import type { ExportJobRow } from '../../../api/exports/contract.ts';
import type { MenuPath } from '../../../api/menu.ts';
import type { Permission } from '../../../api/names.ts';
import type { StatisticsDatabase, Tx } from '../db/db.ts';
import { createAppError } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import { writeOnce } from '../records/write.ts';
import { requireActor, type QueryContext, type RequestContext, type Services } from '../services/context.ts';
import type { ExportColumn, ExportWording } from './columns.ts';
import { addJob, checkForExports, type ExportJob } from './jobs.ts';

export interface ExportPlan<Row> {
  where: SQL | undefined;
  order: readonly PgColumn[];
  ascending: boolean;
  columns: readonly ExportColumn<Row>[];
  /** Replaces the cursor over all rows. Batches of this size, of which only the last may be smaller. */
  pages?: (client: pg.Client, batch: number) => AsyncGenerator<Row[]>;
}

export interface ExportSource<Table extends PgTable = PgTable, Asked extends z.ZodMiniObject = z.ZodMiniObject> {
  /** File name. With `Export` behind it, the audit's entity. */
  name: string;
  /** GET, ending in `/:id`. */
  path: string;
  /** Of the route, and the command in the audit. */
  permission: Permission;
  /** The screen whose rows are exported. */
  menu: MenuPath;
  table: Table;
  input: Asked;
  /** Unless the rows are in the panel's database. They are then counted there, before the audit row is written. */
  from?: (services: Services) => StatisticsDatabase;
  /** Upper bound for tables that grow with each request. */
  through?: (tx: Tx) => Promise<number>;
  plan: (
    context: QueryContext,
    input: z.infer<Asked>,
    upperBound: number,
  ) => ExportPlan<Table['$inferSelect']> | Promise<ExportPlan<Table['$inferSelect']>>;
}

type ExportInput = ExportWording & { format?: ExportFormat | undefined };

const countMs = 60_000;
const sourcesByList = new Map<string, ExportSource>();

export const exportSources: ReadonlyMap<string, ExportSource> = sourcesByList;

export const exportEntityOf = (list: string): string => `${list}Export`;

export const toExportJobRow = (job: ExportJob): ExportJobRow => ({
  id: job.id,
  list: job.list,
  path: exportSources.get(job.list)?.path.replace(':id', job.id) ?? '',
  format: job.format,
  state: job.state,
  problem: job.problem,
  rows: job.written,
  total: job.total,
  bytes: job.bytes,
  createdAt: job.createdAt.toISOString(),
  endedAt: job.endedAt?.toISOString() ?? null,
  expiresAt: job.expiresAt?.toISOString() ?? null,
});

/** The database of the rows, if it is not the panel's. */
export function openSeparateDatabase({ from }: Pick<ExportSource, 'from'>, services: Services): StatisticsDatabase | null {
  const database = from?.(services);
  return database?.isSeparate ? database : null;
}

/** Registers a list. `start` counts its rows, audits the export and queues its job. */
export function createExportHandler<Table extends PgTable, Input extends z.ZodMiniObject>(source: ExportSource<Table, Input>) {
  const { name, menu, table, plan: createPlan } = source;
  sourcesByList.set(name, source as unknown as ExportSource);
  return {
    start: async (context: RequestContext, input: z.infer<Input> & ExportInput) => {
      const startedJob = await writeOnce(context, input, async (tx, recordAudit) => {
        if (!requireActor(context).granted.has(menu)) throw createAppError('FORBIDDEN');
        await tx.execute(sql`set local statement_timeout = ${sql.raw(`'${countMs}ms'`)}`);
        const upperBound = (await source.through?.(tx)) ?? 0;
        const { where } = await createPlan({ ...context, db: tx }, input, upperBound);
        const separateStatistics = openSeparateDatabase(source, context.services);
        const [rowCountRow] = await (separateStatistics ? separateStatistics.db : tx)
          .select({ rows: count() })
          .from(table as PgTable)
          .where(where);
        const id = newId();
        const rows = rowCountRow?.rows ?? 0;
        await addJob(tx, context, {
          id,
          list: name,
          format: input.format ?? 'csv',
          input: JSON.stringify(input),
          through: upperBound,
          total: rows,
        });
        recordAudit({
          entity: exportEntityOf(name),
          id,
          after: { ...input, rows, ...(source.through ? { through: upperBound } : {}) },
        });
        return { id, rows };
      });
      checkForExports(context.services);
      return startedJob;
    },
  };
}
