import { and, desc, inArray } from 'drizzle-orm';
import type { Hex } from 'viem';
import { runEvery } from '../platform/services/run-every.ts';
import { describeRpcError } from '../platform/evm/rpc-problem.ts';
import { mints } from './tables.ts';
import { isOfDeployment } from './deployment.ts';
import { transitionTo, resendFinalMint, readExternalMint, readOwnMint, stepMints, type Mint, type MintContext } from './mints.ts';

const pollMs = 1_000;
const recheckMs = 60_000;

/** A separate loop, so that neither delays the other. */
export function startMints(mintContext: MintContext): () => Promise<void> {
  const { services } = mintContext;
  let nextRecheckAt: number | null = null; // monotonic, so that a clock jump postpones nothing
  const stopStepping = runEvery(services, pollMs, 'minting', () => stepMints(mintContext));
  const stopRechecking = runEvery(services, pollMs, 'checking mints', async () => {
    if ((nextRecheckAt !== null && performance.now() < nextRecheckAt) || (await mintContext.readClockHalt?.())) return;
    const max = nextRecheckAt === null ? 1000 : 20;
    nextRecheckAt = performance.now() + recheckMs;
    await recheckFinalMints(mintContext, max);
    await adoptMintedFailures(mintContext, max);
  });
  return async () => {
    await stopRechecking();
    await stopStepping();
  };
}

/**
 * Resends with the same bytes what a deep reorganization removed. A missing receipt alone proves
 * nothing. Returns the count.
 */
export async function recheckFinalMints(mintContext: MintContext, max: number): Promise<number> {
  let lostCount = 0;
  await forEachMint(mintContext, ['final'], max, async (mint) => {
    if (await isStillMinted(mintContext, mint)) return;
    mintContext.services.log.error({ mint: mint.id, hash: mint.hash }, 'a final mint is no longer on chain, sending it again');
    await resendFinalMint(mintContext, mint);
    lostCount++;
  });
  return lostCount;
}

/**
 * Adopts failed and canceled mints that are on chain after all, canceled ones only through a transaction that was signed before.
 */
export async function adoptMintedFailures(mintContext: MintContext, max: number): Promise<void> {
  await forEachMint(mintContext, ['failed', 'canceled'], max, async (mint) => {
    if ((await mintContext.chain.minted(mint.depositHash as Hex, mintContext.depth)) !== mint.amount) return;
    const ownMintReceipt = await readOwnMint(mintContext, mint);
    if (ownMintReceipt) return transitionTo(mintContext, mint, mint.state === 'canceled' ? 'final' : 'mined', ownMintReceipt);
    if (mint.state === 'canceled') return;
    const externalMintResult = await readExternalMint(mintContext, mint);
    if (externalMintResult !== null && typeof externalMintResult === 'object')
      await transitionTo(mintContext, mint, 'mined', externalMintResult);
  });
}

/** Also checks unsettled blocks, more than once, because a reorganized chain can include it again. */
async function isStillMinted({ chain, depth }: MintContext, { depositHash, amount }: Mint): Promise<boolean> {
  for (const blocks of [depth, 0n, 0n]) if ((await chain.minted(depositHash as Hex, blocks)) === amount) return true;
  return false;
}

/** One failure does not stop the rest, unless the node cannot return its head. */
async function forEachMint(
  mintContext: MintContext,
  states: Mint['state'][],
  max: number,
  processMint: (mint: Mint) => Promise<void>,
) {
  const { services, chain } = mintContext;
  const mintRows = await services.database.db
    .select()
    .from(mints)
    .where(and(isOfDeployment(chain), inArray(mints.state, states)))
    .orderBy(desc(mints.updatedAt), desc(mints.id))
    .limit(max);
  let failureCount = 0;
  for (const mint of mintRows.reverse()) {
    if (mintContext.signal?.aborted) return;
    try {
      await processMint(mint);
      failureCount = 0;
    } catch (error) {
      services.log.warn(
        { mint: mint.id, state: mint.state, err: describeRpcError(error) },
        'could not process a mint, will retry',
      );
      if (++failureCount % 5 === 0) await chain.head();
    }
  }
}
