import { and, inArray, isNotNull, sql, type SQL } from 'drizzle-orm';
import { exportInput } from '../../api/base.ts';
import { vaultFilter, vaultSorts, type VaultFilter, type VaultRow } from '../../api/statistics/contract.ts';
import { followerOf } from '../crsm/shared/watch.ts';
import type { Services } from '../platform/core/context.ts';
import { exportOf, inLocale } from '../platform/records/export.ts';
import { on } from '../platform/http/router.ts';
import { inAskedOrder, listRows } from '../platform/records/list.ts';
import { barsOf, rangeOf, seriesOf, topOf, totalsOf } from './charts.ts';
import * as shared from './positions.ts';
import { troves as table } from '../crsm/tables.ts';

export const vaults = {
  list: on.vaults.list.handler(({ input, context }) =>
    listRows(context, input, {
      table,
      id: table.id,
      sorts,
      where: matches(context.services, input.filter),
      present: present(context.services),
    }),
  ),

  many: on.vaults.many.handler(async ({ input, context }) => {
    const rows = await context.db
      .select()
      .from(table)
      .where(and(inArray(table.id, input.ids), isRead));
    return inAskedOrder(input.ids, rows.map(present(context.services)));
  }),

  totals: on.vaults.totals.handler(({ input: { filter }, context }) =>
    totalsOf(context, {
      sums: { collateral: table.collateral, debt: table.totalDebt },
      from,
      where: matches(context.services, filter),
    }),
  ),

  series: on.vaults.series.handler(({ input, context }) =>
    seriesOf(context, input, shared.positionMetrics, (range) =>
      shared.positionCells(table, range, isOf(context.services, input.filter)),
    ),
  ),

  top: on.vaults.top.handler(({ input: { filter, metric, limit }, context }) => {
    const cells = shared.positionCells(table, rangeOf(filter), isOf(context.services, filter));
    return topOf(context, { limit, key: sql`c.owner`, metric, cells });
  }),

  bars: on.vaults.bars.handler(({ input: { filter, of }, context }) => {
    const where = matches(context.services, filter);
    return barsOf(context, { edges: shared.positionEdges[of], of: shared.barOf(table, of), from, where });
  }),

  export: on.vaults.export.handler(({ input, context }) => exported.start(context, input)),

  follower: on.vaults.follower.handler(async ({ context }) => {
    const { state, at } = await followerOf(context.services);
    return { state, asOf: at };
  }),
};

const from = sql`${table}`;
const isRead = isNotNull(table.readAt);
const sorts = shared.positionSortsOf(table);

const present =
  (services: Services) =>
  (row: typeof table.$inferSelect): VaultRow => ({
    ...shared.presentPosition(services, row),
    vaultId: row.troveId.toString(),
    owner: row.owner,
  });

const isOf = (services: Services, filter: VaultFilter): SQL | undefined =>
  and(isRead, shared.isPosition(services, table, filter));
const matches = (services: Services, filter: VaultFilter): SQL | undefined =>
  and(isRead, shared.matchesPosition(services, table, filter));

const exported = exportOf({
  name: 'vaults',
  path: '/api/statistics/dataVault/export/:id',
  permission: 'vaults.export',
  table,
  asked: exportInput(vaultSorts, vaultFilter),
  plan: ({ services }, { sort, direction, filter, locale }) => {
    const { id, chainId, owner, collateral, debt, icr, createdAt } = shared.positionHead;
    return {
      where: matches(services, filter),
      order: [sorts[sort], table.id],
      ascending: direction === 'asc',
      head: [id, chainId, owner, collateral, debt, icr, createdAt].map((name) => inLocale(name, locale)),
      line: (row) => {
        const shown = present(services)(row);
        return [shown.vaultId, shown.chainId, shown.owner, row.collateral, row.totalDebt, shown.icr, shown.createdAt];
      },
    };
  },
});
export const vaultsExportRoute = exported.route;
