import { balanceFilters, pointsFilters } from '../../../api/rewards/filters.ts';
import { createFilters } from '../../lib/ui/list/filter/filters.ts';
import { translateUnder } from '../../lib/ui/list/filter/translate-under.ts';

export const entryShape = {
  sorts: ['createdAt', 'berries'],
  defaultSort: { by: 'createdAt', direction: 'desc' },
  filters: createFilters(pointsFilters, {
    address: { label: 'points.field.address', placeholder: 'points.search' },
    createdAt: { label: 'points.field.createdAt' },
    source: { label: 'points.field.source', words: translateUnder('points.source') },
    sign: { label: 'points.field.sign', words: translateUnder('points.sign') },
    berries: { label: 'points.field.berries' },
    q: { label: 'points.field.reason', of: (row: { reason: string }) => row.reason },
  }),
} as const;

export const balanceShape = {
  sorts: ['berries', 'updatedAt', 'address'],
  defaultSort: { by: 'berries', direction: 'desc' },
  filters: createFilters(balanceFilters, {
    address: { label: 'points.field.address', placeholder: 'points.search' },
    berries: { label: 'points.field.balance' },
    updatedAt: { label: 'points.field.updatedAt' },
  }),
} as const;

export const pointsView = (query: string): 'entries' | 'balances' =>
  new URLSearchParams(query).get('view') === 'balances' ? 'balances' : 'entries';
