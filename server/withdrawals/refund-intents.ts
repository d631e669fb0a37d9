import { eq } from 'drizzle-orm';
import { encodeFunctionData, type Hex } from 'viem';
import { satoshiToWei } from '../../api/money.ts';
import type { RefundCall } from '../../api/withdrawals/contract.ts';
import { custodyBridgeAbi } from '../../chain/abi/custody-bridge.ts';
import { deposits } from '../deposits/tables.ts';
import type { EvmConfig } from '../platform/core/config.ts';
import { requirePerson, type RequestContext } from '../platform/services/context.ts';
import type { Tx } from '../platform/db/db.ts';
import { newId } from '../platform/core/ids.ts';
import { refundIntents, type Withdrawal } from './tables.ts';

type RefundAction = 'request' | 'confirm';

/** Recorded before the wallet is asked. The page builds the same call and compares. */
export async function writeIntent(
  tx: Tx,
  context: RequestContext,
  evm: EvmConfig,
  row: Withdrawal,
  action: RefundAction,
): Promise<RefundCall> {
  const { id, email } = requirePerson(context);
  const call = createRefundCall(evm, row, action);
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

export const createRefundCall = (evm: EvmConfig, row: Withdrawal, action: RefundAction): RefundCall & { readonly data: Hex } => ({
  chainId: evm.chainId,
  from: row.address,
  to: evm.contracts.custodyBridge,
  data: encodeCall(row, action),
});

/** Null: the withdrawal disagrees with its deposit, as after a manual change of rows. */
export async function readMatchingDeposit(tx: Tx, row: Withdrawal): Promise<typeof deposits.$inferSelect | null> {
  const [deposit] = await tx.select().from(deposits).where(eq(deposits.id, row.depositId)).for('share');
  return deposit?.txid === row.txid && deposit.userAddress === row.address && deposit.amount === row.amount ? deposit : null;
}

function encodeCall(row: Withdrawal, action: RefundAction): Hex {
  if (action === 'request')
    return encodeFunctionData({
      abi: custodyBridgeAbi,
      functionName: 'requestRefund',
      args: [`0x${row.txid}`, row.receiver, satoshiToWei(row.amount)],
    });
  if (row.nonce === null) throw new Error('the refund has no nonce yet');
  return encodeFunctionData({ abi: custodyBridgeAbi, functionName: 'confirmRefund', args: [BigInt(row.nonce)] });
}
