import { and, count, eq, gte, sql, type SQL } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type pg from 'pg';
import type * as z from 'zod/mini';
import { byteOrderMark, csvLine, type Cell } from '../../../api/csv.ts';
import type { Permission } from '../../../api/names.ts';
import { audit } from '../audit/tables.ts';
import { actorOf, memoizePerServer, type QueryContext, type RequestContext, type Services } from '../services/context.ts';
import type { Database, StatisticsDatabase, Tx } from '../db/db.ts';
import { appError } from '../core/errors.ts';
import { localTimeText, type ExportCell, type ExportColumn } from './export-columns.ts';
import { recordedRowOf } from './history.ts';
import { newId } from '../core/ids.ts';
import type { RawRoute } from '../http/raw-routes.ts';
import { streamRows } from '../db/read-rows.ts';
import { writeOnce } from './write.ts';

interface Plan<Row> {
  where: SQL | undefined;
  order: readonly PgColumn[];
  ascending: boolean;
  columns: readonly ExportColumn<Row>[];
  /** Replaces the cursor over all rows. Batches of this size, of which only the last may be smaller. */
  pages?: (client: pg.Client, batch: number) => AsyncGenerator<Row[]>;
}

interface ExportSource<Table extends PgTable, Asked extends z.ZodMiniObject> {
  /** File name. With `Export` behind it, the audit's entity. */
  name: string;
  /** GET, ending in `/:id`. */
  path: string;
  permission: Permission;
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
  ) => Plan<Table['$inferSelect']> | Promise<Plan<Table['$inferSelect']>>;
}

const batch = 500;
/** Limits a step and a reader's pause. */
const stepMs = 60_000;
const openMs = 3_600_000;
/** Per server process. */
const maxConcurrency = 4;
const maxConcurrencyPerPerson = 2;

/** The function that ends an export → its person. */
const running = memoizePerServer(() => new Map<() => void, string>());

export function stopExports(services: Services): void {
  for (const stop of running(services).keys()) stop();
}

/** `start` audits the export. The route then streams the CSV to that person within the hour, from one snapshot. */
export function exportOf<Table extends PgTable, Asked extends z.ZodMiniObject>(source: ExportSource<Table, Asked>) {
  const { name, path, permission, table, plan } = source;
  const entity = `${name}Export`;
  const from = (services: Services) => {
    const database = source.from?.(services);
    return database?.isSeparate ? database : null;
  };

  const start = (context: RequestContext, input: z.infer<Asked>) =>
    writeOnce(context, input, async (tx, note) => {
      await tx.execute(sql`set local statement_timeout = ${sql.raw(`'${stepMs}ms'`)}`);
      const through = await source.through?.(tx);
      const { where } = await plan({ ...context, db: tx }, input, through ?? 0);
      const separate = from(context.services);
      const [found] = await (separate ? separate.db : tx)
        .select({ rows: count() })
        .from(table as PgTable)
        .where(where);
      const id = newId();
      const rows = found?.rows ?? 0;
      note({ entity, id, after: { ...input, rows, ...(through === undefined ? {} : { through }) } });
      return { id, rows };
    });

  const route: RawRoute = {
    method: 'GET',
    path,
    meta: { permission },
    async handle({ params, context }) {
      const { through, asked: input } = await findExport(context, entity, params['id'] ?? '');
      const parsed = source.input.safeParse(input);
      if (!parsed.success) throw appError('NOT_FOUND');
      const { rows, body } = await stream(
        context,
        from(context.services) ?? context.services.database,
        table,
        await plan(context, parsed.data, through),
      );
      return new Response(body, {
        headers: {
          'content-type': 'text/csv; charset=utf-8',
          'content-disposition': `attachment; filename="${name}.csv"`,
          'cache-control': 'no-store',
          'x-rows': String(rows), // expected lines without the header
        },
      });
    },
  };
  return { start, route };
}

async function findExport(context: RequestContext, entity: string, id: string) {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) throw appError('NOT_FOUND');
  const [found] = await context.db
    .select()
    .from(audit)
    .where(
      and(
        eq(audit.entity, entity),
        eq(audit.entityId, id),
        eq(audit.actorId, actorOf(context).id),
        eq(audit.result, 'done'),
        gte(audit.at, new Date(context.services.now() - openMs)),
      ),
    );
  const record = recordedRowOf(found?.after ?? null);
  if (!record) throw appError('NOT_FOUND');
  const { rows: _, through, ...input } = record;
  return { through: Number(through ?? 0), asked: input };
}

/** One snapshot. A reader that leaves or pauses too long ends it, and so does shutdown. */
async function stream<Table extends PgTable>(
  context: RequestContext,
  from: Pick<Database, 'connect'>,
  table: Table,
  plan: Plan<Table['$inferSelect']>,
) {
  const { services } = context;
  const { id } = actorOf(context);
  const open = running(services);
  const ownExports = [...open.values()].filter((person) => person === id);
  if (open.size >= maxConcurrency || ownExports.length >= maxConcurrencyPerPerson) throw appError('UNAVAILABLE');
  let client: pg.Client | null = null;
  const stop = () => {
    open.delete(stop);
    client?.end().catch(() => {});
  };
  open.set(stop, id);
  try {
    client = await from.connect();
    if (!open.has(stop)) throw appError('UNAVAILABLE');
    client.on('end', stop);
    await client.query('begin isolation level repeatable read read only');
    await client.query(`set local statement_timeout = '${stepMs}ms'`);
    await client.query(`set local idle_in_transaction_session_timeout = '${stepMs}ms'`);
    const [found] = await drizzle(client)
      .select({ rows: count() })
      .from(table as PgTable)
      .where(plan.where);
    const pages = plan.pages?.(client, batch) ?? streamRows(client, table, plan, batch);
    return { rows: found?.rows ?? 0, body: bodyOf(pages, plan, stop) };
  } catch (error) {
    stop();
    throw error;
  }
}

const csvCell = (cell: ExportCell): Cell =>
  cell !== null && typeof cell === 'object' && 'local' in cell ? localTimeText(cell.local) : cell;

function bodyOf<Row>(pages: AsyncGenerator<Row[]>, { columns }: Plan<Row>, stop: () => void): ReadableStream<Uint8Array> {
  const line = (row: Row) => csvLine(columns.map(({ cell }) => csvCell(cell(row))));
  const encoder = new TextEncoder();
  return new ReadableStream(
    {
      start: (controller) => controller.enqueue(encoder.encode(byteOrderMark + csvLine(columns.map(({ head }) => head)))),
      async pull(controller) {
        try {
          const next = await pages.next();
          const page = next.done ? [] : next.value;
          if (page.length > 0) controller.enqueue(encoder.encode(page.map(line).join('')));
          if (page.length === batch) return;
          stop();
          controller.close();
        } catch (error) {
          stop();
          controller.error(error);
        }
      },
      cancel: stop,
    },
    { highWaterMark: 1 },
  );
}
