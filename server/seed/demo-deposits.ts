import { eq } from 'drizzle-orm';
import { satoshiToWei } from '../../api/money.ts';
import { depositHash } from '../../chain/deposit-hash.ts';
import { deploymentOf } from '../mints/deployment.ts';
import { createDevDeposits } from '../dev/shared/demo-bitcoin.ts';
import type { Services } from '../platform/services/context.ts';
import { newId } from '../platform/core/ids.ts';
import { deposits } from '../deposits/tables.ts';
import { mints } from '../mints/tables.ts';
import { withdrawals } from '../withdrawals/tables.ts';
import { administrators } from '../platform/auth/tables.ts';

const hourMs = 3_600_000;

/** The pipeline mints the confirmed ones. Withdrawals are recorded only. */
export async function seedDemoDeposits({ database, config, now }: Services): Promise<void> {
  const { bitcoinNetwork: network, evm } = config;
  await database.db.transaction(async (tx) => {
    const [existingDeposit] = await tx.select({ id: deposits.id }).from(deposits).limit(1);
    if (existingDeposit) return;
    const readAdministratorId = async (email: string) =>
      (await tx.select({ id: administrators.id }).from(administrators).where(eq(administrators.email, email)))[0]?.id ?? null;
    const operatorId = await readAdministratorId('operator@demo.local');
    const approver = await readAdministratorId('approver@demo.local');
    for (const { confirmed, hoursAgo, back, seen: _, ...fields } of createDevDeposits(network)) {
      const createdAt = new Date(now() - hoursAgo * hourMs);
      const id = newId(createdAt.getTime());
      const timestamps = { createdAt, updatedAt: createdAt };
      const isConfirmedOnChain = confirmed && evm;
      await tx.insert(deposits).values({
        ...fields,
        ...timestamps,
        id,
        network,
        createdBy: operatorId,
        modifiedBy: operatorId,
        modifiedEmail: 'operator@demo.local',
        ...(isConfirmedOnChain
          ? {
              status: 'confirmed',
              mintStatus: 'queued',
              withdrawStatus: back?.status === 'todo' ? 'requested' : 'default',
              confirmedBy: approver,
              confirmedAt: new Date(createdAt.getTime() + hourMs),
            }
          : {}),
      });
      if (!isConfirmedOnChain) continue;
      await tx.insert(mints).values({
        id: newId(),
        depositId: id,
        depositHash: depositHash(network, fields.txid, fields.vout),
        ...deploymentOf(evm),
        recipient: fields.userAddress,
        amount: satoshiToWei(fields.amount),
        state: 'queued',
        nextAt: new Date(now()),
        ...timestamps,
      });
      if (!back) continue;
      const { userAddress: address, amount, txid } = fields;
      const recordedAt = new Date(createdAt.getTime() + 2 * hourMs);
      const withdrawalTimestamps = { createdAt: recordedAt, updatedAt: recordedAt };
      await tx
        .insert(withdrawals)
        .values({ ...back, ...withdrawalTimestamps, id: newId(), depositId: id, address, amount, txid, createdBy: operatorId });
    }
  });
}
