import { formatUnits } from '../../../../../api/money.ts';
import { formatTime, groupDigits, withUnit } from '../../../format.ts';
import { t, type TextKey } from '../../../i18n/i18n.ts';
import type { Filter } from './filters.ts';
import { conditionOf } from './grammar.ts';
import { pastDays } from './times.ts';

export interface DescribedCondition {
  operator: string;
  value: string;
}

export function describeCondition(filter: Filter, requested: string, names?: ReadonlyMap<string, string>): DescribedCondition {
  const { field } = filter;
  const condition = conditionOf(field, requested);
  if (!condition) return { operator: '', value: requested };
  if (condition.op === 'has') return { operator: t('filter.has'), value: condition.text };
  if (condition.op === 'between')
    return field.kind === 'time'
      ? { operator: '', value: timeConditionText(requested, field.utc) }
      : { operator: '', value: numberWords(filter, condition) };
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

/** Local times, or UTC days if `utc` is set. */
export function timeConditionText(condition: string, utc = false): string {
  const past = pastDays.exec(condition)?.[1];
  if (past !== undefined) return t('filter.time.pastDays', { n: past });
  if (!condition.includes('..')) return /^\d/.test(condition) ? condition : t(`filter.time.${condition}` as TextKey);
  const [from = '', to = ''] = condition.split('..').map((end, at) => (utc ? utcDay(end, at === 1) : endWords(end)));
  if (to === '') return t('filter.time.from', { at: from });
  return from === '' ? t('filter.time.to', { at: to }) : from === to ? from : `${from} – ${to}`;
}

const isInstant = (end: string): boolean => end.endsWith('Z');
const endWords = (end: string): string => (isInstant(end) ? formatTime(end) : end.replace('T', ' '));

/** `end` is exclusive. */
const utcDay = (end: string, isEnd: boolean): string =>
  isInstant(end) ? new Date(Date.parse(end) - Number(isEnd)).toISOString().slice(0, 10) : endWords(end);

function numberWords({ field }: Filter, { from, to }: { from: string | null; to: string | null }): string {
  const places = field.kind === 'number' ? field.places : 0;
  const unit = field.kind === 'number' ? field.unit : undefined;
  const bare = (end: string) => decimal(BigInt(end), places);
  const text = (end: string) => withUnit(bare(end), unit);
  if (from === null) return to === null ? '' : `≤ ${text(to)}`;
  if (to === null) return `≥ ${text(from)}`;
  return from === to ? `= ${text(from)}` : `${unit === '%' ? text(from) : bare(from)} – ${text(to)}`;
}

function decimal(value: bigint, places: number): string {
  const [whole = '', part] = formatUnits(value, places).split('.');
  const grouped = `${whole.startsWith('-') ? '-' : ''}${groupDigits(BigInt(whole.replace('-', '')))}`;
  return part ? `${grouped}.${part}` : grouped;
}
