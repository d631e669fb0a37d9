import { eq, sql, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { checksummed, isAddress } from '../../../api/evm.ts';

/** The condition that an EVM address begins so, in any case. The column needs its index on `lower(address) text_pattern_ops`. */
export function addressStarts(column: PgColumn, typed: string | undefined): SQL | undefined {
  const start = typed?.trim();
  if (!start) return undefined;
  if (isAddress(start)) return eq(column, checksummed(start));
  return sql`lower(${column}) like ${`${start.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`}`;
}
