import { and, desc, inArray } from 'drizzle-orm';
import type { Hex } from 'viem';
import { runEvery } from '../platform/services/run-every.ts';
import { describeRpcError } from '../platform/evm/rpc-problem.ts';
import { mints } from './tables.ts';
import { forDeployment } from './deployment.ts';
import { transitionTo, resend, externalMint, ownMint, stepMints, type Mint, type MintWork } from './mints.ts';

const pollMs = 1_000;
const recheckMs = 60_000;

/** A separate loop, so that neither delays the other. */
export function startMints(work: MintWork): () => Promise<void> {
  const { services } = work;
  let recheckAt: number | null = null; // monotonic, so that a clock jump postpones nothing
  const stopStepping = runEvery(services, pollMs, 'minting', () => stepMints(work));
  const stopRechecking = runEvery(services, pollMs, 'checking mints', async () => {
    if ((recheckAt !== null && performance.now() < recheckAt) || (await work.halted?.())) return;
    const max = recheckAt === null ? 1000 : 20;
    recheckAt = performance.now() + recheckMs;
    await recheckFinalMints(work, max);
    await adoptMintedFailures(work, max);
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
export async function recheckFinalMints(work: MintWork, max: number): Promise<number> {
  let lost = 0;
  await forEachMint(work, ['final'], max, async (mint) => {
    if (await isStillMinted(work, mint)) return;
    work.services.log.error({ mint: mint.id, hash: mint.hash }, 'a final mint is no longer on chain, sending it again');
    await resend(work, mint);
    lost++;
  });
  return lost;
}

/**
 * Adopts failed and canceled mints that are on chain after all, canceled ones only through a transaction that was signed before.
 */
export async function adoptMintedFailures(work: MintWork, max: number): Promise<void> {
  await forEachMint(work, ['failed', 'canceled'], max, async (mint) => {
    if ((await work.chain.minted(mint.depositHash as Hex, work.depth)) !== mint.amount) return;
    const minted = await ownMint(work, mint);
    if (minted) return transitionTo(work, mint, mint.state === 'canceled' ? 'final' : 'mined', minted);
    if (mint.state === 'canceled') return;
    const found = await externalMint(work, mint);
    if (found !== null && typeof found === 'object') await transitionTo(work, mint, 'mined', found);
  });
}

/** Also checks unsettled blocks, more than once, because a reorganized chain can include it again. */
async function isStillMinted({ chain, depth }: MintWork, { depositHash, amount }: Mint): Promise<boolean> {
  for (const blocks of [depth, 0n, 0n]) if ((await chain.minted(depositHash as Hex, blocks)) === amount) return true;
  return false;
}

/** One failure does not stop the rest, unless the node cannot return its head. */
async function forEachMint(work: MintWork, states: Mint['state'][], max: number, effect: (mint: Mint) => Promise<void>) {
  const { services, chain } = work;
  const found = await services.database.db
    .select()
    .from(mints)
    .where(and(forDeployment(chain), inArray(mints.state, states)))
    .orderBy(desc(mints.updatedAt), desc(mints.id))
    .limit(max);
  let failed = 0;
  for (const mint of found.reverse()) {
    if (work.signal?.aborted) return;
    try {
      await effect(mint);
      failed = 0;
    } catch (error) {
      services.log.warn(
        { mint: mint.id, state: mint.state, err: describeRpcError(error) },
        'could not process a mint, will retry',
      );
      if (++failed % 5 === 0) await chain.head();
    }
  }
}
