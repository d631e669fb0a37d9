/** Normalizes "1,200", "+5" and "１２００". */
export function parseInteger(input: string): string | null {
  // NFKC would turn 10² into 102.
  const normalized = input
    .replaceAll(/[\uFF0B\uFF0C\uFF0D\uFF10-\uFF19]/g, (fullWidth) => String.fromCharCode(fullWidth.charCodeAt(0) - 0xfee0))
    .replaceAll('\u2212', '-')
    .trim();
  if (!/^[+-]?(\d{1,40}|[1-9]\d{0,2}(,\d{3}){1,12})$/.test(normalized)) return null;
  return BigInt(normalized.replace('+', '').replaceAll(',', '')).toString();
}

/** Throws RangeError if not exact. Never for amounts. */
export function toSafeInteger(value: bigint | string): number {
  const integer = Number(value);
  if (!Number.isSafeInteger(integer)) throw new RangeError(`${value} isn’t an integer that a number holds exactly`);
  return integer;
}
