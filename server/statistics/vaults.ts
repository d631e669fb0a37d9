import { isNotNull, sql } from 'drizzle-orm';
import { vaultFilters } from '../../api/statistics/filters.ts';
import { exportInput } from '../../api/base.ts';
import { vaultFilter, vaultSorts, type VaultRow } from '../../api/statistics/contract.ts';
import type { Services } from '../platform/services/context.ts';
import { exportOf } from '../platform/exports/source.ts';
import { exportColumnsFor } from '../platform/exports/columns.ts';
import { guardedApi } from '../platform/http/router.ts';
import { timeRange, topValues } from './charts.ts';
import { positionAnswers, positionExportColumns, presentPositionStat } from './positions.ts';
import { troves as table } from '../crsm/tables.ts';

const present = (services: Services, row: typeof table.$inferSelect): VaultRow => ({
  ...presentPositionStat(services, row),
  vaultId: row.troveId.toString(),
  owner: row.owner,
});

const isRead = isNotNull(table.readAt);
const answers = positionAnswers({ table, fields: vaultFilters, own: {}, only: isRead, present });

export const vaults = {
  list: guardedApi.vaults.list.handler(answers.list),
  values: guardedApi.vaults.values.handler(answers.values),
  many: guardedApi.vaults.many.handler(answers.many),
  totals: guardedApi.vaults.totals.handler(answers.totals),
  series: guardedApi.vaults.series.handler(answers.series),
  top: guardedApi.vaults.top.handler(({ input: { filter, metric, limit }, context }) =>
    topValues(context, { limit, key: sql`c.owner`, metric, cells: answers.cells(context, filter)(timeRange(filter)) }),
  ),
  bars: guardedApi.vaults.bars.handler(answers.bars),
  export: guardedApi.vaults.export.handler(({ input, context }) => exported.start(context, input)),
  follower: guardedApi.vaults.follower.handler(answers.follower),
};

const exported = exportOf({
  name: 'vaults',
  path: '/api/statistics/dataVault/export/:id',
  permission: 'vaults.export',
  menu: '/statistics/dataVault',
  table,
  input: exportInput(vaultSorts, vaultFilter),
  plan: async (context, { sort, direction, filter, ...wording }) => {
    const columnsOf = exportColumnsFor<typeof table.$inferSelect>(wording);
    const { id, chainId, owner, collateral, debt, icr, createdAt } = positionExportColumns(context.services, columnsOf);
    return {
      where: await answers.where(context, filter),
      order: [answers.sorts[sort], table.id],
      ascending: direction === 'asc',
      columns: columnsOf.arrange(id, chainId, owner, collateral, debt, icr, createdAt),
    };
  },
});
