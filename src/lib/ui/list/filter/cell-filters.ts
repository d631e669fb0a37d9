import { serializeCondition } from '../../../../../api/condition.ts';
import type { FilterField } from '../../../../../api/filter.ts';
import { formatUnits } from '../../../../../api/money.ts';
import { formatTime, valueText } from '../../../format.ts';
import { t } from '../../../i18n/i18n.ts';
import type { RowCells } from '../../../scope.ts';
import { describeCondition } from './describe.ts';
import type { Filter } from './filters.ts';
import { matchScore } from './match-score.ts';
import { conditionOf } from './grammar.ts';
import type { FilterRow } from './rows.ts';

/** `not` null: can't be excluded. */
export interface CellFilter {
  column: string;
  field: string;
  filter: Filter;
  only: string;
  not: string | null;
}

export const cellFiltersOf = ({ row, columns, filters, asked }: RowCells): CellFilter[] =>
  columns.flatMap(({ id, header }) =>
    Object.entries(filters).flatMap(([field, filter]): CellFilter[] => {
      if (filter.label !== header) return [];
      const value = filter.of ? filter.of(row as never) : (row as Record<string, unknown>)[field];
      const only = onlyCondition(filter.field, value);
      if (only === null || conditionOf(filter.field, only) === null) return [];
      return [{ column: id, field, filter, only, not: notCondition(filter.field, only, asked[field] ?? '') }];
    }),
  );

/** Null: no filter. A time asks for its day. */
function onlyCondition(field: FilterField, value: unknown): string | null {
  const values = Array.isArray(value) ? (value as readonly unknown[]) : [value];
  if (values.length === 0 || value === undefined) return null;
  const [first] = values;
  switch (field.kind) {
    case 'choice':
    case 'flag':
    case 'value':
      return serializeCondition({ op: 'is', values: values.map((one) => (one === null ? null : valueText(one))) }, field);
    case 'time':
      return typeof first === 'string' ? formatTime(first).slice(0, 10) : null;
    case 'number':
      return /^-?\d+$/.test(String(first)) ? formatUnits(BigInt(String(first)), field.places) : null;
    case 'search':
      return typeof first === 'string' ? first : null;
  }
}

/** In addition to values that are excluded already. */
function notCondition(field: FilterField, only: string, requested: string): string | null {
  if (field.kind === 'flag') return only === 'true' ? 'false' : 'true';
  if (field.kind !== 'choice' && field.kind !== 'value') return null;
  const [these, before] = [conditionOf(field, only), conditionOf(field, requested)];
  if (these?.op !== 'is') return null;
  const others = before?.op === 'isNot' ? before.values.filter((value) => !these.values.includes(value)) : [];
  return serializeCondition({ op: 'isNot', values: [...others, ...these.values] }, field);
}

export const cellFilterRows = (
  cells: RowCells,
  typed: string,
  isNot: boolean,
  called: (field: string) => ValueNames,
): FilterRow[] =>
  cellFiltersOf(cells).flatMap(({ field, filter, only, not }): FilterRow[] => {
    const requested = isNot ? not : only;
    const [of, text] = [t(filter.label), describeCondition(filter, only, called(field)).value];
    const fits = matchScore(typed, [of, text]);
    if (requested === null || fits === null) return [];
    return [{ id: field, field, asked: requested, of, text, isChosen: cells.asked[field] === requested, fit: fits }];
  });

type ValueNames = ReadonlyMap<string, string> | undefined;
