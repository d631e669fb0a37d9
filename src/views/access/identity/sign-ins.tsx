import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { RefusedSignIn } from '../../../../api/access/identity.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { api } from '../../../lib/net/client.ts';
import { errorText } from '../../../lib/net/errors.ts';
import { queryClient } from '../../../lib/net/query.ts';
import { $permittedPaths } from '../../../lib/session/session.ts';
import { refusalText } from '../../../lib/ui/record/refusal-text.ts';
import { Skeleton } from '../../../lib/ui/skeleton.tsx';
import { TimeText } from '../../../lib/ui/value/time.tsx';
import { UnreadValue } from '../../../lib/ui/value/unread.tsx';
import { Section } from '../../../lib/ui/section.tsx';

export const useSignIns = () =>
  useQuery(
    {
      queryKey: ['identity', 'signIns'],
      queryFn: ({ signal }) => api.identity.signIns(undefined, { signal }),
      refetchInterval: 30_000,
    },
    queryClient,
  );

export function LastSignIn({ of: { data, error } }: { of: Pick<ReturnType<typeof useSignIns>, 'data' | 'error'> }) {
  if (!data) return error ? errorText(error) : <Skeleton lines={1} />;
  if (data.last === null) return t('identity.signIns.never');
  const { at, email, ip } = data.last;
  return (
    <span className="flex flex-wrap gap-x-3">
      <TimeText iso={at} />
      <span>{email}</span>
      <span className="text-2" dir="ltr">
        {ip}
      </span>
    </span>
  );
}

/** Sign-ins through the provider that the panel refused. */
export function RefusedSignIns() {
  const { data, error, refetch } = useSignIns();
  const canOpenAudit = useStore($permittedPaths).has('/audit');
  return (
    <Section
      title={t('identity.signIns.title')}
      intro={t('identity.signIns.intro')}
      actions={
        canOpenAudit && (
          <Link href="/audit?entity=session&result=refused" className="rounded-chip text-body text-accent-text hover:underline">
            {t('identity.signIns.audit')}
          </Link>
        )
      }
    >
      {error && <UnreadValue words={errorText(error)} retry={refetch} />}
      {!data && !error && <Skeleton lines={3} />}
      {data?.refused.length === 0 && <p className="text-body text-2">{t('identity.signIns.none')}</p>}
      {data && data.refused.length > 0 && (
        <ul className="flex flex-col" data-refused-sign-ins>
          {data.refused.map((refusal) => (
            <Refusal key={refusal.id} of={refusal} />
          ))}
        </ul>
      )}
    </Section>
  );
}

const Refusal = ({ of: { reason, seconds, email, at, ip, more } }: { of: RefusedSignIn }) => (
  <li className="flex flex-col gap-0.5 border-b border-hairline py-2 text-body first:pt-0 last:border-0">
    <span className="flex flex-wrap items-baseline gap-x-3">
      <bdi className="me-auto font-medium wrap-anywhere">{email ?? t('identity.signIns.unknown')}</bdi>
      <span className="text-meta text-2" dir="ltr">
        {ip}
      </span>
      <span className="text-meta text-2">
        <TimeText iso={at} />
      </span>
    </span>
    <span className="flex flex-wrap gap-x-3 text-2">
      <span>{refusalText(reason) ?? t('errors.generic')}</span>
      {seconds !== null && <span>{t('identity.signIns.difference', { count: seconds })}</span>}
      {more > 0 && <span>{t('identity.signIns.more', { count: more })}</span>}
    </span>
  </li>
);
