import { inArray } from 'drizzle-orm';
import type { WithdrawalRecord, WithdrawalRow } from '../../api/withdrawals/contract.ts';
import { readRefundApproval, readRefundStatus } from '../authority/shared/refund-approval.ts';
import { openBlocksOf } from '../deposits/shared/blocks.ts';
import { administrators } from '../platform/auth/tables.ts';
import { actorOf, type RequestContext, type Services } from '../platform/services/context.ts';
import type { Queries } from '../platform/db/db.ts';
import { serverTime } from '../platform/evm/clock.ts';
import { withdrawalAuthorsOf } from './authors.ts';
import { blockedErrorData, refundDeployment, refundRefusalOf, requestedRefundOf } from './refund-approval.ts';
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
    coolsUntil: row.coolsUntil ? serverTime(services, row.coolsUntil) : null,
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
  const actor = actorOf(context).id;
  const [authors, emails, standingOf, judge, blocks] = [
    await withdrawalAuthorsOf(queries, rows),
    await emailsOf(
      queries,
      rows.flatMap(({ createdBy, cancelAskedBy }) => [createdBy ?? [], cancelAskedBy ?? []].flat()),
    ),
    await readRefundStatus(services, queries),
    await readRefundApproval(services, queries),
    await openBlocksOf(
      queries,
      rows.map(({ depositId }) => ({ id: depositId })),
    ),
  ];
  return rows.map((row) => {
    const status = standingOf({ statement: row.statement, satoshi: row.amount });
    const { band, signers, missing } = status;
    const isOpen = row.status === 'todo' && evm !== null;
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
      refusal: isOpen
        ? (blockedErrorData(block) ?? refundRefusalOf(judge(requestedRefundOf(refundDeployment(evm), row)), row, status))
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
  const [shown] = await presentWithdrawals(context, queries, [row]);
  if (!shown) throw new Error('the withdrawal was not presented');
  return shown;
}

async function emailsOf(queries: Queries, people: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (people.length === 0) return new Map();
  const found = await queries
    .select({ id: administrators.id, email: administrators.email })
    .from(administrators)
    .where(inArray(administrators.id, [...new Set(people)]));
  return new Map(found.map(({ id, email }) => [id, email]));
}
