import { groupDigits } from '../../format.ts';

interface BerriesProps {
  /** A decimal string. */
  value: string;
  /** Shows the sign. */
  change?: boolean;
}

export function Berries({ value, change = false }: BerriesProps) {
  const isMinus = value.startsWith('-');
  const sign = isMinus ? '−' : change ? '+' : '';
  return (
    <span className={`tabular-nums ${change ? (isMinus ? 'text-danger-text' : 'text-ok-text') : ''}`}>
      {sign}
      {groupDigits(BigInt(value.replace('-', '')))}
    </span>
  );
}
