import type { StatementRow } from '../../../api/authority/contract.ts';
import { statementTarget } from '../../commands/authority/search.ts';
import { StatementContent, StatementHash, useOwnHash } from '../../commands/authority/review/content.tsx';
import { EnrollmentFacts } from '../../commands/authority/review/enrollment.tsx';
import { numberText } from '../../lib/authority/words.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { api } from '../../lib/net/client.ts';
import type { Target } from '../../lib/scope.ts';
import { Detail, Details, RecordSection } from '../../lib/ui/record/details.tsx';
import { Address } from '../../lib/ui/value/address.tsx';
import { Time } from '../../lib/ui/value/time.tsx';
import { RecordView, useOpenedRecord } from '../layout/record-view.tsx';
import { StatementStateChip } from './status.tsx';

export function StatementRecord({ id }: { id: string }) {
  const opened = useOpenedRecord('statements', id, api.authority.many, statementTarget);
  return opened && <Opened {...opened} />;
}

function Opened({ row, targets }: { row: StatementRow; targets: readonly Target[] }) {
  const own = useOwnHash(row.statement);
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
            'authority.field.at': <Time iso={row.at} />,
            'authority.field.expires': <Time iso={row.expires} />,
            'authority.field.from': <Time iso={row.from} />,
          }}
        >
          {statement.kind !== 'genesis' && (
            <Detail name={t('signing.field.after', { number: statement.after.number })}>
              <Address value={statement.after.hash} whole />
            </Detail>
          )}
        </Details>
        <StatementHash own={own} hash={row.id} />
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
              <Time iso={at} />
            </span>
          </li>
        ))}
      </ul>
      {state !== 'expired' && (
        <p className="text-2">
          {missing > 0 ? t('authority.signature.missing', { count: missing }) : t('authority.signature.enough')}
        </p>
      )}
    </RecordSection>
  );
}
