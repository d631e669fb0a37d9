import { eq } from 'drizzle-orm';
import type { Tx } from '../platform/db/db.ts';
import { createAppError } from '../platform/core/errors.ts';
import { guardedApi } from '../platform/http/router.ts';
import { lockRow } from '../platform/records/versions.ts';
import { asUnmodified, writeOnce } from '../platform/records/write.ts';
import { createMoneyRefusal } from './mint-policy.ts';
import { proposeSignatureRevocation, revokeDepositSignature } from './mint-signature.ts';
import { depositState, presentDeposit, type Deposit } from './rows.ts';
import { deposits } from './tables.ts';

/** Only the caller's own signature, and only while nobody else has signed. Locks in the order of `confirm`: deposit, then log. */
export const revocation = {
  proposeRevocation: guardedApi.deposits.proposeRevocation.handler(({ input, context }) =>
    writeOnce(context, input, async (tx, recordAudit) => {
      const row = await lockUnconfirmed(tx, input);
      const proposal = await proposeSignatureRevocation(context, tx, row, input.reason);
      if (!proposal) return asUnmodified(proposal);
      recordAudit({ entity: 'statement', id: proposal.hash, after: { number: null, kind: proposal.statement.kind } });
      return proposal;
    }),
  ),

  revokeSignature: guardedApi.deposits.revokeSignature.handler(({ input, context }) =>
    writeOnce(context, { ...input, signed: null }, async (tx, recordAudit) => {
      const { reason, signed } = input;
      const previousDeposit = await lockUnconfirmed(tx, input);
      const { number } = await revokeDepositSignature(context, tx, previousDeposit, { reason, signature: signed ?? null });
      // Not a new version: open forms show the same fields.
      const [row] = await tx.update(deposits).set({ statement: null }).where(eq(deposits.id, input.id)).returning();
      if (!row) throw createAppError('NOT_FOUND');
      const previousState = depositState(previousDeposit);
      recordAudit({
        entity: 'deposit',
        id: row.id,
        before: { ...previousState, statement: previousDeposit.statement },
        after: { ...previousState, statement: null, reason, number },
      });
      return presentDeposit(context, tx, row);
    }),
  ),
};

async function lockUnconfirmed(tx: Tx, { id, version }: { id: string; version: number }): Promise<Deposit> {
  const row = await lockRow(tx, deposits, { id, version }, depositState);
  if (row.status !== 'created') throw createMoneyRefusal('CONFIRMED', { id });
  return row;
}
