import { bigint, customType, timestamp } from 'drizzle-orm/pg-core';

// Columns as all tables have them. An index over them is plain ascending: read backwards it serves descending lists too, and
// `.desc()` would sort NULLS LAST.

/** An instant, to the millisecond. */
export const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });

export const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

/** Satoshi as bigint, never a floating-point number. */
export const satoshi = (name: string) => bigint(name, { mode: 'bigint' });

/** Wei as numeric without a fraction, read as text and made a bigint. */
export const wei = customType<{ data: bigint; driverData: string }>({
  dataType: () => 'numeric(78, 0)',
  toDriver: (value) => value.toString(),
  fromDriver: (value) => BigInt(value),
});
