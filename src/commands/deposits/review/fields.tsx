import type { DepositRow } from '../../../../api/deposits/contract.ts';
import { roleText } from '../../../lib/i18n/role-text.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { OnChainLink } from '../../../lib/ui/value/explorer-link.tsx';
import { Amount } from '../../../lib/money/amount.tsx';
import { amountText } from '../../../lib/money/amount-text.ts';
import { secondsText } from '../../../lib/authority/words.ts';
import { Details, RecordSection } from '../../../lib/ui/record/details.tsx';
import { SignerList } from '../../ui/dialogs/signer-list.tsx';
import { Chip } from '../../../lib/ui/value/chip.tsx';
import { TimeText } from '../../../lib/ui/value/time.tsx';

interface DepositFieldListProps {
  row: DepositRow;
  /** The review above already shows amount and addresses. */
  isBelowReview?: boolean;
}

/** Shows exact values: nothing is truncated or rounded. */
export function DepositFieldList({ row, isBelowReview = false }: DepositFieldListProps) {
  return (
    <Details
      data-fields
      of={{
        ...(isBelowReview
          ? {}
          : {
              'deposits.field.amount': (
                <span className="font-semibold">
                  <Amount value={row.amount} places={8} unit="BTC" />
                </span>
              ),
              'deposits.field.userAddress': <OnChainLink chain="evm" kind="address" value={row.userAddress} />,
              'deposits.field.coboAddress': <OnChainLink chain="bitcoin" kind="address" value={row.coboAddress} />,
            }),
        'deposits.field.txid': <OnChainLink chain="bitcoin" kind="tx" value={row.txid} />,
        'deposits.field.vout': <span className="tabular-nums">{row.vout}</span>,
        'deposits.field.network': t(`value.network.${row.network}`),
        'deposits.field.type': t(`deposits.type.${row.type}`),
        'deposits.field.lockTime': <TimeText iso={row.lockTime} />,
        'deposits.field.remarks': <span className="whitespace-pre-wrap">{row.remarks || '—'}</span>,
        'deposits.field.createdEmail': row.createdEmail ?? '—',
        'deposits.field.modifiedEmail': row.modifiedEmail,
        'deposits.field.hash': (
          <span className="font-mono text-meta" dir="ltr">
            {row.hash.slice(0, 20).replace(/.{4}(?=.)/g, '$& ')}
          </span>
        ),
      }}
    />
  );
}

export function DepositApprovals({ row }: { row: DepositRow }) {
  const { missing, rule } = row;
  return (
    <RecordSection title={t('deposits.approvals.title')} data-approvals>
      {rule ? <p className="text-2">{ruleText(rule)}</p> : <p className="text-danger-text">{t('deposits.rule.none')}</p>}
      <SignerList of={row.approvals} />
      {row.status === 'created' && rule && (
        <p>
          <Chip state={missing > 0 ? 'pending' : 'done'}>
            {t('deposits.approvals.signed', { n: Math.max(0, rule.approvals - missing), of: rule.approvals })}
          </Chip>
        </p>
      )}
      {row.confirmedAt && (
        <p className="text-2">
          {t('deposits.field.confirmedEmail')}: {row.confirmedEmail ?? '—'} · <TimeText iso={row.confirmedAt} />
        </p>
      )}
    </RecordSection>
  );
}

function ruleText({ approvals, role, perDay, delaySeconds }: NonNullable<DepositRow['rule']>): string {
  return [
    t('deposits.rule.approvals', { count: approvals }),
    ...(role === null ? [] : [t('deposits.rule.role', { role: roleText(role) })]),
    perDay === null ? t('deposits.rule.noLimit') : t('deposits.rule.perDay', { amount: amountText(BigInt(perDay), 8) }),
    ...(delaySeconds === 0 ? [] : [t('deposits.rule.delay', { time: secondsText(delaySeconds) })]),
  ].join(' · ');
}
