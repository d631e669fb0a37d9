import { amountParts } from './amount-text.ts';
import { locale } from '../i18n/i18n.ts';

/** An amount of bitcoin from satoshi: exact, all eight decimals, the trailing zeros dimmed. */
export function Btc({ value, unit = false }: { value: string; unit?: boolean }) {
  const { sign, whole, kept, zeros } = amountParts(BigInt(value), 8, locale());
  return (
    <span className="whitespace-nowrap tabular-nums">
      {sign}
      {whole}.{kept}
      <span className="text-2">{zeros}</span>
      {unit && ' BTC'}
    </span>
  );
}
