import { parseCondition } from '../../../api/condition.ts';
import type { Condition, FilterField, Fields, FilterOf } from '../../../api/filter.ts';
import { badField } from '../core/errors.ts';

/** Search: all text. Amount: base units. Time: ISO-8601. */
type RowMeanings<F extends Fields, Row> = { readonly [K in keyof F]: (row: Row) => string | null };

export function filteringRows<F extends Fields, Row>(fields: F, filterConditions: RowMeanings<F, Row>) {
  const passing = (rows: readonly Row[], filter: FilterOf<F>): Row[] => {
    const conditions = Object.entries(filter as Record<string, string | undefined>).flatMap(([name, text]) => {
      const [field, meaning] = [fields[name], filterConditions[name]];
      if (text === undefined || !field || !meaning || (field.kind === 'search' && text.trim() === '')) return [];
      const condition = parseCondition(field, text);
      if (!condition) throw badField(`filter.${name}`);
      return [{ field, meaning, condition }];
    });
    return rows.filter((row) => conditions.every(({ field, meaning, condition }) => passes(field, condition, meaning(row))));
  };

  /** Most frequent first, filtered by the other fields. */
  const values = (rows: readonly Row[], { field, filter }: { field: keyof F & string; filter: FilterOf<F> }) => {
    const { [field]: _, ...rest } = filter;
    const counts = new Map<string | null, number>();
    for (const row of passing(rows, rest as FilterOf<F>)) {
      const value = filterConditions[field](row);
      counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    return { values: [...counts].map(([value, count]) => ({ value, count })).toSorted((a, b) => b.count - a.count) };
  };
  return { passing, values };
}

function passes(field: FilterField, condition: Condition, value: string | null): boolean {
  if (condition.op === 'has') return value !== null && value.toLowerCase().includes(condition.text.toLowerCase());
  if (condition.op !== 'between') return condition.values.includes(value) === (condition.op === 'is');
  if (value === null) return false;
  const at = (text: string) => (field.kind === 'time' ? BigInt(Date.parse(text)) : BigInt(text));
  const isBefore =
    condition.to === null || (field.kind === 'time' ? at(value) < at(condition.to) : at(value) <= at(condition.to));
  return isBefore && (condition.from === null || at(value) >= at(condition.from));
}
