import { choose, moment, search, typed } from '../../lib/ui/list/filter/filters.ts';

/** What the ledger is filtered by: the command that exports it reads the same from the address. */
export const entryFilters = {
  address: search('points.search'),
  q: typed('points.field.reason'),
  source: choose('points.field.source', [
    { value: 'adjustment', label: 'points.source.adjustment' },
    { value: 'import', label: 'points.source.import' },
    { value: 'reversal', label: 'points.source.reversal' },
  ]),
  sign: choose('points.field.sign', [
    { value: 'plus', label: 'points.sign.plus' },
    { value: 'minus', label: 'points.sign.minus' },
  ]),
  from: moment('points.filter.from'),
  to: moment('points.filter.to'),
};

export const balanceFilters = { address: search('points.search') };

export const entryShape = {
  sorts: ['createdAt', 'berries'],
  defaultSort: { by: 'createdAt', direction: 'desc' },
  filters: entryFilters,
} as const;

export const balanceShape = {
  sorts: ['berries', 'updatedAt', 'address'],
  defaultSort: { by: 'berries', direction: 'desc' },
  filters: balanceFilters,
} as const;

/** Which of the two the address of the screen shows. */
export const viewOf = (query: string): 'entries' | 'balances' =>
  new URLSearchParams(query).get('view') === 'balances' ? 'balances' : 'entries';
