import { and, eq, gte, sql } from 'drizzle-orm';
import type { AuthorityBand } from '../../../api/authority/statements.ts';
import type { Queries } from '../../platform/db/db.ts';
import { deposits } from '../tables.ts';

const dayMs = 86_400_000;

export async function readUsedAmounts(
  queries: Queries,
  bands: readonly Pick<AuthorityBand, 'from' | 'below'>[],
  now: number,
): Promise<bigint[]> {
  if (bands.length === 0) return [];
  const sumOfBand = ({ from, below }: Pick<AuthorityBand, 'from' | 'below'>) =>
    sql<string>`coalesce(sum(${deposits.amount}) filter (where ${deposits.amount} >= ${from}::bigint
      and (${below}::bigint is null or ${deposits.amount} < ${below}::bigint)), 0)`;
  const [bandSums] = await queries
    .select(Object.fromEntries(bands.map((band, index) => [String(index), sumOfBand(band)])))
    .from(deposits)
    .where(and(eq(deposits.status, 'confirmed'), gte(deposits.confirmedAt, new Date(now - dayMs))));
  return bands.map((_, index) => BigInt(bandSums?.[String(index)] ?? '0'));
}
