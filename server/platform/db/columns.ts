import { bigint, customType, timestamp } from 'drizzle-orm/pg-core';

// Indexes are ascending: PostgreSQL also reads them backwards, and `.desc()` would sort NULLS LAST.

export const timestamptz = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });

export const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

export const satoshiColumn = (name: string) => bigint(name, { mode: 'bigint' });

export const weiColumn = customType<{ data: bigint; driverData: string }>({
  dataType: () => 'numeric(78, 0)',
  toDriver: (value) => value.toString(),
  fromDriver: (value) => BigInt(value),
});
