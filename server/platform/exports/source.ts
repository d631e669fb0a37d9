import { count, sql, type SQL } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type pg from 'pg';
import type * as z from 'zod/mini';
import type { ExportFormat } from '../../../api/base.ts';
import type { ExportJobRow } from '../../../api/exports/contract.ts';
import type { MenuPath } from '../../../api/menu.ts';
import type { Permission } from '../../../api/names.ts';
import type { StatisticsDatabase, Tx } from '../db/db.ts';
import { appError } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import { writeOnce } from '../records/write.ts';
import { actorOf, type QueryContext, type RequestContext, type Services } from '../services/context.ts';
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
    through: number,
  ) => ExportPlan<Table['$inferSelect']> | Promise<ExportPlan<Table['$inferSelect']>>;
}

type Asked = ExportWording & { format?: ExportFormat | undefined };

const countMs = 60_000;
const sources = new Map<string, ExportSource>();

export const exportSources: ReadonlyMap<string, ExportSource> = sources;

export const entityOfExport = (list: string): string => `${list}Export`;

export const presentJob = (job: ExportJob): ExportJobRow => ({
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
export function separateDatabase({ from }: Pick<ExportSource, 'from'>, services: Services): StatisticsDatabase | null {
  const database = from?.(services);
  return database?.isSeparate ? database : null;
}

/** Registers a list. `start` counts its rows, audits the export and queues its job. */
export function exportOf<Table extends PgTable, Input extends z.ZodMiniObject>(source: ExportSource<Table, Input>) {
  const { name, menu, table, plan } = source;
  sources.set(name, source as unknown as ExportSource);
  return {
    start: async (context: RequestContext, input: z.infer<Input> & Asked) => {
      const started = await writeOnce(context, input, async (tx, note) => {
        if (!actorOf(context).granted.has(menu)) throw appError('FORBIDDEN');
        await tx.execute(sql`set local statement_timeout = ${sql.raw(`'${countMs}ms'`)}`);
        const through = (await source.through?.(tx)) ?? 0;
        const { where } = await plan({ ...context, db: tx }, input, through);
        const separate = separateDatabase(source, context.services);
        const [found] = await (separate ? separate.db : tx)
          .select({ rows: count() })
          .from(table as PgTable)
          .where(where);
        const id = newId();
        const rows = found?.rows ?? 0;
        await addJob(tx, context, {
          id,
          list: name,
          format: input.format ?? 'csv',
          input: JSON.stringify(input),
          through,
          total: rows,
        });
        note({ entity: entityOfExport(name), id, after: { ...input, rows, ...(source.through ? { through } : {}) } });
        return { id, rows };
      });
      checkForExports(context.services);
      return started;
    },
  };
}
