import { choiceFilter, flagFilter, searchFilter } from '../filter.ts';
import { filterableStatementKinds, statementStates } from './values.ts';

/** `mine`: waits for the caller. `q`: part of the content or the hash. */
export const statementFilters = {
  q: searchFilter,
  state: choiceFilter(statementStates),
  kind: choiceFilter(filterableStatementKinds),
  mine: flagFilter,
} as const;
