import { formatBtc, formatUnits, mostSatoshi, satoshiOfWei, weiOfSatoshi } from '../../../../../api/money.ts';
import type { TextKey } from '../../../../lib/i18n/i18n.ts';

/** An amount in another unit: what is shown is what is copied. */
export interface Conversion {
  unit: Unit;
  text: string;
}
type Unit = 'btc' | 'satoshi' | 'wei' | 'gwei' | 'ether' | 'percent' | 'ratio';

export const unitNames: Readonly<Record<Unit, TextKey>> = {
  btc: 'finder.unit.btc',
  satoshi: 'finder.unit.satoshi',
  wei: 'finder.unit.wei',
  gwei: 'finder.unit.gwei',
  ether: 'finder.unit.ether',
  percent: 'finder.unit.percent',
  ratio: 'finder.unit.ratio',
};

const words: Readonly<Record<Unit | 'ybtc', string>> = {
  btc: 'btc xbt bitcoin bitcoins ₿ 比特币',
  satoshi: 'sat sats satoshi satoshis 聪',
  wei: 'wei',
  gwei: 'gwei',
  ether: 'eth ether yu',
  ybtc: 'ybtc',
  percent: '% percent',
  ratio: '(1e18)',
};
const units = new Map(
  (Object.keys(words) as (keyof typeof words)[]).flatMap((unit) => words[unit].split(' ').map((word) => [word, unit] as const)),
);

/** What an amount with its unit is in the others, exact; nothing for what is none. A long whole number alone is taken for one of 18 decimals. */
export function conversionsOf(query: string): Conversion[] {
  const [, number = '', word = ''] =
    /^([\d.,_]*\d[\d.,_]*(?:e[+-]?\d{1,3})?)\s*(\D*|\(1e18\))$/i.exec(query.normalize('NFKC').trim()) ?? [];
  const unit = units.get(word.trim().toLowerCase());
  const found = unit
    ? read(number, unit)
    : word === '' && isLong(number)
      ? [...read(number, 'ratio'), ...read(number, 'wei')]
      : [];
  // The unit that was typed is no news, but for the digits of a number that is written short.
  const own = /[,_e]/i.test(number) ? found.filter((one) => one.unit === unit) : [];
  return [...found.filter((one) => one.unit !== unit), ...own];
}

function read(number: string, unit: Unit | 'ybtc'): Conversion[] {
  switch (unit) {
    case 'btc':
      return fromSatoshi(scaled(number, 8));
    case 'satoshi':
      return fromSatoshi(scaled(number, 0));
    case 'wei':
      return fromWei(scaled(number, 0));
    case 'gwei':
      return fromWei(scaled(number, 9));
    case 'ether':
    case 'ybtc':
      return fromWei(scaled(number, 18));
    case 'percent':
      return fromRatio(scaled(number, 16));
    case 'ratio':
      return fromRatio(scaled(number, 0));
  }
}

function fromSatoshi(satoshi: bigint | null): Conversion[] {
  if (satoshi === null || satoshi > mostSatoshi) return [];
  return [
    { unit: 'btc', text: formatBtc(satoshi) },
    { unit: 'satoshi', text: satoshi.toString() },
    { unit: 'wei', text: weiOfSatoshi(satoshi).toString() },
  ];
}

function fromWei(wei: bigint | null): Conversion[] {
  if (wei === null) return [];
  const satoshi = satoshiOfWei(wei);
  return [
    { unit: 'ether', text: formatUnits(wei, 18) },
    { unit: 'gwei', text: formatUnits(wei, 9) },
    { unit: 'wei', text: wei.toString() },
    ...(satoshi !== null && satoshi <= mostSatoshi ? [{ unit: 'satoshi' as const, text: satoshi.toString() }] : []),
  ];
}

function fromRatio(ratio: bigint | null): Conversion[] {
  if (ratio === null) return [];
  return [
    { unit: 'percent', text: formatUnits(ratio, 16) },
    { unit: 'ratio', text: ratio.toString() },
  ];
}

/** More digits than an amount that a person types, or written with its exponent. */
const isLong = (number: string): boolean => /^\d{16,}$/.test(number) || /^[\d.]+e\+?\d{1,3}$/i.test(number);

const mostDigits = 78; // as many as 2^256 has

/** A decimal number in units of 10^-decimals; null when it is none, has a finer part or is beyond what a contract holds. */
function scaled(number: string, decimals: number): bigint | null {
  const match = /^(\d{1,3}(?:,\d{3})+|\d{1,3}(?:_\d{3})+|\d*)(?:\.(\d*))?(?:e([+-]?\d{1,3}))?$/i.exec(number);
  const [, whole = '', part = '', exponent = '0'] = match ?? [];
  const digits = whole.replaceAll(/[,_]/g, '') + part;
  if (!match || digits === '' || digits.length > mostDigits) return null;
  const shift = Number(exponent) + decimals - part.length;
  if (shift > mostDigits || shift < -mostDigits) return null;
  const value = BigInt(digits) * 10n ** BigInt(Math.max(shift, 0));
  const divisor = 10n ** BigInt(Math.max(-shift, 0));
  return value % divisor === 0n && value < 10n ** BigInt(mostDigits) ? value / divisor : null;
}
