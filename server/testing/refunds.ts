import { encodeFunctionData, type Address } from 'viem';
import { satoshiToWei } from '../../api/money.ts';
import { custodyBridgeAbi } from '../../chain/abi/custody-bridge.ts';
import { ybtcAbi } from '../../chain/abi/ybtc.ts';
import { devnetAccounts, devnetContracts } from '../../chain/deploy.ts';
import type { TestChain } from '../../chain/test-chain.ts';
import { eq } from 'drizzle-orm';
import { createDevelopmentLog } from '../authority/development.ts';
import { deposits } from '../deposits/tables.ts';
import { administrators } from '../platform/auth/tables.ts';
import type { RequestContext, Services } from '../platform/services/context.ts';
import { newId } from '../platform/core/ids.ts';
import type { Queries } from '../platform/db/db.ts';
import { readWithdrawalAuthors } from '../withdrawals/authors.ts';
import { signWithdrawal } from '../withdrawals/refund-approval.ts';
import { refundIntents, withdrawals } from '../withdrawals/tables.ts';
import { createStore } from '../../testing/factories/store.ts';

const { custodyBridge: bridge, ybtc } = devnetContracts;

/** 1,000 YBTC each, approved for the bridge. */
export async function fundAccount(chain: TestChain, accounts: readonly Parameters<TestChain['as']>[0][]): Promise<void> {
  const amount = satoshiToWei(100_000_000_000n);
  for (const [index, account] of accounts.entries()) {
    const mint = { address: ybtc, abi: ybtcAbi, functionName: 'mint' } as const;
    const recipient = (account as { address: Address }).address;
    await chain.as(devnetAccounts.minter).writeContract({ ...mint, args: [`0x${'ab'.repeat(31)}0${index}`, recipient, amount] });
    await chain.as(account).writeContract({ address: ybtc, abi: ybtcAbi, functionName: 'approve', args: [bridge, amount] });
  }
}

/** Each account is an institution with payout addresses. */
export const beginRefundLog = (
  services: Services,
  payoutsByReceiver: Readonly<Record<string, readonly string[]>>,
): Promise<void> =>
  createDevelopmentLog(services, {
    custody: [],
    receivers: Object.entries(payoutsByReceiver).map(([address, payoutAddress], index) => ({
      address,
      institution: `Institution ${'ABCDEFG'.charAt(index)}`,
      custody: [],
      payout: [...payoutAddress],
    })),
  });

export async function createContextOf(services: Services, email: string): Promise<RequestContext> {
  const { db } = services.database;
  const [foundRow] = await db.select().from(administrators).where(eq(administrators.email, email));
  if (!foundRow) throw new Error(`nobody is ${email}`);
  const actor = { kind: 'person', id: foundRow.id, email, sessionId: '', granted: new Set<string>() };
  return { services, db, log: services.log, ip: '127.0.0.1', actor } as unknown as RequestContext;
}

export async function signRefundById(services: Services, id: string, email = 'approver@demo.local'): Promise<void> {
  const { evm } = services.config;
  if (!evm) throw new Error('there is no chain');
  const context = await createContextOf(services, email);
  await services.database.db.transaction(async (tx) => {
    const [foundRow] = await tx
      .select()
      .from(withdrawals)
      .innerJoin(deposits, eq(deposits.id, withdrawals.depositId))
      .where(eq(withdrawals.id, id));
    if (!foundRow) throw new Error('no such withdrawal');
    const { withdrawals: row, deposits: deposit } = foundRow;
    const withdrawalAuthors = (await readWithdrawalAuthors(tx, [row]))(row);
    const firstNonce = row.firstNonce ?? 0;
    const { statement } = await signWithdrawal(context, tx, { evm, row, deposit, authors: withdrawalAuthors, firstNonce }, null);
    await tx.update(withdrawals).set({ statement, firstNonce }).where(eq(withdrawals.id, id));
  });
}

interface Withdrawal {
  id: string;
  depositId: string;
  txid: string;
  address: string;
  receiver: string;
  amount: bigint;
}

export async function insertWithdrawal(
  db: Queries,
  withdrawalFields: Omit<Withdrawal, 'id' | 'depositId'>,
  createdAt: Date,
): Promise<Withdrawal> {
  const { txid, address, receiver, amount } = withdrawalFields;
  const store = createStore(db);
  const deposit = await store.deposit({
    userAddress: address,
    amount,
    txid,
    status: 'confirmed',
    mintStatus: 'done',
    withdrawStatus: 'requested',
    createdAt,
  });
  const { id, depositId } = await store.withdrawal(deposit, { receiver });
  return { id, depositId, ...withdrawalFields };
}

export async function insertIntent(
  db: Queries,
  { id, depositId, txid, address, receiver, amount }: Withdrawal,
  createdAt: Date,
): Promise<void> {
  const args = [`0x${txid}`, receiver, satoshiToWei(amount)] as const;
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
    createdAt,
  });
}
