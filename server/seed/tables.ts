import { pgTable, text } from 'drizzle-orm/pg-core';

/** What seeding has once put there ('node:/news', 'role:editor'): people may delete it, and it stays deleted. */
export const seeded = pgTable('seeded', { key: text('key').primaryKey() });
