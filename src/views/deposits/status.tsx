import type { DepositRow } from '../../../api/deposits/contract.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { Chip } from '../../lib/ui/value/chip.tsx';

export const DepositStatus = ({ row }: { row: DepositRow }) => (
  <Chip state={row.status === 'confirmed' ? 'done' : 'pending'}>{t(`deposits.status.${row.status}`)}</Chip>
);

const looks = {
  none: 'off',
  queued: 'processing',
  sent: 'processing',
  done: 'done',
  failed: 'failed',
  cancelled: 'failed',
  closed: 'off',
} as const;

/** How far the mint is; one that waits for something says so in its title. */
export const MintStatus = ({ row }: { row: DepositRow }) => (
  <span data-mint={row.mintStatus} title={row.mint ? t(`deposits.state.${row.mint.state}`) : undefined}>
    <Chip state={looks[row.mintStatus]}>{t(`deposits.mintStatus.${row.mintStatus}`)}</Chip>
  </span>
);
