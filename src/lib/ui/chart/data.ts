import { byteOrderMark, csvLine } from '../../../../api/csv.ts';
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
export function changeText(now: ChartValue, previous: ChartValue, measure: ChartMeasure): string | null {
  if (now === null || previous === null) return null;
  const change = BigInt(now) - BigInt(previous);
  const words = `${change > 0n ? '+' : ''}${figureText(String(change), measure)}`;
  const share = shareText(change, BigInt(previous));
  return share ? t('chart.change', { change: words, share }) : words;
}

/** Totals of the current and the previous period, in base units. Null without a previous period, or if values are levels. */
export function periodTotals({ values, before, isSum }: ChartSeries): { now: string; then: string } | null {
  if (!isSum || !before) return null;
  const total = (of: readonly ChartValue[]) => String(of.reduce((sum, value) => sum + BigInt(value ?? 0), 0n));
  return { now: total(values), then: total(before) };
}

/** Percent with two decimals, truncated: '+3.21%'. Null if `of` is zero. */
export function shareText(part: bigint, of: bigint): string | null {
  if (of === 0n) return null;
  const sign = part < 0n !== of < 0n && part !== 0n ? '−' : '+';
  const absolute = (value: bigint) => (value < 0n ? -value : value);
  return `${part === 0n ? '' : sign}${percentText((absolute(part) * weiPerToken) / absolute(of))}`;
}

/** A week by its first day, a month by its name. Returns an invalid day unchanged. */
export function periodText(label: string, unit: ChartUnit): string {
  const at = new Date(`${label}T00:00:00Z`);
  if (Number.isNaN(at.getTime())) return label;
  if (unit === 'month') return formatDay(at, locale(), { year: 'numeric', month: 'long' });
  const day = formatDay(at, locale(), { year: 'numeric', month: 'short', day: 'numeric' });
  return unit === 'week' ? t('chart.weekOf', { day }) : day;
}

export function shortLabel(label: string, unit: ChartUnit): string {
  const at = new Date(`${label}T00:00:00Z`);
  if (Number.isNaN(at.getTime())) return label;
  const options =
    unit === 'month' ? ({ year: 'numeric', month: 'short' } as const) : ({ month: 'short', day: 'numeric' } as const);
  return formatDay(at, locale(), options);
}

export function seriesTable({ unit, labels, beforeLabels, series }: SeriesData): ChartTableData {
  const head = [t(`chart.unitName.${unit}`)];
  for (const { name, measure, before } of series) {
    const named = namedWithUnit(name, measure.unit);
    head.push(named);
    if (before) head.push(t('chart.beforeLabel'), t('chart.beforeOf', { name: named }));
  }
  const rows = labels.map((label, at) => {
    const shown = [periodText(label, unit)];
    const plain = [label];
    for (const { measure, values, before } of series) {
      const value = values[at] ?? null;
      shown.push(figureText(value, { ...measure, unit: '' }));
      plain.push(plainText(value, measure));
      if (!before) continue;
      const previous = before[at] ?? null;
      const previousLabel = beforeLabels?.[at] ?? null;
      shown.push(previousLabel === null ? '—' : periodText(previousLabel, unit), figureText(previous, { ...measure, unit: '' }));
      plain.push(previousLabel ?? '', plainText(previous, measure));
    }
    return { shown, plain };
  });
  return { head, rows };
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
  const cell = (text: string) => (/^-?\d+(\.\d+)?$/.test(text) ? `"${text}"` : csvLine([text]).trimEnd());
  const lines = [head, ...rows.map(({ plain }) => plain)].map((line) => `${line.map(cell).join(',')}\r\n`);
  return `${byteOrderMark}${lines.join('')}`;
}

/** One sentence per series: first, last, lowest and highest value. */
export function seriesWords({ unit, labels, series }: SeriesData): string {
  return series
    .map(({ name, measure, values }) => {
      const known = values.flatMap((value, at) => (value === null ? [] : [{ value: BigInt(value), at }]));
      const [first] = known;
      const last = known.at(-1);
      if (!first || !last) return t('chart.words.none', { name });
      const words = ({ value, at }: { value: bigint; at: number }) => ({
        value: figureText(String(value), measure),
        at: periodText(labels[at] ?? '', unit),
      });
      const min = words(known.reduce((one, other) => (other.value < one.value ? other : one)));
      const max = words(known.reduce((one, other) => (other.value > one.value ? other : one)));
      const [from, to] = [words(first), words(last)];
      return t('chart.words.series', {
        name,
        from: from.at,
        first: from.value,
        to: to.at,
        last: to.value,
        least: min.value,
        leastAt: min.at,
        most: max.value,
        mostAt: max.at,
      });
    })
    .join(' ');
}
