import { eq } from 'drizzle-orm';
import type { Hex } from 'viem';
import type { CrsmFollower } from '../../../api/crsm/contract.ts';
import { followCalls } from '../calls.ts';
import { cursorName, indexCrsms } from '../indexer.ts';
import { perServer, type Services } from '../../platform/core/context.ts';
import { crsmChain, type CrsmChain } from '../chain.ts';
import { describeError } from '../../platform/core/log.ts';
import { begin, fromNowOn, type Runs } from '../../platform/core/runs.ts';
import { troves } from '../tables.ts';
import { noted } from '../../platform/evm/watches.ts';
import { chainCursors } from '../../platform/evm/tables.ts';

const pauseMs = 2_000;
/** Blocks that come while others are being read: no reason to say that anything is behind. */
const usualLag = 3n;
/** Figures that no server has read or found unchanged for longer are behind, however far the events are. */
const freshMs = 30_000;

/** The chain that has CRSMs; null: this server's has none, or there is no chain. */
export const crsmChainOf = perServer(({ config }) => config.evm && crsmChain(config.evm));

/** The looks of this server: one at a time, and how the last one went. */
interface Looks extends Runs<void> {
  head: bigint | null;
  figuresAt: Hex | undefined;
  at: Date | null;
  isFailing: boolean;
}
const looksOf = perServer((): Looks => ({
  running: null,
  next: null,
  head: null,
  figuresAt: undefined,
  at: null,
  isFailing: false,
}));

/** Indexes, now and again until stopped, and follows what wallets were asked for. */
export function startCrsms(services: Services): () => Promise<void> {
  const chain = crsmChainOf(services);
  if (!chain) return async () => {};
  const looks = looksOf(services);
  const now = () => {
    if (looks.running) return;
    begin(looks, () => look(services, chain, looks)).catch((error: unknown) =>
      services.log.warn({ err: describeError(error) }, 'could not read CRSMs, will retry'),
    );
  };
  const timer = setInterval(now, pauseMs);
  timer.unref();
  now();
  return async () => {
    clearInterval(timer);
    await (looks.next ?? looks.running)?.catch(() => {});
  };
}

/** Reads everything anew, from now on. */
export function lookNow(services: Services, chain: CrsmChain): Promise<void> {
  const looks = looksOf(services);
  return fromNowOn(looks, () => {
    looks.figuresAt = undefined;
    return look(services, chain, looks);
  });
}

async function look(services: Services, chain: CrsmChain, looks: Looks): Promise<void> {
  await noted(
    services,
    'crsm',
    () => lookOnce(services, chain, looks),
    (isWhole) => (isWhole ? null : 'unsettled'),
  );
}

/** False where the chain changed under it, or the node lags: the next look begins there. */
async function lookOnce(services: Services, chain: CrsmChain, looks: Looks): Promise<boolean> {
  try {
    looks.head = (await chain.head()).number;
    const start = services.config.evm?.startBlock ?? 0n;
    const head = await indexCrsms({ services, chain, start }, { figuresAt: looks.figuresAt });
    looks.isFailing = false;
    if (!head) return false;
    Object.assign(looks, { head: head.number, figuresAt: head.hash, at: new Date(services.now()) });
    await followCalls({ services, chain, head: head.number });
    return true;
  } catch (error) {
    looks.isFailing = true;
    throw error;
  }
}

/** How far the index is. */
export async function followerOf(services: Services): Promise<CrsmFollower> {
  const chain = crsmChainOf(services);
  if (!chain) return { state: 'off', block: null, head: null, at: null, price: null };
  const { db } = services.database;
  const [cursor] = await db
    .select()
    .from(chainCursors)
    .where(eq(chainCursors.name, cursorName(chain)));
  const [trove] = await db.select({ price: troves.price, at: troves.readAt }).from(troves).limit(1);
  const { head, at, isFailing } = looksOf(services);
  const isOld = [at, trove?.at].every((one) => !one || services.now() - one.getTime() > freshMs);
  const isBehind = !cursor || head === null || at === null || isOld || cursor.block + usualLag < head;
  return {
    state: isFailing ? 'unreachable' : isBehind ? 'behind' : 'ok',
    block: cursor?.block.toString() ?? null,
    head: head?.toString() ?? null,
    at: (at ?? trove?.at)?.toISOString() ?? null,
    price: trove?.price.toString() ?? null,
  };
}
