import { useQuery } from '@tanstack/react-query';
import type { LogStatement } from '../../../../api/authority/statements.ts';
import { PersonName } from '../../../lib/authority/person-name.tsx';
import { contentLines } from '../../../lib/authority/words.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { errorText } from '../../../lib/net/errors.ts';
import { queryClient } from '../../../lib/net/query.ts';
import { DetailRow, Details } from '../../../lib/ui/record/details.tsx';
import { Address } from '../../../lib/ui/value/address.tsx';
import { NamedAddress } from '../../../lib/ui/value/named-address.tsx';
import { UnreadValue } from '../../../lib/ui/value/unread.tsx';

export function StatementContent({ statement }: { statement: Pick<LogStatement, 'kind' | 'content'> }) {
  return (
    <Details data-content>
      {contentLines(statement).map(({ label, values, as }) => (
        <DetailRow key={label} name={t(label)}>
          {values.length === 0 || (values.length === 1 && values[0] === '') ? (
            '—'
          ) : (
            <ul>
              {values.map((value) => (
                <li key={value} className="break-words whitespace-pre-wrap">
                  {as === 'mono' ? <NamedAddress value={value} whole /> : as === 'people' ? <PersonName id={value} /> : value}
                </li>
              ))}
            </ul>
          )}
        </DetailRow>
      ))}
    </Details>
  );
}

export interface OwnHash {
  hash: string | undefined;
  error: Error | null;
  again: () => unknown;
}

/** Computed on this page, so that a wrong hash from the server is noticed. */
export function useOwnHash(statement: LogStatement): OwnHash {
  const { data, error, refetch } = useQuery(
    {
      queryKey: ['statementHash', statement],
      queryFn: async () => (await import('../../../../api/authority/canonical.ts')).canonicalHash(statement),
      staleTime: Infinity,
    },
    queryClient,
  );
  return { hash: data, error, again: refetch };
}

export function StatementHash({ own, hash }: { own: OwnHash; hash: string }) {
  if (own.hash === undefined)
    return own.error ? (
      <UnreadValue words={errorText(own.error)} retry={own.again} />
    ) : (
      <p role="status" className="text-2">
        {t('common.loading')}
      </p>
    );
  const isMismatch = own.hash !== hash;
  return (
    <p data-hash={own.hash} role={isMismatch ? 'alert' : undefined} className={isMismatch ? 'text-danger-text' : 'text-2'}>
      <span className="block">{t(isMismatch ? 'authority.differs' : 'authority.recomputed')}</span>
      <Address value={own.hash} whole />
    </p>
  );
}
