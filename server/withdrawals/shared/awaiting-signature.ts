import { and, eq, isNotNull, isNull, not, notInArray, or, sql, type SQL } from 'drizzle-orm';
import { readRefundStatus, signableBands } from '../../authority/shared/refund-approval.ts';
import { isBlockedRow } from '../../deposits/shared/blocks.ts';
import { deposits } from '../../deposits/tables.ts';
import { actorOf, type QueryContext } from '../../platform/services/context.ts';
import { withdrawals as table } from '../tables.ts';

export async function waitsForSigner(context: QueryContext): Promise<SQL> {
  const { services, db } = context;
  const { id: person, granted } = actorOf(context);
  const bands = granted.has('withdrawals.signRefund') ? await signableBands(services, db, person) : [];
  if (bands.length === 0) return sql`false`;
  const isOpen = and(eq(table.status, 'todo'), isNull(table.requestHash));
  const begun = await db
    .select({ statement: table.statement, satoshi: table.amount })
    .from(table)
    .where(and(isOpen, isNotNull(table.statement)));
  const standingOf = await readRefundStatus(services, db);
  const over = begun.flatMap((one) => {
    const { missing, signers } = standingOf(one);
    const isOver = missing === 0 || signers.some((signer) => signer.person === person);
    return one.statement !== null && isOver ? [one.statement] : [];
  });
  const inBand = bands.map(
    ({ from, below }) =>
      sql`(${table.amount} >= ${from}::bigint and (${below}::bigint is null or ${table.amount} < ${below}::bigint))`,
  );
  const condition = and(
    isOpen,
    or(...inBand),
    over.length === 0 ? undefined : or(isNull(table.statement), notInArray(table.statement, over)),
    sql`not exists (select 1 from ${table} earlier where earlier.deposit_id = ${table.depositId} and earlier.created_by = ${person})`,
    not(isBlocked),
  );
  return condition ?? sql`false`;
}

const isBlocked = sql`exists (select 1 from ${deposits} where ${deposits.id} = ${table.depositId} and ${isBlockedRow})`;
