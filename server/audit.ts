import { and, asc, count, eq, gt, gte, inArray, like, lt, lte, max, sql, type SQL } from 'drizzle-orm';
import { auditFilter, type AuditDetails, type AuditFilter, type AuditRow } from '../api/audit.ts';
import { byteOrderMark, csvLine } from '../api/csv.ts';
import { actorOf, type RequestContext } from './platform/context.ts';
import type { Queries } from './platform/db.ts';
import { failure } from './platform/errors.ts';
import { recordOf } from './platform/history.ts';
import { newId } from './platform/ids.ts';
import { on } from './platform/implement.ts';
import { listRows } from './platform/list.ts';
import type { PlainRoute } from './platform/plain.ts';
import { write } from './platform/write.ts';
import { audit as table } from './tables.ts';

export const audit = {
  list: on.audit.list.handler(({ input, context }) =>
    listRows(context, input, { table, id: table.id, sorts: { time: table.at }, where: matches(input.filter), present }),
  ),

  many: on.audit.many.handler(async ({ input, context }) => {
    const rows = await context.db.select().from(table).where(inArray(table.id, input.ids));
    const byId = new Map(rows.map((row) => [row.id, present(row)]));
    return input.ids.flatMap((id) => byId.get(id) ?? []);
  }),

  details: on.audit.details.handler(async ({ input, context }) => {
    const [row] = await context.db.select().from(table).where(eq(table.id, input.id));
    if (!row) throw failure('NOT_FOUND');
    return presentWhole(row);
  }),

  export: on.audit.export.handler(({ input, context }) =>
    write(context, input, async (tx, note) => {
      await tx.execute(sql`set local statement_timeout = ${sql.raw(`'${exportPageMs}ms'`)}`);
      const [last] = await tx.select({ seq: max(table.seq) }).from(table);
      const through = last?.seq ?? 0;
      const [found] = await tx
        .select({ rows: count() })
        .from(table)
        .where(and(matches(input), lte(table.seq, through)));
      const id = newId();
      const rows = found?.rows ?? 0;
      note({ entity: exportEntity, id, after: { filter: input, rows, through } });
      return { id, rows };
    }),
  ),
};

type Row = typeof table.$inferSelect;

const exportEntity = 'auditExport';

function present(row: Row): AuditRow {
  const { id, seq, at, actorEmail, command, route, action, entity, entityId, result, ip } = row;
  const name = nameIn(row.after) ?? nameIn(row.before);
  return { id, seq, at: at.toISOString(), actorEmail, command, route, action, entity, entityId, name, result, ip };
}

function presentWhole(row: Row): AuditDetails {
  const { permission, requestId, idempotencyKey, prevHash, hash } = row;
  const before: unknown = row.before === null ? null : JSON.parse(row.before);
  const after: unknown = row.after === null ? null : JSON.parse(row.after);
  return { ...present(row), permission, requestId, idempotencyKey, before, after, prevHash, hash };
}

/** What people call the recorded row, under whichever of these it has. */
function nameIn(text: string | null): string | null {
  const record = recordOf(text);
  const name =
    record && ['title', 'name', 'email', 'identifier'].map((key) => record[key]).find((value) => typeof value === 'string');
  return typeof name === 'string' ? name.slice(0, 200) : null;
}

const startsWith = (text: string) => `${text.replace(/[\\%_]/g, '\\$&')}%`;

function matches({ actor, what, entity, entityId, result, from, to }: AuditFilter): SQL | undefined {
  const email = actor?.trim().toLowerCase();
  const id = what?.trim();
  return and(
    email ? like(table.actorEmail, startsWith(email)) : undefined,
    id ? like(sql`coalesce(${table.command}, ${table.route})`, startsWith(id)) : undefined,
    entity?.trim() ? eq(table.entity, entity.trim()) : undefined,
    entityId?.trim() ? eq(table.entityId, entityId.trim()) : undefined,
    result ? eq(table.result, result) : undefined,
    from ? gte(table.at, new Date(from)) : undefined,
    to ? lt(table.at, new Date(to)) : undefined,
  );
}

// ── Export ─────────────────────────────────────────────────────────────────

const exportPage = 500;
const exportPageMs = 60_000;
const exportOpenMs = 3_600_000;

const columns = {
  seq: ({ seq }) => seq,
  at: ({ at }) => at.toISOString(),
  actor: ({ actorEmail }) => actorEmail,
  command: ({ command }) => command,
  route: ({ route }) => route,
  action: ({ action }) => action,
  entity: ({ entity }) => entity,
  entity_id: ({ entityId }) => entityId,
  name: (row) => present(row).name,
  result: ({ result }) => result,
  ip: ({ ip }) => ip,
  request_id: ({ requestId }) => requestId,
  before: ({ before }) => before,
  after: ({ after }) => after,
  prev_hash: ({ prevHash }) => prevHash,
  hash: ({ hash }) => hash,
  payload: ({ payload }) => payload,
} as const satisfies Record<string, (row: Row) => string | number | null>;

/** The recorded export as a CSV, oldest first, page by page as the reader takes it: nothing leaves that is not in the audit. */
export const auditExport: PlainRoute = {
  method: 'GET',
  path: '/api/audit/export/:id',
  meta: { permission: 'audit.export' },
  async handle({ params, context }) {
    const { filter, through } = await findExport(context, params['id'] ?? '');
    const encoder = new TextEncoder();
    let after = 0;
    const body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => controller.enqueue(encoder.encode(byteOrderMark + csvLine(Object.keys(columns)))),
        async pull(controller) {
          const rows = await readPage(context, and(matches(filter), gt(table.seq, after), lte(table.seq, through)));
          after = rows.at(-1)?.seq ?? after;
          const lines = rows.map((row) => csvLine(Object.values(columns).map((cell) => cell(row))));
          if (lines.length > 0) controller.enqueue(encoder.encode(lines.join('')));
          if (rows.length < exportPage) controller.close();
        },
      },
      { highWaterMark: 1 },
    );
    return new Response(body, {
      headers: {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': 'attachment; filename="audit.csv"',
        'cache-control': 'no-store',
      },
    });
  },
};

async function findExport(context: RequestContext, id: string): Promise<{ filter: AuditFilter; through: number }> {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) throw failure('NOT_FOUND');
  const [found] = await context.db
    .select()
    .from(table)
    .where(
      and(
        eq(table.entity, exportEntity),
        eq(table.entityId, id),
        eq(table.actorId, actorOf(context).id),
        eq(table.result, 'done'),
        gte(table.at, new Date(context.services.now() - exportOpenMs)),
      ),
    );
  const record = recordOf(found?.after ?? null);
  const filter = auditFilter.safeParse(record?.['filter']);
  if (!record || !filter.success) throw failure('NOT_FOUND');
  return { filter: filter.data, through: Number(record['through']) };
}

/** A page in a transaction of its own, which may take longer than a query of the panel. */
const readPage = ({ db }: RequestContext, where: SQL | undefined): Promise<Row[]> =>
  db.transaction(async (tx: Queries) => {
    await tx.execute(sql`set local statement_timeout = ${sql.raw(`'${exportPageMs}ms'`)}`);
    return tx.select().from(table).where(where).orderBy(asc(table.seq)).limit(exportPage);
  });
