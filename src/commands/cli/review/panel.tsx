import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { CliRequest } from '../../../../api/cli/contract.ts';
import { valueText } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { api, ApiError } from '../../../lib/net/client.ts';
import { errorText } from '../../../lib/net/errors.ts';
import { queryClient } from '../../../lib/net/query.ts';
import { DetailRow, Details } from '../../../lib/ui/record/details.tsx';
import { Skeleton } from '../../../lib/ui/skeleton.tsx';
import { UnreadValue } from '../../../lib/ui/value/unread.tsx';
import type { PanelProps } from '../../ui/dialogs/panel-props.ts';

const challengePattern = /^[\w-]{43}$/;

/** Who asks, from where, and what the session will not be able to do. */
export function CliPanel({ values, params, block }: PanelProps) {
  const challenge = valueText((params ?? values ?? {})['challenge']).trim();
  const isEmpty = challenge === '';
  const isComplete = challengePattern.test(challenge);
  const { data, error, refetch } = useQuery(
    {
      queryKey: ['cliRequest', challenge],
      queryFn: ({ signal }) => api.cli.request({ challenge }, { signal }),
      enabled: isComplete,
      retry: false,
      gcTime: 0,
    },
    queryClient,
  );
  const problem = isComplete ? (error ? requestProblem(error) : null) : t('cli.enter');
  const text = data ? null : (problem ?? t('form.reviewWaits'));
  useEffect(
    () => block?.(text === null ? null : { text, isWaiting: problem === null || isEmpty }),
    [text, problem, isEmpty, block],
  );
  if (data) return <RequestDetails request={data} />;
  if (!isComplete) return null;
  return error ? <UnreadValue words={requestProblem(error)} retry={refetch} /> : <Skeleton lines={5} />;
}

const requestProblem = (error: Error): string =>
  error instanceof ApiError && error.code === 'ATTEMPT_GONE' ? t('cli.gone') : errorText(error);

const RequestDetails = ({ request }: { request: CliRequest }) => (
  <div data-cli-request className="flex flex-col gap-3 py-1 text-body">
    <Details>
      <DetailRow name={t('cli.machine')} data-machine>
        <bdi className="font-medium">{request.name}</bdi>
        <span className="block text-meta text-2">{t('cli.unverified')}</span>
      </DetailRow>
      <DetailRow name={t('cli.terminalAddress')} data-terminal-address>
        <span className="font-mono">{request.terminalIp}</span>
      </DetailRow>
      <DetailRow name={t('cli.browserAddress')} data-browser-address>
        <span className="font-mono">{request.browserIp}</span>
      </DetailRow>
    </Details>
    {request.terminalIp !== request.browserIp && (
      <p role="alert" className="rounded-control bg-warn-bg px-3 py-2 text-warn-text">
        {t('cli.otherNetwork')}
      </p>
    )}
    <section aria-label={t('cli.cannot')} className="flex flex-col gap-1">
      <h3 className="text-label font-semibold">{t('cli.cannot')}</h3>
      <ul className="list-disc ps-5">
        {(['guarded', 'factor', 'account'] as const).map((limit) => (
          <li key={limit}>{t(`cli.limits.${limit}`)}</li>
        ))}
      </ul>
    </section>
    <p>{t('cli.ends', { hours: request.hours })}</p>
    <p>{t(request.port === null ? 'cli.paste' : 'cli.loopback')}</p>
  </div>
);
