import { and, eq } from 'drizzle-orm';
import type { Hex } from 'viem';
import type { CrsmFollower } from '../../../api/crsm/contract.ts';
import { followCalls } from '../calls.ts';
import { cursorName, indexCrsms } from '../indexer.ts';
import { memoizePerServer, type Services } from '../../platform/services/context.ts';
import { PriceUnavailableError, type CrsmChain } from '../chain.ts';
import { describeRpcError } from '../../platform/evm/rpc-problem.ts';
import { joinRun, runAfterCurrent, type SingleFlight } from '../../platform/core/single-flight.ts';
import { troves } from '../tables.ts';
import { runRecordedPass } from '../../platform/evm/watches.ts';
import { chainCursors } from '../../platform/evm/tables.ts';
import { crsmChainOf } from './chain-of.ts';
import { readFiguresAge } from './figures-age.ts';

const pollMs = 2_000;
/** Normal number of blocks that arrive during a pass. */
const maxBlockLag = 3n;
const maxPassAgeMs = 30_000;

interface RefreshState extends SingleFlight<void> {
  head: bigint | null;
  figuresAt: Hex | undefined;
  at: Date | null;
  failure: 'unreachable' | 'noPrice' | null;
}
const refreshStateOf = memoizePerServer((): RefreshState => ({
  running: null,
  next: null,
  head: null,
  figuresAt: undefined,
  at: null,
  failure: null,
}));

/** Also follows calls of wallets. */
export function startCrsms(services: Services): () => Promise<void> {
  const chain = crsmChainOf(services);
  if (!chain) return async () => {};
  const refreshState = refreshStateOf(services);
  const runNow = () => {
    if (refreshState.running) return;
    joinRun(refreshState, () => runPass(services, chain, refreshState)).catch((error: unknown) =>
      services.log.warn({ err: describeRpcError(error) }, 'could not read CRSMs, will retry'),
    );
  };
  const timer = setInterval(runNow, pollMs);
  timer.unref();
  runNow();
  return async () => {
    clearInterval(timer);
    await (refreshState.next ?? refreshState.running)?.catch(() => {});
  };
}

/** Starts a full pass now. */
export function refreshNow(services: Services, chain: CrsmChain): Promise<void> {
  const refreshState = refreshStateOf(services);
  return runAfterCurrent(refreshState, () => {
    refreshState.figuresAt = undefined;
    return runPass(services, chain, refreshState);
  });
}

async function runPass(services: Services, chain: CrsmChain, refreshState: RefreshState): Promise<void> {
  await runRecordedPass(
    services,
    'crsm',
    () => refreshOnce(services, chain, refreshState),
    (isComplete) => (isComplete ? null : 'unsettled'),
  );
}

/** False: the chain changed or the node lags, so the next pass starts there. */
async function refreshOnce(services: Services, chain: CrsmChain, refreshState: RefreshState): Promise<boolean> {
  try {
    refreshState.head = (await chain.head()).number;
    const start = services.config.evm?.startBlock ?? 0n;
    const head = await indexCrsms({ services, chain, start }, { figuresAt: refreshState.figuresAt });
    refreshState.failure = null;
    if (!head) return false;
    Object.assign(refreshState, { head: head.number, figuresAt: head.hash, at: new Date(services.now()) });
    await followCalls({ services, chain, head: head.number });
    return true;
  } catch (error) {
    refreshState.failure = error instanceof PriceUnavailableError ? 'noPrice' : 'unreachable';
    throw error;
  }
}

export async function readFollower(services: Services): Promise<CrsmFollower> {
  const chain = crsmChainOf(services);
  if (!chain) return { state: 'off', block: null, head: null, at: null, price: null };
  const { db } = services.database;
  const [cursor] = await db
    .select()
    .from(chainCursors)
    .where(eq(chainCursors.name, cursorName(chain)));
  const figuresAge = await readFiguresAge(services, db);
  const { read } = figuresAge;
  const isAtReadBlock =
    read === null ? undefined : and(eq(troves.block, read), eq(troves.troveManager, chain.contracts.troveManager));
  const [trove] = isAtReadBlock
    ? await db.select({ price: troves.price, at: troves.readAt }).from(troves).where(isAtReadBlock).limit(1)
    : [];
  const { head, at, failure } = refreshStateOf(services);
  const isOutdated = [at, trove?.at].every((time) => !time || services.now() - time.getTime() > maxPassAgeMs);
  const isBehind = !cursor || read === null || head === null || at === null || isOutdated || read + maxBlockLag < head;
  const hasFailedElsewhere = read !== null && figuresAge.tried !== null && figuresAge.tried > read; // failed on another server
  return {
    state: failure ?? (hasFailedElsewhere ? 'unreachable' : isBehind ? 'behind' : 'ok'),
    block: read?.toString() ?? null,
    head: head?.toString() ?? null,
    at: (at ?? trove?.at)?.toISOString() ?? null,
    price: trove?.price.toString() ?? null,
  };
}
