import type { MoneyRefusal } from '../../api/deposits/contract.ts';
import { readRoleStatus } from '../authority/shared/role-in-log.ts';
import { readApprovalStatus } from '../authority/shared/approval-status.ts';
import { personOf, requirePerson, type RequestContext } from '../platform/services/context.ts';
import { isAppError } from '../platform/core/errors.ts';
import type { Tx } from '../platform/db/db.ts';
import { createMoneyRefusal, requireMintAllowed, requireDailyAllowance } from './mint-policy.ts';
import { countMissingFor } from './missing-signatures.ts';
import type { Deposit } from './rows.ts';

/** MONEY_REFUSED data for the review. `confirm` decides again. Null: no known reason, or no permission. */
export async function findSigningRefusal(
  context: RequestContext,
  row: Deposit,
): Promise<Readonly<Record<string, unknown>> | null> {
  const person = personOf(context);
  if (row.status !== 'created' || !person?.granted.has('deposits.confirm')) return null;
  try {
    await context.db.transaction((tx) => requireSignableDeposit(context, tx, row));
    return null;
  } catch (error) {
    if (!isAppError(error, 'MONEY_REFUSED')) throw error;
    return error.data ?? null;
  }
}

async function requireSignableDeposit(context: RequestContext, tx: Tx, row: Deposit): Promise<void> {
  const createRefusal = (reason: MoneyRefusal, data: Readonly<Record<string, unknown>> = {}) =>
    createMoneyRefusal(reason, { id: row.id, ...data });
  const { authors } = await requireMintAllowed(context, tx, row);
  const { band, signers } = (await readApprovalStatus(context.services, tx))({ statement: row.statement, satoshi: row.amount });
  if (!band) throw createRefusal('NO_POLICY');
  const status = await readRoleStatus(context.services, tx, requirePerson(context).id, band.role);
  if (status === 'noKey') throw createRefusal('NO_KEY');
  if (status === 'otherRole') throw createRefusal('ROLE', { role: [band.role ?? ''] });
  if ((await countMissingFor(context, tx, { band, signers, authors })) <= 1) await requireDailyAllowance(context, tx, row, band);
}
