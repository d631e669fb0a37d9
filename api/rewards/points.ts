import * as z from 'zod/mini';
import type { FilterOf } from '../filter.ts';
import { balanceFilters, pointsFilters, pointsSources } from './filters.ts';
import {
  exportInput,
  exportOutput,
  filterInput,
  idSchema,
  listInput,
  listOutput,
  maxTargets,
  route,
  textSchema,
} from '../base.ts';
import { evmAddressSchema } from '../evm.ts';
import type { Name } from '../naming.ts';
import { integerSchema } from '../integer-fields.ts';
import { listRoutes } from '../list.ts';

export const maxBerries = 1_000_000_000_000n;

export const pointsFields = z.strictObject({
  address: evmAddressSchema(),
  berries: integerSchema({ min: -maxBerries, max: maxBerries, notZero: true }),
  reason: textSchema(500),
});
export type PointsFields = z.infer<typeof pointsFields>;

export const reversalFields = z.strictObject({ reason: textSchema(500) });

export type PointsSource = (typeof pointsSources)[number];

export const pointsSourceNames = {
  adjustment: { zh: '调整', en: 'Adjustment' },
  import: { zh: '导入', en: 'Import' },
  reversal: { zh: '冲销', en: 'Reversal' },
} as const satisfies Record<PointsSource, Name>;

export const pointsRow = z.object({
  id: idSchema(),
  address: z.string(),
  berries: z.string(),
  reason: z.string(),
  source: z.enum(pointsSources),
  reverses: z.nullable(z.string()),
  reversedBy: z.nullable(z.string()),
  importId: z.nullable(z.string()),
  importLine: z.nullable(z.int()),
  actorEmail: z.string(),
  createdAt: z.string(),
});
export type PointsRow = z.infer<typeof pointsRow>;

export const balanceRow = z.object({
  id: z.string(),
  address: z.string(),
  berries: z.string(),
  entries: z.int(),
  updatedAt: z.string(),
});
export type BalanceRow = z.infer<typeof balanceRow>;

export const pointsSorts = ['createdAt', 'berries'] as const;
export type PointsSort = (typeof pointsSorts)[number];

export const pointsFilter = filterInput(pointsFilters);
export type PointsFilter = FilterOf<typeof pointsFilters>;

export const balanceSorts = ['berries', 'updatedAt', 'address'] as const;
export type BalanceSort = (typeof balanceSorts)[number];

export const balanceFilter = filterInput(balanceFilters);
export type BalanceFilter = FilterOf<typeof balanceFilters>;

export const pointsColumns = {
  address: { zh: '地址', en: 'Address' },
  berries: { zh: '积分', en: 'Berries' },
  reason: { zh: '原因', en: 'Reason' },
} as const satisfies Record<keyof PointsFields, Name>;

export const pointsExport = exportInput(pointsSorts, pointsFilter);
export const balancesExport = exportInput(balanceSorts, balanceFilter);

export const points = {
  ...listRoutes('/points', { menu: '/points', id: idSchema(), row: pointsRow, sorts: pointsSorts, filters: pointsFilters }),
  balances: route
    .meta({ menu: '/points' })
    .route({ method: 'POST', path: '/points/balances' })
    .input(listInput(balanceSorts, balanceFilter))
    .output(listOutput(balanceRow)),
  balancesOf: route
    .meta({ menu: '/points' })
    .route({ method: 'POST', path: '/points/balancesOf' })
    .input(z.strictObject({ addresses: z.array(evmAddressSchema()).check(z.maxLength(maxTargets)) }))
    .output(z.array(balanceRow)),
  /** Refused (`berries`: balance) if the balance would be negative. */
  adjust: route
    .meta({ permission: 'points.adjust', fresh: true, keyed: true })
    .route({ method: 'POST', path: '/points' })
    .input(pointsFields)
    .output(z.object({ entry: pointsRow, balance: balanceRow })),
  /** Adds an opposite entry for each, all or none. */
  reverse: route
    .meta({ permission: 'points.reverse', fresh: true, keyed: true })
    .route({ method: 'POST', path: '/points/reverse' })
    .input(z.extend(reversalFields, { ids: z.array(idSchema()).check(z.minLength(1), z.maxLength(maxTargets)) }))
    .output(z.object({ entries: z.array(pointsRow), balances: z.array(balanceRow) })),
  export: route
    .meta({ permission: 'points.export' })
    .route({ method: 'POST', path: '/points/export' })
    .input(pointsExport)
    .output(exportOutput),
  exportBalances: route
    .meta({ permission: 'points.export' })
    .route({ method: 'POST', path: '/points/balances/export' })
    .input(balancesExport)
    .output(exportOutput),
};
