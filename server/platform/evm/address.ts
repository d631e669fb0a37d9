import { and, eq, sql, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { toChecksumAddress, isAddress } from '../../../api/evm.ts';

/** Needs an index on `lower(address) text_pattern_ops`. */
export function addressPrefixCondition(column: PgColumn, addressText: string | undefined): SQL | undefined {
  const prefix = addressText?.trim();
  if (!prefix) return undefined;
  // Lets either index serve a whole address.
  if (isAddress(prefix)) return and(eq(column, toChecksumAddress(prefix)), sql`lower(${column}) = ${prefix.toLowerCase()}`);
  return sql`lower(${column}) like ${`${prefix.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`}`;
}
