import { useStore } from '@nanostores/react';
import type { DepositRow, MintEffect } from '../../../../api/deposits/contract.ts';
import { Amount } from '../../../lib/money/amount.tsx';
import { amountText } from '../../../lib/money/amount-text.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { $loginEmail } from '../../../lib/session/session.ts';
import { NamedAddress } from '../../../lib/ui/value/named-address.tsx';
import { Chip } from '../../../lib/ui/value/chip.tsx';
import { Skeleton } from '../../../lib/ui/skeleton.tsx';
import { Item } from '../../ui/dialogs/facts.tsx';

interface MintEffectsProps {
  row: DepositRow;
  /** Undefined while loading. Null: no chain. */
  effect: MintEffect | null | undefined;
  isConfirming: boolean;
}

export function MintEffects({ row, effect, isConfirming }: MintEffectsProps) {
  const me = useStore($loginEmail);
  return (
    <section
      aria-label={t('deposits.effect.title')}
      data-effect
      className="flex flex-col gap-3 rounded-control border border-hairline bg-layer p-3"
    >
      <h3 className="text-section font-semibold">{t('deposits.effect.title')}</h3>
      {effect === undefined && <Skeleton lines={3} />}
      {effect === null && <p className="text-danger-text">{t('deposits.effect.noChain')}</p>}
      {effect && (
        <dl className="grid grid-cols-1 gap-x-6 gap-y-2 sm:grid-cols-[auto_1fr]">
          <Item name={t('deposits.effect.minted')}>
            <span className="font-semibold tabular-nums">+{amountText(BigInt(effect.amount), 18)} YBTC</span>
          </Item>
          <Item name={t('deposits.effect.to')}>
            <NamedAddress value={row.userAddress} whole />
          </Item>
          <Item name={t('deposits.effect.chain')}>
            <span className="tabular-nums">{effect.chainId}</span>
          </Item>
          <Item name={t('deposits.effect.balance')}>
            <Change before={effect.balance} by={effect.amount} />
          </Item>
          <Item name={t('deposits.effect.supply')}>
            <Change before={effect.supply} by={effect.amount} />
          </Item>
        </dl>
      )}
      <div>
        <p className="text-2">{t('deposits.effect.signed')}</p>
        <ul className="flex flex-wrap gap-x-2 gap-y-1">
          <li>
            <Chip state="done">{t('deposits.effect.recorded', { email: row.createdEmail ?? row.modifiedEmail })}</Chip>
          </li>
          {row.approvals.map(({ email }) => (
            <li key={email}>
              <Chip state="done">{t('deposits.effect.signer', { email })}</Chip>
            </li>
          ))}
          {isConfirming && (
            <li>
              <Chip state="pending">{t('deposits.effect.confirm', { email: me })}</Chip>
            </li>
          )}
        </ul>
      </div>
    </section>
  );
}

/** Wei. */
function Change({ before, by }: { before: string | null; by: string }) {
  if (before === null) return <span className="text-danger-text">{t('deposits.effect.unknown')}</span>;
  return (
    <span className="flex flex-wrap gap-x-2">
      <Amount value={before} places={18} show={8} />
      <span aria-hidden="true">→</span>
      <span className="sr-only">{t('deposits.effect.becomes')}</span>
      <span className="font-semibold">
        <Amount value={String(BigInt(before) + BigInt(by))} places={18} show={8} unit="YBTC" />
      </span>
    </span>
  );
}
