import { and, eq, gte, sql } from 'drizzle-orm';
import type { AuthorityBand } from '../../../api/authority/statements.ts';
import type { Queries } from '../../platform/db/db.ts';
import { deposits } from '../tables.ts';

const dayMs = 86_400_000;

export async function usedToday(
  queries: Queries,
  bands: readonly Pick<AuthorityBand, 'from' | 'below'>[],
  now: number,
): Promise<bigint[]> {
  if (bands.length === 0) return [];
  const sumOf = ({ from, below }: Pick<AuthorityBand, 'from' | 'below'>) =>
    sql<string>`coalesce(sum(${deposits.amount}) filter (where ${deposits.amount} >= ${from}::bigint
      and (${below}::bigint is null or ${deposits.amount} < ${below}::bigint)), 0)`;
  const [sums] = await queries
    .select(Object.fromEntries(bands.map((band, at) => [String(at), sumOf(band)])))
    .from(deposits)
    .where(and(eq(deposits.status, 'confirmed'), gte(deposits.confirmedAt, new Date(now - dayMs))));
  return bands.map((_, at) => BigInt(sums?.[String(at)] ?? '0'));
}
