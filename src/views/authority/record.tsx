import type { StatementRow } from '../../../api/authority/contract.ts';
import { statementTarget } from '../../commands/authority/search.ts';
import { StatementContent, StatementHash, useOwnHash } from '../../commands/authority/review/content.tsx';
import { EnrollmentFacts } from '../../commands/authority/review/enrollment.tsx';
import { numberText } from '../../lib/authority/words.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { api } from '../../lib/net/client.ts';
import type { Target } from '../../lib/scope.ts';
import { DetailRow, Details, RecordSection } from '../../lib/ui/record/details.tsx';
import { Address } from '../../lib/ui/value/address.tsx';
import { TimeText } from '../../lib/ui/value/time.tsx';
import { RecordView, useOpenedRecord } from '../layout/record-view.tsx';
import { StatementStateChip } from './status.tsx';

export function StatementRecord({ id }: { id: string }) {
  const openedRecord = useOpenedRecord('statements', id, api.authority.many, statementTarget);
  return openedRecord && <OpenedRecord {...openedRecord} />;
}

function OpenedRecord({ row, targets }: { row: StatementRow; targets: readonly Target[] }) {
  const ownHash = useOwnHash(row.statement);
  const { statement } = row;
  return (
    <RecordView
      wide
      title={`${numberText(row)} ${t(`authority.kind.${statement.kind}`)}`}
      state={<StatementStateChip state={row.state} />}
      targets={targets}
      primary={row.mine && 'authority.sign'}
      commands={[!row.mine && 'authority.sign', 'authority.copyHash']}
    >
      <section aria-label={t('authority.content')}>
        <StatementContent statement={statement} />
      </section>
      {statement.kind === 'approver.add' && <EnrollmentFacts content={statement.content} />}
      <Signatures row={row} />
      <RecordSection title={t('authority.place')}>
        <Details
          of={{
            [row.number === null ? 'signing.field.draftedBy' : 'signing.field.firstSigner']: row.by?.name,
            'authority.field.at': <TimeText iso={row.at} />,
            'authority.field.expires': <TimeText iso={row.expires} />,
            'authority.field.from': <TimeText iso={row.from} />,
          }}
        >
          {statement.kind !== 'genesis' && (
            <DetailRow name={t('signing.field.after', { number: statement.after.number })}>
              <Address value={statement.after.hash} whole />
            </DetailRow>
          )}
        </Details>
        <StatementHash own={ownHash} hash={row.id} />
      </RecordSection>
    </RecordView>
  );
}

function Signatures({ row: { needed, signed, missing, state } }: { row: StatementRow }) {
  if (needed === 0) return null;
  return (
    <RecordSection title={t('authority.signature.title')} data-signatures>
      {signed.length === 0 && <p className="text-2">{t('authority.nobody')}</p>}
      <ul className="flex flex-col gap-1">
        {signed.map(({ person, name, at, key }) => (
          <li key={person} className="flex flex-wrap items-baseline gap-x-3">
            <span className="min-w-0 break-all font-medium">{name}</span>
            <span className="text-meta text-2">{t(`authority.key.${key}`)}</span>
            <span className="text-meta text-2">
              <TimeText iso={at} />
            </span>
          </li>
        ))}
      </ul>
      {state !== 'expired' && state !== 'voided' && (
        <p className="text-2">
          {missing > 0 ? t('authority.signature.missing', { count: missing }) : t('authority.signature.enough')}
        </p>
      )}
    </RecordSection>
  );
}
