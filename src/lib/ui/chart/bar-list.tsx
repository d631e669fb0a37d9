import { useMemo, type CSSProperties, type ReactNode } from 'react';
import { ChartFrame } from './chart-frame.tsx';
import { barsTable, toPlotValue, figureText, type BarsData } from './data.ts';

interface BarListProps {
  /** File name: 'visits-country'. */
  name: string;
  title: string;
  data: BarsData | null;
  isTable: boolean;
  tools?: ReactNode;
  error?: unknown;
  retry?: () => void;
  /** Filters by the bar. */
  onPick?: (id: string) => void;
}

/** The top of a list, or a distribution. */
export function BarList({ name, title, data, isTable, tools, error, retry, onPick }: BarListProps) {
  const table = useMemo(() => data && barsTable(data), [data]);
  return (
    <ChartFrame
      title={title}
      isTable={isTable}
      isEmpty={data?.bars.length === 0}
      tools={tools}
      error={error}
      {...(retry ? { retry } : {})}
      chart={{
        name,
        hasUnits: false,
        canCompare: false,
        table: () => table,
      }}
    >
      {data && <Bars data={data} onPick={onPick} />}
    </ChartFrame>
  );
}

/** More bars become columns where there is room. */
const maxRows = 12;

function Bars({ data: { bars, measure }, onPick }: { data: BarsData; onPick: ((id: string) => void) | undefined }) {
  const barLengths = bars.map(({ value }) => Math.max(0, toPlotValue(value, measure) ?? 0));
  const max = Math.max(...barLengths);
  const layoutClass = bars.length > maxRows ? columnsClass : rowsClass;
  return (
    <ol className={`${layoutClass.list} text-body`}>
      {bars.map(({ id, label, value }, index) => (
        <li key={id} data-bar={id} className={layoutClass.item}>
          {onPick ? (
            <button
              type="button"
              className={`${layoutClass.label} rounded-chip text-start hover:underline`}
              title={label}
              onClick={() => onPick(id)}
            >
              {label}
            </button>
          ) : (
            <span className={layoutClass.label} title={label}>
              {label}
            </span>
          )}
          <span aria-hidden="true" className={layoutClass.track}>
            <span
              className={`block rounded-chip bg-accent-text ${layoutClass.bar}`}
              style={{ '--length': `${max === 0 ? 0 : ((barLengths[index] ?? 0) / max) * 100}%` } as CSSProperties}
            />
          </span>
          <span className={layoutClass.value}>
            <bdi>{figureText(value, measure)}</bdi>
          </span>
        </li>
      ))}
    </ol>
  );
}

const rowsClass = {
  list: 'grid grid-cols-[minmax(4rem,max-content)_1fr_max-content] items-center gap-x-3',
  item: 'col-span-full grid min-h-6 grid-cols-subgrid items-center',
  label: 'max-w-48 truncate',
  track: 'h-2.5 min-w-0',
  bar: 'h-full w-(--length) min-w-px',
  value: 'text-end tabular-nums',
};

const columnsClass = {
  list: `${rowsClass.list} lg:flex lg:h-40 lg:items-stretch lg:gap-x-1`,
  item: `${rowsClass.item} lg:flex lg:min-w-0 lg:flex-1 lg:flex-col lg:items-center`,
  label: `${rowsClass.label} lg:order-3 lg:text-meta lg:text-2`,
  track: `${rowsClass.track} lg:order-2 lg:flex lg:h-0 lg:w-full lg:grow lg:items-end`,
  bar: `${rowsClass.bar} lg:h-(--length) lg:min-h-px lg:w-full`,
  value: `${rowsClass.value} lg:order-1 lg:text-meta`,
};
