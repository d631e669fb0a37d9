import { formatUnits } from '../../../api/money.ts';
import { t } from '../i18n/i18n.ts';
import { amountParts, percentText } from './amount-text.ts';

interface AmountProps {
  /** Base units as a decimal string; null: it could not be read. */
  value: string | null;
  /** Decimals of the unit: 8 for satoshi, 18 for wei, 0 for what is counted. */
  places: number;
  /** Decimals that are shown. What is beyond stands in the title, and an ellipsis says that there is more. */
  show?: number;
  unit?: string | undefined;
  /** Without the trailing zeros, which are dimmed otherwise. */
  short?: boolean;
  /** With a plus before what is more than nothing. */
  signed?: boolean;
}

/** An amount, exact from its base units. What is not known says so: it is no zero. */
export function Amount({ value, places, show = places, unit, short = false, signed = false }: AmountProps) {
  if (value === null) return <Unknown />;
  const base = BigInt(value);
  const { sign, whole, kept, zeros } = amountParts(base, places);
  const isCut = kept.length > show;
  const dimmed = isCut || short ? '' : zeros.slice(0, show - kept.length);
  return (
    <span dir="ltr" className="whitespace-nowrap tabular-nums" title={isCut ? formatUnits(base, places) : undefined}>
      {signed && base > 0n ? '+' : sign}
      {whole}
      {(kept || dimmed) && '.'}
      {kept.slice(0, show)}
      {isCut ? '…' : <span className="text-2">{dimmed}</span>}
      {unit && <span className="text-2"> {unit}</span>}
    </span>
  );
}

/** A ratio of which 1e18 is 100 %, with two decimals; more are cut off. */
export function Percent({ value }: { value: string | null }) {
  if (value === null) return <Unknown />;
  const isEndless = BigInt(value) >= 2n ** 255n; // no debt
  return <span className="whitespace-nowrap tabular-nums">{isEndless ? '∞' : percentText(BigInt(value))}</span>;
}

export const Unknown = () => <span className="text-2">{t('value.unknown')}</span>;
