import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { navigationKeysFor } from '../../commands/app/go-keys.ts';
import { api } from '../../lib/net/client.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { overviewMeasures, overviewMetricIds } from '../../commands/statistics/overview-figures.ts';
import { queryClient } from '../../lib/net/query.ts';
import { Amount } from '../../lib/money/amount.tsx';
import { Sparkline } from '../../lib/ui/chart/sparkline.tsx';
import { Kbd } from '../../lib/ui/value/kbd.tsx';
import { UnreadValue } from '../../lib/ui/value/unread.tsx';

const dayMs = 86_400_000;
const days = 30;

async function loadOverview(signal: AbortSignal) {
  const startTime = new Date((Math.floor(Date.now() / dayMs) - days) * dayMs).toISOString();
  const [now, { points }] = await Promise.all([
    api.overview.now(undefined, { signal }),
    api.overview.series({ filter: { time: `${startTime}..` }, unit: 'day', compare: false }, { signal }),
  ]);
  return { now, points };
}

export function OverviewSummary() {
  const { data, isError, refetch } = useQuery(
    { queryKey: ['overview', 'small'], queryFn: ({ signal }) => loadOverview(signal), refetchInterval: 60_000 },
    queryClient,
  );
  const keys = navigationKeysFor('/overview');
  return (
    <section className="mt-6" data-overview-small>
      <h2 className="mb-2 flex items-center gap-2 border-b pb-1 text-meta font-medium text-2">
        <span className="flex-1">
          {t('overview.title')} · {t('overview.home')}
        </span>
        <Link
          href="/overview"
          className="flex min-h-6 items-center gap-2 rounded-chip text-accent-text hover:underline print:hidden"
        >
          {t('overview.open')}
          {keys && <Kbd keys={keys} />}
        </Link>
      </h2>
      {isError && <UnreadValue words={t('overview.failed')} retry={refetch} />}
      <dl className="grid min-h-18 gap-x-8 sm:grid-cols-2 lg:grid-cols-4 gap-y-4">
        {data &&
          overviewMetricIds.map((metric) => (
            <div key={metric} data-figure={metric} className="flex min-w-0 flex-col">
              <dt className="text-meta text-2">{t(`overview.metric.${metric}`)}</dt>
              <dd className="text-label font-semibold text-1">
                <Amount value={data.now[metric]} {...overviewMeasures[metric]} brief short alone />
              </dd>
              <dd>
                <Sparkline values={data.points.map(({ values }) => values[metric])} measure={overviewMeasures[metric]} />
              </dd>
            </div>
          ))}
      </dl>
    </section>
  );
}
