import { amountParts } from '../../money/amount-text.ts';
import { locale, t } from '../../i18n/i18n.ts';
import { exactText, type Measure, type Value } from './data.ts';

interface ExactProps {
  value: Value;
  measure: Measure;
  /** Decimals that are shown; what is beyond stands in the title, and an ellipsis says that there is more. */
  show?: number;
  /** With a plus before what is more than nothing. */
  signed?: boolean;
}

/** A figure from its base units: exact, grouped, its unit beside it. What is not known says so: it is no zero. */
export function Exact({ value, measure, show = measure.places, signed = false }: ExactProps) {
  if (value === null) return <span className="text-2">{t('chart.unknown')}</span>;
  const { sign, whole, kept } = amountParts(BigInt(value), measure.places, locale());
  const isCut = kept.length > show;
  const fraction = `${kept.slice(0, show)}${isCut ? '…' : ''}`;
  return (
    <span dir="ltr" className="whitespace-nowrap tabular-nums" title={isCut ? exactText(value, measure) : undefined}>
      {signed && BigInt(value) > 0n ? '+' : sign}
      {whole}
      {fraction && `.${fraction}`}
      {measure.unit && <span className="text-2"> {measure.unit}</span>}
    </span>
  );
}
