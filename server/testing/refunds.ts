import { encodeFunctionData, type Address } from 'viem';
import { weiOfSatoshi } from '../../api/money.ts';
import { custodyBridgeAbi } from '../../chain/abi/custody-bridge.ts';
import { ybtcAbi } from '../../chain/abi/ybtc.ts';
import { devnetAccounts, devnetContracts } from '../../chain/deploy.ts';
import type { TestChain } from '../../chain/test-chain.ts';
import { deposits } from '../deposits/tables.ts';
import { newId } from '../platform/core/ids.ts';
import type { Queries } from '../platform/db/db.ts';
import { refundIntents, withdrawals } from '../withdrawals/tables.ts';

const { custodyBridge: bridge, ybtc } = devnetContracts;

/** Gives each of these accounts 1,000 YBTC that the bridge may take. */
export async function fund(chain: TestChain, accounts: readonly Parameters<TestChain['as']>[0][]): Promise<void> {
  const amount = weiOfSatoshi(100_000_000_000n);
  for (const [index, account] of accounts.entries()) {
    const mint = { address: ybtc, abi: ybtcAbi, functionName: 'mint' } as const;
    const to = (account as { address: Address }).address;
    await chain.as(devnetAccounts.minter).writeContract({ ...mint, args: [`0x${'ab'.repeat(31)}0${index}`, to, amount] });
    await chain.as(account).writeContract({ address: ybtc, abi: ybtcAbi, functionName: 'approve', args: [bridge, amount] });
  }
}

interface Withdrawal {
  id: string;
  depositId: string;
  txid: string;
  address: string;
  receiver: string;
  amount: bigint;
}

/** A minted deposit and its withdrawal, which no wallet was asked for yet. */
export async function insertWithdrawal(db: Queries, given: Omit<Withdrawal, 'id' | 'depositId'>, now: Date): Promise<Withdrawal> {
  const { txid, address, receiver, amount } = given;
  const at = { createdAt: now, updatedAt: now };
  const [depositId, id] = [newId(), newId()];
  await db.insert(deposits).values({
    id: depositId,
    userAddress: address,
    amount,
    coboAddress: receiver,
    network: 'regtest',
    txid,
    vout: 0,
    status: 'confirmed',
    mintStatus: 'done',
    withdrawStatus: 'requested',
    modifiedEmail: 'a@b.c',
    ...at,
  });
  await db.insert(withdrawals).values({ id, depositId, address, amount, receiver, txid, ...at });
  return { id, depositId, ...given };
}

/** What a wallet was asked to sign for it: the request of its refund. */
export async function insertIntent(
  db: Queries,
  { id, depositId, txid, address, receiver, amount }: Withdrawal,
  now: Date,
): Promise<void> {
  const args = [`0x${txid}`, receiver, weiOfSatoshi(amount)] as const;
  await db.insert(refundIntents).values({
    id: newId(),
    withdrawalId: id,
    depositId,
    action: 'request',
    chainId: 31_337,
    from: address,
    to: bridge,
    data: encodeFunctionData({ abi: custodyBridgeAbi, functionName: 'requestRefund', args }),
    receiver,
    amount,
    administratorEmail: 'a@b.c',
    createdAt: now,
  });
}
