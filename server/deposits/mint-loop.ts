import { and, desc, inArray } from 'drizzle-orm';
import type { Hex } from 'viem';
import { every } from '../platform/core/every.ts';
import { describeRpcError } from '../platform/evm/rpc-problem.ts';
import { mints } from './tables.ts';
import { isMintOf } from './mint-place.ts';
import { become, followAnew, foreignMint, ownMint, stepMints, type Mint, type MintWork } from './mints.ts';

const pauseMs = 1_000;
const recheckMs = 60_000;

/** Steps until stopped; apart from that, so that neither holds the other up, looks after what was final or given up. */
export function startMints(work: MintWork): () => Promise<void> {
  const { services } = work;
  let recheckAt: number | null = null; // by the monotonic clock: one that jumps ahead puts nothing off
  const stopStepping = every(services, pauseMs, 'minting', () => stepMints(work));
  const stopRechecking = every(services, pauseMs, 'checking mints', async () => {
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
 * Looks whether the contract still says of the last final mints what they were for. One of which it does not goes on as sent: a
 * chain that forgot its last blocks (a devnet that was killed, a reorganisation beyond the depth) gets the same bytes again.
 * A receipt that a node has thrown away proves nothing. Answers how many were lost; throws when the node answers nothing.
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

/** Mints that were given up and are on chain after all: adopted. A canceled one only by a transaction signed before. */
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

/** Settled, or in the chain and not settled yet: a chain that lost a few blocks and has it again. Asked more than once. */
async function isStillMinted({ chain, depth }: MintWork, { depositHash, amount }: Mint): Promise<boolean> {
  for (const blocks of [depth, 0n, 0n]) if ((await chain.minted(depositHash as Hex, blocks)) === amount) return true;
  return false;
}

/** One that fails stops no other; where several in a row fail and the node does not even know its head, all of it waits. */
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
