import type { ReactNode } from 'react';
import { weiPerToken } from '../../../api/money.ts';
import { percentText } from '../../lib/money/amount-text.ts';

export interface SharePart {
  name: string;
  /** Base units. */
  value: string;
  shown: ReactNode;
}

const partClasses = ['bg-accent', 'bg-ok-icon', 'bg-warn-icon'] as const;

/** A bar from zero to the sum, with a legend. */
export function ShareBar({ label, parts }: { label: string; parts: readonly SharePart[] }) {
  const total = parts.reduce((sum, { value }) => sum + BigInt(value), 0n);
  const toPerMille = (value: string) => (total === 0n ? 0n : (BigInt(value) * 1000n) / total);
  return (
    <figure className="flex flex-col gap-2">
      <figcaption className="text-meta text-2">{label}</figcaption>
      <div aria-hidden="true" className="flex h-2 overflow-hidden rounded-full bg-neutral-bg">
        {parts.map(({ name, value }, index) => (
          <div
            key={name}
            className={partClasses[index % partClasses.length]}
            style={{ width: `calc(${toPerMille(value)} * 0.1%)` }}
          />
        ))}
      </div>
      <ul className="flex flex-wrap gap-x-5 gap-y-1">
        {parts.map(({ name, value, shown }, index) => (
          <li key={name} className="flex items-baseline gap-1.5">
            <span aria-hidden="true" className={`size-2 shrink-0 rounded-full ${partClasses[index % partClasses.length]}`} />
            <span className="text-meta text-2">{name}</span>
            {shown}
            <span className="text-meta text-2 tabular-nums">
              {percentText(total === 0n ? 0n : (BigInt(value) * weiPerToken) / total)}
            </span>
          </li>
        ))}
      </ul>
    </figure>
  );
}
