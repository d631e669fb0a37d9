import { choice, flag, search } from '../filter.ts';
import { kindsOfStatements, statementStates } from './values.ts';

/** `mine`: waits for the caller. `q`: part of the content or the hash. */
export const statementFilters = {
  q: search,
  state: choice(statementStates),
  kind: choice(kindsOfStatements),
  mine: flag,
} as const;
