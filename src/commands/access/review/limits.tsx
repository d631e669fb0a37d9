import { useQuery } from '@tanstack/react-query';
import { splitNetworks } from '../../../../api/access/network-text.ts';
import type { RolePolicy } from '../../../../api/access/roles.ts';
import { valueText } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { api } from '../../../lib/net/client.ts';
import { errorText } from '../../../lib/net/errors.ts';
import { queryClient } from '../../../lib/net/query.ts';
import { Button } from '../../../lib/ui/button.tsx';
import { Skeleton } from '../../../lib/ui/skeleton.tsx';
import { UnreadValue } from '../../../lib/ui/value/unread.tsx';
import type { HelperProps } from '../../ui/dialogs/helper.tsx';

const usePolicy = () =>
  useQuery({ queryKey: ['roles', 'policy'], queryFn: ({ signal }) => api.roles.policy(undefined, { signal }) }, queryClient);

/** Under the networks of a role: the person's own address, and warnings. */
export function NetworksHelper({ values, set }: HelperProps) {
  const { data, error, refetch } = usePolicy();
  if (!data) return error ? <UnreadValue words={errorText(error)} retry={refetch} /> : <Skeleton lines={1} />;
  const networksText = valueText(values['networks']).trim();
  const { address } = data;
  const isListed = address !== null && splitNetworks(networksText).includes(address);
  return (
    <div className="flex flex-col gap-1 text-meta text-2">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="break-all">{address === null ? t('roles.limits.unknown') : t('roles.limits.address', { address })}</span>
        {address !== null && (
          <Button
            aria-disabled={isListed || undefined}
            onClick={() => isListed || set('networks', networksText === '' ? address : `${networksText}\n${address}`)}
          >
            {t(isListed ? 'roles.limits.addressListed' : 'roles.limits.addAddress')}
          </Button>
        )}
      </p>
      {findWarnings(data, networksText).map((warning) => (
        <p key={warning} className="text-warn-text">
          {t(`roles.limits.${warning}`)}
        </p>
      ))}
    </div>
  );
}

const findWarnings = ({ isProxyLikely, isEnforced }: RolePolicy, networksText: string) => [
  ...(isProxyLikely ? (['proxy'] as const) : []),
  ...(isEnforced ? [] : (['off'] as const)),
  ...(networksText !== '' && !networksText.includes(':') ? (['ipv6'] as const) : []),
];

export function SessionLimitsHelper() {
  const { data, error, refetch } = usePolicy();
  if (!data) return error ? <UnreadValue words={errorText(error)} retry={refetch} /> : <Skeleton lines={1} />;
  return <p className="text-meta text-2">{t('roles.limits.server', { minutes: data.idleMinutes, hours: data.sessionHours })}</p>;
}
