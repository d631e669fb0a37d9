import { flagFilter } from '../../../api/filter.ts';
import { crsmFilters, positionFilters } from '../../../api/crsm/filters.ts';
import { healthOf } from '../../../api/crsm/health.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { createFilters } from '../../lib/ui/list/filter/filters.ts';
import { translateUnder } from '../../lib/ui/list/filter/translate-under.ts';

const ownershipFilters = createFilters(
  { mine: flagFilter },
  {
    mine: { label: 'crsm.filter.whose', words: (mine) => t(mine === 'true' ? 'crsm.filter.mine' : 'crsm.filter.others') },
  },
);

const troveFilter = {
  q: { label: 'list.search', placeholder: 'crsm.search' },
  owner: { label: 'crsm.field.owner' },
  icr: { label: 'crsm.field.icr' },
  collateral: { label: 'crsm.field.collateral' },
  debt: { label: 'crsm.field.debt' },
} as const;

/** `mine`: of the connected account. */
export const crsmShape = {
  sorts: ['distance', 'icr', 'collateral', 'debt', 'deposits', 'createdAt'],
  defaultSort: { by: 'distance', direction: 'asc' },
  filters: {
    ...createFilters(crsmFilters, {
      ...troveFilter,
      health: { label: 'crsm.field.health', words: translateUnder('crsm.health'), of: healthOf },
      near: {
        label: 'crsm.filter.near',
        words: (isNear) => t(isNear === 'true' ? 'crsm.filter.isNear' : 'crsm.filter.notNear'),
      },
      createdAt: { label: 'crsm.field.createdAt' },
    }),
    ...ownershipFilters,
  },
} as const;

export const positionShape = {
  sorts: ['icr', 'collateral', 'debt', 'openedAt'],
  defaultSort: { by: 'icr', direction: 'asc' },
  filters: {
    ...createFilters(positionFilters, {
      ...troveFilter,
      kept: {
        label: 'crsm.filter.kept',
        words: (isManaged) => t(isManaged === 'true' ? 'crsm.filter.isKept' : 'crsm.filter.notKept'),
      },
      openedAt: { label: 'crsm.field.openedAt' },
    }),
    ...ownershipFilters,
  },
} as const;
