import { serializeCondition } from '../../../../../api/condition.ts';
import { type Condition } from '../../../../../api/filter.ts';
import { anyText, uuidFilter } from '../../../../../api/filter-kinds.ts';
import { t } from '../../../i18n/i18n.ts';
import { describeCondition, timeConditionText, conditionValueText } from './describe.ts';
import type { Filter, Filters, FilterValues } from './filters.ts';
import { conditionOf } from './grammar.ts';
import { matchScore } from './match-score.ts';
import { pastDays } from './times.ts';
import { offeredTimes, timeNames } from './typed-time.ts';
import type { FoundValue } from './values.ts';

export interface FoundValues {
  isLoading: boolean;
  of: ReadonlyMap<string, { values: readonly FoundValue[]; called?: ReadonlyMap<string, string> | undefined } | undefined>;
}

export interface FilterRow {
  id: string;
  field: string;
  /** Undefined: opens the field's values. */
  asked?: string;
  /** Field name, when values of several fields are listed. */
  of?: string;
  text: string;
  count?: number | null;
  time?: string;
  isChosen?: boolean;
  fit: number;
}

export interface RowsOf {
  filters: Filters;
  values: FilterValues;
  found: FoundValues;
  step: string | null;
  typed: string;
  isNot: boolean;
  time: string | null;
}

const maxRows = 60;

/** Best match first. */
export function fieldRows(input: RowsOf): FilterRow[] {
  const { filters, step, typed } = input;
  const filter = step === null ? undefined : filters[step];
  if (step !== null && filter) return ranked(rowsOf(step, filter, input)).slice(0, maxRows);
  const fields = Object.entries(filters).flatMap(([field, { label }]): FilterRow[] => {
    const fits = matchScore(typed, [t(label), field]);
    return fits === null ? [] : [{ id: field, field, text: t(label), fit: fits }];
  });
  if (typed.trim() === '') return fields;
  const values = Object.entries(filters).flatMap(([name, one]) =>
    rowsOf(name, one, input).map((row) => ({ ...row, of: t(one.label) })),
  );
  return ranked([...fields, ...values]).slice(0, maxRows);
}

/** Stable sort. */
const ranked = (rows: readonly FilterRow[]): FilterRow[] => rows.toSorted((a, b) => a.fit - b.fit);

function rowsOf(name: string, filter: Filter, input: RowsOf): FilterRow[] {
  switch (filter.field.kind) {
    case 'time':
      return timeRows(name, input);
    case 'number':
      return numberRows(name, filter, input);
    case 'search':
      return input.step === null || input.typed.trim() === ''
        ? []
        : [
            {
              id: `${name} has`,
              field: name,
              asked: input.typed.trim(),
              text: `${t('filter.has')} ${input.typed.trim()}`,
              fit: 0,
            },
          ];
    case 'choice':
    case 'flag':
    case 'value':
      return valueRows(name, filter, input);
  }
}

function timeRows(name: string, { typed, time, values }: RowsOf): FilterRow[] {
  const row = (query: string, fits: number): FilterRow => ({
    id: `${name} ${query}`,
    field: name,
    asked: query,
    text: timeConditionText(query),
    time: query,
    isChosen: values[name] === query,
    fit: fits,
  });
  const offered = offeredTimes.flatMap((one) => {
    const fits = matchScore(typed, [
      timeConditionText(one),
      ...(pastDays.test(one) ? [one.replaceAll('-', ' ')] : timeNames[one as keyof typeof timeNames]),
    ]);
    return fits === null || one === time ? [] : [row(one, fits)];
  });
  return time === null ? offered : [row(time, 0), ...offered];
}

/** ≥ 0.5, ≤ 2, 0.5..2, 7: in the field's unit. */
function numberRows(name: string, filter: Filter, { typed, step }: RowsOf): FilterRow[] {
  const text = typed.normalize('NFKC').replaceAll(/[,\s]|(?:btc|ybtc|yu|%)$/gi, '');
  const [, sign, low = '', high] = /^(>=?|≥|<=?|≤|=)?(-?[\d.]*?\d?)(?:(?:\.\.|~|–|到|至)(-?[\d.]*))?$/.exec(text) ?? [];
  if (low === '' && !high) return [];
  const plain = low.replace(/\.$/, '');
  const spelled =
    high !== undefined
      ? [`${plain}..${high}`]
      : sign === undefined
        ? [`${plain}..`, `..${plain}`, plain]
        : [/[>≥]/.test(sign) ? `${plain}..` : /[<≤]/.test(sign) ? `..${plain}` : plain];
  if (step === null && sign === undefined && high === undefined) return [];
  return spelled.flatMap((query): FilterRow[] =>
    conditionOf(filter.field, query)
      ? [{ id: `${name} ${query}`, field: name, asked: query, text: describeCondition(filter, query).value, fit: 0 }]
      : [],
  );
}

function valueRows(name: string, filter: Filter, { found, values, typed, isNot, step }: RowsOf): FilterRow[] {
  const { field, also } = filter;
  const known = found.of.get(name);
  const now = conditionOf(field, values[name] ?? '');
  const chosen = now?.op === 'is' || now?.op === 'isNot' ? now.values : [];
  const closed = field.kind === 'choice' ? field.values : field.kind === 'flag' ? ['true', 'false'] : [];
  const counts = new Map((known?.values ?? []).map(({ value, count }) => [value, count]));
  for (const value of [...closed, ...chosen])
    if (!counts.has(value)) counts.set(value, known && valuesCounted(known.values) ? 0 : null);
  const row = (value: string | null, fits: number): FilterRow => ({
    id: `${name} ${value ?? ' none'}`,
    field: name,
    asked: conditionWith(filter, value, chosen, isNot),
    text: conditionValueText(filter, value, known?.called),
    count: counts.get(value) ?? null,
    isChosen: chosen.includes(value),
    fit: fits,
  });
  const rows = [...counts.keys()].flatMap((value) => {
    const words = conditionValueText(filter, value, known?.called);
    // An id matches only when it is typed in full, because its letters mean nothing.
    if (step === null && words === value && uuidFilter.test(value) && typed.trim().length < 6) return [];
    const names = value === null ? [] : [value, ...(also ? [also(value)] : [])];
    const fits = matchScore(typed, [words, ...names]);
    return fits === null ? [] : [row(value, fits)];
  });
  const typedText = typed.trim();
  const isNew =
    field.kind === 'value' &&
    step !== null &&
    typedText !== '' &&
    !counts.has(typedText) &&
    anyText.test(typedText) &&
    field.shape.test(typedText);
  return isNew ? [...rows, row(typedText, 5)] : rows;
}

const valuesCounted = (values: readonly FoundValue[]): boolean => values.some(({ count }) => count !== null);

/** Adds or removes the value. Yes and no replace each other. */
function conditionWith({ field }: Filter, value: string | null, chosen: readonly (string | null)[], isNot: boolean): string {
  const rest = field.kind === 'flag' ? [] : chosen.filter((one) => one !== value);
  const values = chosen.includes(value) && rest.length > 0 ? rest : [...rest, value];
  const query: Condition = { op: isNot && field.kind !== 'flag' ? 'isNot' : 'is', values };
  return serializeCondition(query, field);
}
