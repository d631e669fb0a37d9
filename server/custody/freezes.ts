import { and, eq, inArray } from 'drizzle-orm';
import { differenceOf } from '../../api/custody/difference.ts';
import { readLogFreezes } from '../authority/shared/lifting.ts';
import { NotSignedError } from '../authority/shared/signing.ts';
import { proposeUnfreeze, signUnfreeze } from '../authority/shared/unfreeze-approval.ts';
import type { OtherFreezes } from '../../api/custody/contract.ts';
import { actorOf, personOf, requirePerson, type Services } from '../platform/services/context.ts';
import type { Queries, Tx } from '../platform/db/db.ts';
import { appError } from '../platform/core/errors.ts';
import { newId } from '../platform/core/ids.ts';
import { guardedApi } from '../platform/http/router.ts';
import { unmodified, writeOnce } from '../platform/records/write.ts';
import { unknownMintsOf, presentFreeze } from './reconciliation.ts';
import { lockFreezes, openFreezes, type MoneyFreeze } from './shared/freezes.ts';
import { moneyFreezes } from './tables.ts';
import { deposits } from '../deposits/tables.ts';
import { mints } from '../mints/tables.ts';

/** Anyone in custody can freeze immediately. Someone else lifts it. */
export const freezes = {
  freezeMoney: guardedApi.dataPanel.freezeMoney.handler(({ input: { reason }, context }) =>
    writeOnce(context, { reason }, async (tx, note) => {
      await lockFreezes(tx);
      const open = (await openFreezes(tx)).find(({ kind }) => kind === 'manual');
      if (open) return unmodified({ id: open.id });
      const { email: openedEmail } = actorOf(context);
      const openedBy = personOf(context)?.id ?? null;
      const at = new Date(context.services.now());
      const row = { id: newId(), kind: 'manual' as const, figures: '{}', at, openedBy, openedEmail, openedReason: reason };
      await tx.insert(moneyFreezes).values(row);
      note({ entity: 'freeze', id: row.id, after: { kind: row.kind, reason } });
      context.services.log.error({ freeze: row.id, by: openedEmail, reason }, 'money frozen by an administrator');
      return { id: row.id };
    }),
  ),

  proposeResolve: guardedApi.dataPanel.proposeResolve.handler(({ input, context }) =>
    writeOnce(context, input, async (tx, note) => {
      const open = await lockOpen(tx, input.freeze);
      const proposal = await inLog(open, input.reason, (content) => proposeUnfreeze(context, tx, content));
      if (!proposal) return unmodified(proposal);
      note({ entity: 'freeze', id: open.id, after: { statement: proposal.hash } });
      return proposal;
    }),
  ),

  resolve: guardedApi.dataPanel.resolve.handler(({ input, context }) =>
    writeOnce(context, { ...input, signed: null }, async (tx, note) => {
      const { services } = context;
      const open = await lockOpen(tx, input.freeze);
      const { id: actor } = requirePerson(context);
      const signed = await inLog(open, input.reason, (content) => signUnfreeze(context, tx, content, input.signed ?? null));
      if (!signed && (await isCauseAlone(tx, open, actor)))
        throw appError('MONEY_REFUSED', { id: open.id, reason: 'OWN_FREEZE' });
      const others = await otherOpenFreezes(services, tx, open.id);
      if (signed && signed.missing > 0) {
        if (signed.isNew) note({ entity: 'freeze', id: open.id, action: 'sign', after: { resolution: input.reason } });
        const answer = { id: open.id, missing: signed.missing, others };
        return signed.isNew ? answer : unmodified(answer);
      }
      if (input.onlySigns) throw appError('MONEY_REFUSED', { id: open.id, reason: 'CHANGED' });
      const now = new Date(services.now());
      // A freeze by hand does not affect accepted differences.
      const isOfDifference = open.kind === 'difference';
      if (isOfDifference) await tx.update(moneyFreezes).set({ standing: false }).where(eq(moneyFreezes.standing, true));
      await tx
        .update(moneyFreezes)
        .set({ resolvedAt: now, resolvedBy: actor, reason: input.reason, standing: isOfDifference })
        .where(eq(moneyFreezes.id, open.id));
      const before = presentFreeze(open);
      const lifted = { resolvedAt: now.toISOString(), resolution: input.reason };
      note({ entity: 'freeze', id: open.id, before, after: { ...before, ...lifted } });
      return { id: open.id, missing: 0, others };
    }),
  ),
};

export const otherOpenFreezes = async (services: Services, queries: Queries, id: string): Promise<OtherFreezes> => ({
  ledger: (await openFreezes(queries)).filter((one) => one.id !== id).length,
  log: await readLogFreezes(services, queries),
});

/** The open freeze, or the reviewed one if it is open. Throws NOT_FOUND. */
async function lockOpen(tx: Tx, id: string | undefined): Promise<MoneyFreeze> {
  await lockFreezes(tx);
  const all = await openFreezes(tx);
  const open = id === undefined ? all[0] : all.find((one) => one.id === id);
  if (!open) throw appError('NOT_FOUND');
  return open;
}

/** Null: no log. Throws MONEY_REFUSED. */
async function inLog<T>(
  open: MoneyFreeze,
  reason: string,
  act: (content: { freeze: string; difference: string; reason: string }) => Promise<T>,
): Promise<T | null> {
  try {
    return await act({ freeze: open.id, difference: differenceOf(open), reason });
  } catch (error) {
    if (!(error instanceof NotSignedError)) throw error;
    if (error.reason === 'NO_AUTHORITY') return null;
    throw appError('MONEY_REFUSED', { id: open.id, reason: error.reason });
  }
}

/**
 * Whether the caller alone caused it, as far as known: froze by hand, or alone recorded, edited and confirmed the deposits of all
 * named mints.
 */
async function isCauseAlone(tx: Tx, freeze: MoneyFreeze, actor: string): Promise<boolean> {
  if (freeze.kind === 'manual') return freeze.openedBy === actor;
  const hashes = [...new Set(unknownMintsOf(freeze).map(({ depositHash }) => depositHash))];
  if (hashes.length === 0) return false;
  const alone = await tx
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
  return alone.length === hashes.length;
}
