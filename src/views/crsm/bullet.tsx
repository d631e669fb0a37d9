import { integerOf } from '../../../api/integers.ts';
import type { CrsmRow } from '../../../api/crsm/contract.ts';
import { percentText } from '../../lib/money/amount-text.ts';
import { t } from '../../lib/i18n/i18n.ts';

const levels = ['MCR', 'TRGCR', 'TARCR', 'MAX_TARCR'] as const;
const zones = ['fill-bad-bg', 'fill-warn-bg', 'fill-neutral-bg', 'fill-ok-bg', 'fill-neutral-bg'] as const;

/** The ICR between MCR, trigger, target and maximum. */
export function Bullet({ row }: { row: CrsmRow }) {
  const { icr } = row;
  const at = levels.map((name) => BigInt(row[name]));
  const [first = 0n, last = 1n] = [at[0], at.at(-1)];
  const margin = (last - first) / 3n + 1n;
  const value = icr === null ? null : BigInt(icr);
  const low = value !== null && value < first - margin ? value : first - margin;
  const high = last + margin;
  /** Per mille of the width. */
  const x = (ratio: bigint): number =>
    integerOf((((ratio < low ? low : ratio > high ? high : ratio) - low) * 100_000n) / (high - low)) / 100;
  const stops = [0, ...at.map(x), 1000];
  const isBeyond = value !== null && value > high;
  const says = [
    value === null ? t('crsm.chart.endless') : t('crsm.chart.says', { icr: percentText(value) }),
    ...levels.map((name, index) => levelText(name, at[index] ?? 0n, value)),
    ...(isBeyond ? [t('crsm.chart.beyond')] : []),
  ];
  return (
    <figure data-chart className="flex flex-col gap-2">
      <figcaption className="text-meta text-2">{t('crsm.chart.title')}</figcaption>
      <div className="relative pt-5 pb-5">
        <svg
          viewBox="0 0 1000 24"
          preserveAspectRatio="none"
          role="img"
          aria-label={says.join('; ')}
          className="block h-6 w-full"
          focusable="false"
        >
          {zones.map((look, index) => (
            <rect
              key={look + String(index)}
              x={stops[index]}
              y="4"
              width={(stops[index + 1] ?? 1000) - (stops[index] ?? 0)}
              height="16"
              className={look}
            />
          ))}
          {value !== null && <rect x="0" y="9" width={x(value)} height="6" className="fill-current text-1" />}
          {at.map((ratio, index) => (
            <line
              key={levels[index]}
              x1={x(ratio)}
              x2={x(ratio)}
              y1="1"
              y2="23"
              vectorEffect="non-scaling-stroke"
              strokeWidth={index === 0 ? 3 : 2}
              strokeDasharray={index === 2 ? '3 2' : undefined}
              className="stroke-current text-2"
            />
          ))}
        </svg>
        {levels.map((name, index) => (
          <span
            key={name}
            aria-hidden="true"
            className={`absolute -translate-x-1/2 text-meta whitespace-nowrap text-2 rtl:translate-x-1/2 ${index % 2 === 0 ? 'top-0' : 'bottom-0'}`}
            style={{ insetInlineStart: `${x(at[index] ?? 0n) / 10}%` }}
          >
            {name}
          </span>
        ))}
      </div>
      <ul className="grid gap-x-6 gap-y-0.5 text-meta text-2 tabular-nums sm:grid-cols-2">
        {says.map((line, index) => (
          <li key={line} className={index === 0 ? 'col-span-full text-body text-1' : undefined}>
            {line}
          </li>
        ))}
      </ul>
    </figure>
  );
}

function levelText(name: string, ratio: bigint, icr: bigint | null): string {
  if (icr === null) return `${name} ${percentText(ratio, 'up')}`;
  const where = t(icr > ratio ? 'crsm.chart.above' : 'crsm.chart.below');
  return t('crsm.chart.level', { name, value: percentText(ratio, 'up'), where });
}
