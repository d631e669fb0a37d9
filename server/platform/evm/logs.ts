import { isRefused, classifyRpcError, type RpcProblem } from './rpc-problem.ts';

/** Inclusive. */
type ReadSpan<L> = (fromBlock: bigint, toBlock: bigint) => Promise<readonly L[]>;

/** Halves the span of `eth_getLogs` on refusal and grows it later. */
export interface LogReader {
  /** Oldest first. */
  read<L>(search: ReadSpan<L>, fromBlock: bigint, toBlock: bigint): Promise<L[]>;
  /** The newest span with logs, backwards from `toBlock`. `unread`: last unread block, null at `fromBlock`. */
  newest<L>(
    search: ReadSpan<L>,
    fromBlock: bigint,
    toBlock: bigint,
    budgetMs: number,
  ): Promise<{ logs: readonly L[]; unread: bigint | null }>;
}

/** Providers change their limits. */
const forgetMs = 10 * 60_000;

/** A smaller span does not help. */
const permanentProblems: ReadonlySet<RpcProblem> = new Set(['timeout', 'unreachable', 'missing', 'batchRefused']);
/** For refusals that may not be about the span. */
const maxGuesses = 4;

export function createLogReader(maxRange = 5_000n): LogReader {
  let blockSpan = maxRange;
  let rejectedSpan: { length: bigint; at: number } | null = null;

  async function readSpan<L>(search: ReadSpan<L>, rangeOf: (length: bigint) => { from: bigint; to: bigint }) {
    for (let guessCount = 0; ;) {
      const { from, to } = rangeOf(blockSpan);
      const spanLength = to - from + 1n;
      try {
        const logs = await search(from, to);
        if (spanLength === blockSpan) growSpan();
        return { from, to, logs };
      } catch (error) {
        const problem = classifyRpcError(error);
        if (problem === 'timeout') shrinkSpan(spanLength);
        if (spanLength === 1n || !isRefused(error) || permanentProblems.has(problem)) throw error;
        if (problem === 'tooMuch') rejectedSpan = { length: spanLength, at: performance.now() };
        else if (++guessCount > maxGuesses) throw error;
        shrinkSpan(spanLength);
      }
    }
  }

  function shrinkSpan(length: bigint): void {
    blockSpan = length / 2n > 1n ? length / 2n : 1n;
  }

  function growSpan(): void {
    if (rejectedSpan && performance.now() - rejectedSpan.at > forgetMs) rejectedSpan = null;
    const longerSpan = blockSpan * 2n < maxRange ? blockSpan * 2n : maxRange;
    if (!rejectedSpan || longerSpan < rejectedSpan.length) blockSpan = longerSpan;
  }

  return {
    async read(search, fromBlock, toBlock) {
      const allLogs = [];
      for (let nextBlock = fromBlock; nextBlock <= toBlock;) {
        const spanStart = nextBlock;
        const spanResult = await readSpan(search, (length) => ({
          from: spanStart,
          to: spanStart + length - 1n < toBlock ? spanStart + length - 1n : toBlock,
        }));
        allLogs.push(...spanResult.logs);
        nextBlock = spanResult.to + 1n;
      }
      return allLogs;
    },
    async newest(search, fromBlock, toBlock, budgetMs) {
      const deadline = performance.now() + budgetMs;
      let lastBlock = toBlock;
      while (lastBlock >= fromBlock) {
        const spanEnd = lastBlock;
        const spanResult = await readSpan(search, (length) => ({
          from: spanEnd - length + 1n > fromBlock ? spanEnd - length + 1n : fromBlock,
          to: spanEnd,
        }));
        if (spanResult.logs.length > 0) return { logs: spanResult.logs, unread: null };
        lastBlock = spanResult.from - 1n;
        if (performance.now() > deadline && lastBlock >= fromBlock) return { logs: [], unread: lastBlock };
      }
      return { logs: [], unread: null };
    },
  };
}
