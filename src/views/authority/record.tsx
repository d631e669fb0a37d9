import { useMemo } from 'react';
import type { StatementRow } from '../../../api/authority/contract.ts';
import { statementTarget } from '../../commands/authority/search.ts';
import { StatementContent, StatementHash, useOwnHash } from '../../commands/authority/review/content.tsx';
import { EnrolmentFacts } from '../../commands/authority/review/enrolment.tsx';
import { FactItem } from '../../commands/ui/dialogs/facts.tsx';
import { CommandTrigger } from '../../commands/ui/controls/command-trigger.tsx';
import { numberText } from '../../lib/authority/words.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { api } from '../../lib/net/client.ts';
import { useOpenRecord } from '../../lib/ui/record/open-record.ts';
import { RecordSheet } from '../../lib/ui/record/peek.tsx';
import { useRecord } from '../../lib/ui/record/use-record.ts';
import { Address } from '../../lib/ui/value/address.tsx';
import { Time } from '../../lib/ui/value/time.tsx';
import { StatementStateChip } from './status.tsx';

export function StatementRecord({ id }: { id: string }) {
  const { row, isGone } = useRecord('statements', id, api.authority.many);
  useOpenRecord(row, statementTarget, isGone);
  return row ? <Shown row={row} /> : null;
}

function Shown({ row }: { row: StatementRow }) {
  const targets = useMemo(() => [statementTarget(row)], [row]);
  const own = useOwnHash(row.statement);
  const { statement } = row;
  return (
    <RecordSheet
      wide
      title={`${numberText(row)} ${t(`authority.kind.${statement.kind}`)}`}
      description={<StatementStateChip state={row.state} />}
    >
      <div data-record className="flex flex-col gap-5">
        <div className="flex flex-wrap gap-2">
          <CommandTrigger id="authority.sign" targets={targets} look={row.mine ? 'primary' : 'secondary'} explains />
          <CommandTrigger id="authority.copyHash" targets={targets} compact />
        </div>
        <section aria-label={t('authority.content')}>
          <StatementContent statement={statement} />
        </section>
        {statement.kind === 'approver.add' && <EnrolmentFacts content={statement.content} />}
        <Signatures row={row} />
        <section aria-label={t('authority.place')} className="flex flex-col gap-2 border-t border-hairline pt-4">
          <h3 className="text-section font-semibold">{t('authority.place')}</h3>
          <dl className="grid grid-cols-1 gap-x-6 gap-y-2 sm:grid-cols-[minmax(7rem,auto)_1fr]">
            {row.by && (
              <FactItem name={t(row.number === null ? 'signing.field.draftedBy' : 'signing.field.firstSigner')}>
                {row.by.name}
              </FactItem>
            )}
            <FactItem name={t('authority.field.at')}>
              <Time iso={row.at} />
            </FactItem>
            <FactItem name={t('authority.field.expires')}>
              <Time iso={row.expires} />
            </FactItem>
            <FactItem name={t('authority.field.from')}>
              <Time iso={row.from} />
            </FactItem>
            {statement.kind !== 'genesis' && (
              <FactItem name={t('signing.field.after', { number: statement.after.number })}>
                <Address value={statement.after.hash} whole />
              </FactItem>
            )}
          </dl>
          <StatementHash own={own} hash={row.id} />
        </section>
      </div>
    </RecordSheet>
  );
}

function Signatures({ row }: { row: StatementRow }) {
  const { missing } = row;
  if (row.needed === 0) return null;
  return (
    <section
      data-signatures
      aria-label={t('authority.signature.title')}
      className="flex flex-col gap-2 border-t border-hairline pt-4"
    >
      <h3 className="text-section font-semibold">{t('authority.signature.title')}</h3>
      {row.signed.length === 0 && <p className="text-2">{t('authority.nobody')}</p>}
      <ul className="flex flex-col gap-1">
        {row.signed.map(({ person, name, at, key }) => (
          <li key={person} className="flex flex-wrap items-baseline gap-x-3">
            <span className="min-w-0 break-all font-medium">{name}</span>
            <span className="text-meta text-2">{t(`authority.key.${key}`)}</span>
            <span className="text-meta text-2">
              <Time iso={at} />
            </span>
          </li>
        ))}
      </ul>
      {row.state !== 'expired' && (
        <p className="text-2">
          {missing > 0 ? t('authority.signature.missing', { count: missing }) : t('authority.signature.enough')}
        </p>
      )}
    </section>
  );
}
