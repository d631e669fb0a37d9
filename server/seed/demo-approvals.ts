import { and, eq, inArray, isNull } from 'drizzle-orm';
import { signMint } from '../authority/shared/mint-approval.ts';
import { readAuthorsOfDeposit } from '../deposits/authors.ts';
import { createMintClaim } from '../deposits/mint-signature.ts';
import { deposits } from '../deposits/tables.ts';
import { administrators } from '../platform/auth/tables.ts';
import type { Services } from '../platform/services/context.ts';

/** With the demo approver's software key. */
export async function signDemoMints(services: Services): Promise<void> {
  const { config, database } = services;
  if (!config.demo || !config.evm || config.authorityGenesis !== null) return;
  const unsignedDeposits = await database.db
    .select({ deposit: deposits, email: administrators.email, person: administrators.id })
    .from(deposits)
    .innerJoin(administrators, eq(administrators.id, deposits.confirmedBy))
    .where(
      and(
        eq(deposits.status, 'confirmed'),
        inArray(deposits.mintStatus, ['queued', 'sent']),
        isNull(deposits.statement),
        eq(administrators.demo, true),
      ),
    );
  for (const { deposit, email: name, person } of unsignedDeposits)
    await database.db.transaction(async (tx) => {
      const authors = await readAuthorsOfDeposit(tx, deposit);
      const mintClaim = createMintClaim(config, deposit, authors);
      if (!mintClaim || authors.has(person)) return;
      const { statement } = await signMint(tx, services, mintClaim, null, { person, name }, null);
      await tx.update(deposits).set({ statement }).where(eq(deposits.id, deposit.id));
    });
}
