import { and, eq, sql, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { checksummed, isAddress } from '../../../api/evm.ts';

/** The condition that an EVM address begins so, in any case. The column needs its index on `lower(address) text_pattern_ops`. */
export function addressStarts(column: PgColumn, typed: string | undefined): SQL | undefined {
  const start = typed?.trim();
  if (!start) return undefined;
  // Said twice: a whole address is found by the index on its lower case where the column has none of its own.
  if (isAddress(start)) return and(eq(column, checksummed(start)), sql`lower(${column}) = ${start.toLowerCase()}`);
  return sql`lower(${column}) like ${`${start.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`}`;
}
