import { groupDigits } from '../../format.ts';

interface BerriesProps {
  /** A decimal string. */
  value: string;
  /** Shows the sign. */
  change?: boolean;
}

export function Berries({ value, change = false }: BerriesProps) {
  const isNegative = value.startsWith('-');
  const sign = isNegative ? '−' : change ? '+' : '';
  return (
    <span className={`tabular-nums ${change ? (isNegative ? 'text-danger-text' : 'text-ok-text') : ''}`}>
      {sign}
      {groupDigits(BigInt(value.replace('-', '')))}
    </span>
  );
}
