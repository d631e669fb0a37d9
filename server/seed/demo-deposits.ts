import { eq } from 'drizzle-orm';
import { weiOfSatoshi } from '../../api/money.ts';
import { depositHash } from '../../chain/deposit-hash.ts';
import { deploymentOf } from '../mints/deployment.ts';
import { devDeposits } from '../dev/shared/demo-bitcoin.ts';
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
    const [some] = await tx.select({ id: deposits.id }).from(deposits).limit(1);
    if (some) return;
    const idOf = async (email: string) =>
      (await tx.select({ id: administrators.id }).from(administrators).where(eq(administrators.email, email)))[0]?.id ?? null;
    const operator = await idOf('operator@demo.local');
    const approver = await idOf('approver@demo.local');
    for (const { confirmed, hoursAgo, back, seen: _, ...fields } of devDeposits(network)) {
      const at = new Date(now() - hoursAgo * hourMs);
      const id = newId(at.getTime());
      const times = { createdAt: at, updatedAt: at };
      const isConfirmed = confirmed && evm;
      await tx.insert(deposits).values({
        ...fields,
        ...times,
        id,
        network,
        createdBy: operator,
        modifiedBy: operator,
        modifiedEmail: 'operator@demo.local',
        ...(isConfirmed
          ? {
              status: 'confirmed',
              mintStatus: 'queued',
              withdrawStatus: back?.status === 'todo' ? 'requested' : 'default',
              confirmedBy: approver,
              confirmedAt: new Date(at.getTime() + hourMs),
            }
          : {}),
      });
      if (!isConfirmed) continue;
      await tx.insert(mints).values({
        id: newId(),
        depositId: id,
        depositHash: depositHash(network, fields.txid, fields.vout),
        ...deploymentOf(evm),
        recipient: fields.userAddress,
        amount: weiOfSatoshi(fields.amount),
        state: 'queued',
        nextAt: new Date(now()),
        ...times,
      });
      if (!back) continue;
      const { userAddress: address, amount, txid } = fields;
      const recorded = new Date(at.getTime() + 2 * hourMs);
      const since = { createdAt: recorded, updatedAt: recorded };
      await tx
        .insert(withdrawals)
        .values({ ...back, ...since, id: newId(), depositId: id, address, amount, txid, createdBy: operator });
    }
  });
}
