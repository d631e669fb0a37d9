import type { StatisticsBars } from '../../../api/statistics/contract.ts';
import type { TextKey } from '../../lib/i18n/i18n.ts';
import type { StatisticsName } from '../../commands/statistics/commands.ts';
import type { Target } from '../../lib/scope.ts';
import type { Column } from '../../lib/ui/list/table/columns.ts';
import type { Filters, FilterValues, Sort } from '../../lib/ui/list/filter/filters.ts';
import type { ValuesRoute } from '../../lib/ui/list/filter/values.ts';
import type { Page } from '../../lib/ui/list/use-list.ts';
import type { ReactNode } from 'react';
import type { Rounding } from '../../lib/money/amount-text.ts';
import type { FigureMeasure } from './figure.tsx';

export type StatisticsFilter = FilterValues;
export type StatisticsUnit = 'day' | 'week' | 'month';

export interface StatisticsPoint {
  at: string;
  label: string;
  values: Readonly<Record<string, string>>;
}
/** `isLate`: older than a few seconds, as of `asOf`. */
export interface WithAge {
  asOf: string;
  isLate: boolean;
}
export interface StatisticsSeries extends WithAge {
  points: readonly StatisticsPoint[];
  before: readonly StatisticsPoint[] | null;
}
export interface TopValues extends WithAge {
  top: readonly { key: string | null; value: string }[];
  rest: string;
}
export interface StatisticsTotals extends WithAge {
  rows: string;
  sums: Readonly<Record<string, string>>;
}

interface Options {
  signal: AbortSignal;
}

/** See api/statistics/contract.ts. */
export interface StatisticsRoutes<Row> {
  list(
    input: { sort: string; direction: 'asc' | 'desc'; filter: StatisticsFilter; cursor: string | null; limit: number },
    options: Options,
  ): Promise<Page<Row>>;
  values: ValuesRoute;
  many(input: { ids: string[] }, options: Options): Promise<Row[]>;
  totals(input: { filter: StatisticsFilter }, options: Options): Promise<StatisticsTotals>;
  series(
    input: { filter: StatisticsFilter; unit: StatisticsUnit; zone: string; compare: boolean },
    options: Options,
  ): Promise<StatisticsSeries>;
  top(input: { filter: StatisticsFilter; by: string; metric: string; limit: number }, options: Options): Promise<TopValues>;
  bars(input: { filter: StatisticsFilter; of: string; zone: string }, options: Options): Promise<StatisticsBars & WithAge>;
}

/** Name in the contract. */
export interface NamedValue {
  id: string;
  label: TextKey;
  as: FigureMeasure;
  /** Round debts up. */
  round?: Rounding;
}

export interface StatisticsColumn<Row> extends Column<Row> {
  /** Unshortened, for the record. */
  whole?: (row: Row) => ReactNode;
}

export interface StatisticsDescription<Row extends { id: string }> {
  name: StatisticsName;
  shape: { sorts: readonly string[]; defaultSort: Sort; filters: Filters };
  routes: StatisticsRoutes<Row>;
  toTarget: (row: Row) => Target;
  columns: readonly StatisticsColumn<Row>[];
  totals: readonly NamedValue[];
  metrics: readonly NamedValue[];
  /** Metrics for the largest. Addresses are shortened on screen, full in files. */
  tops: readonly { id: string; label: TextKey; name?: (key: string) => string; isAddress?: true }[];
  /** Distributions. Without a measure, hours of the day. */
  bars: readonly { id: string; label: TextKey; as?: FigureMeasure }[];
  /** Progress of the chain reader. */
  follower?: (
    input: undefined,
    options: Options,
  ) => Promise<{ state: 'ok' | 'off' | 'behind' | 'unreachable'; asOf: string | null }>;
  /** For rows imported from files. */
  imports?: 'teams' | 'draws';
}

/** Type-erased, so that one screen renders all six. */
export type AnyStatistics = StatisticsDescription<{ id: string }>;
