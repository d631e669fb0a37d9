import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { checkCombination } from '../platform/auth/rights/counts-for-money.ts';
import { currentHolders } from '../platform/auth/rights/current-holders.ts';
import { requirePerson } from '../platform/services/context.ts';
import { guardedApi } from '../platform/http/router.ts';
import { lockRow } from '../platform/records/versions.ts';
import { writeOnce } from '../platform/records/write.ts';
import { authorsOfDeposit } from './authors.ts';
import { missingUnblocks, openBlock, signaturesOf } from './shared/blocks.ts';
import { moneyRefusal, ineligibleErrorFor } from './mint-policy.ts';
import { countingOptions } from './missing-signatures.ts';
import { presentDeposit, depositState } from './rows.ts';
import { depositBlocks, deposits, depositUnblocks } from './tables.ts';
import { mints } from '../mints/tables.ts';

/** Requires two signatures of people who did not write the deposit. */
export const unblock = guardedApi.deposits.unblock.handler(({ input, context }) =>
  writeOnce(context, input, async (tx, note) => {
    const { reason, block: blockId, ...item } = input;
    const { id: person } = requirePerson(context);
    const row = await lockRow(tx, deposits, item, depositState);
    const block = await openBlock(tx, row);
    if (!block) throw moneyRefusal('NOT_BLOCKED', { id: row.id });
    if (block.id !== blockId) throw moneyRefusal('CHANGED', { id: row.id });
    // Signatures for deposits of the same block run one after another.
    await tx.select().from(depositBlocks).where(eq(depositBlocks.id, block.id)).for('update');
    const authors = await authorsOfDeposit(tx, row);
    if (authors.has(person)) throw moneyRefusal('FOUR_EYES', { id: row.id });

    const signatures = (await signaturesOf(tx, [block])).get(block.id) ?? [];
    const others = signatures.map(({ administratorId }) => administratorId).filter((id) => id !== person && !authors.has(id));
    const holding = await currentHolders(tx, context, others, 'deposits.unblock');
    const together = [person, ...others.filter((id) => holding.has(id))];
    const { counting, doubts } = await checkCombination(tx, together, countingOptions(context, authors));
    const doubt = doubts.get(person);
    if (doubt) throw ineligibleErrorFor(row.id, doubt);
    const missing = missingUnblocks(counting.size);
    const [otherDoubt] = doubts.values();
    if (missing > 0 && signatures.some(({ administratorId }) => administratorId === person))
      throw otherDoubt
        ? ineligibleErrorFor(row.id, otherDoubt)
        : moneyRefusal('SIGNATURES', { id: row.id, missing: [String(missing)] });

    const at = new Date(context.services.now());
    await tx.insert(depositUnblocks).values({ blockId: block.id, administratorId: person, reason, at }).onConflictDoNothing();
    if (missing === 0) {
      await tx
        .update(depositBlocks)
        .set({ liftedAt: at })
        .where(and(eq(depositBlocks.id, block.id), isNull(depositBlocks.liftedAt)));
      await tx
        .update(mints)
        .set({ nextAt: at })
        .where(and(eq(mints.depositId, row.id), inArray(mints.state, ['queued', 'signed', 'sent'])));
    }
    const [after] = await tx
      .update(deposits)
      .set({ version: sql`${deposits.version} + 1`, updatedAt: at })
      .where(eq(deposits.id, row.id))
      .returning();
    if (!after) throw moneyRefusal('CHANGED', { id: row.id });
    note({ entity: 'deposit', id: row.id, before: depositState(row), after: { ...depositState(after), reason, missing } });
    return presentDeposit(context, tx, after);
  }),
);
