import { choice, time } from '../filter.ts';
import { maybe, value } from '../filter-kinds.ts';

/** `what`: the command, or the route where there was none. An entry has no actor where nobody was signed in. */
export const auditFilters = {
  actor: maybe(),
  time,
  what: value(),
  entity: value(),
  result: choice(['done', 'refused']),
  entityId: maybe(),
} as const;
