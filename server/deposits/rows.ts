import { createHash } from 'node:crypto';
import { desc, inArray } from 'drizzle-orm';
import type { DepositRecord, DepositRow } from '../../api/deposits/contract.ts';
import type { MintApprovalStatus } from '../authority/shared/mint-approval.ts';
import { findIneligibleSigner } from '../authority/shared/eligible-signers.ts';
import { readCanSign, readApprovalStatus } from '../authority/shared/approval-status.ts';
import { countMissingFor } from './missing-signatures.ts';
import { readDepositAuthors } from './authors.ts';
import { countMissingUnblocks, readOpenBlocks, readUnblockSignatures } from './shared/blocks.ts';
import { requireActor, type RequestContext } from '../platform/services/context.ts';
import { redact } from '../platform/core/redact.ts';
import type { Queries } from '../platform/db/db.ts';
import { type deposits } from './tables.ts';
import { mints, mintTransactions } from '../mints/tables.ts';
import { administrators } from '../platform/auth/tables.ts';

export type Deposit = typeof deposits.$inferSelect;

/** Covers every entered field and the output. */
export function hashContent(row: Deposit): string {
  const { userAddress, amount, coboAddress, network, txid, vout, type, lockTime, remarks } = row;
  const content = [userAddress, String(amount), coboAddress, network, txid, vout, type, lockTime?.toISOString() ?? null, remarks];
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}

export const depositState = (row: Deposit): DepositRecord => ({
  id: row.id,
  version: row.version,
  userAddress: row.userAddress,
  amount: row.amount.toString(),
  coboAddress: row.coboAddress,
  network: row.network,
  txid: row.txid,
  vout: row.vout,
  type: row.type,
  lockTime: row.lockTime?.toISOString() ?? null,
  remarks: row.remarks,
  status: row.status,
  mintStatus: row.mintStatus,
  withdrawStatus: row.withdrawStatus,
  modifiedEmail: row.modifiedEmail,
  confirmedAt: row.confirmedAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

export async function presentDeposits(
  context: RequestContext,
  queries: Queries,
  rows: readonly Deposit[],
): Promise<DepositRow[]> {
  if (rows.length === 0) return [];
  const actor = requireActor(context).id;
  const ids = rows.map(({ id }) => id);
  const blocks = await readOpenBlocks(queries, rows);
  const unblockSignaturesById = await readUnblockSignatures(queries, [...blocks.values()]);
  const accountIds = [
    ...new Set([
      ...rows.flatMap(({ createdBy, confirmedBy }) => [createdBy ?? [], confirmedBy ?? []].flat()),
      ...[...unblockSignaturesById.values()].flat().map(({ administratorId }) => administratorId),
    ]),
  ];
  const emails = new Map(
    accountIds.length === 0
      ? []
      : (
          await queries
            .select({ id: administrators.id, email: administrators.email })
            .from(administrators)
            .where(inArray(administrators.id, accountIds))
        ).map(({ id, email }) => [id, email]),
  );
  const mintRows = await queries.select().from(mints).where(inArray(mints.depositId, ids));
  const transactionRows =
    mintRows.length === 0
      ? []
      : await queries
          .select({ mintId: mintTransactions.mintId, hash: mintTransactions.hash, nonce: mintTransactions.nonce })
          .from(mintTransactions)
          .where(
            inArray(
              mintTransactions.mintId,
              mintRows.map(({ id }) => id),
            ),
          )
          .orderBy(desc(mintTransactions.createdAt), desc(mintTransactions.maxFeePerGas));
  const cancellationSignatures =
    mintRows.some(({ state }) => state === 'queued') &&
    (await readCanSign(context.services, queries, actor)) &&
    (await findIneligibleSigner(context, queries, { signers: [], coSigners: [] })) === null;
  const authors = await readDepositAuthors(queries, rows);
  const getApprovalStatus = await readApprovalStatus(context.services, queries);
  const pendingCounts = new Map<string, Promise<number>>();
  /** The log's count, or more if some signers no longer count. Cached per set of signers. */
  const countMissing = (row: Deposit, { band, signers, missing }: MintApprovalStatus): Promise<number> | number => {
    if (row.status !== 'created' || band === null || signers.length === 0) return missing;
    const approvalCount = { band, signers, authors: authors.get(row.id) ?? new Set<string>() };
    const signerPairs = signers.map(({ person, isEligible }) => [person, isEligible]);
    const key = JSON.stringify([band.approvals, signerPairs, [...approvalCount.authors].toSorted()]);
    const missingCount = pendingCounts.get(key) ?? countMissingFor(context, queries, approvalCount);
    pendingCounts.set(key, missingCount);
    return missingCount;
  };
  const presentOne = async (row: Deposit): Promise<DepositRow> => {
    const hash = hashContent(row);
    const status = getApprovalStatus({ statement: row.statement, satoshi: row.amount, isOver: row.status !== 'created' });
    const { band, signers } = status;
    const missingSignatures = await countMissing(row, status);
    const mint = mintRows.find(({ depositId }) => depositId === row.id);
    const email = (id: string | null) => (id === null ? null : (emails.get(id) ?? null));
    const block = blocks.get(row.id);
    const isAuthor = (person: string) => authors.get(row.id)?.has(person) ?? false;
    const countedUnblocks = (block ? (unblockSignaturesById.get(block.id) ?? []) : []).filter(
      ({ administratorId }) => !isAuthor(administratorId),
    );
    return {
      ...depositState(row),
      hash,
      createdEmail: email(row.createdBy),
      confirmedEmail: email(row.confirmedBy),
      own: isAuthor(actor),
      approvals: signers.map(({ person, name, at }) => ({
        email: name,
        at: new Date(at).toISOString(),
        own: person === actor,
      })),
      missing: missingSignatures,
      rule: band && { approvals: band.approvals, role: band.role, perDay: band.perDay, delaySeconds: band.delaySeconds },
      mint: mint
        ? {
            state: mint.state,
            chainId: mint.chainId,
            signFrom: mint.signFrom?.toISOString() ?? null,
            nonce: mint.nonce,
            hash:
              mint.hash ?? transactionRows.find(({ mintId, nonce }) => mintId === mint.id && nonce === mint.nonce)?.hash ?? null,
            block: mint.blockNumber?.toString() ?? null,
            problem: mint.problem,
            details: mint.details && redact(mint.details),
            attempts: mint.attempts,
            updatedAt: mint.updatedAt.toISOString(),
            cancelSigns: cancellationSignatures,
          }
        : null,
      block: block
        ? {
            id: block.id,
            reason: block.reason,
            at: block.blockedAt.toISOString(),
            signed: countedUnblocks.map(({ administratorId, reason, at }) => ({
              email: email(administratorId) ?? administratorId,
              at: at.toISOString(),
              reason,
              own: administratorId === actor,
            })),
            // Two signatures that do not count together are one.
            missing: Math.max(1, countMissingUnblocks(countedUnblocks.length)),
          }
        : null,
    };
  };
  const presentedRows: DepositRow[] = [];
  for (const row of rows) presentedRows.push(await presentOne(row));
  return presentedRows;
}

export async function presentDeposit(context: RequestContext, queries: Queries, row: Deposit): Promise<DepositRow> {
  const [presentedRow] = await presentDeposits(context, queries, [row]);
  if (!presentedRow) throw new Error('the deposit was not presented');
  return presentedRow;
}
