import { choice, time } from '../filter.ts';
import { maybe, value } from '../filter-kinds.ts';

/** `what`: the command, otherwise the route. No actor: not signed in. */
export const auditFilters = {
  actor: maybe(),
  time,
  what: value(),
  entity: value(),
  result: choice(['done', 'refused']),
  entityId: maybe(),
} as const;
