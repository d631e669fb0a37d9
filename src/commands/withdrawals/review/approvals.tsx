import type { WithdrawalRow } from '../../../../api/withdrawals/contract.ts';
import { formatUnits } from '../../../../api/money.ts';
import { secondsText } from '../../../lib/authority/words.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { roleText } from '../../../lib/i18n/role-text.ts';
import { Chip } from '../../../lib/ui/value/chip.tsx';
import { TimeText } from '../../../lib/ui/value/time.tsx';
import { RecordSection } from '../../../lib/ui/record/details.tsx';
import { SignerList } from '../../ui/dialogs/signer-list.tsx';

export function RefundApprovals({ row }: { row: WithdrawalRow }) {
  const { rule, missing, cancelAsked } = row;
  return (
    <RecordSection title={t('withdrawals.approvals.title')} data-approvals>
      {rule ? (
        <p className="text-2">{ruleText(rule)}</p>
      ) : (
        <p className="text-danger-text">{t('withdrawals.refused.NO_POLICY')}</p>
      )}
      <SignerList of={row.approvals} />
      {row.status === 'todo' && rule && (
        <p>
          <Chip state={missing > 0 ? 'pending' : 'done'}>
            {t('withdrawals.approvals.signed', { n: Math.max(0, rule.approvals - missing), of: rule.approvals })}
          </Chip>
        </p>
      )}
      {row.status === 'todo' && cancelAsked && (
        <p className="text-2">
          {t('withdrawals.cancelAskedBy', { email: cancelAsked.email })} · <TimeText iso={cancelAsked.at} />
        </p>
      )}
    </RecordSection>
  );
}

function ruleText({ approvals, role, perDay, delaySeconds }: NonNullable<WithdrawalRow['rule']>): string {
  return [
    t('withdrawals.rule.approvals', { count: approvals }),
    ...(role === null ? [] : [t('withdrawals.rule.role', { role: roleText(role) })]),
    perDay === null ? t('withdrawals.rule.noLimit') : t('withdrawals.rule.perDay', { amount: formatUnits(BigInt(perDay), 8) }),
    ...(delaySeconds === 0 ? [] : [t('withdrawals.rule.delay', { time: secondsText(delaySeconds) })]),
  ].join(' · ');
}
