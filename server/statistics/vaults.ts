import { isNotNull, sql } from 'drizzle-orm';
import { vaultFilters } from '../../api/statistics/filters.ts';
import { exportInput } from '../../api/base.ts';
import { vaultFilter, vaultSorts, type VaultRow } from '../../api/statistics/contract.ts';
import type { Services } from '../platform/services/context.ts';
import { exportOf, inLocale } from '../platform/records/export.ts';
import { on } from '../platform/http/router.ts';
import { rangeOf, topOf } from './charts.ts';
import { positionAnswers, positionHead, presentPosition } from './positions.ts';
import { troves as table } from '../crsm/tables.ts';

const present = (services: Services, row: typeof table.$inferSelect): VaultRow => ({
  ...presentPosition(services, row),
  vaultId: row.troveId.toString(),
  owner: row.owner,
});

const isRead = isNotNull(table.readAt);
const answers = positionAnswers({ table, fields: vaultFilters, own: {}, only: isRead, present });

export const vaults = {
  list: on.vaults.list.handler(answers.list),
  values: on.vaults.values.handler(answers.values),
  many: on.vaults.many.handler(answers.many),
  totals: on.vaults.totals.handler(answers.totals),
  series: on.vaults.series.handler(answers.series),
  top: on.vaults.top.handler(({ input: { filter, metric, limit }, context }) =>
    topOf(context, { limit, key: sql`c.owner`, metric, cells: answers.cells(context, filter)(rangeOf(filter)) }),
  ),
  bars: on.vaults.bars.handler(answers.bars),
  export: on.vaults.export.handler(({ input, context }) => exported.start(context, input)),
  follower: on.vaults.follower.handler(answers.follower),
};

const exported = exportOf({
  name: 'vaults',
  path: '/api/statistics/dataVault/export/:id',
  permission: 'vaults.export',
  table,
  asked: exportInput(vaultSorts, vaultFilter),
  plan: async (context, { sort, direction, filter, locale }) => {
    const { id, chainId, owner, collateral, debt, icr, createdAt } = positionHead;
    return {
      where: await answers.where(context, filter),
      order: [answers.sorts[sort], table.id],
      ascending: direction === 'asc',
      head: [id, chainId, owner, collateral, debt, icr, createdAt].map((name) => inLocale(name, locale)),
      line: (row) => {
        const shown = present(context.services, row);
        return [shown.vaultId, shown.chainId, shown.owner, row.collateral, row.totalDebt, shown.icr, shown.createdAt];
      },
    };
  },
});
export const vaultsExportRoute = exported.route;
