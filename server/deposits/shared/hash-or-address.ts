import { and, eq, or, sql, type SQL } from 'drizzle-orm';
import { isAddress } from '../../../api/evm.ts';
import { toSafeInteger } from '../../../api/integers.ts';
import { deposits as table } from '../tables.ts';

/** Case-insensitive prefix of the deposit hash, transaction or address. */
export function matchesHashOrAddress(searchText: string): SQL | undefined {
  if (searchText === '') return undefined;
  const [, txid, vout] = /^([0-9a-f]{64}):(\d{1,9})$/i.exec(searchText) ?? [];
  if (txid && vout) return and(eq(table.txid, txid.toLowerCase()), eq(table.vout, toSafeInteger(vout)));
  const start = `${searchText.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
  if (isAddress(searchText)) return sql`lower(${table.userAddress}) = ${searchText.toLowerCase()}`;
  return or(
    sql`lower(${table.userAddress}) like ${start}`,
    sql`lower(${table.coboAddress}) like ${start}`,
    sql`${table.txid} like ${start}`,
  );
}
