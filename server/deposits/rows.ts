import { createHash } from 'node:crypto';
import { desc, inArray } from 'drizzle-orm';
import type { DepositRecord, DepositRow } from '../../api/deposits/contract.ts';
import { readStanding } from '../authority/shared/standing.ts';
import { authorsOf } from './authors.ts';
import { missingOf, openBlocksOf, signaturesOf } from './shared/blocks.ts';
import { actorOf, type RequestContext } from '../platform/core/context.ts';
import { redact } from '../platform/core/redact.ts';
import type { Queries } from '../platform/db/db.ts';
import { type deposits, mints, mintTransactions } from './tables.ts';
import { administrators } from '../platform/auth/tables.ts';

export type Deposit = typeof deposits.$inferSelect;

/** What a confirmation is of: every field a person filled in, and where the money is. */
export function contentHash(row: Deposit): string {
  const { userAddress, amount, coboAddress, network, txid, vout, type, lockTime, remarks } = row;
  const content = [userAddress, String(amount), coboAddress, network, txid, vout, type, lockTime?.toISOString() ?? null, remarks];
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}

/** A deposit as it is recorded: what the audit holds. */
export const recordOf = (row: Deposit): DepositRecord => ({
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

/** Deposits as the API shows them to one person: with who signed, what the rules ask for, and how far the mint is. */
export async function presentDeposits(
  context: RequestContext,
  queries: Queries,
  rows: readonly Deposit[],
): Promise<DepositRow[]> {
  if (rows.length === 0) return [];
  const actor = actorOf(context).id;
  const ids = rows.map(({ id }) => id);
  const blocks = await openBlocksOf(queries, rows);
  const unblocking = await signaturesOf(queries, [...blocks.values()]);
  const people = [
    ...new Set([
      ...rows.flatMap(({ createdBy, confirmedBy }) => [createdBy ?? [], confirmedBy ?? []].flat()),
      ...[...unblocking.values()].flat().map(({ administratorId }) => administratorId),
    ]),
  ];
  const emails = new Map(
    people.length === 0
      ? []
      : (
          await queries
            .select({ id: administrators.id, email: administrators.email })
            .from(administrators)
            .where(inArray(administrators.id, people))
        ).map(({ id, email }) => [id, email]),
  );
  const minted = await queries.select().from(mints).where(inArray(mints.depositId, ids));
  const sent =
    minted.length === 0
      ? []
      : await queries
          .select({ mintId: mintTransactions.mintId, hash: mintTransactions.hash, nonce: mintTransactions.nonce })
          .from(mintTransactions)
          .where(
            inArray(
              mintTransactions.mintId,
              minted.map(({ id }) => id),
            ),
          )
          .orderBy(desc(mintTransactions.createdAt), desc(mintTransactions.maxFeePerGas));
  const authors = await authorsOf(queries, rows);
  const standingOf = await readStanding(context.services, queries);
  return rows.map((row) => {
    const hash = contentHash(row);
    const { band, signers, missing } = standingOf({
      statement: row.statement,
      satoshi: row.amount,
      isOver: row.status !== 'created',
    });
    const mint = minted.find(({ depositId }) => depositId === row.id);
    const email = (id: string | null) => (id === null ? null : (emails.get(id) ?? null));
    const block = blocks.get(row.id);
    const isAuthor = (person: string) => authors.get(row.id)?.has(person) ?? false;
    const signed = (block ? (unblocking.get(block.id) ?? []) : []).filter(({ administratorId }) => !isAuthor(administratorId));
    return {
      ...recordOf(row),
      hash,
      createdEmail: email(row.createdBy),
      confirmedEmail: email(row.confirmedBy),
      own: isAuthor(actor),
      approvals: signers.map(({ person, name, at }) => ({
        email: name,
        at: new Date(at).toISOString(),
        own: person === actor,
      })),
      missing,
      rule: band && { approvals: band.approvals, role: band.role, perDay: band.perDay, delaySeconds: band.delaySeconds },
      mint: mint
        ? {
            state: mint.state,
            chainId: mint.chainId,
            signFrom: mint.signFrom?.toISOString() ?? null,
            nonce: mint.nonce,
            hash: mint.hash ?? sent.find(({ mintId, nonce }) => mintId === mint.id && nonce === mint.nonce)?.hash ?? null,
            block: mint.blockNumber?.toString() ?? null,
            problem: mint.problem,
            details: mint.details && redact(mint.details),
            attempts: mint.attempts,
            updatedAt: mint.updatedAt.toISOString(),
          }
        : null,
      block: block
        ? {
            id: block.id,
            reason: block.reason,
            at: block.blockedAt.toISOString(),
            signed: signed.map(({ administratorId, reason, at }) => ({
              email: email(administratorId) ?? administratorId,
              at: at.toISOString(),
              reason,
              own: administratorId === actor,
            })),
            // Two signatures that do not count together are one.
            missing: Math.max(1, missingOf(signed.length)),
          }
        : null,
    };
  });
}

/** One deposit, as `presentDeposits` shows it. */
export async function presentDeposit(context: RequestContext, queries: Queries, row: Deposit): Promise<DepositRow> {
  const [shown] = await presentDeposits(context, queries, [row]);
  if (!shown) throw new Error('the deposit was not presented');
  return shown;
}
