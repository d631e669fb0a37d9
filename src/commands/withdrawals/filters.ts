import { choose, search, typed } from '../../lib/ui/list/filter/filters.ts';

/** What the withdrawals are filtered and sorted by. */
export const withdrawalShape = {
  sorts: ['createdAt', 'amount'],
  defaultSort: { by: 'createdAt', direction: 'desc' },
  filters: {
    address: search('withdrawals.search'),
    receiver: typed('withdrawals.field.receiver'),
    status: choose('withdrawals.field.status', [
      { value: 'todo', label: 'withdrawals.status.todo' },
      { value: 'doing', label: 'withdrawals.status.doing' },
      { value: 'withdrawable', label: 'withdrawals.status.withdrawable' },
      { value: 'done', label: 'withdrawals.status.done' },
      { value: 'canceled', label: 'withdrawals.status.canceled' },
      { value: 'gone', label: 'withdrawals.status.gone' },
    ]),
  },
} as const;
