import { eq, sql } from 'drizzle-orm';
import { recoverTransactionAddress, type Address, type Hex, type TransactionSerializedEIP1559 } from 'viem';
import type { DepositRow } from '../../api/deposits/contract.ts';
import { ybtcAbi } from '../../chain/abi/ybtc.ts';
import type { EvmConfig } from '../platform/core/config.ts';
import { actorOf, type RequestContext } from '../platform/core/context.ts';
import type { Queries, Tx } from '../platform/db/db.ts';
import { failure } from '../platform/core/errors.ts';
import { describeError } from '../platform/core/log.ts';
import { chainReader } from '../platform/evm/read.ts';
import { on } from '../platform/http/router.ts';
import { lockRow } from '../platform/records/versions.ts';
import { unchanged, write } from '../platform/records/write.ts';
import { deposits, mints, mintTransactions } from './tables.ts';
import { cancelDeposit, signCancelled } from './mint-signature.ts';
import { refuse } from './mint-policy.ts';
import type { Mint } from './mints.ts';
import { presentDeposits, recordOf, type Deposit } from './rows.ts';

/** The ways out of a mint: before it is signed, and after it failed. Neither makes a second mint possible. */
export const mintStops = {
  cancelMint: on.deposits.cancelMint.handler(({ input, context }) =>
    write(context, input, async (tx, note) => {
      const { reason, ...item } = input;
      const mint = await lockMint(tx, input.id);
      const before = await lockRow(tx, deposits, item, recordOf);
      if (mint?.state !== 'queued') throw refuse('SIGNED', { id: input.id });
      const cancelled = await cancelDeposit(context, tx, before, reason);
      const after = await stop(context, tx, mint, 'cancelled', { problem: 'CANCELLED', details: reason });
      note({ entity: 'deposit', id: after.id, before: recordOf(before), after: { ...recordOf(after), reason } });
      return { ...(await presentOne(context, tx, after)), ...cancelled };
    }),
  ),

  signCancel: on.deposits.signCancel.handler(({ input: { id, signed }, context }) =>
    write(context, { id, signed }, async (tx, note) => {
      const [row] = await tx.select().from(deposits).where(eq(deposits.id, id));
      if (!row) throw failure('NOT_FOUND');
      const { isNew, number } = await signCancelled(context, tx, row, signed);
      const answer = await presentOne(context, tx, row);
      if (!isNew) return unchanged(answer);
      note({ entity: 'statement', id: signed.statement, after: { number, kind: 'mint.cancel' } });
      return answer;
    }),
  ),

  closeFailed: on.deposits.closeFailed.handler(async ({ input, context }) => {
    const { evm } = context.services.config;
    // The chain is asked before anything is locked, and its answer used only for the mint that still is as it was then.
    const [asked] = await context.db.select().from(mints).where(eq(mints.depositId, input.id));
    const outcome = asked && isStopped(asked) ? await outcomeOf(context, evm, asked) : null;
    return write(context, input, async (tx, note) => {
      const { reason, ...item } = input;
      const mint = await lockMint(tx, input.id);
      const before = await lockRow(tx, deposits, item, recordOf);
      if (!mint || !isStopped(mint)) throw refuse('NOT_CLOSABLE', { id: input.id });
      if (before.confirmedBy === actorOf(context).id) throw refuse('CONFIRMED_BY_YOU', { id: input.id });
      if (outcome === null || asked?.updatedAt.getTime() !== mint.updatedAt.getTime()) throw refuse('CHANGED', { id: input.id });
      if (outcome !== 'never') throw refuse(outcome, { id: input.id });
      const after = await stop(context, tx, mint, 'closed', { problem: 'CLOSED', details: reason });
      note({ entity: 'deposit', id: after.id, before: recordOf(before), after: { ...recordOf(after), reason } });
      return presentOne(context, tx, after);
    });
  }),
};

const isStopped = ({ state }: Mint) => state === 'failed' || state === 'cancelled';

/** The mint before its deposit, as the pipeline locks them. */
async function lockMint(tx: Tx, depositId: string): Promise<Mint | null> {
  const [mint] = await tx.select().from(mints).where(eq(mints.depositId, depositId)).for('update');
  return mint ?? null;
}

async function stop(
  { services }: RequestContext,
  tx: Tx,
  mint: Mint,
  state: 'cancelled' | 'closed',
  why: Pick<Mint, 'problem' | 'details'>,
): Promise<Deposit> {
  const updatedAt = new Date(services.now());
  await tx
    .update(mints)
    .set({ state, leasedUntil: null, updatedAt, ...why })
    .where(eq(mints.id, mint.id));
  const [after] = await tx
    .update(deposits)
    .set({ mintStatus: state, version: sql`${deposits.version} + 1`, updatedAt })
    .where(eq(deposits.id, mint.depositId))
    .returning();
  if (!after) throw failure('NOT_FOUND');
  return after;
}

async function presentOne(context: RequestContext, tx: Queries, row: Deposit): Promise<DepositRow> {
  const [shown] = await presentDeposits(context, tx, [row]);
  if (!shown) throw failure('NOT_FOUND');
  return shown;
}

/**
 * Whether a mint that was given up can still come: 'never' only when the contract, now and at a settled block, has minted nothing
 * for it and the nonce of everything that was ever signed for it is used up at that block. 'CHAIN': it could not be asked.
 */
async function outcomeOf(
  context: RequestContext,
  evm: EvmConfig | null,
  mint: Mint,
): Promise<'never' | 'MINTED' | 'MAY_MINT' | 'CHAIN'> {
  if (!evm || evm.chainId !== mint.chainId || evm.contracts.ybtc !== mint.token) return 'CHAIN';
  const signed = await context.db.select().from(mintTransactions).where(eq(mintTransactions.mintId, mint.id));
  try {
    const client = await chainReader(evm).client();
    const head = await client.getBlockNumber();
    if (head < evm.mintDepth) return 'CHAIN';
    const settled = { blockNumber: head - evm.mintDepth };
    const token = { address: mint.token as Address, abi: ybtcAbi } as const;
    const args = [mint.depositHash as Hex] as const;
    const minted = await Promise.all([
      client.readContract({ ...token, functionName: 'mintedFor', args, ...settled }),
      client.readContract({ ...token, functionName: 'mintedFor', args }),
    ]);
    if (minted.some((amount) => amount !== 0n)) return 'MINTED';
    const nonces = new Map<Address, number>();
    for (const { raw, nonce } of signed) {
      const serializedTransaction = raw as TransactionSerializedEIP1559;
      const address = await recoverTransactionAddress({ serializedTransaction });
      nonces.set(address, Math.max(nonces.get(address) ?? 0, nonce));
    }
    for (const [address, nonce] of nonces)
      if ((await client.getTransactionCount({ address, ...settled })) <= nonce) return 'MAY_MINT';
    return 'never';
  } catch (error) {
    context.services.log.info(
      { mint: mint.id, err: describeError(error).message },
      'could not check the chain before closing a deposit',
    );
    return 'CHAIN';
  }
}
