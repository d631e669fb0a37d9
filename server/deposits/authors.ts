import { inArray, or } from 'drizzle-orm';
import type { Queries } from '../platform/db/db.ts';
import { depositAuthors as table, type deposits } from './tables.ts';

type AuthoredDeposit = Pick<typeof deposits.$inferSelect, 'id' | 'network' | 'txid' | 'vout' | 'createdBy' | 'modifiedBy'>;

/** Ids of administrators who wrote any version of a deposit, or of another deposit with its output. */
export async function depositAuthorsOf(
  queries: Queries,
  rows: readonly AuthoredDeposit[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  if (rows.length === 0) return new Map();
  const [ids, txids] = [rows.map(({ id }) => id), rows.map(({ txid }) => txid)];
  const written = await queries
    .select()
    .from(table)
    .where(or(inArray(table.depositId, ids), inArray(table.txid, txids)));
  return new Map(
    rows.map((row) => {
      const isOf = (one: (typeof written)[number]) =>
        one.depositId === row.id || (one.network === row.network && one.txid === row.txid && one.vout === row.vout);
      const people = written.filter(isOf).map(({ administratorId }) => administratorId);
      return [row.id, new Set([...people, row.createdBy ?? [], row.modifiedBy ?? []].flat())];
    }),
  );
}

export const authorsOfDeposit = async (queries: Queries, row: AuthoredDeposit): Promise<ReadonlySet<string>> =>
  (await depositAuthorsOf(queries, [row])).get(row.id) ?? new Set();
