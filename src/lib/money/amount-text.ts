import { splitUnits } from '../../../api/money.ts';
import { groupDigits, withUnit } from '../format.ts';
import { locale } from '../i18n/i18n.ts';

/** `sign whole . kept zeros`, where `zeros` are the trailing ones to dim. */
export interface AmountParts {
  sign: '' | '−';
  whole: string;
  kept: string;
  zeros: string;
}

/** Round balances down, debts and needs up, ratios toward danger. */
export type Rounding = 'down' | 'up';

/** Converts base units from `places` to `shownPlaces` decimals, toward -∞ or +∞. */
export function roundUnits(baseUnits: bigint, places: number, shownPlaces: number, rounding: Rounding): bigint {
  const step = 10n ** BigInt(places - shownPlaces);
  const flooredUnits = baseUnits / step - (baseUnits % step < 0n ? 1n : 0n);
  return rounding === 'up' && flooredUnits * step !== baseUnits ? flooredUnits + 1n : flooredUnits;
}

/** Exact. `places`: decimals of the unit, 8 for satoshi, 18 for wei, 16 for a ratio in percent. */
export function amountParts(baseUnits: bigint, places: number): AmountParts {
  const { sign, whole, part } = splitUnits(baseUnits, places);
  const storedFraction = part.replace(/0+$/, '');
  return { sign: sign && '−', whole: groupDigits(BigInt(whole)), kept: storedFraction, zeros: part.slice(storedFraction.length) };
}

/** Exact, without trailing zeros: '1,234.56'. */
export function amountText(baseUnits: bigint, places: number): string {
  const { sign, whole, kept } = amountParts(baseUnits, places);
  return `${sign}${whole}${kept && `.${kept}`}`;
}

/** At most `shownPlaces` decimals: '1,234.57'. */
export const roundedText = (baseUnits: bigint, places: number, shownPlaces: number, rounding: Rounding): string =>
  amountText(roundUnits(baseUnits, places, shownPlaces, rounding), shownPlaces);

/** 1e18 is 100%. Two decimals, no sign: '150.00'. */
export function percentDigits(ratio: bigint, rounding: Rounding = 'down'): string {
  const { sign, whole, kept, zeros } = amountParts(roundUnits(ratio, 16, 2, rounding), 2);
  return `${sign}${whole}.${kept}${zeros}`;
}

/** '150.00%'. */
export const percentText = (ratio: bigint, rounding: Rounding = 'down'): string => withUnit(percentDigits(ratio, rounding), '%');

/** All decimals, at least two: '130.00%', '130.125%'. */
export function exactPercentText(ratio: bigint): string {
  const { sign, whole, kept } = amountParts(ratio, 16);
  return withUnit(`${sign}${whole}.${kept.padEnd(2, '0')}`, '%');
}

/** Below five digits, every decimal matters. */
const minAbbreviated = 10_000n;
const scales = {
  zh: [
    ['万亿', 12],
    ['亿', 8],
    ['万', 4],
  ],
  en: [
    ['T', 12],
    ['B', 9],
    ['M', 6],
    ['K', 3],
  ],
} as const;

/** For cards: '22.76' and '万', '227.68' and 'K'. Small figures have `shownPlaces` decimals and no word. */
export function abbreviatedParts(
  baseUnits: bigint,
  places: number,
  shownPlaces: number,
  rounding: Rounding,
  language: string = locale(),
): AmountParts & { scale: string } {
  const size = baseUnits < 0n ? -baseUnits : baseUnits;
  const localeScales = size < minAbbreviated * 10n ** BigInt(places) ? [] : language.startsWith('zh') ? scales.zh : scales.en;
  for (const [scale, exponent] of localeScales) {
    const roundedUnits = roundUnits(baseUnits, places + exponent, 2, rounding);
    if (roundedUnits >= 100n || roundedUnits <= -100n) return { ...amountParts(roundedUnits, 2), scale };
  }
  return { ...amountParts(roundUnits(baseUnits, places, shownPlaces, rounding), shownPlaces), scale: '' };
}
