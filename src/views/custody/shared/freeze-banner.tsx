import { useQuery } from '@tanstack/react-query';
import TriangleAlert from 'lucide-react/icons/triangle-exclamation-point';
import { useEffect, type ComponentType } from 'react';
import { Link, useLocation } from 'wouter';
import { api } from '../../../lib/net/client.ts';
import { $freeze } from '../../../commands/custody/shared/freeze.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { joinList } from '../../../lib/i18n/punctuation.ts';
import { queryClient } from '../../../lib/net/query.ts';
import { TimeText } from '../../../lib/ui/value/time.tsx';

const dataPanelPath = '/selfCustody/dataPanel';

/** Money commands are blocked during a freeze. */
function FreezeBanner() {
  const [path] = useLocation();
  const { data } = useQuery(
    {
      queryKey: ['freeze'],
      queryFn: ({ signal }) => api.dataPanel.freeze(undefined, { signal }),
      refetchInterval: 15_000,
    },
    queryClient,
  );
  useEffect(() => {
    if (data) $freeze.set(data.open);
  }, [data]);
  if (!data?.open) return null;
  const { lifting } = data.open;
  return (
    <div
      role="alert"
      data-freeze={data.open.id}
      className="flex items-start gap-3 border-b border-hairline bg-bad-bg px-4 py-2.5 text-bad-text"
    >
      <TriangleAlert size={16} aria-hidden="true" className="mt-0.5 text-bad-icon" />
      <p className="min-w-0 flex-1">
        <strong className="font-semibold">{t('dataPanel.freeze.title')}</strong> ·{' '}
        {data.open.kind === 'manual'
          ? t('dataPanel.freeze.manual', { by: data.open.by ?? '', reason: data.open.reason ?? '' })
          : t('dataPanel.freeze.says')}{' '}
        · <TimeText iso={data.open.at} /> · {t('dataPanel.freeze.blocked')}{' '}
        {lifting !== null && lifting.signed.length > 0 && (
          <span data-lifting className="font-medium">
            {t('dataPanel.freeze.signedOf', {
              n: lifting.signed.length,
              of: lifting.needed,
              who: joinList(lifting.signed),
            })}{' '}
          </span>
        )}
        {path !== dataPanelPath && (
          <Link href={dataPanelPath} className="underline">
            {t('dataPanel.freeze.look')}
          </Link>
        )}
      </p>
    </div>
  );
}

/** Needs the texts of the data panel. */
export function withFreezeBanner(Screen: ComponentType): ComponentType {
  return function Custody() {
    return (
      <div className="flex h-full min-h-0 flex-col">
        <FreezeBanner />
        <div className="min-h-0 flex-1">
          <Screen />
        </div>
      </div>
    );
  };
}
