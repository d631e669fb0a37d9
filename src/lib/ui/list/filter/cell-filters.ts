import { serializeCondition } from '../../../../../api/condition.ts';
import type { FilterField } from '../../../../../api/filter.ts';
import { formatUnits } from '../../../../../api/money.ts';
import { formatTime, valueText } from '../../../format.ts';
import { t } from '../../../i18n/i18n.ts';
import type { RowCells } from '../../../scope.ts';
import { describeCondition } from './describe.ts';
import type { Filter } from './filters.ts';
import { matchScore } from './match-score.ts';
import { parseFieldCondition } from './grammar.ts';
import type { FilterRow } from './rows.ts';

/** `not` null: can't be excluded. */
export interface CellFilter {
  column: string;
  field: string;
  filter: Filter;
  only: string;
  not: string | null;
}

export const listCellFilters = ({ row, columns, filters, asked }: RowCells): CellFilter[] =>
  columns.flatMap(({ id, header }) =>
    Object.entries(filters).flatMap(([field, filter]): CellFilter[] => {
      if (filter.label !== header) return [];
      const value = filter.of ? filter.of(row as never) : (row as Record<string, unknown>)[field];
      const onlyText = onlyCondition(filter.field, value);
      if (onlyText === null || parseFieldCondition(filter.field, onlyText) === null) return [];
      return [{ column: id, field, filter, only: onlyText, not: notCondition(filter.field, onlyText, asked[field] ?? '') }];
    }),
  );

/** Null: no filter. A time asks for its day. */
function onlyCondition(field: FilterField, value: unknown): string | null {
  const values = Array.isArray(value) ? (value as readonly unknown[]) : [value];
  if (values.length === 0 || value === undefined) return null;
  const [firstValue] = values;
  switch (field.kind) {
    case 'choice':
    case 'flag':
    case 'value':
      return serializeCondition({ op: 'is', values: values.map((value) => (value === null ? null : valueText(value))) }, field);
    case 'time':
      return typeof firstValue === 'string' ? formatTime(firstValue).slice(0, 10) : null;
    case 'number':
      return /^-?\d+$/.test(String(firstValue)) ? formatUnits(BigInt(String(firstValue)), field.places) : null;
    case 'search':
      return typeof firstValue === 'string' ? firstValue : null;
  }
}

/** In addition to values that are excluded already. */
function notCondition(field: FilterField, only: string, requestedText: string): string | null {
  if (field.kind === 'flag') return only === 'true' ? 'false' : 'true';
  if (field.kind !== 'choice' && field.kind !== 'value') return null;
  const [onlyValues, requestedCondition] = [parseFieldCondition(field, only), parseFieldCondition(field, requestedText)];
  if (onlyValues?.op !== 'is') return null;
  const otherValues =
    requestedCondition?.op === 'isNot' ? requestedCondition.values.filter((value) => !onlyValues.values.includes(value)) : [];
  return serializeCondition({ op: 'isNot', values: [...otherValues, ...onlyValues.values] }, field);
}

export const cellFilterRows = (
  cells: RowCells,
  enteredText: string,
  isNegated: boolean,
  namesOf: (field: string) => ValueNames,
): FilterRow[] =>
  listCellFilters(cells).flatMap(({ field, filter, only, not }): FilterRow[] => {
    const condition = isNegated ? not : only;
    const [fieldLabel, text] = [t(filter.label), describeCondition(filter, only, namesOf(field)).value];
    const score = matchScore(enteredText, [fieldLabel, text]);
    if (condition === null || score === null) return [];
    return [{ id: field, field, asked: condition, of: fieldLabel, text, isChosen: cells.asked[field] === condition, fit: score }];
  });

type ValueNames = ReadonlyMap<string, string> | undefined;
