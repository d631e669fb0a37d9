import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { StatementRow } from '../../../../api/authority/contract.ts';
import type { LogStatement } from '../../../../api/authority/statements.ts';
import { formatBtc } from '../../../../api/money.ts';
import { numberText } from '../../../lib/authority/words.ts';
import { bitcoinExplorerTarget, evmExplorerTarget } from '../../../lib/explorer.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { api } from '../../../lib/net/client.ts';
import { errorText } from '../../../lib/net/errors.ts';
import { queryClient } from '../../../lib/net/query.ts';
import { $loginEmail } from '../../../lib/session/session.ts';
import { Skeleton } from '../../../lib/ui/skeleton.tsx';
import { UnreadValue } from '../../../lib/ui/value/unread.tsx';
import type { Party, Signatures } from '../../engine/review.ts';
import { MoneyReview } from '../../ui/dialogs/money-review.tsx';
import { StatementContent } from './content.tsx';
import { RulesReview } from './rules-review.tsx';

/** What a signature under a statement does, who has signed, and every field of the statement. */
export function StatementReview({ row }: { row: StatementRow }) {
  const { statement, mine, missing, signed } = row;
  const signatures: Signatures = {
    signed: signed.map(({ name }) => name),
    you: mine ? $loginEmail.get() : null,
    missing: Math.max(0, missing - (mine ? 1 : 0)),
  };
  const undoText = t(`authority.undone.${undoTextKind(statement.kind)}`);
  return (
    <>
      {statement.kind === 'policy.set' ? (
        <RulesInForce>
          {(previousPolicy) => (
            <RulesReview before={previousPolicy} after={statement.content} undo={undoText} signatures={signatures} />
          )}
        </RulesInForce>
      ) : (
        <MoneyReview review={{ what: statementTitle(row), parties: partiesOf(statement), signatures, undo: undoText }} />
      )}
      <StatementContent statement={statement} />
    </>
  );
}

export const useAuthoritySummary = () =>
  useQuery(
    { queryKey: ['authority', 'summary'], queryFn: ({ signal }) => api.authority.summary(undefined, { signal }) },
    queryClient,
  );

/** The rules in force, read when the review opens. */
export function useRulesInForce() {
  const { data, error, refetch } = useAuthoritySummary();
  return { before: data && (data.rules.find(({ inForce }) => inForce)?.policy ?? null), error, refetch };
}

type Policy = NonNullable<ReturnType<typeof useRulesInForce>['before']>;

function RulesInForce({ children }: { children: (previousPolicy: Policy | null) => ReactNode }) {
  const { before, error, refetch } = useRulesInForce();
  if (before !== undefined) return children(before);
  return error ? <UnreadValue words={errorText(error)} retry={refetch} /> : <Skeleton lines={4} />;
}

function statementTitle(row: StatementRow): string {
  const { statement } = row;
  const isPayment = statement.kind === 'mint.approve' || statement.kind === 'refund.approve';
  const amount = isPayment ? [`${formatBtc(BigInt(statement.content.satoshi))} BTC`] : [];
  return [numberText(row), t(`authority.kind.${statement.kind}`), ...amount].join(' · ');
}

function partiesOf({ kind, content }: LogStatement): Party[] {
  if (kind === 'mint.approve')
    return [
      { as: 'from', at: bitcoinExplorerTarget.address(content.custody) },
      { as: 'to', at: evmExplorerTarget.address(content.receiver) },
    ];
  if (kind === 'refund.approve')
    return [
      { as: 'from', at: evmExplorerTarget.address(content.account) },
      { as: 'to', at: bitcoinExplorerTarget.address(content.payout) },
    ];
  if (kind === 'receiver.add') return [{ as: 'of', at: evmExplorerTarget.address(content.address), name: content.institution }];
  return [];
}

function undoTextKind(kind: LogStatement['kind']): 'mint' | 'refund' | 'freeze' | 'unfreeze' | 'never' | 'replaced' {
  if (kind === 'mint.approve') return 'mint';
  if (kind === 'refund.approve') return 'refund';
  if (kind === 'freeze' || kind === 'unfreeze') return kind;
  return kind === 'mint.cancel' ? 'never' : 'replaced';
}
