import * as z from 'zod/mini';
import type { FilterOf } from '../filter.ts';
import { overviewFilters } from './filters.ts';
import { exportInput, exportOutput, filterInput, listInput, listOutput, route } from '../base.ts';

// bridgeBtc is satoshi, mintYu and vaultBtc wei of 18 decimals, userCount whole: decimal strings all. Null: could not be read.

const figure = z.nullable(z.string());

/**
 * bridgeBtc: satoshi minted for and not redeemed since. mintYu: debt of the whole protocol. vaultBtc: collateral of the whole
 * protocol. userCount: addresses that connected a wallet or deposited.
 */
const figures = { bridgeBtc: figure, mintYu: figure, userCount: figure, vaultBtc: figure };
export const overviewMetrics = ['bridgeBtc', 'mintYu', 'userCount', 'vaultBtc'] as const;
export type OverviewMetric = (typeof overviewMetrics)[number];

/** A day of UTC, as it stood when it was taken; it is never changed after. */
export const overviewRow = z.object({
  /** The day, '2026-11-01'. */
  id: z.string(),
  day: z.string(),
  ...figures,
  /** When it was taken, and the chain's block. */
  at: z.string(),
  block: z.nullable(z.string()),
});
export type OverviewRow = z.infer<typeof overviewRow>;

export const overviewNow = z.object({
  ...figures,
  at: z.string(),
  block: z.nullable(z.string()),
  /** off: no chain is configured. unreachable: mintYu and vaultBtc are of `chainAt`, or null. */
  chainState: z.enum(['ok', 'off', 'unreachable']),
  chainAt: z.nullable(z.string()),
  /** Figures that are not of now. */
  delayed: z.array(z.enum(overviewMetrics)),
  /** The newest day taken, and the one 7 and 30 days before today: what a change is counted from. */
  dayBefore: z.nullable(overviewRow),
  weekBefore: z.nullable(overviewRow),
  monthBefore: z.nullable(overviewRow),
  /** Days of the last 400 that were not taken, newest first, at most 31. */
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
  /**
   * The last day taken in each day, week (from Monday) or month of UTC, oldest first: at most 1,000. `before`: the period of the
   * same length that ends where this one begins; null without `from` or unless asked.
   */
  series: route
    .meta({ menu })
    .route({ method: 'POST', path: `${menu}/series` })
    .input(z.strictObject({ filter: overviewFilter, unit: z.enum(['day', 'week', 'month']), compare: z.boolean() }))
    .output(z.object({ points: z.array(point), before: z.nullable(z.array(point)) })),
  /** The CSV is then at GET /api/overview/export/{id}, for an hour and for this person. */
  export: route
    .meta({ permission: 'overview.export' })
    .route({ method: 'POST', path: `${menu}/export` })
    .input(exportInput(overviewSorts, overviewFilter))
    .output(exportOutput),
};
