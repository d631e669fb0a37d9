import { unitParts } from '../../../api/money.ts';
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

/** Converts base units from `places` to `show` decimals, toward -∞ or +∞. */
export function roundUnits(base: bigint, places: number, show: number, to: Rounding): bigint {
  const step = 10n ** BigInt(places - show);
  const below = base / step - (base % step < 0n ? 1n : 0n);
  return to === 'up' && below * step !== base ? below + 1n : below;
}

/** Exact. `places`: decimals of the unit, 8 for satoshi, 18 for wei, 16 for a ratio in percent. */
export function amountParts(base: bigint, places: number): AmountParts {
  const { sign, whole, part } = unitParts(base, places);
  const stored = part.replace(/0+$/, '');
  return { sign: sign && '−', whole: groupDigits(BigInt(whole)), kept: stored, zeros: part.slice(stored.length) };
}

/** Exact, without trailing zeros: '1,234.56'. */
export function amountText(base: bigint, places: number): string {
  const { sign, whole, kept } = amountParts(base, places);
  return `${sign}${whole}${kept && `.${kept}`}`;
}

/** At most `show` decimals: '1,234.57'. */
export const roundedText = (base: bigint, places: number, show: number, to: Rounding): string =>
  amountText(roundUnits(base, places, show, to), show);

/** 1e18 is 100%. Two decimals, no sign: '150.00'. */
export function percentDigits(ratio: bigint, to: Rounding = 'down'): string {
  const { sign, whole, kept, zeros } = amountParts(roundUnits(ratio, 16, 2, to), 2);
  return `${sign}${whole}.${kept}${zeros}`;
}

/** '150.00%'. */
export const percentText = (ratio: bigint, to: Rounding = 'down'): string => withUnit(percentDigits(ratio, to), '%');

/** All decimals, at least two: '130.00%', '130.125%'. */
export function exactPercentText(ratio: bigint): string {
  const { sign, whole, kept } = amountParts(ratio, 16);
  return withUnit(`${sign}${whole}.${kept.padEnd(2, '0')}`, '%');
}

/** Below five digits, every decimal matters. */
const abbreviatedFrom = 10_000n;
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

/** For cards: '22.76' and '万', '227.68' and 'K'. Small figures have `show` decimals and no word. */
export function abbreviatedParts(
  base: bigint,
  places: number,
  show: number,
  to: Rounding,
  language: string = locale(),
): AmountParts & { scale: string } {
  const size = base < 0n ? -base : base;
  const known = size < abbreviatedFrom * 10n ** BigInt(places) ? [] : language.startsWith('zh') ? scales.zh : scales.en;
  for (const [scale, by] of known) {
    const rounded = roundUnits(base, places + by, 2, to);
    if (rounded >= 100n || rounded <= -100n) return { ...amountParts(rounded, 2), scale };
  }
  return { ...amountParts(roundUnits(base, places, show, to), show), scale: '' };
}
