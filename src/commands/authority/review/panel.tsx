import { useEffect, useState } from 'react';
import type { StatementRow } from '../../../../api/authority/contract.ts';
import { toSafeInteger } from '../../../../api/integers.ts';
import type { CommandId } from '../../../../api/names.ts';
import { valueText } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { errorText } from '../../../lib/net/errors.ts';
import type { FormValues } from '../../../lib/ui/form/field-view.ts';
import { diffRecords } from '../../../lib/ui/record/diff.ts';
import { Skeleton } from '../../../lib/ui/skeleton.tsx';
import { UnreadValue } from '../../../lib/ui/value/unread.tsx';
import { $loginEmail } from '../../../lib/session/session.ts';
import { StatementHash, useOwnHash, type OwnHash } from './content.tsx';
import { rulesOf } from '../rules.ts';
import { EnrollmentFacts } from './enrollment.tsx';
import { RulesReview } from './rules-review.tsx';
import { proposalReview, type ReviewedKind } from './proposal.ts';
import { StatementReview, useAuthoritySummary, useRulesInForce } from './statement-review.tsx';
import { MoneyReview } from '../../ui/dialogs/money-review.tsx';
import type { ConfirmBlock, PanelProps } from '../../ui/dialogs/panel-props.ts';

export function AuthorityPanel({ targets: [target], command, values, params, block }: PanelProps) {
  if (command === 'authority.setRules') return <ProposedRules said={params ?? values ?? {}} block={block} />;
  const kind = proposalKinds[command];
  if (kind) return <ProposalPanel kind={kind} formValues={params ?? values ?? {}} block={block} />;
  return target?.entity === 'statements' ? <StatementPanel row={target.row} block={block} /> : null;
}

const proposalKinds: Readonly<Partial<Record<CommandId, ReviewedKind>>> = {
  'authority.removeApprover': 'approver.remove',
  'authority.setMinter': 'minter.set',
  'authority.addCustody': 'custody.add',
  'authority.removeCustody': 'custody.remove',
  'authority.addReceiver': 'receiver.add',
  'authority.removeReceiver': 'receiver.remove',
  'authority.freeze': 'freeze',
  'authority.unfreeze': 'unfreeze',
};

/** Beside the form while it is filled in, and in its review. */
function ProposalPanel({ kind, formValues, block }: { kind: ReviewedKind; formValues: FormValues } & Pick<PanelProps, 'block'>) {
  const { data, error, refetch } = useAuthoritySummary();
  const proposal = data && proposalReview(kind, formValues, data);
  const text = proposal ? proposal.problem : error ? errorText(error) : t('form.reviewWaits');
  const isWaiting = !proposal && !error;
  useEffect(() => block?.(text === null ? null : { text, isWaiting }), [text, isWaiting, block]);
  if (proposal) return <MoneyReview review={proposal.review} />;
  return error ? <UnreadValue words={errorText(error)} retry={refetch} /> : <Skeleton lines={4} />;
}

/** Null: the hash is computed here and equals the one in the log. */
function hashMismatch({ hash, error }: OwnHash, id: string): ConfirmBlock | null {
  if (hash === undefined)
    return error ? { text: errorText(error), isWaiting: false } : { text: t('form.reviewWaits'), isWaiting: true };
  return hash === id ? null : { text: t('authority.differs'), isWaiting: false };
}

/** Beside the form while it is filled in, and in its review. */
function ProposedRules({ said, block }: { said: FormValues } & Pick<PanelProps, 'block'>) {
  const { before, error, refetch } = useRulesInForce();
  const isRead = before !== undefined;
  const proposedRules = proposedRulesOf(said, before);
  const isUnchanged = isRead && before !== null && diffRecords(before, proposedRules).every(({ kind }) => kind === 'same');
  const text = isUnchanged ? t('authority.review.sameRules') : isRead ? null : error ? errorText(error) : t('form.reviewWaits');
  const isWaiting = !isRead && error === null;
  useEffect(() => block?.(text === null ? null : { text, isWaiting }), [text, isWaiting, block]);
  if (!isRead) return error ? <UnreadValue words={errorText(error)} retry={refetch} /> : <Skeleton lines={4} />;
  return (
    <RulesReview
      before={before}
      after={proposedRules}
      undo={t('authority.undone.replaced')}
      isComplete={proposedRules.bands.length > 0 && proposedRules.refundBands.length > 0}
    />
  );
}

function proposedRulesOf(said: FormValues, before: ReturnType<typeof useRulesInForce>['before']) {
  const [requiredSignatures, coolingSeconds] = [said['root'], said['coolingSeconds']].map((value) =>
    parseWholeNumber(valueText(value)),
  );
  const { bands, refundBands } = rulesOf({ bands: valueText(said['bands']), refundBands: valueText(said['refundBands']) });
  return {
    root: requiredSignatures ?? before?.root ?? 1,
    coolingSeconds: coolingSeconds ?? before?.coolingSeconds ?? 0,
    receivers: said['receivers'] === 'any' ? ('any' as const) : ('listed' as const),
    bands,
    refundBands,
  };
}

const parseWholeNumber = (text: string): number | null => (/^\d{1,9}$/.test(text) ? toSafeInteger(text) : null);

function StatementPanel({ row, block }: { row: StatementRow } & Pick<PanelProps, 'block'>) {
  const { statement } = row;
  const ownHash = useOwnHash(statement);
  // People who approve a colleague's key must hear its words from them.
  const enrolledApprover = statement.kind === 'approver.add' ? statement.content : null;
  const isOtherPerson = enrolledApprover !== null && enrolledApprover.name !== $loginEmail.get();
  const [areWordsConfirmed, setWordsConfirmed] = useState(false);
  const missingConfirmation = isOtherPerson && !areWordsConfirmed ? { text: t('signing.words.unheard'), isWaiting: false } : null;
  const blockReason = hashMismatch(ownHash, row.id) ?? missingConfirmation;
  const [text, isWaiting] = [blockReason?.text, blockReason?.isWaiting ?? false];
  useEffect(() => block?.(text === undefined ? null : { text, isWaiting }), [text, isWaiting, block]);
  return (
    <div className="flex flex-col gap-4 py-2">
      <StatementReview row={row} />
      {enrolledApprover && (
        <EnrollmentFacts
          content={enrolledApprover}
          heard={isOtherPerson ? { isHeard: areWordsConfirmed, onChange: setWordsConfirmed } : undefined}
        />
      )}
      <StatementHash own={ownHash} hash={row.id} />
    </div>
  );
}
