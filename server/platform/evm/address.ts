import { and, eq, sql, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { toChecksumAddress, isAddress } from '../../../api/evm.ts';

/** Needs an index on `lower(address) text_pattern_ops`. */
export function addressStarts(column: PgColumn, typed: string | undefined): SQL | undefined {
  const start = typed?.trim();
  if (!start) return undefined;
  // Lets either index serve a whole address.
  if (isAddress(start)) return and(eq(column, toChecksumAddress(start)), sql`lower(${column}) = ${start.toLowerCase()}`);
  return sql`lower(${column}) like ${`${start.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`}`;
}
