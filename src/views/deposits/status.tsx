import type { DepositRow } from '../../../api/deposits/contract.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { Chip } from '../../lib/ui/value/chip.tsx';

/** Rejected by the custodian, else confirmed or not, with the number of signatures if several are needed. */
export function DepositStatus({ row: { status, rule, missing, block } }: { row: DepositRow }) {
  if (block)
    return (
      <span data-blocked title={block.reason}>
        <Chip state="failed">{t('deposits.block.state')}</Chip>
      </span>
    );
  const label = t(`deposits.status.${status}`);
  if (status === 'confirmed') return <Chip state="done">{label}</Chip>;
  const requiredSignatures = rule?.approvals ?? 1;
  return (
    <Chip state="pending">
      {label}
      {requiredSignatures > 1 && (
        <span data-signed className="tabular-nums">{`${Math.max(0, requiredSignatures - missing)}/${requiredSignatures}`}</span>
      )}
    </Chip>
  );
}

const chipStates = {
  none: 'off',
  queued: 'processing',
  sent: 'processing',
  done: 'done',
  failed: 'failed',
  canceled: 'failed',
  closed: 'off',
} as const;

/** The title says what the mint is waiting for. */
export const MintStatus = ({ row }: { row: DepositRow }) => (
  <span data-mint={row.mintStatus} title={row.mint ? t(`deposits.state.${row.mint.state}`) : undefined}>
    <Chip state={chipStates[row.mintStatus]}>{t(`deposits.mintStatus.${row.mintStatus}`)}</Chip>
  </span>
);
