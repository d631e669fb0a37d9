import { choice, flag, search } from '../filter.ts';
import { value } from '../filter-kinds.ts';
import { statementStates } from './values.ts';

/** `mine`: whether it waits for the person who asks. `q`: part of what it says, or the beginning of its hash. */
export const statementFilters = { q: search, state: choice(statementStates), kind: value(/^[\w.]{1,40}$/), mine: flag } as const;
