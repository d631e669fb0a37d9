import { choice, time } from '../filter.ts';
import { maybe, value } from '../filter-kinds.ts';

export const auditFilters = {
  actor: maybe(),
  time,
  what: value(),
  entity: value(),
  result: choice(['done', 'refused']),
  entityId: maybe(),
} as const;
