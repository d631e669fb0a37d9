import type { StatisticsBars } from '../../../api/statistics/contract.ts';
import { shortenMiddle } from '../../lib/format.ts';
import { t } from '../../lib/i18n/i18n.ts';
import type { AnyStatistics, NamedValue, StatisticsSeries, TopValues, StatisticsUnit } from './description.ts';
import { bucketEdgeText, decimalPlacesOf, shownDecimals, unitOf, type FigureMeasure } from './figure.tsx';

const chartMeasureOf = (measure: FigureMeasure) => {
  const unit = unitOf[measure];
  return { places: decimalPlacesOf(measure), show: shownDecimals[measure], ...(unit === undefined ? {} : { unit }) };
};

/** With the previous period, if requested. */
export function seriesData({ id, label, as }: NamedValue, { points, before }: StatisticsSeries, unit: StatisticsUnit) {
  const valuesOf = (points: StatisticsSeries['points']) => points.map(({ values }) => values[id] ?? '0');
  return {
    unit,
    labels: points.map((point) => point.label),
    ...(before ? { beforeLabels: points.map((_, index) => before[index]?.label ?? null) } : {}),
    series: [
      {
        id,
        name: t(label),
        measure: chartMeasureOf(as),
        values: valuesOf(points),
        isSum: true,
        ...(before ? { before: valuesOf(before) } : {}),
      },
    ],
  };
}

/** The sum of the others is text, because it would dwarf the bars. */
export function topData(topDefinition: AnyStatistics['tops'][number], { label, as }: NamedValue, { top }: TopValues) {
  return {
    of: t(topDefinition.label),
    name: t(label),
    measure: chartMeasureOf(as),
    bars: top.map(({ key, value }) => ({
      id: key ?? 'unknown',
      ...(key === null ? { label: t('statistics.unknown') } : labelOf(topDefinition, key)),
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

function barLabel(fromValue: string | null, toValue: string | null, measure: FigureMeasure | undefined): string {
  if (measure === undefined) return `${(fromValue ?? '0').padStart(2, '0')}:00`;
  if (fromValue === null) return toValue === null ? '' : t('statistics.chart.under', { to: bucketEdgeText(toValue, measure) });
  if (toValue === null) return t('statistics.chart.over', { from: bucketEdgeText(fromValue, measure) });
  if (measure !== 'count')
    return t('statistics.chart.between', { from: bucketEdgeText(fromValue, measure), to: bucketEdgeText(toValue, measure) });
  const lastValue = String(BigInt(toValue) - 1n); // integer buckets: "1–9", not "1–10"
  return lastValue === fromValue
    ? bucketEdgeText(fromValue, measure)
    : t('statistics.chart.between', { from: bucketEdgeText(fromValue, measure), to: bucketEdgeText(lastValue, measure) });
}
