import { and, eq, inArray, lte, max, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { auditFilter, type AuditDetails, type AuditRow } from '../../api/audit/contract.ts';
import { auditFilters } from '../../api/audit/filters.ts';
import { exportOptions } from '../../api/base.ts';
import { allNames } from '../../api/all-names.ts';
import type { Name } from '../../api/naming.ts';
import { deposits } from '../deposits/tables.ts';
import type { Queries } from '../platform/db/db.ts';
import { createAppError } from '../platform/core/errors.ts';
import { createFilter } from '../platform/records/filter.ts';
import { createExportHandler } from '../platform/exports/source.ts';
import { createColumnBuilders, pickLanguage, type ExportCell, type ExportWording } from '../platform/exports/columns.ts';
import { parseRecordedRow } from '../platform/records/history.ts';
import { guardedApi } from '../platform/http/router.ts';
import { createListHandlers } from '../platform/records/list-handlers.ts';
import { audit as table } from '../platform/audit/tables.ts';

const listHandlersOf = createListHandlers({
  table,
  sorts: { time: table.at },
  filter: () => filter,
  present: ({ db }, rows) => withDeposits(db, rows.map(presentAuditRow)),
});

export const audit = {
  list: guardedApi.audit.list.handler(listHandlersOf.list),

  values: guardedApi.audit.values.handler(listHandlersOf.values),

  many: guardedApi.audit.many.handler(listHandlersOf.many),

  details: guardedApi.audit.details.handler(async ({ input, context }) => {
    const [row] = await context.db.select().from(table).where(eq(table.id, input.id));
    if (!row) throw createAppError('NOT_FOUND');
    const presentedDetails = presentAuditDetails(row);
    const [detailsWithDeposits = presentedDetails] = await withDeposits(context.db, [presentedDetails]);
    return detailsWithDeposits;
  }),

  export: guardedApi.audit.export.handler(({ input: { locale = 'en-US', zone, format, ...filterInput }, context }) =>
    auditExportRoutes.start(context, { filter: filterInput, locale, zone, format }),
  ),
};

type AuditRecord = typeof table.$inferSelect;

function presentAuditRow(row: AuditRecord): AuditRow {
  const { id, seq, at, actorEmail, command, route, action, entity, entityId, result, ip } = row;
  const name = extractName(row.after) ?? extractName(row.before) ?? extractNumber(row);
  const names = extractNames(row.after) ?? extractNames(row.before);
  return { id, seq, at: at.toISOString(), actorEmail, command, route, action, entity, entityId, name, names, result, ip };
}

function presentAuditDetails(row: AuditRecord): AuditDetails {
  const { permission, requestId, idempotencyKey, prevHash, hash } = row;
  const previousValue: unknown = row.before === null ? null : JSON.parse(row.before);
  const currentValue: unknown = row.after === null ? null : JSON.parse(row.after);
  return {
    ...presentAuditRow(row),
    permission,
    requestId,
    idempotencyKey,
    before: previousValue,
    after: currentValue,
    prevHash,
    hash,
  };
}

/** A mint has its deposit's name. */
async function withDeposits<Shown extends AuditRow>(db: Queries, rows: readonly Shown[]): Promise<Shown[]> {
  const ids = rows.flatMap(({ entity, entityId }) => (entity === 'mint' && entityId !== null ? [entityId] : []));
  const depositRows =
    ids.length === 0
      ? []
      : await db.select({ id: deposits.id, name: deposits.userAddress }).from(deposits).where(inArray(deposits.id, ids));
  const names = new Map(depositRows.map(({ id, name }) => [id, name]));
  return rows.map((row) => (row.entity === 'mint' ? { ...row, name: names.get(row.entityId ?? '') ?? row.name } : row));
}

function extractName(text: string | null): string | null {
  const record = parseRecordedRow(text);
  const name =
    record &&
    ['title', 'name', 'email', 'content', 'identifier', 'userAddress', 'receiver', 'address']
      .map((key) => record[key])
      .find((value) => typeof value === 'string' && value !== '');
  return typeof name === 'string' ? name.slice(0, 200) : null;
}

function extractNames(text: string | null): AuditRow['names'] {
  const { zh, en } = parseRecordedRow(text) ?? {};
  return typeof zh === 'string' && typeof en === 'string' ? { zh, en } : null;
}

/** A statement is named by its number in the log. */
function extractNumber({ entity, after }: AuditRecord): string | null {
  const number = entity === 'statement' ? parseRecordedRow(after)?.['number'] : null;
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
  name: (row) => presentAuditRow(row).name,
  result: ({ result }) => result,
  ip: ({ ip }) => ip,
  request_id: ({ requestId }) => requestId,
  before: ({ before }) => before,
  after: ({ after }) => after,
  prev_hash: ({ prevHash }) => prevHash,
  hash: ({ hash }) => hash,
  payload: ({ payload }) => payload,
} as const satisfies Record<string, (row: AuditRecord) => ExportCell>;

const results = { done: { zh: '成功', en: 'Done' }, refused: { zh: '已拒绝', en: 'Refused' } };
const commandNames = new Map<string, Name>(Object.entries(allNames));

function createColumns({ locale, zone }: ExportWording) {
  const { text, time } = createColumnBuilders<AuditRecord>({ locale, zone });
  const commandName = ({ command, route }: AuditRecord) => commandNames.get(command ?? '') ?? commandNames.get(route);
  const [localTime] = time({ zh: '时间', en: 'Time' }, ({ at }) => at);
  return [
    ...(localTime ? [localTime] : []),
    ...text({ zh: '操作人', en: 'By' }, ({ actorEmail }) => actorEmail || null),
    ...text({ zh: '操作', en: 'Action' }, (row) => {
      const name = commandName(row);
      return name ? pickLanguage(name, locale) : null;
    }),
    ...text({ zh: '结果', en: 'Result' }, ({ result }) => pickLanguage(results[result], locale)),
    ...Object.entries(exactColumns).map(([head, cell]) => ({ head, cell, isExact: true })),
  ];
}

/** Oldest first, for verifying the chain. */
const auditExportRoutes = createExportHandler({
  name: 'audit',
  path: '/api/audit/export/:id',
  permission: 'audit.export',
  menu: '/audit',
  table,
  input: z.object({ filter: auditFilter, ...exportOptions }),
  through: async (tx) => {
    const [lastRow] = await tx.select({ seq: max(table.seq) }).from(table);
    return lastRow?.seq ?? 0;
  },
  plan: async (context, { filter: requestedFilter, ...wording }, through) => ({
    where: and(await filter.where(context, requestedFilter), lte(table.seq, through)),
    order: [table.seq],
    ascending: true,
    columns: createColumns(wording),
  }),
});
