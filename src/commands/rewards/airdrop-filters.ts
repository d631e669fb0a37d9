import { search, typed } from '../../lib/ui/list/filter/filters.ts';

/** What the airdrops are filtered by: the command that exports them reads the same from the address. */
export const airdropShape = {
  sorts: ['createdAt', 'berries'],
  defaultSort: { by: 'createdAt', direction: 'desc' },
  filters: {
    address: search('airdrops.search'),
    stage: typed('airdrops.field.stage'),
    nftLevel: typed('airdrops.field.nftLevel'),
  },
} as const;
