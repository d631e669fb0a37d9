import { useQuery } from '@tanstack/react-query';
import RefreshCw from 'lucide-react/icons/refresh-cw';
import ShieldOff from 'lucide-react/icons/shield-off';
import { administrators as administratorCommands } from '../../../commands/access/administrators.ts';
import { identity as identityCommands } from '../../../commands/access/identity.ts';
import { registry } from '../../../commands/app/registry.ts';
import { CommandTrigger } from '../../../commands/ui/controls/command-trigger.tsx';
import { t } from '../../../lib/i18n/i18n.ts';
import { api } from '../../../lib/net/client.ts';
import { queryClient } from '../../../lib/net/query.ts';
import { addIcons } from '../../../lib/ui/icon.tsx';
import { LoadFailed } from '../../../lib/ui/list/table/states.tsx';
import { PageHeader } from '../../../lib/ui/page.tsx';
import { Skeleton } from '../../../lib/ui/skeleton.tsx';
import { Conflicts } from './conflicts.tsx';
import { Provisioning } from './provisioning.tsx';
import { Mappings } from './mappings.tsx';
import { ProviderFacts } from './provider.tsx';
import { ProviderStatus } from './health.tsx';
import { RefusedSignIns } from './sign-ins.tsx';

registry.add(identityCommands);
registry.add(administratorCommands);
addIcons({ 'refresh-cw': RefreshCw, 'shield-off': ShieldOff });

/** How people sign in through the company's provider, and what it manages here. */
export function Identity() {
  const { data, error, refetch } = useQuery(
    {
      queryKey: ['identity', 'status'],
      queryFn: ({ signal }) => api.identity.status(undefined, { signal }),
      refetchInterval: 30_000,
    },
    queryClient,
  );
  return (
    <>
      <PageHeader title={t('identity.title')}>
        <CommandTrigger id="identity.addScimToken" />
        <CommandTrigger id="identity.addMapping" look="primary" />
      </PageHeader>
      <div className="flex max-w-240 flex-col gap-8 px-4 pt-2 pb-10">
        {data ? (
          <>
            {data.signIn && <ProviderStatus name={data.name} signIn={data.signIn} />}
            {data.signIn && <RefusedSignIns />}
            <ProviderFacts status={data} />
            <Mappings />
            <Provisioning status={data} />
            <Conflicts conflicts={data.provisioning.conflicts} />
          </>
        ) : error ? (
          <LoadFailed error={error} retry={() => void refetch()} />
        ) : (
          <Skeleton lines={10} />
        )}
      </div>
    </>
  );
}
