import { byteOrderMark, csvLine } from '../../../../api/csv.ts';
import { formatUnits, wad } from '../../../../api/money.ts';
import { roundedText, percentText } from '../../money/amount-text.ts';
import { formatDay, withUnit } from '../../format.ts';
import { namedWithUnit } from '../../i18n/punctuation.ts';
import type { ChartTable } from './charts.ts';
import { locale, t } from '../../i18n/i18n.ts';
import type { ChartUnit } from './query.ts';

/** What the decimal strings of a chart are: base units, so many to the unit: 8 of satoshi, 18 of wei, 0 of what is counted. */
export interface Measure {
  places: number;
  /** Decimals that are shown, all when left out; a file has them all. */
  show?: number;
  unit?: string;
}

/** A decimal string of base units; null: it could not be read. */
export type Value = string | null;

/** A line, or bars, over time. */
export interface Series {
  id: string;
  name: string;
  measure: Measure;
  values: readonly Value[];
  /** The period before, in step with `values`; left out: there is none to compare with. */
  before?: readonly Value[];
}

/** What a chart over time draws. Labels are days, '2026-11-01': of a week its Monday, of a month its first or any other. */
export interface SeriesData {
  unit: ChartUnit;
  labels: readonly string[];
  /** The days of `before`, in step with `labels`; null where that period has no such day. */
  beforeLabels?: readonly (string | null)[];
  series: readonly Series[];
}

/** A list of bars: the top of something, or how something is distributed. */
export interface BarsData {
  /** What the bars are of: the head of the first column. */
  of: string;
  /** What is measured: the head of the second. */
  name: string;
  measure: Measure;
  /** `whole`: the label as a file has it, where it is shortened on screen. */
  bars: readonly { id: string; label: string; value: string; whole?: string }[];
}

/** The value as people read it: grouped, without trailing zeros, with its unit. */
export function figureText(value: Value, { places, show = places, unit }: Measure): string {
  if (value === null) return t('chart.unknown');
  return withUnit(roundedText(BigInt(value), places, show, 'down'), unit);
}

/** The value as a file has it: exact, ungrouped; empty when it is not known. */
export const plainText = (value: Value, { places }: Measure): string =>
  value === null ? '' : formatUnits(BigInt(value), places);

/** Where a value stands in a picture. Rounded: for drawing only. */
export const drawn = (value: Value | undefined, { places }: Measure): number | null =>
  value === null || value === undefined ? null : Number(value) / 10 ** places;

/** What has become of it since, with its sign. Null: one of the two is not known. */
export function changeText(now: Value, then: Value, measure: Measure): string | null {
  if (now === null || then === null) return null;
  const change = BigInt(now) - BigInt(then);
  const words = `${change > 0n ? '+' : ''}${figureText(String(change), measure)}`;
  const share = shareText(change, BigInt(then));
  return share ? t('chart.change', { change: words, share }) : words;
}

/** A share in percent with two decimals, the rest cut off: '+3.21%'. Null: of nothing. */
export function shareText(part: bigint, of: bigint): string | null {
  if (of === 0n) return null;
  const sign = part < 0n !== of < 0n && part !== 0n ? '−' : '+';
  const absolute = (value: bigint) => (value < 0n ? -value : value);
  return `${part === 0n ? '' : sign}${percentText((absolute(part) * wad) / absolute(of))}`;
}

/** A day as people of this language write it; a week by its first day, a month by its name. What is no day stays as it is. */
export function labelText(label: string, unit: ChartUnit): string {
  const at = new Date(`${label}T00:00:00Z`);
  if (Number.isNaN(at.getTime())) return label;
  if (unit === 'month') return formatDay(at, locale(), { year: 'numeric', month: 'long' });
  const day = formatDay(at, locale(), { year: 'numeric', month: 'short', day: 'numeric' });
  return unit === 'week' ? t('chart.weekOf', { day }) : day;
}

/** The same as short as an axis needs it. */
export function shortLabel(label: string, unit: ChartUnit): string {
  const at = new Date(`${label}T00:00:00Z`);
  if (Number.isNaN(at.getTime())) return label;
  const options =
    unit === 'month' ? ({ year: 'numeric', month: 'short' } as const) : ({ month: 'short', day: 'numeric' } as const);
  return formatDay(at, locale(), options);
}

/** The very values that are drawn, as a table. */
export function seriesTable({ unit, labels, beforeLabels, series }: SeriesData): ChartTable {
  const head = [t(`chart.unitName.${unit}`)];
  for (const { name, measure, before } of series) {
    const named = namedWithUnit(name, measure.unit);
    head.push(named);
    if (before) head.push(t('chart.beforeLabel'), t('chart.beforeOf', { name: named }));
  }
  const rows = labels.map((label, at) => {
    const shown = [labelText(label, unit)];
    const plain = [label];
    for (const { measure, values, before } of series) {
      const value = values[at] ?? null;
      shown.push(figureText(value, { ...measure, unit: '' }));
      plain.push(plainText(value, measure));
      if (!before) continue;
      const then = before[at] ?? null;
      const thenLabel = beforeLabels?.[at] ?? null;
      shown.push(thenLabel === null ? '—' : labelText(thenLabel, unit), figureText(then, { ...measure, unit: '' }));
      plain.push(thenLabel ?? '', plainText(then, measure));
    }
    return { shown, plain };
  });
  return { head, rows };
}

/** The very bars that are drawn, as a table. */
export function barsTable({ of, name, measure, bars }: BarsData): ChartTable {
  return {
    head: [of, namedWithUnit(name, measure.unit)],
    rows: bars.map(({ label, value, whole = label }) => ({
      shown: [label, figureText(value, { ...measure, unit: '' })],
      plain: [whole, plainText(value, measure)],
    })),
  };
}

/** A table as a CSV file: UTF-8 with its mark, so that spreadsheets read Chinese; text that they would run made inert, numbers as they are. */
export function tableCsv({ head, rows }: ChartTable): string {
  const cell = (text: string) => (/^-?\d+(\.\d+)?$/.test(text) ? `"${text}"` : csvLine([text]).trimEnd());
  const lines = [head, ...rows.map(({ plain }) => plain)].map((line) => `${line.map(cell).join(',')}\r\n`);
  return `${byteOrderMark}${lines.join('')}`;
}

/** What a chart over time shows, in a sentence a series: where it begins and ends, its least and its most. */
export function seriesWords({ unit, labels, series }: SeriesData): string {
  return series
    .map(({ name, measure, values }) => {
      const known = values.flatMap((value, at) => (value === null ? [] : [{ value: BigInt(value), at }]));
      const [first] = known;
      const last = known.at(-1);
      if (!first || !last) return t('chart.words.none', { name });
      const words = ({ value, at }: { value: bigint; at: number }) => ({
        value: figureText(String(value), measure),
        at: labelText(labels[at] ?? '', unit),
      });
      const least = words(known.reduce((one, other) => (other.value < one.value ? other : one)));
      const most = words(known.reduce((one, other) => (other.value > one.value ? other : one)));
      const [from, to] = [words(first), words(last)];
      return t('chart.words.series', {
        name,
        from: from.at,
        first: from.value,
        to: to.at,
        last: to.value,
        least: least.value,
        leastAt: least.at,
        most: most.value,
        mostAt: most.at,
      });
    })
    .join(' ');
}
