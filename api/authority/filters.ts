import { choice, flag, search } from '../filter.ts';
import { kindsOfStatements, statementStates } from './values.ts';

/** `mine`: whether it waits for the person who asks. `q`: part of what it says, or of its hash. */
export const statementFilters = {
  q: search,
  state: choice(statementStates),
  kind: choice(kindsOfStatements),
  mine: flag,
} as const;
