import { amountText, type Rounding } from '../../lib/money/amount-text.ts';
import { groupDigits, withUnit } from '../../lib/format.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { Amount, Percent } from '../../lib/money/amount.tsx';

/** Base units: whole numbers, satoshi, wei of BTC, wei of YU or of dollars, ratios of 1e18. */
export type FigureMeasure = 'count' | 'satoshi' | 'btc' | 'yu' | 'ratio';

export const unitOf: Readonly<Partial<Record<FigureMeasure, string>>> = { satoshi: 'BTC', btc: 'BTC', yu: 'YU' };
/** Displayed decimals in a row. */
export const shownDecimals = { count: 0, ratio: 2, satoshi: 8, btc: 8, yu: 2 } as const;

/** Decimals of the base units. */
export const decimalPlacesOf = (measure: FigureMeasure): number =>
  measure === 'count' ? 0 : measure === 'satoshi' ? 8 : measure === 'ratio' ? 16 : 18;

interface FigureProps {
  value: string;
  as: FigureMeasure;
  /** If the header lacks the unit. */
  unit?: boolean;
  /** Round debts up. */
  round?: Rounding;
  /** In a record: six decimals, all on request. */
  alone?: boolean;
}

export function StatisticsFigure({ value, as, unit = false, round, alone }: FigureProps) {
  if (as === 'count') return <span className="tabular-nums">{groupDigits(BigInt(value))}</span>;
  if (as === 'ratio') return <Percent value={value} alone={alone} />;
  return (
    <Amount
      value={value}
      places={decimalPlacesOf(as)}
      show={shownDecimals[as]}
      round={round}
      alone={alone}
      unit={unit ? unitOf[as] : undefined}
    />
  );
}

/** "100", "0.01 BTC", "150%". */
export function bucketEdgeText(value: string, measure: FigureMeasure): string {
  if (measure === 'count') return groupDigits(BigInt(value));
  return withUnit(amountText(BigInt(value), decimalPlacesOf(measure)), measure === 'ratio' ? '%' : unitOf[measure]);
}

/** Collateral to debt. Null: no debt. */
export const RatioValue = ({ value }: { value: string | null }) =>
  value === null ? <span className="text-2">{t('statistics.noDebt')}</span> : <Percent value={value} />;

/** An unknown value. */
export const NoValue = () => <span className="text-2">—</span>;
