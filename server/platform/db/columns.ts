import { bigint, customType, timestamp } from 'drizzle-orm/pg-core';

// Indexes are ascending: PostgreSQL also reads them backwards, and `.desc()` would sort NULLS LAST.

export const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });

export const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

export const satoshi = (name: string) => bigint(name, { mode: 'bigint' });

/** Never a floating-point number. */
export const wei = customType<{ data: bigint; driverData: string }>({
  dataType: () => 'numeric(78, 0)',
  toDriver: (value) => value.toString(),
  fromDriver: (value) => BigInt(value),
});
