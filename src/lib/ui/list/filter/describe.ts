import { formatUnits } from '../../../../../api/money.ts';
import { formatTime, groupDigits, withUnit } from '../../../format.ts';
import { t, type TextKey } from '../../../i18n/i18n.ts';
import type { Filter } from './filters.ts';
import { parseFieldCondition } from './grammar.ts';
import { pastDays } from './times.ts';

export interface DescribedCondition {
  operator: string;
  value: string;
}

export function describeCondition(
  filter: Filter,
  conditionSource: string,
  names?: ReadonlyMap<string, string>,
): DescribedCondition {
  const { field } = filter;
  const condition = parseFieldCondition(field, conditionSource);
  if (!condition) return { operator: '', value: conditionSource };
  if (condition.op === 'has') return { operator: t('filter.has'), value: condition.text };
  if (condition.op === 'between')
    return field.kind === 'time'
      ? { operator: '', value: timeConditionText(conditionSource, field.utc) }
      : { operator: '', value: numberText(filter, condition) };
  return {
    operator: t(condition.op === 'is' ? 'filter.is' : 'filter.isNot'),
    value: condition.values.map((value) => conditionValueText(filter, value, names)).join(t('filter.or')),
  };
}

/** Null is none. */
export function conditionValueText({ field, words }: Filter, value: string | null, names?: ReadonlyMap<string, string>): string {
  if (value === null) return t('filter.none');
  if (field.kind === 'flag' && !words) return t(value === 'true' ? 'filter.yes' : 'filter.no');
  return names?.get(value) ?? words?.(value) ?? value;
}

/** Local times, or UTC days if `isUtc` is set. */
export function timeConditionText(condition: string, isUtc = false): string {
  const pastDayCount = pastDays.exec(condition)?.[1];
  if (pastDayCount !== undefined) return t('filter.time.pastDays', { n: pastDayCount });
  if (!condition.includes('..')) return /^\d/.test(condition) ? condition : t(`filter.time.${condition}` as TextKey);
  const [fromText = '', toText = ''] = condition
    .split('..')
    .map((boundary, endIndex) => (isUtc ? utcDay(boundary, endIndex === 1) : endText(boundary)));
  if (toText === '') return t('filter.time.from', { at: fromText });
  return fromText === '' ? t('filter.time.to', { at: toText }) : fromText === toText ? fromText : `${fromText} – ${toText}`;
}

const isInstant = (boundary: string): boolean => boundary.endsWith('Z');
const endText = (boundary: string): string => (isInstant(boundary) ? formatTime(boundary) : boundary.replace('T', ' '));

/** `boundary` is exclusive. */
const utcDay = (boundary: string, isRangeEnd: boolean): string =>
  isInstant(boundary) ? new Date(Date.parse(boundary) - Number(isRangeEnd)).toISOString().slice(0, 10) : endText(boundary);

function numberText({ field }: Filter, { from: fromText, to: toText }: { from: string | null; to: string | null }): string {
  const places = field.kind === 'number' ? field.places : 0;
  const unit = field.kind === 'number' ? field.unit : undefined;
  const formatNumber = (boundary: string) => formatDecimal(BigInt(boundary), places);
  const text = (boundary: string) => withUnit(formatNumber(boundary), unit);
  if (fromText === null) return toText === null ? '' : `≤ ${text(toText)}`;
  if (toText === null) return `≥ ${text(fromText)}`;
  return fromText === toText
    ? `= ${text(fromText)}`
    : `${unit === '%' ? text(fromText) : formatNumber(fromText)} – ${text(toText)}`;
}

function formatDecimal(value: bigint, places: number): string {
  const [integerPart = '', fraction] = formatUnits(value, places).split('.');
  const groupedInteger = `${integerPart.startsWith('-') ? '-' : ''}${groupDigits(BigInt(integerPart.replace('-', '')))}`;
  return fraction ? `${groupedInteger}.${fraction}` : groupedInteger;
}
