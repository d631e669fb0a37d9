import { inArray } from 'drizzle-orm';
import type { WithdrawalRecord, WithdrawalRow } from '../../api/withdrawals/contract.ts';
import { readRefundApproval, readRefundStatus } from '../authority/shared/refund-approval.ts';
import { readOpenBlocks } from '../deposits/shared/blocks.ts';
import { administrators } from '../platform/auth/tables.ts';
import { requireActor, type RequestContext, type Services } from '../platform/services/context.ts';
import type { Queries } from '../platform/db/db.ts';
import { toServerTime } from '../platform/evm/clock.ts';
import { readWithdrawalAuthors } from './authors.ts';
import { blockedErrorData, refundDeployment, findRefundRefusal, requestedRefundOf } from './refund-approval.ts';
import type { Withdrawal } from './tables.ts';

export const withdrawalState =
  (services: Services) =>
  (row: Withdrawal): WithdrawalRecord => ({
    id: row.id,
    version: row.version,
    depositId: row.depositId,
    address: row.address,
    amount: row.amount.toString(),
    receiver: row.receiver,
    txid: row.txid,
    status: row.status,
    nonce: row.nonce,
    requestHash: row.requestHash,
    confirmHash: row.confirmHash,
    coolsUntil: row.coolsUntil ? toServerTime(services, row.coolsUntil) : null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  });

export async function presentWithdrawals(
  context: RequestContext,
  queries: Queries,
  rows: readonly Withdrawal[],
): Promise<WithdrawalRow[]> {
  if (rows.length === 0) return [];
  const { services } = context;
  const { evm } = services.config;
  const actor = requireActor(context).id;
  const [authors, emails, getApprovalStatus, judgeRefund, blocks] = [
    await readWithdrawalAuthors(queries, rows),
    await readEmails(
      queries,
      rows.flatMap(({ createdBy, cancelAskedBy }) => [createdBy ?? [], cancelAskedBy ?? []].flat()),
    ),
    await readRefundStatus(services, queries),
    await readRefundApproval(services, queries),
    await readOpenBlocks(
      queries,
      rows.map(({ depositId }) => ({ id: depositId })),
    ),
  ];
  return rows.map((row) => {
    const status = getApprovalStatus({ statement: row.statement, satoshi: row.amount });
    const { band, signers, missing } = status;
    const isOpenRow = row.status === 'todo' && evm !== null;
    const block = blocks.get(row.depositId)?.reason ?? null;
    return {
      ...withdrawalState(services)(row),
      createdEmail: emails.get(row.createdBy ?? '') ?? null,
      own: authors(row).has(actor),
      recorded: row.createdBy === actor,
      approvals: signers.map(({ person, name, at }) => ({
        email: name,
        at: new Date(at).toISOString(),
        own: person === actor,
      })),
      missing,
      rule: band && { approvals: band.approvals, role: band.role, perDay: band.perDay, delaySeconds: band.delaySeconds },
      block,
      refusal: isOpenRow
        ? (blockedErrorData(block) ?? findRefundRefusal(judgeRefund(requestedRefundOf(refundDeployment(evm), row)), row, status))
        : null,
      cancelAsked:
        row.cancelAskedBy === null || row.cancelAskedAt === null
          ? null
          : {
              email: emails.get(row.cancelAskedBy) ?? '',
              at: row.cancelAskedAt.toISOString(),
              own: row.cancelAskedBy === actor,
            },
    };
  });
}

export async function presentWithdrawal(context: RequestContext, queries: Queries, row: Withdrawal): Promise<WithdrawalRow> {
  const [presentedRow] = await presentWithdrawals(context, queries, [row]);
  if (!presentedRow) throw new Error('the withdrawal was not presented');
  return presentedRow;
}

async function readEmails(queries: Queries, personIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (personIds.length === 0) return new Map();
  const administratorRows = await queries
    .select({ id: administrators.id, email: administrators.email })
    .from(administrators)
    .where(inArray(administrators.id, [...new Set(personIds)]));
  return new Map(administratorRows.map(({ id, email }) => [id, email]));
}
