import { airdropFilters } from '../../../api/rewards/filters.ts';
import { createFilters } from '../../lib/ui/list/filter/filters.ts';

export const airdropShape = {
  sorts: ['createdAt', 'berries'],
  defaultSort: { by: 'createdAt', direction: 'desc' },
  filters: createFilters(airdropFilters, {
    address: { label: 'airdrops.field.address', placeholder: 'airdrops.search' },
    stage: { label: 'airdrops.field.stage' },
    nftLevel: { label: 'airdrops.field.nftLevel' },
    berries: { label: 'airdrops.field.berries' },
    createdAt: { label: 'airdrops.field.createdAt' },
  }),
} as const;
