import { isRefused, problemOf, type RpcProblem } from './rpc-problem.ts';

/** Reads logs of a span of blocks, both ends included. */
type ReadSpan<L> = (from: bigint, to: bigint) => Promise<readonly L[]>;

/** Reads `eth_getLogs` in spans that the node gives: halved when it refuses one, and longer again later. */
export interface LogReader {
  /** Every log of these blocks, oldest first. */
  read<L>(search: ReadSpan<L>, from: bigint, to: bigint): Promise<L[]>;
  /**
   * The logs of the newest span that has any, read backwards from `to`, in at most `budgetMs` milliseconds. `unread`: the block up
   * to which nothing has been read; null once `from` is reached.
   */
  newest<L>(
    search: ReadSpan<L>,
    from: bigint,
    to: bigint,
    budgetMs: number,
  ): Promise<{ logs: readonly L[]; unread: bigint | null }>;
}

/** A refusal is forgotten after this time: providers change their limits. */
const forgetMs = 10 * 60_000;

/** Refusals that a smaller span does not help against. */
const hopeless: ReadonlySet<RpcProblem> = new Set(['timeout', 'unreachable', 'missing', 'batchRefused']);
/** Halvings in one read for a refusal that does not say that it is about the span. */
const guesses = 4;

export function logReader(longest = 5_000n): LogReader {
  let span = longest;
  /** A span of this length was refused. */
  let refused: { length: bigint; at: number } | null = null;

  /** The span that begins, or ends, at a block, as long as the node gives it. */
  async function readSome<L>(search: ReadSpan<L>, place: (length: bigint) => { from: bigint; to: bigint }) {
    for (let guessed = 0; ;) {
      const { from, to } = place(span);
      const length = to - from + 1n;
      try {
        const logs = await search(from, to);
        if (length === span) grow();
        return { from, to, logs };
      } catch (error) {
        const problem = problemOf(error);
        if (problem === 'timeout') shrink(length); // the next read asks for less; this one has waited enough
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
    const longer = span * 2n < longest ? span * 2n : longest;
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
