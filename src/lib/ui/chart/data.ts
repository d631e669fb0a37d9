import { byteOrderMark, formatCsvLine } from '../../../../api/csv.ts';
import { formatUnits, weiPerToken } from '../../../../api/money.ts';
import { roundedText, percentText } from '../../money/amount-text.ts';
import { formatDay, withUnit } from '../../format.ts';
import { namedWithUnit } from '../../i18n/punctuation.ts';
import type { ChartTableData } from './charts.ts';
import { locale, t } from '../../i18n/i18n.ts';
import type { ChartUnit } from './query.ts';

/** Decimals of the base units: 8 for satoshi, 18 for wei, 0 for counts. */
export interface ChartMeasure {
  places: number;
  /** Default: all. Files have all. */
  show?: number;
  unit?: string;
}

/** Base units as a decimal string, null if unknown. */
export type ChartValue = string | null;

export interface ChartSeries {
  id: string;
  name: string;
  measure: ChartMeasure;
  values: readonly ChartValue[];
  /** Aligned with `values`. */
  before?: readonly ChartValue[];
  /** The values add up to a total, such as visits. Levels, such as a balance, do not. */
  isSum?: boolean;
}

/** Labels are days, '2026-11-01': of a week its Monday, of a month any day. */
export interface SeriesData {
  unit: ChartUnit;
  labels: readonly string[];
  /** Null where the previous period has no such day. */
  beforeLabels?: readonly (string | null)[];
  series: readonly ChartSeries[];
}

export interface BarsData {
  of: string;
  name: string;
  measure: ChartMeasure;
  /** `whole`: unshortened label for files. */
  bars: readonly { id: string; label: string; value: string; whole?: string }[];
}

export function figureText(value: ChartValue, { places, show = places, unit }: ChartMeasure): string {
  if (value === null) return t('chart.unknown');
  return withUnit(roundedText(BigInt(value), places, show, 'down'), unit);
}

/** Exact and ungrouped, empty if unknown. */
export const plainText = (value: ChartValue, { places }: ChartMeasure): string =>
  value === null ? '' : formatUnits(BigInt(value), places);

/** Rounded: for drawing only. */
export const toPlotValue = (value: ChartValue | undefined, { places }: ChartMeasure): number | null =>
  value === null || value === undefined ? null : Number(value) / 10 ** places;

/** Null if either is unknown. */
export function changeText(current: ChartValue, previous: ChartValue, measure: ChartMeasure): string | null {
  if (current === null || previous === null) return null;
  const change = BigInt(current) - BigInt(previous);
  const changeLine = `${change > 0n ? '+' : ''}${figureText(String(change), measure)}`;
  const share = shareText(change, BigInt(previous));
  return share ? t('chart.change', { change: changeLine, share }) : changeLine;
}

/** Totals of the current and the previous period, in base units. Null without a previous period, or if values are levels. */
export function periodTotals({ values, before, isSum }: ChartSeries): { now: string; then: string } | null {
  if (!isSum || !before) return null;
  const total = (values: readonly ChartValue[]) => String(values.reduce((sum, value) => sum + BigInt(value ?? 0), 0n));
  return { now: total(values), then: total(before) };
}

/** Percent with two decimals, truncated: '+3.21%'. Null if `of` is zero. */
export function shareText(portion: bigint, base: bigint): string | null {
  if (base === 0n) return null;
  const sign = portion < 0n !== base < 0n && portion !== 0n ? '−' : '+';
  const absoluteOf = (value: bigint) => (value < 0n ? -value : value);
  return `${portion === 0n ? '' : sign}${percentText((absoluteOf(portion) * weiPerToken) / absoluteOf(base))}`;
}

/** A week by its first day, a month by its name. Returns an invalid day unchanged. */
export function periodText(label: string, unit: ChartUnit): string {
  const date = new Date(`${label}T00:00:00Z`);
  if (Number.isNaN(date.getTime())) return label;
  if (unit === 'month') return formatDay(date, locale(), { year: 'numeric', month: 'long' });
  const day = formatDay(date, locale(), { year: 'numeric', month: 'short', day: 'numeric' });
  return unit === 'week' ? t('chart.weekOf', { day }) : day;
}

export function shortLabel(label: string, unit: ChartUnit): string {
  const date = new Date(`${label}T00:00:00Z`);
  if (Number.isNaN(date.getTime())) return label;
  const options =
    unit === 'month' ? ({ year: 'numeric', month: 'short' } as const) : ({ month: 'short', day: 'numeric' } as const);
  return formatDay(date, locale(), options);
}

export function seriesTable({ unit, labels, beforeLabels, series }: SeriesData): ChartTableData {
  const headerCells = [t(`chart.unitName.${unit}`)];
  for (const { name, measure, before } of series) {
    const nameWithUnit = namedWithUnit(name, measure.unit);
    headerCells.push(nameWithUnit);
    if (before) headerCells.push(t('chart.beforeLabel'), t('chart.beforeOf', { name: nameWithUnit }));
  }
  const rows = labels.map((label, index) => {
    const displayedCells = [periodText(label, unit)];
    const plainCells = [label];
    for (const { measure, values, before } of series) {
      const value = values[index] ?? null;
      displayedCells.push(figureText(value, { ...measure, unit: '' }));
      plainCells.push(plainText(value, measure));
      if (!before) continue;
      const previous = before[index] ?? null;
      const previousLabel = beforeLabels?.[index] ?? null;
      displayedCells.push(
        previousLabel === null ? '—' : periodText(previousLabel, unit),
        figureText(previous, { ...measure, unit: '' }),
      );
      plainCells.push(previousLabel ?? '', plainText(previous, measure));
    }
    return { shown: displayedCells, plain: plainCells };
  });
  return { head: headerCells, rows };
}

export function barsTable({ of, name, measure, bars }: BarsData): ChartTableData {
  return {
    head: [of, namedWithUnit(name, measure.unit)],
    rows: bars.map(({ label, value, whole = label }) => ({
      shown: [label, figureText(value, { ...measure, unit: '' })],
      plain: [whole, plainText(value, measure)],
    })),
  };
}

/** With a byte order mark, so that spreadsheets read Chinese. Escapes formulas. */
export function tableCsv({ head, rows }: ChartTableData): string {
  const cell = (text: string) => (/^-?\d+(\.\d+)?$/.test(text) ? `"${text}"` : formatCsvLine([text]).trimEnd());
  const lines = [head, ...rows.map(({ plain }) => plain)].map((line) => `${line.map(cell).join(',')}\r\n`);
  return `${byteOrderMark}${lines.join('')}`;
}

/** One sentence per series: first, last, lowest and highest value. */
export function seriesText({ unit, labels, series }: SeriesData): string {
  return series
    .map(({ name, measure, values }) => {
      const knownValues = values.flatMap((value, index) => (value === null ? [] : [{ value: BigInt(value), at: index }]));
      const [firstValue] = knownValues;
      const lastValue = knownValues.at(-1);
      if (!firstValue || !lastValue) return t('chart.words.none', { name });
      const describePoint = ({ value, at }: { value: bigint; at: number }) => ({
        value: figureText(String(value), measure),
        at: periodText(labels[at] ?? '', unit),
      });
      const minPoint = describePoint(knownValues.reduce((a, b) => (b.value < a.value ? b : a)));
      const maxPoint = describePoint(knownValues.reduce((a, b) => (b.value > a.value ? b : a)));
      const [firstPoint, lastPoint] = [describePoint(firstValue), describePoint(lastValue)];
      return t('chart.words.series', {
        name,
        from: firstPoint.at,
        first: firstPoint.value,
        to: lastPoint.at,
        last: lastPoint.value,
        least: minPoint.value,
        leastAt: minPoint.at,
        most: maxPoint.value,
        mostAt: maxPoint.at,
      });
    })
    .join(' ');
}
