import type { CrsmRow } from '../../../api/crsm/contract.ts';
import { percentText } from '../../lib/money/amount-text.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { bulletScale } from './bullet-scale.ts';

const levels = ['MCR', 'TRGCR', 'TARCR', 'MAX_TARCR'] as const;
const zones = ['fill-bad-bg', 'fill-warn-bg', 'fill-neutral-bg', 'fill-ok-bg', 'fill-neutral-bg'] as const;

/** The ICR between MCR, trigger, target and maximum. */
export function Bullet({ row }: { row: CrsmRow }) {
  const { icr } = row;
  const levelValues = levels.map((name) => BigInt(row[name]));
  const value = icr === null ? null : BigInt(icr);
  const { x, breakAt } = bulletScale(levelValues, value);
  const zoneEdges = [0, ...levelValues.map(x), 1000];
  const icrText = value === null ? t('crsm.chart.endless') : t('crsm.chart.says', { icr: percentText(value) });
  return (
    <figure data-chart className="flex flex-col gap-2">
      <figcaption className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="text-meta text-2">{t('crsm.chart.title')}</span>
        <span className="text-body tabular-nums">{icrText}</span>
      </figcaption>
      <div className="relative py-10 tabular-nums">
        <svg
          viewBox="0 0 1000 24"
          preserveAspectRatio="none"
          role="img"
          aria-label={[icrText, ...levels.map((name, index) => levelText(name, levelValues[index] ?? 0n, value))].join('; ')}
          className="block h-6 w-full"
          focusable="false"
        >
          {zones.map((zoneClass, index) => (
            <rect
              key={zoneClass + String(index)}
              x={zoneEdges[index]}
              y="4"
              width={(zoneEdges[index + 1] ?? 1000) - (zoneEdges[index] ?? 0)}
              height="16"
              className={zoneClass}
            />
          ))}
          {value !== null && <rect x="0" y="9" width={x(value)} height="6" className="fill-current text-1" />}
          {breakAt !== null && (
            <path
              data-break
              d={`M${breakAt} 22 l12 -20 h12 l-12 20 z`}
              vectorEffect="non-scaling-stroke"
              className="fill-surface stroke-current text-2"
            />
          )}
          {levelValues.map((ratio, index) => (
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
            className={`absolute flex -translate-x-1/2 flex-col items-center text-meta whitespace-nowrap text-2 rtl:translate-x-1/2 ${index % 2 === 0 ? 'top-0' : 'bottom-0'}`}
            style={{ insetInlineStart: `${x(levelValues[index] ?? 0n) / 10}%` }}
          >
            <span>{name}</span>
            <span className="text-1">{percentText(levelValues[index] ?? 0n, 'up')}</span>
          </span>
        ))}
      </div>
    </figure>
  );
}

function levelText(name: string, ratio: bigint, icr: bigint | null): string {
  if (icr === null) return `${name} ${percentText(ratio, 'up')}`;
  const comparison = t(icr > ratio ? 'crsm.chart.above' : 'crsm.chart.below');
  return t('crsm.chart.level', { name, value: percentText(ratio, 'up'), where: comparison });
}
