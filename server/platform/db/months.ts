import { sql } from 'drizzle-orm';
import type { Queries } from './db.ts';

/** UTC: '2026-11'. */
export const formatMonth = (time: Date): string => time.toISOString().slice(0, 7);

/** Its first instant. */
export const addMonths = (time: Date, months: number): Date =>
  new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + months, 1));

/** 'audit_2026_11'. */
export const monthTableName = (parent: string, month: string): string => `${parent}_${month.replace('-', '_')}`;

/** Attached partitions, oldest first. */
export async function listMonthTables(queries: Queries, parent: string): Promise<string[]> {
  const { rows } = await queries.execute<{ name: string }>(
    sql`select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = ${parent}::regclass order by 1`,
  );
  return rows.map(({ name }) => name.slice(parent.length + 1).replace('_', '-'));
}
