import type { ReactNode } from 'react';
import { t } from '../i18n/i18n.ts';
import { withUnit } from '../format.ts';
import {
  amountParts,
  amountText,
  abbreviatedParts,
  percentDigits,
  percentText,
  roundUnits,
  type Rounding,
} from './amount-text.ts';

interface AmountProps {
  /** Base units as a decimal string, null if unknown. */
  value: string | null;
  /** Decimals of the unit: 8 for satoshi, 18 for wei, 0 for counts. */
  places: number;
  /** Displayed decimals, default all. */
  show?: number;
  round?: Rounding | undefined;
  unit?: string | undefined;
  /** Removes trailing zeros instead of dimming them. */
  short?: boolean;
  /** In thousands or millions (万, 亿). */
  brief?: boolean;
  signed?: boolean;
  /** Outside rows and buttons: focusable, with the exact value as a tooltip. */
  alone?: boolean | undefined;
}

/** Shows an unknown value as unknown, never as zero. */
export function Amount({ value, places, show = places, round = 'down', unit, short, brief, signed, alone }: AmountProps) {
  if (value === null) return <UnknownValue />;
  const baseUnits = BigInt(value);
  const { sign, whole, kept, zeros, scale } = brief
    ? abbreviatedParts(baseUnits, places, show, round)
    : { ...amountParts(roundUnits(baseUnits, places, show, round), show), scale: '' };
  const dimmedZeros = short || scale ? '' : zeros;
  const isRounded = scale !== '' || roundUnits(baseUnits, places, show, round) * 10n ** BigInt(places - show) !== baseUnits;
  return (
    <RoundedValue exact={isRounded ? withUnit(amountText(baseUnits, places), unit) : undefined} alone={alone}>
      {signed && baseUnits > 0n ? '+' : sign}
      {whole}
      {(kept || dimmedZeros) && '.'}
      {kept}
      <span className="text-2">{dimmedZeros}</span>
      {scale}
      {unit && <span className="text-2"> {unit}</span>}
    </RoundedValue>
  );
}

interface PercentProps {
  value: string | null;
  /** Use 'up' if more is dangerous. */
  round?: Rounding | undefined;
  /** The column header has the sign. */
  bare?: boolean;
  alone?: boolean | undefined;
}

/** 1e18 is 100%. */
export function Percent({ value, round = 'down', bare, alone }: PercentProps) {
  if (value === null) return <UnknownValue />;
  const ratioValue = BigInt(value);
  if (ratioValue >= 2n ** 255n) return <span>∞</span>; // no debt
  return (
    <RoundedValue exact={ratioValue % 10n ** 14n === 0n ? undefined : withUnit(amountText(ratioValue, 16), '%')} alone={alone}>
      {bare ? percentDigits(ratioValue, round) : percentText(ratioValue, round)}
    </RoundedValue>
  );
}

interface RoundedValueProps {
  /** The exact value of a shortened figure, for pointer, focus, touch and `v` (tips.tsx, exact.ts). */
  exact: string | undefined;
  alone: boolean | undefined;
  children: ReactNode;
}

function RoundedValue({ exact, alone, children }: RoundedValueProps) {
  const valueClass = 'whitespace-nowrap tabular-nums';
  return exact !== undefined && alone ? (
    <button
      type="button"
      dir="ltr"
      translate="no"
      data-tip={exact}
      data-exact={exact}
      className={`${valueClass} -my-0.5 cursor-help rounded-chip py-0.5`}
    >
      {children}
    </button>
  ) : (
    <span dir="ltr" translate="no" className={valueClass} data-tip={exact} data-exact={exact}>
      {children}
    </span>
  );
}

export const UnknownValue = () => <span className="text-2">{t('value.unknown')}</span>;
