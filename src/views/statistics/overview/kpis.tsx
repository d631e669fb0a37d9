import { Radio, RadioGroup } from '@headlessui/react';
import { useQuery } from '@tanstack/react-query';
import type { OverviewMetric, OverviewNow, OverviewRow } from '../../../../api/statistics/overview.ts';
import { api } from '../../../lib/net/client.ts';
import { t, type TextKey } from '../../../lib/i18n/i18n.ts';
import { joinList } from '../../../lib/i18n/punctuation.ts';
import { overviewMeasures, overviewMetricIds } from '../../../commands/statistics/overview-figures.ts';
import { queryClient } from '../../../lib/net/query.ts';
import { mirrorArrowKeys } from '../../../lib/ui/arrow-keys.ts';
import { Button } from '../../../lib/ui/button.tsx';
import { shareText } from '../../../lib/ui/chart/data.ts';
import { amountText } from '../../../lib/money/amount-text.ts';
import { Amount } from '../../../lib/money/amount.tsx';
import { Chip } from '../../../lib/ui/value/chip.tsx';
import { Skeleton } from '../../../lib/ui/skeleton.tsx';
import { TimeText } from '../../../lib/ui/value/time.tsx';

interface FiguresProps {
  /** The metric in the chart below. */
  metric: OverviewMetric;
  onPick: (metric: OverviewMetric) => void;
}

/** Refreshed every 30 seconds. */
export function KpiGrid({ metric, onPick }: FiguresProps) {
  const { data, isError, refetch } = useQuery(
    {
      queryKey: ['overview', 'now'],
      queryFn: ({ signal }) => api.overview.now(undefined, { signal }),
      refetchInterval: 30_000,
    },
    queryClient,
  );
  return (
    <section data-figures aria-label={t('overview.figures')} className="flex flex-col gap-2 px-4 pb-4">
      {!data && !isError && <Skeleton lines={3} />}
      {isError && (
        <p role="alert" className="flex flex-wrap items-center gap-3 text-body text-warn-text">
          {data ? t('overview.stale') : t('overview.failed')}
          <Button onClick={() => void refetch()}>{t('common.retry')}</Button>
        </p>
      )}
      {data && (
        <>
          <AsOf now={data} />
          <KpiTiles now={data} metric={metric} onPick={onPick} />
        </>
      )}
    </section>
  );
}

/** Time of the figures, and which are older. */
function AsOf({ now: { at, block, chainState, chainAt, missing } }: { now: OverviewNow }) {
  const [firstMissing] = missing;
  const days = joinList(missing.slice(0, 7));
  return (
    <div className="flex flex-col gap-1 text-meta text-2">
      <p data-as-of>
        {t('overview.at')} <TimeText iso={at} />
        {block && chainState === 'ok' && ` · ${t('overview.block', { block })}`}
      </p>
      {chainState !== 'ok' && (
        <p data-delayed={chainState} className="text-warn-text">
          {chainState === 'off' ? (
            t('overview.delayedOff')
          ) : chainAt === null ? (
            t('overview.delayedUnknown')
          ) : (
            <>
              {t('overview.delayedSince')} <TimeText iso={chainAt} />
            </>
          )}
        </p>
      )}
      {firstMissing && (
        <p data-missing className="text-warn-text">
          {t('overview.missing', { days: missing.length > 7 ? t('overview.missingMore', { days }) : days })}
        </p>
      )}
    </div>
  );
}

function KpiTiles({ now, metric, onPick }: FiguresProps & { now: OverviewNow }) {
  return (
    <RadioGroup
      value={metric}
      onChange={onPick}
      aria-label={t('overview.figures')}
      className="grid gap-3 sm:grid-cols-2 xl:grid-cols-4"
      onKeyDownCapture={mirrorArrowKeys}
    >
      {overviewMetricIds.map((tileMetric) => (
        <Tile key={tileMetric} of={tileMetric} now={now} isOn={tileMetric === metric} />
      ))}
    </RadioGroup>
  );
}

interface TileProps {
  of: OverviewMetric;
  now: OverviewNow;
  isOn: boolean;
}

function Tile({ of, now, isOn }: TileProps) {
  return (
    <Radio
      as="button"
      type="button"
      value={of}
      data-figure={of}
      data-tip={now[of] === null ? undefined : exactOf(now[of], of)}
      className={`flex min-w-0 flex-col items-stretch gap-1 rounded-card border px-4 py-3 text-start ${isOn ? 'border-accent bg-layer-selected' : 'border-hairline bg-surface hover:bg-layer-hover'}`}
    >
      <span className="flex items-center gap-2 text-meta text-2">
        <span className="me-auto">
          {t(`overview.metric.${of}`)} <span className="inline-block font-mono">{of}</span>
        </span>
        {now.delayed.includes(of) && <Chip state="pending">{t('overview.delayed')}</Chip>}
      </span>
      <span data-value className="text-section font-semibold text-1">
        <Amount value={now[of]} {...overviewMeasures[of]} brief short />
      </span>
      <Change of={of} label="overview.weekChange" now={now[of]} then={now.weekBefore} />
      <Change of={of} label="overview.monthChange" now={now[of]} then={now.monthBefore} />
    </Radio>
  );
}

const exactOf = (value: string, metric: OverviewMetric): string =>
  [amountText(BigInt(value), overviewMeasures[metric].places), overviewMeasures[metric].unit].filter(Boolean).join(' ');

interface ChangeProps {
  of: OverviewMetric;
  label: TextKey;
  now: string | null;
  then: OverviewRow | null;
}

function Change({ of, label, now, then }: ChangeProps) {
  const previousValue = then?.[of] ?? null;
  const change = now === null || previousValue === null ? null : BigInt(now) - BigInt(previousValue);
  const changeRatio = change === null || previousValue === null ? null : shareText(change, BigInt(previousValue));
  return (
    <span className="flex flex-wrap justify-between gap-x-3 text-meta text-2">
      <span dir="auto">{t(label)}</span>
      <span data-change dir="ltr" className="text-1">
        {then === null ? (
          <span className="text-2">{t('overview.notTaken')}</span>
        ) : (
          <>
            <Amount value={change === null ? null : String(change)} {...overviewMeasures[of]} brief signed />
            {changeRatio && (
              <span dir="ltr" className="ms-1.5 inline-block min-w-14 text-end text-2 tabular-nums">
                {changeRatio}
              </span>
            )}
          </>
        )}
      </span>
    </span>
  );
}
