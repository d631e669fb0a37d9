import type { OverviewMetric } from '../../../../api/statistics/overview.ts';
import type { SeriesData } from '../../../lib/ui/chart/data.ts';
import type { ChartUnit } from '../../../lib/ui/chart/query.ts';

const dayMs = 86_400_000;

/** The last day recorded in a day, week or month. */
interface Point {
  day: string;
  values: Readonly<Record<OverviewMetric, string | null>>;
}

/** UTC midnights, `to` exclusive. `from` null: from the beginning. */
export interface TimeSpan {
  from: string | null;
  to: string;
}

const dayOf = (dayTime: number): string => new Date(dayTime).toISOString().slice(0, 10);

/** Whole days that ended before now. */
export function spanOf(days: number | null, now: number): TimeSpan {
  const today = Math.floor(now / dayMs) * dayMs;
  return { from: days === null ? null : new Date(today - days * dayMs).toISOString(), to: new Date(today).toISOString() };
}

/** First day of the week (a Monday) or of the month. */
export function periodStartOf(day: string, unit: ChartUnit): string {
  if (unit === 'month') return `${day.slice(0, 7)}-01`;
  if (unit === 'day') return day;
  const date = new Date(`${day}T00:00:00Z`);
  return dayOf(date.getTime() - ((date.getUTCDay() + 6) % 7) * dayMs);
}

/** Includes empty slots. */
function listPeriodStarts(startDay: string, endDay: string, unit: ChartUnit): string[] {
  const slots: string[] = [];
  for (let dayTime = Date.parse(startDay); dayTime < Date.parse(endDay); dayTime += dayMs) {
    const slot = periodStartOf(dayOf(dayTime), unit);
    if (slots.at(-1) !== slot) slots.push(slot);
  }
  return slots;
}

const valuesIn = (slots: readonly (string | null)[], points: readonly Point[], metric: OverviewMetric, unit: ChartUnit) => {
  const valuesBySlot = new Map(points.map(({ day, values }) => [periodStartOf(day, unit), values[metric]]));
  return slots.map((slot) => (slot === null ? null : (valuesBySlot.get(slot) ?? null)));
};

interface ChartInput {
  span: TimeSpan;
  unit: ChartUnit;
  metric: OverviewMetric;
  points: readonly Point[];
  before: readonly Point[] | null;
}

/** One value per day, week or month, and the value of the previous period. */
export function chartOf({ span, unit, metric, points, before }: ChartInput): Omit<SeriesData, 'series'> & {
  values: (string | null)[];
  before?: (string | null)[];
} {
  const startTime = span.from ?? (points[0] ? `${points[0].day}T00:00:00.000Z` : span.to);
  const labels = listPeriodStarts(startTime, span.to, unit);
  const values = valuesIn(labels, points, metric, unit);
  if (before === null || span.from === null) return { unit, labels, values };
  const previousStart = Date.parse(span.from) - (Date.parse(span.to) - Date.parse(span.from));
  const previousSlots = listPeriodStarts(new Date(previousStart).toISOString(), span.from, unit);
  // Align both periods at their last slot, because they may differ by one week or month.
  const beforeLabels = labels.map((_, index) => previousSlots[previousSlots.length - labels.length + index] ?? null);
  return { unit, labels, values, beforeLabels, before: valuesIn(beforeLabels, before, metric, unit) };
}
