import { inArray, or } from 'drizzle-orm';
import type { Queries } from '../platform/db/db.ts';
import { depositAuthors as table, type deposits } from './tables.ts';

type AuthoredDeposit = Pick<typeof deposits.$inferSelect, 'id' | 'network' | 'txid' | 'vout' | 'createdBy' | 'modifiedBy'>;

/** Ids of administrators who wrote any version of a deposit, or of another deposit with its output. */
export async function readDepositAuthors(
  queries: Queries,
  rows: readonly AuthoredDeposit[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  if (rows.length === 0) return new Map();
  const [ids, txids] = [rows.map(({ id }) => id), rows.map(({ txid }) => txid)];
  const writtenRows = await queries
    .select()
    .from(table)
    .where(or(inArray(table.depositId, ids), inArray(table.txid, txids)));
  return new Map(
    rows.map((row) => {
      const isSameOutput = (writtenRow: (typeof writtenRows)[number]) =>
        writtenRow.depositId === row.id ||
        (writtenRow.network === row.network && writtenRow.txid === row.txid && writtenRow.vout === row.vout);
      const authorIds = writtenRows.filter(isSameOutput).map(({ administratorId }) => administratorId);
      return [row.id, new Set([...authorIds, row.createdBy ?? [], row.modifiedBy ?? []].flat())];
    }),
  );
}

export const readAuthorsOfDeposit = async (queries: Queries, row: AuthoredDeposit): Promise<ReadonlySet<string>> =>
  (await readDepositAuthors(queries, [row])).get(row.id) ?? new Set();
