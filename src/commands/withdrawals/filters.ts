import { withdrawalFilters } from '../../../api/withdrawals/filters.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { createFilters } from '../../lib/ui/list/filter/filters.ts';
import { translateUnder } from '../../lib/ui/list/filter/translate-under.ts';

export const withdrawalShape = {
  sorts: ['createdAt', 'amount'],
  defaultSort: { by: 'createdAt', direction: 'desc' },
  filters: createFilters(withdrawalFilters, {
    address: { label: 'withdrawals.field.address', placeholder: 'withdrawals.search' },
    status: { label: 'withdrawals.field.status', words: translateUnder('withdrawals.status') },
    cooled: {
      label: 'withdrawals.filter.cooled',
      words: (cooled) => t(cooled === 'true' ? 'withdrawals.filter.isCooled' : 'withdrawals.filter.notCooled'),
    },
    toSign: {
      label: 'withdrawals.filter.toSign',
      words: (toSign) => t(toSign === 'true' ? 'withdrawals.filter.isToSign' : 'withdrawals.filter.notToSign'),
    },
    amount: { label: 'withdrawals.field.amount' },
    createdAt: { label: 'withdrawals.field.createdAt' },
    receiver: { label: 'withdrawals.field.receiver' },
    hash: { label: 'withdrawals.filter.hash' },
  }),
} as const;
