import { eq, sql } from 'drizzle-orm';
import type { Address, Hex } from 'viem';
import { ybtcAbi } from '../../chain/abi/ybtc.ts';
import type { EvmConfig } from '../platform/core/config.ts';
import { requirePerson, type RequestContext } from '../platform/services/context.ts';
import type { Tx } from '../platform/db/db.ts';
import { createAppError } from '../platform/core/errors.ts';
import { recoverSigner } from '../platform/evm/mint.ts';
import { readAgreed, openNodes } from '../platform/evm/read.ts';
import { describeRpcError } from '../platform/evm/rpc-problem.ts';
import { guardedApi } from '../platform/http/router.ts';
import { lockRow } from '../platform/records/versions.ts';
import { asUnmodified, writeOnce } from '../platform/records/write.ts';
import { deposits } from './tables.ts';
import { mints, mintTransactions } from '../mints/tables.ts';
import { cancelDeposit, signCanceled } from './mint-signature.ts';
import { createMoneyRefusal } from './mint-policy.ts';
import type { Mint } from '../mints/mints.ts';
import { presentDeposit, depositState, type Deposit } from './rows.ts';

/** Ends a mint before signing or after failure. Neither allows a second mint. */
export const mintStops = {
  cancelMint: guardedApi.deposits.cancelMint.handler(({ input, context }) =>
    writeOnce(context, input, async (tx, recordAudit) => {
      const { reason, ...item } = input;
      const mint = await lockMint(tx, input.id);
      const previousDeposit = await lockRow(tx, deposits, item, depositState);
      if (mint?.state !== 'queued') throw createMoneyRefusal('SIGNED', { id: input.id });
      const cancellation = await cancelDeposit(context, tx, previousDeposit, reason);
      const updatedDeposit = await stopMint(context, tx, mint, 'canceled', { problem: 'CANCELED', details: reason });
      recordAudit({
        entity: 'deposit',
        id: updatedDeposit.id,
        before: depositState(previousDeposit),
        after: { ...depositState(updatedDeposit), reason },
      });
      return { ...(await presentDeposit(context, tx, updatedDeposit)), ...cancellation };
    }),
  ),

  signCancel: guardedApi.deposits.signCancel.handler(({ input: { id, signed }, context }) =>
    writeOnce(context, { id, signed }, async (tx, recordAudit) => {
      const [row] = await tx.select().from(deposits).where(eq(deposits.id, id));
      if (!row) throw createAppError('NOT_FOUND');
      const { isNew, number } = await signCanceled(context, tx, row, signed);
      const presentedDeposit = await presentDeposit(context, tx, row);
      if (!isNew) return asUnmodified(presentedDeposit);
      recordAudit({ entity: 'statement', id: signed.statement, after: { number, kind: 'mint.cancel' } });
      return presentedDeposit;
    }),
  ),

  closeFailed: guardedApi.deposits.closeFailed.handler(async ({ input, context }) => {
    const { evm } = context.services.config;
    // Asks the chain before locking. The answer counts only if the mint has not changed since.
    const [mintBeforeLock] = await context.db.select().from(mints).where(eq(mints.depositId, input.id));
    const outcome =
      mintBeforeLock && isFailedOrCanceled(mintBeforeLock) ? await readMintOutcome(context, evm, mintBeforeLock) : null;
    return writeOnce(context, input, async (tx, recordAudit) => {
      const { reason, ...item } = input;
      const mint = await lockMint(tx, input.id);
      const previousDeposit = await lockRow(tx, deposits, item, depositState);
      if (!mint || !isFailedOrCanceled(mint)) throw createMoneyRefusal('NOT_CLOSABLE', { id: input.id });
      if (previousDeposit.confirmedBy === requirePerson(context).id)
        throw createMoneyRefusal('CONFIRMED_BY_YOU', { id: input.id });
      if (outcome === null || mintBeforeLock?.updatedAt.getTime() !== mint.updatedAt.getTime())
        throw createMoneyRefusal('CHANGED', { id: input.id });
      if (outcome !== 'never') throw createMoneyRefusal(outcome, { id: input.id });
      const updatedDeposit = await stopMint(context, tx, mint, 'closed', { problem: 'CLOSED', details: reason });
      recordAudit({
        entity: 'deposit',
        id: updatedDeposit.id,
        before: depositState(previousDeposit),
        after: { ...depositState(updatedDeposit), reason },
      });
      return presentDeposit(context, tx, updatedDeposit);
    });
  }),
};

const isFailedOrCanceled = ({ state }: Mint) => state === 'failed' || state === 'canceled';

/** The pipeline locks in the same order: mint, then deposit. */
async function lockMint(tx: Tx, depositId: string): Promise<Mint | null> {
  const [mint] = await tx.select().from(mints).where(eq(mints.depositId, depositId)).for('update');
  return mint ?? null;
}

async function stopMint(
  { services }: RequestContext,
  tx: Tx,
  mint: Mint,
  state: 'canceled' | 'closed',
  problemFields: Pick<Mint, 'problem' | 'details'>,
): Promise<Deposit> {
  const updatedAt = new Date(services.now());
  await tx
    .update(mints)
    .set({ state, leasedUntil: null, updatedAt, ...problemFields })
    .where(eq(mints.id, mint.id));
  const [updatedMint] = await tx
    .update(deposits)
    .set({ mintStatus: state, version: sql`${deposits.version} + 1`, updatedAt })
    .where(eq(deposits.id, mint.depositId))
    .returning();
  if (!updatedMint) throw createAppError('NOT_FOUND');
  return updatedMint;
}

/**
 * 'never' requires that every node shows no mint, now and at a settled block, and that the nonces of all signed transactions are
 * used there. 'CHAIN': no answer, or nodes disagree.
 */
async function readMintOutcome(
  context: RequestContext,
  evm: EvmConfig | null,
  mint: Mint,
): Promise<'never' | 'MINTED' | 'MAY_MINT' | 'CHAIN'> {
  if (!evm || evm.chainId !== mint.chainId || evm.contracts.ybtc !== mint.token) return 'CHAIN';
  const signedTransactions = await context.db.select().from(mintTransactions).where(eq(mintTransactions.mintId, mint.id));
  try {
    const nodes = openNodes(evm, { signal: context.services.stopping });
    const mintedForCall = {
      address: mint.token as Address,
      abi: ybtcAbi,
      functionName: 'mintedFor',
      args: [mint.depositHash as Hex],
    } as const;
    const nonces = new Map<Address, number>();
    for (const { raw, nonce } of signedTransactions) {
      const address = await recoverSigner(raw);
      if (address === null) return 'MAY_MINT';
      nonces.set(address, Math.max(nonces.get(address) ?? 0, nonce));
    }
    const settledFigures = await readAgreed(nodes, evm.mintDepth, async (client, blockNumber) => ({
      'the minted amount': await client.readContract({ ...mintedForCall, blockNumber }),
      ...Object.fromEntries(
        await Promise.all(
          [...nonces.keys()].map(
            async (address) => [address, await client.getTransactionCount({ address, blockNumber })] as const,
          ),
        ),
      ),
    }));
    const newestFigures = await readAgreed(nodes, 0n, async (client, blockNumber) => ({
      'the minted amount': await client.readContract({ ...mintedForCall, blockNumber }),
    }));
    if (!settledFigures || !newestFigures) return 'CHAIN';
    if ([settledFigures, newestFigures].some(({ figures }) => figures['the minted amount'] !== 0n)) return 'MINTED';
    const usedNonces: Readonly<Record<string, number | bigint>> = settledFigures.figures;
    return [...nonces].every(([address, nonce]) => (usedNonces[address] ?? 0) > nonce) ? 'never' : 'MAY_MINT';
  } catch (error) {
    context.services.log.info(
      { mint: mint.id, err: describeRpcError(error) },
      'could not check the chain before closing a deposit',
    );
    return 'CHAIN';
  }
}
