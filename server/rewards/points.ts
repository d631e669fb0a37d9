import { inArray, sql } from 'drizzle-orm';
import {
  balancesExport,
  pointsColumns,
  pointsExport,
  pointsSourceNames,
  type BalanceRow,
  type PointsRow,
} from '../../api/rewards/points.ts';
import { addressPrefixCondition } from '../platform/evm/address.ts';
import { requirePerson, type RequestContext } from '../platform/services/context.ts';
import type { Queries } from '../platform/db/db.ts';
import { createFieldError, createAppError, isAppError } from '../platform/core/errors.ts';
import { createExportHandler } from '../platform/exports/source.ts';
import { createColumnBuilders, pickLanguage } from '../platform/exports/columns.ts';
import { guardedApi } from '../platform/http/router.ts';
import { createListHandlers } from '../platform/records/list-handlers.ts';
import { listRows } from '../platform/records/list.ts';
import { combineValues, createFilter, createSearchCondition } from '../platform/records/filter.ts';
import { balanceFilters, pointsFilters } from '../../api/rewards/filters.ts';
import { writeOnce } from '../platform/records/write.ts';
import { appendEntries, type PointsBalance, type PointsEntry } from './shared/points-ledger.ts';
import { pointBalances, points as table } from './tables.ts';

const entrySorts = { createdAt: table.createdAt, berries: table.berries };

const listHandlersOf = createListHandlers({
  table,
  sorts: entrySorts,
  filter: () => filter,
  present: ({ db }, rows) => presentEntries(db, rows),
});

export const points = {
  list: guardedApi.points.list.handler(listHandlersOf.list),

  values: guardedApi.points.values.handler(listHandlersOf.values),

  many: guardedApi.points.many.handler(listHandlersOf.many),

  balances: guardedApi.points.balances.handler(async ({ input, context }) =>
    listRows(context, input, {
      table: pointBalances,
      id: pointBalances.address,
      sorts: balanceSorts,
      where: await balanceFilter.where(context, input.filter),
      present: presentBalance,
    }),
  ),

  balancesOf: guardedApi.points.balancesOf.handler(async ({ input, context }) => {
    const rows = await context.db.select().from(pointBalances).where(inArray(pointBalances.address, input.addresses));
    return rows.map(presentBalance);
  }),

  adjust: guardedApi.points.adjust.handler(({ input, context }) =>
    writeOnce(context, input, async (tx, recordAudit) => {
      const entry = { ...input, berries: BigInt(input.berries), source: 'adjustment' as const, ...authorFields(context) };
      const { entries, balances } = await appendEntries(tx, [entry]).catch((error: unknown) => {
        throw isAppError(error, 'BALANCE_TOO_LOW') ? createFieldError('berries', 'balance') : error;
      });
      const [appendedEntry, balance] = [entries[0], balances[0]];
      if (!appendedEntry || !balance) throw new Error('the insert returned no row');
      const [row] = await presentEntries(tx, [appendedEntry]);
      if (!row) throw new Error('the insert returned no row');
      recordAudit({
        entity: 'points',
        id: row.id,
        before: { balance: balance.before?.berries.toString() ?? '0' },
        after: { ...row, balance: balance.after.berries.toString() },
      });
      return { entry: row, balance: presentBalance(balance.after) };
    }),
  ),

  reverse: guardedApi.points.reverse.handler(({ input, context }) =>
    writeOnce(context, input, async (tx, recordAudit) => {
      const ids = [...new Set(input.ids)];
      const presentedEntries = await presentEntries(tx, await readEntries(tx, ids));
      if (presentedEntries.length < ids.length) throw createAppError('NOT_FOUND');
      const irreversible = presentedEntries.filter(({ source, reversedBy }) => source === 'reversal' || reversedBy !== null);
      if (irreversible.length > 0) throw createAppError('NOT_REVERSIBLE', { ids: irreversible.map(({ id }) => id) });
      const { entries, balances } = await appendEntries(
        tx,
        presentedEntries.map(({ id, address, berries }) => ({
          address,
          berries: -BigInt(berries),
          reason: input.reason,
          source: 'reversal' as const,
          reverses: id,
          ...authorFields(context),
        })),
      );
      const rows = await presentEntries(tx, entries);
      for (const row of rows) recordAudit({ entity: 'points', id: row.id, after: row });
      return { entries: rows, balances: balances.map(({ after }) => presentBalance(after)) };
    }),
  ),

  export: guardedApi.points.export.handler(({ input, context }) => pointsExportRoutes.start(context, input)),

  exportBalances: guardedApi.points.exportBalances.handler(({ input, context }) => balancesExportRoutes.start(context, input)),
};

const balanceSorts = { berries: pointBalances.berries, updatedAt: pointBalances.updatedAt, address: pointBalances.address };

const authorFields = (context: RequestContext) => {
  const { id, email } = requirePerson(context);
  return { administratorId: id, administratorEmail: email, createdAt: new Date(context.services.now()) };
};

const readEntries = (queries: Queries, ids: readonly string[]): Promise<PointsEntry[]> =>
  queries
    .select()
    .from(table)
    .where(inArray(table.id, [...ids]))
    .orderBy(table.id);

async function presentEntries(queries: Queries, rows: readonly PointsEntry[]): Promise<PointsRow[]> {
  const ids = rows.filter(({ source }) => source !== 'reversal').map(({ id }) => id);
  const reversals =
    ids.length > 0
      ? await queries.select({ id: table.id, reverses: table.reverses }).from(table).where(inArray(table.reverses, ids))
      : [];
  const reversalIds = new Map(reversals.map(({ id, reverses }) => [reverses, id]));
  return rows.map((row) => ({
    id: row.id,
    address: row.address,
    berries: row.berries.toString(),
    reason: row.reason,
    source: row.source,
    reverses: row.reverses,
    reversedBy: reversalIds.get(row.id) ?? null,
    importId: row.importId,
    importLine: row.importLine,
    actorEmail: row.administratorEmail,
    createdAt: row.createdAt.toISOString(),
  }));
}

const presentBalance = ({ address, berries, entries, updatedAt }: PointsBalance): BalanceRow => ({
  id: address,
  address,
  berries: berries.toString(),
  entries,
  updatedAt: updatedAt.toISOString(),
});

const filter = createFilter({
  table,
  fields: pointsFilters,
  filterConditions: {
    address: createSearchCondition((text) => addressPrefixCondition(table.address, text)),
    createdAt: table.createdAt,
    source: table.source,
    sign: (requestedTexts) =>
      combineValues(requestedTexts, (requestedSign) =>
        requestedSign === 'plus' ? sql`${table.berries} > 0` : sql`${table.berries} < 0`,
      ),
    berries: table.berries,
    q: { part: table.reason, in: table },
  },
});

const balanceFilter = createFilter({
  table: pointBalances,
  fields: balanceFilters,
  filterConditions: {
    address: createSearchCondition((text) => addressPrefixCondition(pointBalances.address, text)),
    berries: pointBalances.berries,
    updatedAt: pointBalances.updatedAt,
  },
});

// ── Export ─────────────────────────────────────────────────────────────────

const pointsExportRoutes = createExportHandler({
  name: 'points',
  path: '/api/points/export/:id',
  permission: 'points.export',
  menu: '/points',
  table,
  input: pointsExport,
  plan: async (context, { sort, direction, filter: filterInput, ...wording }) => {
    const { text, exactText, count, named, time, arrange } = createColumnBuilders<PointsEntry>(wording);
    return {
      where: await filter.where(context, filterInput),
      order: [entrySorts[sort], table.id],
      ascending: direction === 'asc',
      columns: arrange(
        text(pointsColumns.address, ({ address }) => address),
        count(pointsColumns.berries, ({ berries }) => berries),
        text(pointsColumns.reason, ({ reason }) => reason),
        named(
          { zh: '来源', en: 'Source' },
          { zh: '来源（代码）', en: 'Source (code)' },
          ({ source }) => source,
          (code) => pickLanguage(pointsSourceNames[code], wording.locale),
        ),
        time({ zh: '时间', en: 'Time' }, ({ createdAt }) => createdAt),
        text({ zh: '操作人', en: 'By' }, ({ administratorEmail }) => administratorEmail),
        exactText({ zh: 'ID', en: 'ID' }, ({ id }) => id),
        exactText({ zh: '被冲销明细 ID', en: 'Reversed entry ID' }, ({ reverses }) => reverses),
      ),
    };
  },
});

const balancesExportRoutes = createExportHandler({
  name: 'balances',
  path: '/api/points/balances/export/:id',
  permission: 'points.export',
  menu: '/points',
  table: pointBalances,
  input: balancesExport,
  plan: async (context, { sort, direction, filter: filterInput, ...wording }) => {
    const { text, count, time, arrange } = createColumnBuilders<PointsBalance>(wording);
    return {
      where: await balanceFilter.where(context, filterInput),
      order: [balanceSorts[sort], pointBalances.address],
      ascending: direction === 'asc',
      columns: arrange(
        text(pointsColumns.address, ({ address }) => address),
        count({ zh: '积分余额', en: 'Balance' }, ({ berries }) => berries),
        count({ zh: '明细数', en: 'Entries' }, ({ entries }) => entries),
        time({ zh: '最近变动', en: 'Last change' }, ({ updatedAt }) => updatedAt),
      ),
    };
  },
});
