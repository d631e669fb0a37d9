import { useQuery } from '@tanstack/react-query';
import type { IdentityStatus, ProviderHealth } from '../../../../api/access/identity.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { api } from '../../../lib/net/client.ts';
import { errorText } from '../../../lib/net/errors.ts';
import { queryClient } from '../../../lib/net/query.ts';
import { Button } from '../../../lib/ui/button.tsx';
import { Details } from '../../../lib/ui/record/details.tsx';
import { Skeleton } from '../../../lib/ui/skeleton.tsx';
import { Chip } from '../../../lib/ui/value/chip.tsx';
import { TimeText } from '../../../lib/ui/value/time.tsx';
import { UnreadValue } from '../../../lib/ui/value/unread.tsx';
import { Section } from '../../../lib/ui/section.tsx';
import { LastSignIn, useSignIns } from './sign-ins.tsx';

interface ProviderStatusProps {
  name: string;
  signIn: NonNullable<IdentityStatus['signIn']>;
}

/** Whether the provider answers now, read apart from the rest so that a slow provider delays nothing. */
export function ProviderStatus({ name, signIn }: ProviderStatusProps) {
  const { data, error, refetch, isFetching } = useQuery(
    {
      queryKey: ['identity', 'health'],
      queryFn: ({ signal }) => api.identity.health(undefined, { signal }),
      refetchInterval: 30_000,
    },
    queryClient,
  );
  const signIns = useSignIns();
  return (
    <Section
      title={t('identity.health.title')}
      actions={
        <Button disabled={isFetching} onClick={() => void refetch()}>
          {t('identity.health.again')}
        </Button>
      }
    >
      {error && <UnreadValue words={errorText(error)} retry={refetch} />}
      {data === undefined && !error && <Skeleton lines={4} />}
      {data && (
        <Details
          data-provider-health={data.problem ?? 'OK'}
          of={{
            'identity.health.state': <Connection health={data} name={name} isRequired={signIn.required} />,
            'identity.health.lastAnswer':
              data.lastAnswerAt === null ? t('identity.health.noAnswer') : <TimeText iso={data.lastAnswerAt} />,
            'identity.health.clock': <Clock health={data} />,
            'identity.signIns.last': <LastSignIn of={signIns} />,
          }}
        />
      )}
    </Section>
  );
}

function Connection({ health, name, isRequired }: { health: ProviderHealth; name: string; isRequired: boolean }) {
  const { problem, status, checkedAt } = health;
  const checked = (
    <span className="text-meta text-2">
      {t('identity.health.checkedAt')} <TimeText iso={checkedAt} />
    </span>
  );
  if (problem === null)
    return (
      <span className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <Chip state="done">{t('identity.health.working')}</Chip>
        {checked}
      </span>
    );
  const isWrong = problem === 'STATUS' || problem === 'ANSWER' || problem === 'ISSUER';
  return (
    <span role="alert" className="flex flex-col gap-1">
      <span className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <Chip state="failed">{t(isWrong ? 'identity.health.wrong' : 'identity.health.silent')}</Chip>
        {checked}
      </span>
      <span>{t(`identity.health.problem.${problem}`, { name, status: String(status ?? '') })}</span>
      <span className="text-2">{t(isRequired ? 'identity.health.affectedRequired' : 'identity.health.affected', { name })}</span>
    </span>
  );
}

function Clock({ health: { clockSeconds, isClockOff } }: { health: ProviderHealth }) {
  const text = clockText(clockSeconds);
  if (!isClockOff) return text;
  return (
    <span role="alert" className="flex flex-col gap-1">
      <span>
        <Chip state="failed">{text}</Chip>
      </span>
      <span>{t('identity.health.clockOff')}</span>
    </span>
  );
}

/** One second is within the precision of the measurement. */
function clockText(seconds: number | null): string {
  if (seconds === null) return t('identity.health.clockUnknown');
  if (Math.abs(seconds) <= 1) return t('identity.health.clockSame');
  return t(seconds > 0 ? 'identity.health.clockAhead' : 'identity.health.clockBehind', { count: Math.abs(seconds) });
}
