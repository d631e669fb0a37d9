import { amountText, type Rounding } from '../../lib/money/amount-text.ts';
import { groupDigits, withUnit } from '../../lib/format.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { Amount, Percent } from '../../lib/money/amount.tsx';

/** What a figure's base units are: whole numbers, satoshi, wei of BTC, wei of YU or of dollars, ratios of 1e18. */
export type Measure = 'count' | 'satoshi' | 'btc' | 'yu' | 'ratio';

export const unitOf: Readonly<Partial<Record<Measure, string>>> = { satoshi: 'BTC', btc: 'BTC', yu: 'YU' };
/** Decimals that a row shows of them. */
export const shownPlaces = { count: 0, ratio: 2, satoshi: 8, btc: 8, yu: 2 } as const;

/** Decimals that base units of a measure have. */
export const placesOf = (as: Measure): number => (as === 'count' ? 0 : as === 'satoshi' ? 8 : as === 'ratio' ? 16 : 18);

interface FigureProps {
  value: string;
  as: Measure;
  /** With its unit, where no head says it. */
  unit?: boolean;
  /** What is owed goes up. */
  round?: Rounding;
  /** In a record: six decimals, and all of them when asked. */
  alone?: boolean;
}

/** A figure of statistics. */
export function Figure({ value, as, unit = false, round, alone }: FigureProps) {
  if (as === 'count') return <span className="tabular-nums">{groupDigits(BigInt(value))}</span>;
  if (as === 'ratio') return <Percent value={value} alone={alone} />;
  return (
    <Amount
      value={value}
      places={placesOf(as)}
      show={shownPlaces[as]}
      round={round}
      alone={alone}
      unit={unit ? unitOf[as] : undefined}
    />
  );
}

/** An edge of a distribution as plain text: "100", "0.01 BTC", "150%". */
export function edgeText(value: string, as: Measure): string {
  if (as === 'count') return groupDigits(BigInt(value));
  return withUnit(amountText(BigInt(value), placesOf(as)), as === 'ratio' ? '%' : unitOf[as]);
}

/** A ratio of collateral to debt; null: there is no debt. */
export const Ratio = ({ value }: { value: string | null }) =>
  value === null ? <span className="text-2">{t('statistics.noDebt')}</span> : <Percent value={value} />;

/** What is not known of a row. */
export const Nothing = () => <span className="text-2">—</span>;
