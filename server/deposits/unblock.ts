import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { checkSignerCombination } from '../platform/auth/rights/counts-for-money.ts';
import { lockCurrentHolders } from '../platform/auth/rights/current-holders.ts';
import { requirePerson } from '../platform/services/context.ts';
import { guardedApi } from '../platform/http/router.ts';
import { lockRow } from '../platform/records/versions.ts';
import { writeOnce } from '../platform/records/write.ts';
import { readAuthorsOfDeposit } from './authors.ts';
import { countMissingUnblocks, readOpenBlock, readUnblockSignatures } from './shared/blocks.ts';
import { createMoneyRefusal, createIneligibleError } from './mint-policy.ts';
import { createCountingOptions } from './missing-signatures.ts';
import { presentDeposit, depositState } from './rows.ts';
import { depositBlocks, deposits, depositUnblocks } from './tables.ts';
import { mints } from '../mints/tables.ts';

/** Requires two signatures of people who did not write the deposit. */
export const unblock = guardedApi.deposits.unblock.handler(({ input, context }) =>
  writeOnce(context, input, async (tx, recordAudit) => {
    const { reason, block: blockId, ...item } = input;
    const { id: person } = requirePerson(context);
    const row = await lockRow(tx, deposits, item, depositState);
    const block = await readOpenBlock(tx, row);
    if (!block) throw createMoneyRefusal('NOT_BLOCKED', { id: row.id });
    if (block.id !== blockId) throw createMoneyRefusal('CHANGED', { id: row.id });
    // Signatures for deposits of the same block run one after another.
    await tx.select().from(depositBlocks).where(eq(depositBlocks.id, block.id)).for('update');
    const authors = await readAuthorsOfDeposit(tx, row);
    if (authors.has(person)) throw createMoneyRefusal('FOUR_EYES', { id: row.id });

    const signatures = (await readUnblockSignatures(tx, [block])).get(block.id) ?? [];
    const otherSignerIds = signatures
      .map(({ administratorId }) => administratorId)
      .filter((id) => id !== person && !authors.has(id));
    const permissionHolders = await lockCurrentHolders(tx, context, otherSignerIds, 'deposits.unblock');
    const combinedIds = [person, ...otherSignerIds.filter((id) => permissionHolders.has(id))];
    const { counting, doubts } = await checkSignerCombination(tx, combinedIds, createCountingOptions(context, authors));
    const ineligibleReason = doubts.get(person);
    if (ineligibleReason) throw createIneligibleError(row.id, ineligibleReason);
    const missingCount = countMissingUnblocks(counting.size);
    const [otherIneligibleReason] = doubts.values();
    if (missingCount > 0 && signatures.some(({ administratorId }) => administratorId === person))
      throw otherIneligibleReason
        ? createIneligibleError(row.id, otherIneligibleReason)
        : createMoneyRefusal('SIGNATURES', { id: row.id, missing: [String(missingCount)] });

    const currentTime = new Date(context.services.now());
    await tx
      .insert(depositUnblocks)
      .values({ blockId: block.id, administratorId: person, reason, at: currentTime })
      .onConflictDoNothing();
    if (missingCount === 0) {
      await tx
        .update(depositBlocks)
        .set({ liftedAt: currentTime })
        .where(and(eq(depositBlocks.id, block.id), isNull(depositBlocks.liftedAt)));
      await tx
        .update(mints)
        .set({ nextAt: currentTime })
        .where(and(eq(mints.depositId, row.id), inArray(mints.state, ['queued', 'signed', 'sent'])));
    }
    const [liftedBlock] = await tx
      .update(deposits)
      .set({ version: sql`${deposits.version} + 1`, updatedAt: currentTime })
      .where(eq(deposits.id, row.id))
      .returning();
    if (!liftedBlock) throw createMoneyRefusal('CHANGED', { id: row.id });
    recordAudit({
      entity: 'deposit',
      id: row.id,
      before: depositState(row),
      after: { ...depositState(liftedBlock), reason, missing: missingCount },
    });
    return presentDeposit(context, tx, liftedBlock);
  }),
);
