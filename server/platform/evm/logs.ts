import { isRefused, rpcProblemOf, type RpcProblem } from './rpc-problem.ts';

/** Inclusive. */
type ReadSpan<L> = (from: bigint, to: bigint) => Promise<readonly L[]>;

/** Halves the span of `eth_getLogs` on refusal and grows it later. */
export interface LogReader {
  /** Oldest first. */
  read<L>(search: ReadSpan<L>, from: bigint, to: bigint): Promise<L[]>;
  /** The newest span with logs, backwards from `to`. `unread`: last unread block, null at `from`. */
  newest<L>(
    search: ReadSpan<L>,
    from: bigint,
    to: bigint,
    budgetMs: number,
  ): Promise<{ logs: readonly L[]; unread: bigint | null }>;
}

/** Providers change their limits. */
const forgetMs = 10 * 60_000;

/** A smaller span does not help. */
const hopeless: ReadonlySet<RpcProblem> = new Set(['timeout', 'unreachable', 'missing', 'batchRefused']);
/** For refusals that may not be about the span. */
const guesses = 4;

export function logReader(maxRange = 5_000n): LogReader {
  let span = maxRange;
  let refused: { length: bigint; at: number } | null = null;

  async function readSome<L>(search: ReadSpan<L>, place: (length: bigint) => { from: bigint; to: bigint }) {
    for (let guessed = 0; ;) {
      const { from, to } = place(span);
      const length = to - from + 1n;
      try {
        const logs = await search(from, to);
        if (length === span) grow();
        return { from, to, logs };
      } catch (error) {
        const problem = rpcProblemOf(error);
        if (problem === 'timeout') shrink(length);
        if (length === 1n || !isRefused(error) || hopeless.has(problem)) throw error;
        if (problem === 'tooMuch') refused = { length, at: performance.now() };
        else if (++guessed > guesses) throw error;
        shrink(length);
      }
    }
  }

  function shrink(length: bigint): void {
    span = length / 2n > 1n ? length / 2n : 1n;
  }

  function grow(): void {
    if (refused && performance.now() - refused.at > forgetMs) refused = null;
    const longer = span * 2n < maxRange ? span * 2n : maxRange;
    if (!refused || longer < refused.length) span = longer;
  }

  return {
    async read(search, from, to) {
      const all = [];
      for (let next = from; next <= to;) {
        const start = next;
        const some = await readSome(search, (length) => ({
          from: start,
          to: start + length - 1n < to ? start + length - 1n : to,
        }));
        all.push(...some.logs);
        next = some.to + 1n;
      }
      return all;
    },
    async newest(search, from, to, budgetMs) {
      const end = performance.now() + budgetMs;
      let last = to;
      while (last >= from) {
        const edge = last;
        const some = await readSome(search, (length) => ({
          from: edge - length + 1n > from ? edge - length + 1n : from,
          to: edge,
        }));
        if (some.logs.length > 0) return { logs: some.logs, unread: null };
        last = some.from - 1n;
        if (performance.now() > end && last >= from) return { logs: [], unread: last };
      }
      return { logs: [], unread: null };
    },
  };
}
