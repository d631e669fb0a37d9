import { useEffect, useId, useLayoutEffect, useState, type ReactNode } from 'react';
import { hideChart, selectChart, showChart, type ChartOnScreen } from './charts.ts';
import { errorText, readRequestId } from '../../net/errors.ts';
import { t } from '../../i18n/i18n.ts';
import { Button } from '../button.tsx';
import { Skeleton } from '../skeleton.tsx';
import { ChartTable } from './chart-table.tsx';

interface ChartFrameProps {
  title: string;
  chart: ChartOnScreen;
  /** Such as commands/ui/controls/chart-tools.tsx. */
  tools?: ReactNode;
  isTable: boolean;
  error?: unknown;
  retry?: () => void;
  isEmpty: boolean;
  children: ReactNode;
}

export function ChartFrame({ title, chart, tools, isTable, error, retry, isEmpty, children }: ChartFrameProps) {
  const [key] = useState(() => Symbol('chart'));
  const [isRendered, setIsRendered] = useState(false);
  const titleId = useId();
  useLayoutEffect(() => showChart(key, chart));
  useEffect(() => {
    setIsRendered(true); // rerenders the tools, which need a registered chart
    return () => hideChart(key);
  }, [key]);
  const table = chart.table();
  const requestId = error ? readRequestId(error) : null;
  return (
    <figure
      data-chart={chart.name}
      aria-labelledby={titleId}
      className="flex min-w-0 flex-col gap-2"
      onFocus={() => selectChart(key)}
      onPointerDown={() => selectChart(key)}
    >
      <figcaption className="flex min-h-control flex-wrap items-center gap-x-3 gap-y-2">
        <h2 id={titleId} className="text-section font-semibold">
          {title}
        </h2>
        {isRendered && tools && <div className="ms-auto flex flex-wrap items-center gap-2">{tools}</div>}
      </figcaption>
      {table === null && !error && <Skeleton lines={6} />}
      {table === null && error ? (
        <div role="alert" className="flex flex-wrap items-center gap-3 py-6 text-body">
          <span>
            {t('chart.failed')} {errorText(error)}
            {requestId && <span className="ps-2 font-mono text-meta">{t('errors.requestId', { id: requestId })}</span>}
          </span>
          {retry && <Button onClick={retry}>{t('common.retry')}</Button>}
        </div>
      ) : null}
      {table !== null && isEmpty && <p className="py-6 text-body text-2">{t('chart.empty')}</p>}
      {table !== null && !isEmpty && (isTable ? <ChartTable table={table} label={title} /> : children)}
    </figure>
  );
}
