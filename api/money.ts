import * as z from 'zod/mini';

/** Satoshi in a bitcoin, and wei of YBTC (18 decimals) in a satoshi. */
const perBitcoin = 100_000_000n;
export const weiPerSatoshi = 10_000_000_000n;
export const mostSatoshi = 21_000_000n * perBitcoin;

/** Satoshi of an amount typed in bitcoin ('1', '0.5', '.00000001'); null when it is none, or has a part of a satoshi. */
export function parseBtc(text: string): bigint | null {
  const match = /^(\d{0,8})(?:\.(\d{0,8}))?$/.exec(text.trim());
  const [, whole = '', part = ''] = match ?? [];
  if (!match || whole + part === '') return null;
  const satoshi = BigInt(whole || '0') * perBitcoin + BigInt(part.padEnd(8, '0') || '0');
  return satoshi <= mostSatoshi ? satoshi : null;
}

/** Bitcoin with all eight decimals: '1.00000000'. Exact in both directions. */
export function formatBtc(satoshi: bigint): string {
  const sign = satoshi < 0n ? '-' : '';
  const value = satoshi < 0n ? -satoshi : satoshi;
  return `${sign}${value / perBitcoin}.${(value % perBitcoin).toString().padStart(8, '0')}`;
}

/** Wei of YBTC for satoshi. */
export const weiOfSatoshi = (satoshi: bigint): bigint => satoshi * weiPerSatoshi;

/** Satoshi of wei of YBTC; null when wei are left over. */
export const satoshiOfWei = (wei: bigint): bigint | null => (wei % weiPerSatoshi === 0n ? wei / weiPerSatoshi : null);

/** An amount that may be none: '' is; zero only where `zero` says so. */
export const maybeSatoshi = ({ zero }: { zero: boolean }) =>
  z.string({ error: 'required' }).check(
    z.regex(/^(|0|[1-9]\d{0,15})$/, { error: 'amount' }),
    z.refine((value) => !/^\d{1,16}$/.test(value) || (BigInt(value) <= mostSatoshi && (zero || BigInt(value) > 0n)), {
      error: 'amount',
    }),
  );

/** An amount of satoshi as it travels: digits alone, above zero, no more than there are. */
export const satoshi = () =>
  z.string({ error: 'required' }).check(
    z.minLength(1, { error: 'required' }),
    z.regex(/^(0|[1-9]\d{0,15})$/, { error: 'amount' }),
    z.refine((value) => /^\d{1,16}$/.test(value) && BigInt(value) > 0n && BigInt(value) <= mostSatoshi, { error: 'amount' }),
  );
