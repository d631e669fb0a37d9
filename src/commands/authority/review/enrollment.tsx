import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import type { EnrollmentReview } from '../../../../api/authority/contract.ts';
import type { Approver, AuthorityKey } from '../../../../api/authority/statements.ts';
import { keyText } from '../../../lib/authority/words.ts';
import { formatRelative } from '../../../lib/format.ts';
import { locale, t } from '../../../lib/i18n/i18n.ts';
import { api } from '../../../lib/net/client.ts';
import { errorText } from '../../../lib/net/errors.ts';
import { queryClient } from '../../../lib/net/query.ts';
import { $now } from '../../../lib/now.ts';
import { $loginEmail } from '../../../lib/session/session.ts';
import { Details, RecordSection } from '../../../lib/ui/record/details.tsx';
import { Skeleton } from '../../../lib/ui/skeleton.tsx';
import { TimeText } from '../../../lib/ui/value/time.tsx';
import { UnreadValue } from '../../../lib/ui/value/unread.tsx';

interface KeyWordsConfirmation {
  isHeard: boolean;
  onChange: (areWordsConfirmed: boolean) => void;
}

export function EnrollmentFacts({ content, heard }: { content: Approver; heard?: KeyWordsConfirmation | undefined }) {
  const isOwn = useStore($loginEmail) === content.name;
  const title = t(isOwn ? 'signing.words.ownTitle' : 'signing.words.title');
  return (
    <RecordSection title={title} data-enrolment>
      <p className="text-2">{isOwn ? t('signing.words.ownBody') : t('signing.words.body', { name: content.name })}</p>
      <KeyWords of={content.key} />
      {heard && (
        <label className="flex items-start gap-2">
          <input
            type="checkbox"
            data-heard
            className="mt-0.5"
            checked={heard.isHeard}
            onChange={(event) => heard.onChange(event.target.checked)}
          />
          <span>{t('signing.words.heard', { name: content.name })}</span>
        </label>
      )}
      <AccountFacts person={content.person} />
    </RecordSection>
  );
}

/** Computed on this page from the key, not sent by the server. */
function KeyWords({ of: key }: { of: AuthorityKey }) {
  const { data, error, refetch } = useQuery(
    {
      queryKey: ['keyWords', key],
      queryFn: async () => (await import('../../../lib/authority/key-words.ts')).deriveKeyWords(key),
      staleTime: Infinity,
    },
    queryClient,
  );
  if (!data) return error ? <UnreadValue words={errorText(error)} retry={refetch} /> : <Skeleton lines={1} />;
  return (
    <ol data-key-words lang="en" dir="ltr" className="flex flex-wrap gap-x-4 gap-y-1 font-mono text-section font-semibold">
      {data.map((word, index) => (
        <li key={index}>{word}</li>
      ))}
    </ol>
  );
}

function AccountFacts({ person }: { person: string }) {
  const { data, error, refetch } = useQuery(
    {
      queryKey: ['statements', 'enrolment', person],
      queryFn: ({ signal }) => api.authority.details({ person }, { signal }),
    },
    queryClient,
  );
  if (!data) return error ? <UnreadValue words={errorText(error)} retry={refetch} /> : <Skeleton lines={2} />;
  return (
    <>
      <h4 className="text-meta font-medium text-2">{t('signing.account.title')}</h4>
      {data.account ? (
        <AccountSource {...data.account} />
      ) : (
        <p className="font-medium text-danger-text">{t('signing.account.gone')}</p>
      )}
      <h4 className="text-meta font-medium text-2">{t('signing.account.keys')}</h4>
      {data.keys.length === 0 && <p>{t('signing.account.noKeys')}</p>}
      <ul data-keys>
        {data.keys.map(({ key }) => (
          <li key={keyText(key)} className="break-all">
            {keyText(key)}
          </li>
        ))}
      </ul>
      <h4 className="text-meta font-medium text-2">{t('signing.account.changes')}</h4>
      {data.changes.length === 0 && <p>{t('signing.account.noChanges')}</p>}
      <ul data-changes>
        {data.changes.map((change) => (
          <li key={`${change.at} ${change.what}`} className="flex flex-wrap gap-x-2">
            <TimeText iso={change.at} />
            <span className={change.own ? '' : 'font-medium text-danger-text'}>{changeText(change)}</span>
          </li>
        ))}
      </ul>
      {data.more > 0 && <p className="text-2">{t('signing.account.more', { count: data.more })}</p>}
    </>
  );
}

function AccountSource({ createdAt, origin, providerName }: NonNullable<EnrollmentReview['account']>) {
  const now = useStore($now);
  return (
    <Details
      data-account-source=""
      of={{
        'signing.account.from': t(`signing.account.origin.${origin.kind}`, { name: providerName, by: origin.by ?? '' }),
        'signing.account.createdAt': (
          <span className="flex flex-wrap gap-x-2">
            <TimeText iso={createdAt} />
            <span className="text-2">{formatRelative(createdAt, now, locale())}</span>
          </span>
        ),
      }}
    />
  );
}

const changeText = ({ what, by, own: isOwn, vouches }: EnrollmentReview['changes'][number]): string =>
  t(isOwn ? 'signing.account.own' : 'signing.account.by', {
    what: t(vouches ? 'signing.account.vouched' : `signing.account.what.${what}`),
    who: by ?? t('signing.account.server'),
  });
