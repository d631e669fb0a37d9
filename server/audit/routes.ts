import { and, eq, inArray, lte, max, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { auditFilter, type AuditDetails, type AuditRow } from '../../api/audit/contract.ts';
import { auditFilters } from '../../api/audit/filters.ts';
import { exportOptions } from '../../api/base.ts';
import { allNames } from '../../api/all-names.ts';
import type { Name } from '../../api/naming.ts';
import { deposits } from '../deposits/tables.ts';
import type { Queries } from '../platform/db/db.ts';
import { appError } from '../platform/core/errors.ts';
import { createFilter } from '../platform/records/filter.ts';
import { exportOf } from '../platform/exports/source.ts';
import { exportColumnsFor, inLanguage, type ExportCell, type ExportWording } from '../platform/exports/columns.ts';
import { recordedRowOf } from '../platform/records/history.ts';
import { guardedApi } from '../platform/http/router.ts';
import { listHandlers } from '../platform/records/list-handlers.ts';
import { audit as table } from '../platform/audit/tables.ts';

const reads = listHandlers({
  table,
  sorts: { time: table.at },
  filter: () => filter,
  present: ({ db }, rows) => withDeposits(db, rows.map(present)),
});

export const audit = {
  list: guardedApi.audit.list.handler(reads.list),

  values: guardedApi.audit.values.handler(reads.values),

  many: guardedApi.audit.many.handler(reads.many),

  details: guardedApi.audit.details.handler(async ({ input, context }) => {
    const [row] = await context.db.select().from(table).where(eq(table.id, input.id));
    if (!row) throw appError('NOT_FOUND');
    const whole = presentWhole(row);
    const [shown = whole] = await withDeposits(context.db, [whole]);
    return shown;
  }),

  export: guardedApi.audit.export.handler(({ input: { locale = 'en-US', zone, format, ...filterInput }, context }) =>
    exported.start(context, { filter: filterInput, locale, zone, format }),
  ),
};

type Row = typeof table.$inferSelect;

function present(row: Row): AuditRow {
  const { id, seq, at, actorEmail, command, route, action, entity, entityId, result, ip } = row;
  const name = nameIn(row.after) ?? nameIn(row.before) ?? numberIn(row);
  const names = namesIn(row.after) ?? namesIn(row.before);
  return { id, seq, at: at.toISOString(), actorEmail, command, route, action, entity, entityId, name, names, result, ip };
}

function presentWhole(row: Row): AuditDetails {
  const { permission, requestId, idempotencyKey, prevHash, hash } = row;
  const before: unknown = row.before === null ? null : JSON.parse(row.before);
  const after: unknown = row.after === null ? null : JSON.parse(row.after);
  return { ...present(row), permission, requestId, idempotencyKey, before, after, prevHash, hash };
}

/** A mint has its deposit's name. */
async function withDeposits<Shown extends AuditRow>(db: Queries, rows: readonly Shown[]): Promise<Shown[]> {
  const ids = rows.flatMap(({ entity, entityId }) => (entity === 'mint' && entityId !== null ? [entityId] : []));
  const found =
    ids.length === 0
      ? []
      : await db.select({ id: deposits.id, name: deposits.userAddress }).from(deposits).where(inArray(deposits.id, ids));
  const names = new Map(found.map(({ id, name }) => [id, name]));
  return rows.map((row) => (row.entity === 'mint' ? { ...row, name: names.get(row.entityId ?? '') ?? row.name } : row));
}

function nameIn(text: string | null): string | null {
  const record = recordedRowOf(text);
  const name =
    record &&
    ['title', 'name', 'email', 'content', 'identifier', 'userAddress', 'receiver', 'address']
      .map((key) => record[key])
      .find((value) => typeof value === 'string' && value !== '');
  return typeof name === 'string' ? name.slice(0, 200) : null;
}

function namesIn(text: string | null): AuditRow['names'] {
  const { zh, en } = recordedRowOf(text) ?? {};
  return typeof zh === 'string' && typeof en === 'string' ? { zh, en } : null;
}

/** A statement is named by its number in the log. */
function numberIn({ entity, after }: Row): string | null {
  const number = entity === 'statement' ? recordedRowOf(after)?.['number'] : null;
  return typeof number === 'number' ? `#${number}` : null;
}

const filter = createFilter({
  table,
  fields: auditFilters,
  filterConditions: {
    actor: { of: table.actorEmail, none: '' },
    time: table.at,
    what: { of: sql`coalesce(${table.command}, ${table.route})` },
    entity: table.entity,
    result: table.result,
    entityId: table.entityId,
  },
});

// ── Export ─────────────────────────────────────────────────────────────────

/** Column names that `npm run audit:verify` reads. Not translated. */
const exactColumns = {
  seq: ({ seq }) => ({ decimal: String(seq) }),
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
} as const satisfies Record<string, (row: Row) => ExportCell>;

const results = { done: { zh: '成功', en: 'Done' }, refused: { zh: '已拒绝', en: 'Refused' } };
const commandNames = new Map<string, Name>(Object.entries(allNames));

function columnsIn({ locale, zone }: ExportWording) {
  const { text, time } = exportColumnsFor<Row>({ locale, zone });
  const commandOf = ({ command, route }: Row) => commandNames.get(command ?? '') ?? commandNames.get(route);
  const [localTime] = time({ zh: '时间', en: 'Time' }, ({ at }) => at);
  return [
    ...(localTime ? [localTime] : []),
    ...text({ zh: '操作人', en: 'By' }, ({ actorEmail }) => actorEmail || null),
    ...text({ zh: '操作', en: 'Action' }, (row) => {
      const name = commandOf(row);
      return name ? inLanguage(name, locale) : null;
    }),
    ...text({ zh: '结果', en: 'Result' }, ({ result }) => inLanguage(results[result], locale)),
    ...Object.entries(exactColumns).map(([head, cell]) => ({ head, cell, isExact: true })),
  ];
}

/** Oldest first, for verifying the chain. */
const exported = exportOf({
  name: 'audit',
  path: '/api/audit/export/:id',
  permission: 'audit.export',
  menu: '/audit',
  table,
  input: z.object({ filter: auditFilter, ...exportOptions }),
  through: async (tx) => {
    const [last] = await tx.select({ seq: max(table.seq) }).from(table);
    return last?.seq ?? 0;
  },
  plan: async (context, { filter: requested, ...wording }, through) => ({
    where: and(await filter.where(context, requested), lte(table.seq, through)),
    order: [table.seq],
    ascending: true,
    columns: columnsIn(wording),
  }),
});
