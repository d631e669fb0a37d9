import type { ServiceRow, TokenRow } from '../../../../api/access/services.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { Chip } from '../../../lib/ui/value/chip.tsx';

export const hasOwner = ({ owners }: ServiceRow): boolean => owners.some(({ enabled }) => enabled);

export function ServiceStatus({ row }: { row: ServiceRow }) {
  const status = !row.enabled ? 'disabled' : hasOwner(row) ? 'enabled' : 'ownerless';
  return <Chip state={status === 'enabled' ? 'done' : 'refused'}>{t(`services.status.${status}`)}</Chip>;
}

const chips = { live: 'done', replaced: 'pending', expired: 'off', revoked: 'refused' } as const;

export const TokenState = ({ token: { state } }: { token: TokenRow }) => (
  <Chip state={chips[state]}>{t(`services.state.${state}`)}</Chip>
);
