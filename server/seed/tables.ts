import { pgTable, text } from 'drizzle-orm/pg-core';

/** Keys like 'node:/news' and 'role:editor'. What people delete is not seeded again. */
export const seeded = pgTable('seeded', { key: text('key').primaryKey() });
