import { useMemo, type ReactNode } from 'react';
import { ChartFrame } from './chart-frame.tsx';
import { barsTable, drawn, figureText, type BarsData } from './data.ts';
import { barsPicture } from './picture.ts';

interface BarListProps {
  /** File name, such as 'visits-country'. */
  name: string;
  title: string;
  /** Null while loading. */
  data: BarsData | null;
  isTable: boolean;
  tools?: ReactNode;
  error?: unknown;
  retry?: () => void;
  /** Filters by a bar. */
  onPick?: (id: string) => void;
}

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
        picture: () => (data ? barsPicture(title, data) : Promise.reject(new Error('there is nothing to draw'))),
      }}
    >
      {data && <Bars data={data} onPick={onPick} />}
    </ChartFrame>
  );
}

function Bars({ data: { bars, measure }, onPick }: { data: BarsData; onPick: ((id: string) => void) | undefined }) {
  const lengths = bars.map(({ value }) => Math.max(0, drawn(value, measure) ?? 0));
  const most = Math.max(...lengths);
  return (
    <ol className="grid grid-cols-[minmax(4rem,max-content)_1fr_max-content] items-center gap-x-3 text-body">
      {bars.map(({ id, label, value }, at) => (
        <li key={id} data-bar={id} className="col-span-full grid min-h-6 grid-cols-subgrid items-center">
          {onPick ? (
            <button
              type="button"
              className="max-w-48 truncate rounded-chip text-start hover:underline"
              title={label}
              onClick={() => onPick(id)}
            >
              {label}
            </button>
          ) : (
            <span className="max-w-48 truncate" title={label}>
              {label}
            </span>
          )}
          <span aria-hidden="true" className="h-2.5 min-w-0">
            <span
              className="block h-full min-w-px rounded-chip bg-accent-text"
              style={{ width: `${most === 0 ? 0 : ((lengths[at] ?? 0) / most) * 100}%` }}
            />
          </span>
          <span className="text-end tabular-nums">
            <bdi>{figureText(value, measure)}</bdi>
          </span>
        </li>
      ))}
    </ol>
  );
}
