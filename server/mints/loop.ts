import { and, desc, inArray } from 'drizzle-orm';
import type { Hex } from 'viem';
import { runEvery } from '../platform/services/run-every.ts';
import { describeRpcError } from '../platform/evm/rpc-problem.ts';
import { mints } from './tables.ts';
import { isMintOf } from './deployment.ts';
import { become, followAnew, foreignMint, ownMint, stepMints, type Mint, type MintWork } from './mints.ts';

const pauseMs = 1_000;
const recheckMs = 60_000;

/** A separate loop, so that neither delays the other. */
export function startMints(work: MintWork): () => Promise<void> {
  const { services } = work;
  let recheckAt: number | null = null; // monotonic, so that a clock jump postpones nothing
  const stopStepping = runEvery(services, pauseMs, 'minting', () => stepMints(work));
  const stopRechecking = runEvery(services, pauseMs, 'checking mints', async () => {
    if ((recheckAt !== null && performance.now() < recheckAt) || (await work.halted?.())) return;
    const most = recheckAt === null ? 1000 : 20;
    recheckAt = performance.now() + recheckMs;
    await recheckFinalMints(work, most);
    await adoptGivenUp(work, most);
  });
  return async () => {
    await stopRechecking();
    await stopStepping();
  };
}

/**
 * Sends a mint that a deep reorganization removed again with the same bytes. A missing receipt
 * alone proves nothing. Returns how many were lost.
 */
export async function recheckFinalMints(work: MintWork, most: number): Promise<number> {
  let lost = 0;
  await eachOf(work, ['final'], most, async (mint) => {
    if (await isStillMinted(work, mint)) return;
    work.services.log.error({ mint: mint.id, hash: mint.hash }, 'a final mint is no longer on chain, sending it again');
    await followAnew(work, mint);
    lost++;
  });
  return lost;
}

/**
 * Adopts failed and canceled mints that are on chain after all, canceled ones only through a transaction that was signed before.
 */
export async function adoptGivenUp(work: MintWork, most: number): Promise<void> {
  await eachOf(work, ['failed', 'canceled'], most, async (mint) => {
    if ((await work.chain.minted(mint.depositHash as Hex, work.depth)) !== mint.amount) return;
    const own = await ownMint(work, mint);
    if (own) return become(work, mint, mint.state === 'canceled' ? 'final' : 'mined', own);
    if (mint.state === 'canceled') return;
    const found = await foreignMint(work, mint);
    if (found !== null && typeof found === 'object') await become(work, mint, 'mined', found);
  });
}

/** Also checks unsettled blocks, more than once, because a reorganized chain can include it again. */
async function isStillMinted({ chain, depth }: MintWork, { depositHash, amount }: Mint): Promise<boolean> {
  for (const blocks of [depth, 0n, 0n]) if ((await chain.minted(depositHash as Hex, blocks)) === amount) return true;
  return false;
}

/** One failure does not stop the rest, unless the node cannot return its head. */
async function eachOf(work: MintWork, states: Mint['state'][], most: number, effect: (mint: Mint) => Promise<void>) {
  const { services, chain } = work;
  const found = await services.database.db
    .select()
    .from(mints)
    .where(and(isMintOf(chain), inArray(mints.state, states)))
    .orderBy(desc(mints.updatedAt), desc(mints.id))
    .limit(most);
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
