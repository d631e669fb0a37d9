import { and, eq, sql, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { checksummed, isAddress } from '../../../api/evm.ts';

/** Prefix match in any case. Needs an index on `lower(address) text_pattern_ops`. */
export function addressStarts(column: PgColumn, typed: string | undefined): SQL | undefined {
  const start = typed?.trim();
  if (!start) return undefined;
  // Both conditions, so that either index can serve a whole address.
  if (isAddress(start)) return and(eq(column, checksummed(start)), sql`lower(${column}) = ${start.toLowerCase()}`);
  return sql`lower(${column}) like ${`${start.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`}`;
}
