import { and, eq, inArray } from 'drizzle-orm';
import { buildDifferenceKey } from '../../api/custody/difference.ts';
import { readLogFreezes } from '../authority/shared/lifting.ts';
import { NotSignedError } from '../authority/shared/signing.ts';
import { proposeUnfreeze, signUnfreeze } from '../authority/shared/unfreeze-approval.ts';
import type { OtherFreezes } from '../../api/custody/contract.ts';
import { requireActor, personOf, requirePerson, type Services } from '../platform/services/context.ts';
import type { Queries, Tx } from '../platform/db/db.ts';
import { createAppError } from '../platform/core/errors.ts';
import { newId } from '../platform/core/ids.ts';
import { guardedApi } from '../platform/http/router.ts';
import { asUnmodified, writeOnce } from '../platform/records/write.ts';
import { parseUnknownMints, presentFreeze } from './reconciliation.ts';
import { lockFreezes, readOpenFreezes, type MoneyFreeze } from './shared/freezes.ts';
import { moneyFreezes } from './tables.ts';
import { deposits } from '../deposits/tables.ts';
import { mints } from '../mints/tables.ts';

/** Anyone in custody can freeze immediately. Someone else lifts it. */
export const freezes = {
  freezeMoney: guardedApi.dataPanel.freezeMoney.handler(({ input: { reason }, context }) =>
    writeOnce(context, { reason }, async (tx, recordAudit) => {
      await lockFreezes(tx);
      const openFreeze = (await readOpenFreezes(tx)).find(({ kind }) => kind === 'manual');
      if (openFreeze) return asUnmodified({ id: openFreeze.id });
      const { email: openedEmail } = requireActor(context);
      const openedBy = personOf(context)?.id ?? null;
      const openedAt = new Date(context.services.now());
      const row = {
        id: newId(),
        kind: 'manual' as const,
        figures: '{}',
        at: openedAt,
        openedBy,
        openedEmail,
        openedReason: reason,
      };
      await tx.insert(moneyFreezes).values(row);
      recordAudit({ entity: 'freeze', id: row.id, after: { kind: row.kind, reason } });
      context.services.log.error({ freeze: row.id, by: openedEmail, reason }, 'money frozen by an administrator');
      return { id: row.id };
    }),
  ),

  proposeResolve: guardedApi.dataPanel.proposeResolve.handler(({ input, context }) =>
    writeOnce(context, input, async (tx, recordAudit) => {
      const openFreeze = await lockOpenFreeze(tx, input.freeze);
      const proposal = await withUnfreezeContent(openFreeze, input.reason, (content) => proposeUnfreeze(context, tx, content));
      if (!proposal) return asUnmodified(proposal);
      recordAudit({ entity: 'freeze', id: openFreeze.id, after: { statement: proposal.hash } });
      return proposal;
    }),
  ),

  resolve: guardedApi.dataPanel.resolve.handler(({ input, context }) =>
    writeOnce(context, { ...input, signed: null }, async (tx, recordAudit) => {
      const { services } = context;
      const openFreeze = await lockOpenFreeze(tx, input.freeze);
      const { id: actor } = requirePerson(context);
      const signedUnfreeze = await withUnfreezeContent(openFreeze, input.reason, (content) =>
        signUnfreeze(context, tx, content, input.signed ?? null),
      );
      if (!signedUnfreeze && (await isOnlyCauseOfFreeze(tx, openFreeze, actor)))
        throw createAppError('MONEY_REFUSED', { id: openFreeze.id, reason: 'OWN_FREEZE' });
      const otherFreezes = await readOtherOpenFreezes(services, tx, openFreeze.id);
      if (signedUnfreeze && signedUnfreeze.missing > 0) {
        if (signedUnfreeze.isNew)
          recordAudit({ entity: 'freeze', id: openFreeze.id, action: 'sign', after: { resolution: input.reason } });
        const liftResult = { id: openFreeze.id, missing: signedUnfreeze.missing, others: otherFreezes };
        return signedUnfreeze.isNew ? liftResult : asUnmodified(liftResult);
      }
      if (input.onlySigns) throw createAppError('MONEY_REFUSED', { id: openFreeze.id, reason: 'CHANGED' });
      const now = new Date(services.now());
      // A freeze by hand does not affect accepted differences.
      const isDifferenceFreeze = openFreeze.kind === 'difference';
      if (isDifferenceFreeze) await tx.update(moneyFreezes).set({ standing: false }).where(eq(moneyFreezes.standing, true));
      await tx
        .update(moneyFreezes)
        .set({ resolvedAt: now, resolvedBy: actor, reason: input.reason, standing: isDifferenceFreeze })
        .where(eq(moneyFreezes.id, openFreeze.id));
      const previousFreeze = presentFreeze(openFreeze);
      const liftedFields = { resolvedAt: now.toISOString(), resolution: input.reason };
      recordAudit({ entity: 'freeze', id: openFreeze.id, before: previousFreeze, after: { ...previousFreeze, ...liftedFields } });
      return { id: openFreeze.id, missing: 0, others: otherFreezes };
    }),
  ),
};

export const readOtherOpenFreezes = async (services: Services, queries: Queries, id: string): Promise<OtherFreezes> => ({
  ledger: (await readOpenFreezes(queries)).filter((candidate) => candidate.id !== id).length,
  log: await readLogFreezes(services, queries),
});

/** The open freeze, or the reviewed one if it is open. Throws NOT_FOUND. */
async function lockOpenFreeze(tx: Tx, id: string | undefined): Promise<MoneyFreeze> {
  await lockFreezes(tx);
  const openFreezeList = await readOpenFreezes(tx);
  const openFreeze = id === undefined ? openFreezeList[0] : openFreezeList.find((candidate) => candidate.id === id);
  if (!openFreeze) throw createAppError('NOT_FOUND');
  return openFreeze;
}

/** Null: no log. Throws MONEY_REFUSED. */
async function withUnfreezeContent<T>(
  openFreeze: MoneyFreeze,
  reason: string,
  applyContent: (content: { freeze: string; difference: string; reason: string }) => Promise<T>,
): Promise<T | null> {
  try {
    return await applyContent({ freeze: openFreeze.id, difference: buildDifferenceKey(openFreeze), reason });
  } catch (error) {
    if (!(error instanceof NotSignedError)) throw error;
    if (error.reason === 'NO_AUTHORITY') return null;
    throw createAppError('MONEY_REFUSED', { id: openFreeze.id, reason: error.reason });
  }
}

/**
 * Whether the caller alone caused it, as far as known: froze by hand, or alone recorded, edited and confirmed the deposits of all
 * named mints.
 */
async function isOnlyCauseOfFreeze(tx: Tx, freeze: MoneyFreeze, actor: string): Promise<boolean> {
  if (freeze.kind === 'manual') return freeze.openedBy === actor;
  const hashes = [...new Set(parseUnknownMints(freeze).map(({ depositHash }) => depositHash))];
  if (hashes.length === 0) return false;
  const ownMints = await tx
    .selectDistinct({ hash: mints.depositHash })
    .from(mints)
    .innerJoin(deposits, eq(deposits.id, mints.depositId))
    .where(
      and(
        inArray(mints.depositHash, hashes),
        eq(deposits.createdBy, actor),
        eq(deposits.modifiedBy, actor),
        eq(deposits.confirmedBy, actor),
      ),
    );
  return ownMints.length === hashes.length;
}
