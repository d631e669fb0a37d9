// Amounts are bigint of base units: satoshi of bitcoin, wei of YBTC and YU, ratios of which 1e18 is 100 %.
// Here they become decimals and come back, exactly. What is shown to people is cut in src/lib/money.

/** One whole of 18 decimals: a YBTC or YU in wei, 100 % of a ratio. */
export const wad = 10n ** 18n;
/** Wei of YBTC (18 decimals) in a satoshi. */
export const weiPerSatoshi = 10_000_000_000n;
const bitcoinDecimals = 8;
export const mostSatoshi = 21_000_000n * 10n ** BigInt(bitcoinDecimals);

/** Base units of a decimal number typed by a person ('12', '0.5', '.5', '2.'): 8 `decimals` for bitcoin, 18 for YU, 16 for percent. Null when it is none or finer. */
export function parseUnits(text: string, decimals: number): bigint | null {
  const match = /^(\d{0,40})(?:\.(\d*))?$/.exec(text.trim());
  const [, whole = '', part = ''] = match ?? [];
  if (!match || whole + part === '' || part.length > decimals) return null;
  return BigInt(whole + part.padEnd(decimals, '0'));
}

/** The shortest exact decimal of base units, for a clipboard, a file or a log: '0.5', '-12'. */
export function formatUnits(value: bigint, decimals: number): string {
  const { sign, whole, part } = unitParts(value, decimals);
  const kept = part.replace(/0+$/, '');
  return `${sign}${whole}${kept && `.${kept}`}`;
}

/** A decimal of base units in its parts, `part` with all its decimals. */
export function unitParts(value: bigint, decimals: number): { sign: '' | '-'; whole: string; part: string } {
  const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  return { sign: value < 0n ? '-' : '', whole: digits.slice(0, point), part: digits.slice(point) };
}

/** The base units in a decimal string as it travels; null when it is none. */
export const toBaseUnits = (value: string): bigint | null => (/^-?\d+$/.test(value) ? BigInt(value) : null);

/** Satoshi of an amount typed in bitcoin ('1', '0.5', '.00000001'); null when it is none, has a part of a satoshi or is more than there are. */
export function parseBtc(text: string): bigint | null {
  const satoshi = parseUnits(text, bitcoinDecimals);
  return satoshi !== null && satoshi <= mostSatoshi ? satoshi : null;
}

/** Bitcoin with all eight decimals: '1.00000000'. */
export function formatBtc(satoshi: bigint): string {
  const { sign, whole, part } = unitParts(satoshi, bitcoinDecimals);
  return `${sign}${whole}.${part}`;
}

/** Wei of YBTC for satoshi. */
export const weiOfSatoshi = (satoshi: bigint): bigint => satoshi * weiPerSatoshi;

/** Satoshi of wei of YBTC; null when wei are left over. */
export const satoshiOfWei = (wei: bigint): bigint | null => (wei % weiPerSatoshi === 0n ? wei / weiPerSatoshi : null);
