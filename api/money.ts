// Amounts are bigint base units: satoshi, wei of YBTC and YU, ratios of 1e18 for 100 %.

export const weiPerToken = 10n ** 18n;
export const weiPerSatoshi = 10_000_000_000n;
const bitcoinDecimals = 8;
export const maxSatoshi = 21_000_000n * 10n ** BigInt(bitcoinDecimals);

/** Null: invalid or too precise. */
export function parseUnits(text: string, decimals: number): bigint | null {
  const match = /^(\d{0,40})(?:\.(\d*))?$/.exec(text.trim());
  const [, integerPart = '', fractionDigits = ''] = match ?? [];
  if (!match || integerPart + fractionDigits === '' || fractionDigits.length > decimals) return null;
  return BigInt(integerPart + fractionDigits.padEnd(decimals, '0'));
}

export function formatUnits(value: bigint, decimals: number): string {
  const { sign, whole: integerPart, part: fractionDigits } = splitUnits(value, decimals);
  const fraction = fractionDigits.replace(/0+$/, '');
  return `${sign}${integerPart}${fraction && `.${fraction}`}`;
}

export function splitUnits(value: bigint, decimals: number): { sign: '' | '-'; whole: string; part: string } {
  const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, '0');
  const pointIndex = digits.length - decimals;
  return { sign: value < 0n ? '-' : '', whole: digits.slice(0, pointIndex), part: digits.slice(pointIndex) };
}

export const toBaseUnits = (value: string): bigint | null => (/^-?\d+$/.test(value) ? BigInt(value) : null);

/** Null: invalid, finer than a satoshi, or above the supply. */
export function parseBtc(text: string): bigint | null {
  const satoshi = parseUnits(text, bitcoinDecimals);
  return satoshi !== null && satoshi <= maxSatoshi ? satoshi : null;
}

export function formatBtc(satoshi: bigint): string {
  const { sign, whole: integerPart, part: fractionDigits } = splitUnits(satoshi, bitcoinDecimals);
  return `${sign}${integerPart}.${fractionDigits}`;
}

export const satoshiToWei = (satoshi: bigint): bigint => satoshi * weiPerSatoshi;

/** Null: not a whole number of satoshi. */
export const weiToSatoshi = (wei: bigint): bigint | null => (wei % weiPerSatoshi === 0n ? wei / weiPerSatoshi : null);
