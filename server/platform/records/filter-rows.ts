import { parseCondition } from '../../../api/condition.ts';
import type { Condition, FilterField, Fields, FilterOf } from '../../../api/filter.ts';
import { createFieldError } from '../core/errors.ts';

/** Search: all text. Amount: base units. Time: ISO-8601. */
type RowValues<F extends Fields, Row> = { readonly [K in keyof F]: (row: Row) => string | null };

export function createRowFilter<F extends Fields, Row>(fields: F, filterConditions: RowValues<F, Row>) {
  const filterRows = (rows: readonly Row[], filter: FilterOf<F>): Row[] => {
    const conditions = Object.entries(filter as Record<string, string | undefined>).flatMap(([name, text]) => {
      const [field, valueOfRow] = [fields[name], filterConditions[name]];
      if (text === undefined || !field || !valueOfRow || (field.kind === 'search' && text.trim() === '')) return [];
      const condition = parseCondition(field, text);
      if (!condition) throw createFieldError(`filter.${name}`);
      return [{ field, meaning: valueOfRow, condition }];
    });
    return rows.filter((row) =>
      conditions.every(({ field, meaning: valueOfRow, condition }) => matchesCondition(field, condition, valueOfRow(row))),
    );
  };

  /** Most frequent first, filtered by the other fields. */
  const values = (rows: readonly Row[], { field, filter }: { field: keyof F & string; filter: FilterOf<F> }) => {
    const { [field]: _, ...otherFilters } = filter;
    const countByValue = new Map<string | null, number>();
    for (const row of filterRows(rows, otherFilters as FilterOf<F>)) {
      const value = filterConditions[field](row);
      countByValue.set(value, (countByValue.get(value) ?? 0) + 1);
    }
    return { values: [...countByValue].map(([value, count]) => ({ value, count })).toSorted((a, b) => b.count - a.count) };
  };
  return { passing: filterRows, values };
}

function matchesCondition(field: FilterField, condition: Condition, value: string | null): boolean {
  if (condition.op === 'has') return value !== null && value.toLowerCase().includes(condition.text.toLowerCase());
  if (condition.op !== 'between') return condition.values.includes(value) === (condition.op === 'is');
  if (value === null) return false;
  const toComparable = (text: string) => (field.kind === 'time' ? BigInt(Date.parse(text)) : BigInt(text));
  const isBefore =
    condition.to === null ||
    (field.kind === 'time'
      ? toComparable(value) < toComparable(condition.to)
      : toComparable(value) <= toComparable(condition.to));
  return isBefore && (condition.from === null || toComparable(value) >= toComparable(condition.from));
}
