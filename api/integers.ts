/** Normalizes "1,200", "+5" and "１２００". */
export function parseInteger(typed: string): string | null {
  // NFKC would turn 10² into 102.
  const plain = typed
    .replaceAll(/[\uFF0B\uFF0C\uFF0D\uFF10-\uFF19]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replaceAll('\u2212', '-')
    .trim();
  if (!/^[+-]?(\d{1,40}|[1-9]\d{0,2}(,\d{3}){1,12})$/.test(plain)) return null;
  return BigInt(plain.replace('+', '').replaceAll(',', '')).toString();
}

/** Throws RangeError if not exact. Never for amounts. */
export function integerOf(value: bigint | string): number {
  const whole = Number(value);
  if (!Number.isSafeInteger(whole)) throw new RangeError(`${value} isn’t an integer that a number holds exactly`);
  return whole;
}
