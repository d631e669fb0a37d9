import { parseCondition, serializeCondition } from '../../../../../api/condition.ts';
import type { Condition, FilterField, Fields, FilterOf } from '../../../../../api/filter.ts';
import type { Filters, FilterValues } from './filters.ts';
import { resolveTime } from './times.ts';

/** Relative times refer to today. Null: invalid. */
export function parseFieldCondition(field: FilterField, conditionText: string, now = new Date()): Condition | null {
  const text = field.kind === 'time' ? resolveTime(conditionText, now, field.utc) : conditionText;
  return text === null ? null : parseCondition(field, text);
}

/** Times as instants in the person's zone. */
export const toFilterInput = (filters: Filters, filter: FilterValues, now = new Date()): FilterOf<Fields> =>
  Object.fromEntries(
    Object.entries(filter).flatMap(([name, text]) => {
      const field = filters[name]?.field;
      const condition = field && text !== undefined ? parseFieldCondition(field, text, now) : null;
      return field && condition ? [[name, serializeCondition(condition, field)]] : [];
    }),
  );

/** Invalid conditions are ignored, never an error. */
export function readFilter(filters: Filters, filter: FilterValues, now: Date): { filter: FilterValues; asked: FilterValues } {
  const requestedFilter = toFilterInput(filters, filter, now);
  return {
    filter: Object.fromEntries(Object.entries(filter).filter(([name]) => requestedFilter[name] !== undefined)),
    asked: requestedFilter,
  };
}
