import { and, asc, eq, inArray, isNull, or, sql, type SQL } from 'drizzle-orm';
import { unblockSignatures } from '../../../api/deposits/values.ts';
import type { Queries } from '../../platform/db/db.ts';
import { depositBlocks as table, deposits, depositUnblocks } from '../tables.ts';

// Used by the panel and the signer.

export type DepositBlockRow = typeof table.$inferSelect;
type DepositOutput = Pick<typeof deposits.$inferSelect, 'network' | 'txid' | 'vout'>;

const isSameOutput = ({ network, txid, vout }: DepositOutput | typeof deposits) =>
  and(eq(table.network, network), eq(table.txid, txid), or(isNull(table.vout), eq(table.vout, vout)), isNull(table.liftedAt));

export async function readOpenBlock(queries: Queries, output: DepositOutput): Promise<DepositBlockRow | null> {
  const [row] = await queries
    .select()
    .from(table)
    .where(isSameOutput(output))
    .orderBy(asc(table.blockedAt), asc(table.id))
    .limit(1);
  return row ?? null;
}

export const isBlockedRow: SQL = sql`exists (select 1 from ${table} where ${isSameOutput(deposits)})`;

export async function isBlocked(queries: Queries, depositId: string): Promise<boolean> {
  const [row] = await queries
    .select({ id: deposits.id })
    .from(deposits)
    .where(and(eq(deposits.id, depositId), isBlockedRow));
  return row !== undefined;
}

export async function readOpenBlocks(
  queries: Queries,
  rows: readonly { readonly id: string }[],
): Promise<ReadonlyMap<string, DepositBlockRow>> {
  if (rows.length === 0) return new Map();
  const blockRows = await queries
    .select({ id: deposits.id, block: table })
    .from(table)
    .innerJoin(deposits, isSameOutput(deposits))
    .where(
      inArray(
        deposits.id,
        rows.map(({ id }) => id),
      ),
    )
    .orderBy(asc(table.blockedAt), asc(table.id));
  return new Map(blockRows.toReversed().map(({ id, block }) => [id, block]));
}

export interface UnblockSignature {
  readonly administratorId: string;
  readonly reason: string;
  readonly at: Date;
}

/** Oldest first. The caller removes authors of the deposit. */
export async function readUnblockSignatures(
  queries: Queries,
  blocks: readonly Pick<DepositBlockRow, 'id'>[],
): Promise<ReadonlyMap<string, readonly UnblockSignature[]>> {
  if (blocks.length === 0) return new Map();
  const rows = await queries
    .select()
    .from(depositUnblocks)
    .where(
      inArray(
        depositUnblocks.blockId,
        blocks.map(({ id }) => id),
      ),
    )
    .orderBy(asc(depositUnblocks.at), asc(depositUnblocks.administratorId));
  const signaturesByBlock = new Map<string, UnblockSignature[]>();
  for (const row of rows) signaturesByBlock.set(row.blockId, [...(signaturesByBlock.get(row.blockId) ?? []), row]);
  return signaturesByBlock;
}

export const countMissingUnblocks = (signatureCount: number): number => Math.max(0, unblockSignatures - signatureCount);
