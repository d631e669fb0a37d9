import { groupDigits } from '../format.ts';

/** The base units in a decimal string as the API sends it, or null when it is none. */
export const toBaseUnits = (value: string): bigint | null => (/^-?\d+$/.test(value) ? BigInt(value) : null);

/** An amount cut for display: `sign whole . kept zeros`, `zeros` being the trailing ones to dim. Exact. */
export interface AmountParts {
  sign: '' | '−';
  whole: string;
  kept: string;
  zeros: string;
}

export function amountParts(base: bigint, places: number, locale: string): AmountParts {
  const digits = (base < 0n ? -base : base).toString().padStart(places + 1, '0');
  const whole = BigInt(digits.slice(0, digits.length - places));
  const fraction = places === 0 ? '' : digits.slice(-places);
  const kept = fraction.replace(/0+$/, '');
  return { sign: base < 0n ? '−' : '', whole: groupDigits(whole, locale), kept, zeros: fraction.slice(kept.length) };
}

/** The plain number for the clipboard: no grouping, no trailing zeros, ASCII minus. */
export function plainAmount(base: bigint, places: number): string {
  const digits = (base < 0n ? -base : base).toString().padStart(places + 1, '0');
  const fraction = places === 0 ? '' : digits.slice(-places).replace(/0+$/, '');
  return `${base < 0n ? '-' : ''}${digits.slice(0, digits.length - places)}${fraction ? `.${fraction}` : ''}`;
}

/** A typed plain number in base units; null when it is none or finer than a base unit. */
export function parseAmount(typed: string, places: number): bigint | null {
  const match = /^(-?)(\d+)(?:\.(\d*))?$/.exec(typed.trim());
  if (!match) return null;
  const [, sign, whole = '0', fraction = ''] = match;
  if (fraction.length > places) return null;
  const base = BigInt(whole + fraction.padEnd(places, '0'));
  return sign ? -base : base;
}
