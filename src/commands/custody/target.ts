import type { InstitutionRow } from '../../../api/custody/contract.ts';
import type { Target } from '../../lib/scope.ts';

export const institutionTarget = (row: InstitutionRow): Target<'institutions'> => ({
  entity: 'institutions',
  id: row.id,
  version: row.version,
  name: row.name ? `${row.name} ${row.address}` : row.address,
  row,
});
