import * as z from 'zod/mini';
import type { FilterOf } from '../filter.ts';
import { overviewFilters } from './filters.ts';
import { exportInput, exportOutput, filterInput, listInput, listOutput, route } from '../base.ts';

// bridgeBtc is satoshi, mintYu and vaultBtc are wei, as decimal strings. Null: could not be read.

const figure = z.nullable(z.string());

const figures = { bridgeBtc: figure, mintYu: figure, userCount: figure, vaultBtc: figure };
export const overviewMetrics = ['bridgeBtc', 'mintYu', 'userCount', 'vaultBtc'] as const;
export type OverviewMetric = (typeof overviewMetrics)[number];

export const overviewRow = z.object({
  id: z.string(),
  day: z.string(),
  ...figures,
  at: z.string(),
  block: z.nullable(z.string()),
});
export type OverviewRow = z.infer<typeof overviewRow>;

export const overviewNow = z.object({
  ...figures,
  at: z.string(),
  block: z.nullable(z.string()),
  chainState: z.enum(['ok', 'off', 'unreachable']),
  chainAt: z.nullable(z.string()),
  delayed: z.array(z.enum(overviewMetrics)),
  dayBefore: z.nullable(overviewRow),
  weekBefore: z.nullable(overviewRow),
  monthBefore: z.nullable(overviewRow),
  missing: z.array(z.string()),
});
export type OverviewNow = z.infer<typeof overviewNow>;

export const overviewSorts = ['day'] as const;
export const overviewFilter = filterInput(overviewFilters);
export type OverviewFilter = FilterOf<typeof overviewFilters>;

const point = z.object({ day: z.string(), at: z.string(), values: z.record(z.enum(overviewMetrics), figure) });

const menu = '/overview';

export const overview = {
  now: route
    .meta({ menu })
    .route({ method: 'GET', path: `${menu}/now` })
    .output(overviewNow),
  list: route
    .meta({ menu })
    .route({ method: 'POST', path: `${menu}/list` })
    .input(listInput(overviewSorts, overviewFilter))
    .output(listOutput(overviewRow)),
  /** Last snapshot per UTC day, week (from Monday) or month, at most 1,000. */
  series: route
    .meta({ menu })
    .route({ method: 'POST', path: `${menu}/series` })
    .input(z.strictObject({ filter: overviewFilter, unit: z.enum(['day', 'week', 'month']), compare: z.boolean() }))
    .output(z.object({ points: z.array(point), before: z.nullable(z.array(point)) })),
  export: route
    .meta({ permission: 'overview.export' })
    .route({ method: 'POST', path: `${menu}/export` })
    .input(exportInput(overviewSorts, overviewFilter))
    .output(exportOutput),
};
