import { eq } from 'drizzle-orm';
import { encodeFunctionData, type Hex } from 'viem';
import { weiOfSatoshi } from '../../api/money.ts';
import type { RefundCall } from '../../api/withdrawals/contract.ts';
import { custodyBridgeAbi } from '../../chain/abi/custody-bridge.ts';
import { deposits } from '../deposits/tables.ts';
import type { EvmConfig } from '../platform/core/config.ts';
import { requirePerson, type RequestContext } from '../platform/services/context.ts';
import type { Tx } from '../platform/db/db.ts';
import { newId } from '../platform/core/ids.ts';
import { refundIntents, type Withdrawal } from './tables.ts';

type Action = 'request' | 'confirm';

/** Recorded before the wallet is asked. The page builds the same call and compares. */
export async function writeIntent(
  tx: Tx,
  context: RequestContext,
  evm: EvmConfig,
  row: Withdrawal,
  action: Action,
): Promise<RefundCall> {
  const { id, email } = requirePerson(context);
  const call = callOf(evm, row, action);
  await tx.insert(refundIntents).values({
    id: newId(),
    withdrawalId: row.id,
    depositId: row.depositId,
    action,
    ...call,
    receiver: row.receiver,
    amount: row.amount,
    administratorId: id,
    administratorEmail: email,
    createdAt: new Date(context.services.now()),
  });
  return call;
}

export const callOf = (evm: EvmConfig, row: Withdrawal, action: Action): RefundCall & { readonly data: Hex } => ({
  chainId: evm.chainId,
  from: row.address,
  to: evm.contracts.custodyBridge,
  data: dataOf(row, action),
});

/** Null: the withdrawal disagrees with its deposit, as after a manual change of rows. */
export async function depositOf(tx: Tx, row: Withdrawal): Promise<typeof deposits.$inferSelect | null> {
  const [deposit] = await tx.select().from(deposits).where(eq(deposits.id, row.depositId)).for('share');
  return deposit?.txid === row.txid && deposit.userAddress === row.address && deposit.amount === row.amount ? deposit : null;
}

function dataOf(row: Withdrawal, action: Action): Hex {
  if (action === 'request')
    return encodeFunctionData({
      abi: custodyBridgeAbi,
      functionName: 'requestRefund',
      args: [`0x${row.txid}`, row.receiver, weiOfSatoshi(row.amount)],
    });
  if (row.nonce === null) throw new Error('the refund has no nonce yet');
  return encodeFunctionData({ abi: custodyBridgeAbi, functionName: 'confirmRefund', args: [BigInt(row.nonce)] });
}
