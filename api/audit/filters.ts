import { choiceFilter, timeFilter } from '../filter.ts';
import { nullableValue, valueFilter } from '../filter-kinds.ts';

export const auditFilters = {
  actor: nullableValue(),
  time: timeFilter,
  what: valueFilter(),
  entity: valueFilter(),
  result: choiceFilter(['done', 'refused']),
  entityId: nullableValue(),
} as const;
