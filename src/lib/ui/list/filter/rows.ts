import { serializeCondition } from '../../../../../api/condition.ts';
import { type Condition } from '../../../../../api/filter.ts';
import { anyText, uuidFilter } from '../../../../../api/filter-kinds.ts';
import { t } from '../../../i18n/i18n.ts';
import { describeCondition, timeConditionText, conditionValueText } from './describe.ts';
import type { Filter, Filters, FilterValues } from './filters.ts';
import { parseFieldCondition } from './grammar.ts';
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

export interface FilterRowsInput {
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
export function fieldRows(input: FilterRowsInput): FilterRow[] {
  const { filters, step, typed } = input;
  const filter = step === null ? undefined : filters[step];
  if (step !== null && filter) return sortByScore(createFieldRows(step, filter, input)).slice(0, maxRows);
  const fields = Object.entries(filters).flatMap(([field, { label }]): FilterRow[] => {
    const score = matchScore(typed, [t(label), field]);
    return score === null ? [] : [{ id: field, field, text: t(label), fit: score }];
  });
  if (typed.trim() === '') return fields;
  const values = Object.entries(filters).flatMap(([name, item]) =>
    createFieldRows(name, item, input).map((row) => ({ ...row, of: t(item.label) })),
  );
  return sortByScore([...fields, ...values]).slice(0, maxRows);
}

/** Stable sort. */
const sortByScore = (rows: readonly FilterRow[]): FilterRow[] => rows.toSorted((a, b) => a.fit - b.fit);

function createFieldRows(name: string, filter: Filter, input: FilterRowsInput): FilterRow[] {
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

function timeRows(name: string, { typed, time, values }: FilterRowsInput): FilterRow[] {
  const row = (query: string, score: number): FilterRow => ({
    id: `${name} ${query}`,
    field: name,
    asked: query,
    text: timeConditionText(query),
    time: query,
    isChosen: values[name] === query,
    fit: score,
  });
  const offeredRows = offeredTimes.flatMap((item) => {
    const score = matchScore(typed, [
      timeConditionText(item),
      ...(pastDays.test(item) ? [item.replaceAll('-', ' ')] : timeNames[item as keyof typeof timeNames]),
    ]);
    return score === null || item === time ? [] : [row(item, score)];
  });
  return time === null ? offeredRows : [row(time, 0), ...offeredRows];
}

/** ≥ 0.5, ≤ 2, 0.5..2, 7: in the field's unit. */
function numberRows(name: string, filter: Filter, { typed, step }: FilterRowsInput): FilterRow[] {
  const text = typed.normalize('NFKC').replaceAll(/[,\s]|(?:btc|ybtc|yu|%)$/gi, '');
  const [, operator, lowText = '', highText] =
    /^(>=?|≥|<=?|≤|=)?(-?[\d.]*?\d?)(?:(?:\.\.|~|–|到|至)(-?[\d.]*))?$/.exec(text) ?? [];
  if (lowText === '' && !highText) return [];
  const plainNumber = lowText.replace(/\.$/, '');
  const conditionText =
    highText !== undefined
      ? [`${plainNumber}..${highText}`]
      : operator === undefined
        ? [`${plainNumber}..`, `..${plainNumber}`, plainNumber]
        : [/[>≥]/.test(operator) ? `${plainNumber}..` : /[<≤]/.test(operator) ? `..${plainNumber}` : plainNumber];
  if (step === null && operator === undefined && highText === undefined) return [];
  return conditionText.flatMap((query): FilterRow[] =>
    parseFieldCondition(filter.field, query)
      ? [{ id: `${name} ${query}`, field: name, asked: query, text: describeCondition(filter, query).value, fit: 0 }]
      : [],
  );
}

function valueRows(name: string, filter: Filter, { found, values, typed, isNot, step }: FilterRowsInput): FilterRow[] {
  const { field, also } = filter;
  const knownValues = found.of.get(name);
  const currentCondition = parseFieldCondition(field, values[name] ?? '');
  const selectedValues = currentCondition?.op === 'is' || currentCondition?.op === 'isNot' ? currentCondition.values : [];
  const fixedValues = field.kind === 'choice' ? field.values : field.kind === 'flag' ? ['true', 'false'] : [];
  const countsByValue = new Map((knownValues?.values ?? []).map(({ value, count }) => [value, count]));
  for (const value of [...fixedValues, ...selectedValues])
    if (!countsByValue.has(value)) countsByValue.set(value, knownValues && hasValueCounts(knownValues.values) ? 0 : null);
  const row = (value: string | null, score: number): FilterRow => ({
    id: `${name} ${value ?? ' none'}`,
    field: name,
    asked: buildCondition(filter, value, selectedValues, isNot),
    text: conditionValueText(filter, value, knownValues?.called),
    count: countsByValue.get(value) ?? null,
    isChosen: selectedValues.includes(value),
    fit: score,
  });
  const rows = [...countsByValue.keys()].flatMap((value) => {
    const valueLabel = conditionValueText(filter, value, knownValues?.called);
    // An id matches only when it is typed in full, because its letters mean nothing.
    if (step === null && valueLabel === value && uuidFilter.test(value) && typed.trim().length < 6) return [];
    const names = value === null ? [] : [value, ...(also ? [also(value)] : [])];
    const score = matchScore(typed, [valueLabel, ...names]);
    return score === null ? [] : [row(value, score)];
  });
  const trimmedText = typed.trim();
  const isUnlistedValue =
    field.kind === 'value' &&
    step !== null &&
    trimmedText !== '' &&
    !countsByValue.has(trimmedText) &&
    anyText.test(trimmedText) &&
    field.shape.test(trimmedText);
  return isUnlistedValue ? [...rows, row(trimmedText, 5)] : rows;
}

const hasValueCounts = (values: readonly FoundValue[]): boolean => values.some(({ count }) => count !== null);

/** Adds or removes the value. Yes and no replace each other. */
function buildCondition(
  { field }: Filter,
  value: string | null,
  selectedValues: readonly (string | null)[],
  isNegated: boolean,
): string {
  const otherValues = field.kind === 'flag' ? [] : selectedValues.filter((item) => item !== value);
  const values = selectedValues.includes(value) && otherValues.length > 0 ? otherValues : [...otherValues, value];
  const query: Condition = { op: isNegated && field.kind !== 'flag' ? 'isNot' : 'is', values };
  return serializeCondition(query, field);
}
