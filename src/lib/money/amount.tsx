import { amountParts, plainAmount } from './amount-text.ts';
import { groupDigits } from '../format.ts';
import { locale, t } from '../i18n/i18n.ts';

interface AmountProps {
  /** Base units as a decimal string; null: it could not be read. */
  value: string | null;
  /** Decimals of the unit: 8 for satoshi, 18 for wei. */
  places: 8 | 18;
  /** Decimals that are shown. What is beyond stands in the title, and an ellipsis says that there is more. */
  show?: number;
  unit?: string;
}

/** An amount, exact from its base units, its trailing zeros dimmed. What is not known says so: it is no zero. */
export function Amount({ value, places, show = places, unit }: AmountProps) {
  if (value === null) return <Unknown />;
  const base = BigInt(value);
  const { sign, whole, kept, zeros } = amountParts(base, places, locale());
  const isCut = kept.length > show;
  const dimmed = isCut ? '' : zeros.slice(0, show - kept.length);
  return (
    <span className="whitespace-nowrap tabular-nums" title={isCut ? plainAmount(base, places) : undefined}>
      {sign}
      {whole}.{kept.slice(0, show)}
      {isCut ? '…' : <span className="text-2">{dimmed}</span>}
      {unit && <span className="text-2"> {unit}</span>}
    </span>
  );
}

/** A ratio of which 1e18 is 100 %, with two decimals; more are cut off. */
export function Percent({ value }: { value: string | null }) {
  if (value === null) return <Unknown />;
  const basis = BigInt(value) / 100_000_000_000_000n;
  const isEndless = BigInt(value) >= 2n ** 255n; // no debt
  return (
    <span className="whitespace-nowrap tabular-nums">
      {isEndless ? '∞' : `${groupDigits(basis / 100n, locale())}.${(basis % 100n).toString().padStart(2, '0')} %`}
    </span>
  );
}

export const Unknown = () => <span className="text-2">{t('dataPanel.unknown')}</span>;
