import { useStore } from '@nanostores/react';
import type { DepositRow, MintEffect } from '../../../../api/deposits/contract.ts';
import { formatBtc } from '../../../../api/money.ts';
import { secondsText } from '../../../lib/authority/words.ts';
import { bitcoinExplorerTarget, evmExplorerTarget } from '../../../lib/explorer.ts';
import { formatTime, withUnit } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { amountParts } from '../../../lib/money/amount-text.ts';
import { $loginEmail } from '../../../lib/session/session.ts';
import { Skeleton } from '../../../lib/ui/skeleton.tsx';
import type { Review } from '../../engine/review.ts';
import { MoneyReview } from '../../ui/dialogs/money-review.tsx';

interface MintReviewProps {
  row: DepositRow;
  /** Undefined while it is read; null: there is no chain. */
  effect: MintEffect | null | undefined;
  /** Whether who is asked would put their name to it. */
  isConfirming: boolean;
}

export function MintReview({ row, effect, isConfirming }: MintReviewProps) {
  const ownEmail = useStore($loginEmail);
  return (
    <MoneyReview review={mintReview({ row, effect: effect ?? null, isConfirming }, ownEmail)}>
      {effect === undefined && <Skeleton lines={2} />}
      {effect === null && <p className="text-danger-text">{t('deposits.effect.noChain')}</p>}
    </MoneyReview>
  );
}

/** What a confirmation or another try mints, with balances before and after. */
function mintReview({ row, effect, isConfirming }: MintReviewProps & { effect: MintEffect | null }, ownEmail: string): Review {
  const { amount, coboAddress, userAddress, createdEmail, modifiedEmail, approvals } = row;
  const ybtc = withUnit(formatBtc(BigInt(amount)), 'YBTC');
  const isSigned = approvals.some(({ own }) => own);
  return {
    what: t('deposits.effect.what', { amount: ybtc, btc: withUnit(formatBtc(BigInt(amount)), 'BTC') }),
    parties: [
      { as: 'from', at: bitcoinExplorerTarget.address(coboAddress), name: t('deposits.effect.custody') },
      { as: 'to', at: evmExplorerTarget.address(userAddress) },
    ],
    ...(effect && {
      facts: [{ label: t('deposits.effect.chain'), text: String(effect.chainId) }],
      changes: [
        { key: 'balance', label: t('deposits.effect.balance'), ...changeOf(effect.balance, effect.amount) },
        { key: 'supply', label: t('deposits.effect.supply'), ...changeOf(effect.supply, effect.amount) },
      ],
    }),
    signatures: {
      recorded: createdEmail ?? modifiedEmail,
      signed: approvals.map(({ email }) => email),
      you: isConfirming && !isSigned ? ownEmail : null,
      missing: Math.max(0, row.missing - (isConfirming && !isSigned ? 1 : 0)),
    },
    undo: undoText(row),
  };
}

function undoText({ missing, rule, mint }: DepositRow): string {
  if (mint?.signFrom) return t('deposits.effect.undone.until', { time: formatTime(mint.signFrom) });
  const delay = rule?.delaySeconds ?? 0;
  if (missing > 1) return t('deposits.effect.undone.signed');
  return delay === 0 ? t('deposits.effect.undone.now') : t('deposits.effect.undone.later', { time: secondsText(delay) });
}

/** Wei before and after. */
function changeOf(previousBalance: string | null, change: string): { before: string | null; after: string | null } {
  if (previousBalance === null) return { before: null, after: null };
  const text = (wei: bigint) => {
    const { sign, whole, kept } = amountParts(wei, 18);
    return withUnit(`${sign}${whole}.${kept.padEnd(8, '0')}`, 'YBTC');
  };
  return { before: text(BigInt(previousBalance)), after: text(BigInt(previousBalance) + BigInt(change)) };
}
