import { unitParts } from '../../../api/money.ts';
import { groupDigits } from '../format.ts';
import { locale } from '../i18n/i18n.ts';

/** An amount cut for display: `sign whole . kept zeros`, `zeros` being the trailing ones to dim. Exact. */
export interface AmountParts {
  sign: '' | '−';
  whole: string;
  kept: string;
  zeros: string;
}

/** `places`: decimals of the unit, 8 for satoshi, 18 for wei, 16 for a ratio in percent. */
export function amountParts(base: bigint, places: number, language: string = locale()): AmountParts {
  const { sign, whole, part } = unitParts(base, places);
  const kept = part.replace(/0+$/, '');
  return { sign: sign && '−', whole: groupDigits(BigInt(whole), language), kept, zeros: part.slice(kept.length) };
}

/** The same in one line, without trailing zeros: '1,234.56'. */
export function amountText(base: bigint, places: number, language?: string): string {
  const { sign, whole, kept } = amountParts(base, places, language);
  return `${sign}${whole}${kept && `.${kept}`}`;
}

/** A ratio of which 1e18 is 100 %, with two decimals; more are cut off: '150.00 %'. */
export function percentText(ratio: bigint, language?: string): string {
  const { sign, whole, kept } = amountParts(ratio, 16, language);
  return `${sign}${whole}.${kept.slice(0, 2).padEnd(2, '0')} %`;
}
