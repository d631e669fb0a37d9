import { and, eq, isNotNull, isNull, not, notInArray, or, sql, type SQL } from 'drizzle-orm';
import { readRefundStatus, readSignableBands } from '../../authority/shared/refund-approval.ts';
import { isBlockedRow } from '../../deposits/shared/blocks.ts';
import { deposits } from '../../deposits/tables.ts';
import { requireActor, type QueryContext } from '../../platform/services/context.ts';
import { withdrawals as table } from '../tables.ts';

export async function awaitsSignatureOf(context: QueryContext): Promise<SQL> {
  const { services, db } = context;
  const { id: person, granted } = requireActor(context);
  const bands = granted.has('withdrawals.signRefund') ? await readSignableBands(services, db, person) : [];
  if (bands.length === 0) return sql`false`;
  const isOpen = and(eq(table.status, 'todo'), isNull(table.requestHash));
  const partlySignedRows = await db
    .select({ statement: table.statement, satoshi: table.amount })
    .from(table)
    .where(and(isOpen, isNotNull(table.statement)));
  const getApprovalStatus = await readRefundStatus(services, db);
  const finishedStatements = partlySignedRows.flatMap((row) => {
    const { missing, signers } = getApprovalStatus(row);
    const isFinished = missing === 0 || signers.some((signer) => signer.person === person);
    return row.statement !== null && isFinished ? [row.statement] : [];
  });
  const isInBand = bands.map(
    ({ from, below }) =>
      sql`(${table.amount} >= ${from}::bigint and (${below}::bigint is null or ${table.amount} < ${below}::bigint))`,
  );
  const condition = and(
    isOpen,
    or(...isInBand),
    finishedStatements.length === 0 ? undefined : or(isNull(table.statement), notInArray(table.statement, finishedStatements)),
    sql`not exists (select 1 from ${table} earlier where earlier.deposit_id = ${table.depositId} and earlier.created_by = ${person})`,
    not(isBlocked),
  );
  return condition ?? sql`false`;
}

const isBlocked = sql`exists (select 1 from ${deposits} where ${deposits.id} = ${table.depositId} and ${isBlockedRow})`;
