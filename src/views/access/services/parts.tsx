import type { ServiceRow } from '../../../../api/access/services.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { Chip } from '../../../lib/ui/value/chip.tsx';

export const hasOwner = ({ owners }: ServiceRow): boolean => owners.some(({ enabled }) => enabled);

export function ServiceStatus({ row }: { row: ServiceRow }) {
  const status = !row.enabled ? 'disabled' : hasOwner(row) ? 'enabled' : 'ownerless';
  return <Chip state={status === 'enabled' ? 'done' : 'refused'}>{t(`services.status.${status}`)}</Chip>;
}
