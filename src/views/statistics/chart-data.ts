import type { StatisticsBars } from '../../../api/statistics/contract.ts';
import { shortenMiddle } from '../../lib/format.ts';
import { t } from '../../lib/i18n/i18n.ts';
import type { AnyStatistics, NamedValue, StatisticsSeries, TopValues, StatisticsUnit } from './description.ts';
import { edgeText, decimalPlacesOf, shownDecimals, unitOf, type FigureMeasure } from './figure.tsx';

const measureOf = (as: FigureMeasure) => {
  const unit = unitOf[as];
  return { places: decimalPlacesOf(as), show: shownDecimals[as], ...(unit === undefined ? {} : { unit }) };
};

/** With the previous period, if requested. */
export function seriesData({ id, label, as }: NamedValue, { points, before }: StatisticsSeries, unit: StatisticsUnit) {
  const valuesOf = (of: StatisticsSeries['points']) => of.map(({ values }) => values[id] ?? '0');
  return {
    unit,
    labels: points.map((point) => point.label),
    ...(before ? { beforeLabels: points.map((_, at) => before[at]?.label ?? null) } : {}),
    series: [
      {
        id,
        name: t(label),
        measure: measureOf(as),
        values: valuesOf(points),
        isSum: true,
        ...(before ? { before: valuesOf(before) } : {}),
      },
    ],
  };
}

/** The sum of the others is text, because it would dwarf the bars. */
export function topData(by: AnyStatistics['tops'][number], { label, as }: NamedValue, { top }: TopValues) {
  return {
    of: t(by.label),
    name: t(label),
    measure: measureOf(as),
    bars: top.map(({ key, value }) => ({
      id: key ?? 'unknown',
      ...(key === null ? { label: t('statistics.unknown') } : labelOf(by, key)),
      value,
    })),
  };
}

const labelOf = ({ name, isAddress }: AnyStatistics['tops'][number], key: string) =>
  isAddress ? { label: shortenMiddle(key), whole: key } : { label: name?.(key) ?? key };

export function barsData({ label, as }: AnyStatistics['bars'][number], { bars }: StatisticsBars) {
  return {
    of: t(label),
    name: t('statistics.chart.rows'),
    measure: { places: 0 },
    bars: bars.map(({ from, to, rows }) => ({ id: `${from}`, label: barLabel(from, to, as), value: rows })),
  };
}

function barLabel(from: string | null, to: string | null, as: FigureMeasure | undefined): string {
  if (as === undefined) return `${(from ?? '0').padStart(2, '0')}:00`;
  if (from === null) return to === null ? '' : t('statistics.chart.under', { to: edgeText(to, as) });
  if (to === null) return t('statistics.chart.over', { from: edgeText(from, as) });
  if (as !== 'count') return t('statistics.chart.between', { from: edgeText(from, as), to: edgeText(to, as) });
  const last = String(BigInt(to) - 1n); // integer buckets: "1–9", not "1–10"
  return last === from ? edgeText(from, as) : t('statistics.chart.between', { from: edgeText(from, as), to: edgeText(last, as) });
}
