/** Milliseconds of difference from which on a server is not ready: sessions and codes of the other servers would not count here. */
export const clockTolerance = 30_000;

/** SQL: the database's clock in milliseconds. */
export const databaseTime = '(extract(epoch from clock_timestamp()) * 1000)::float8';

/**
 * How far a clock is ahead of another one that was read between `asked` and `answered`, in milliseconds. The other one was read
 * at any moment between: within that time there is no difference.
 */
export function offsetBetween(asked: number, answered: number, other: number): number {
  if (other >= asked && other <= answered) return 0;
  return Math.round(other < asked ? asked - other : answered - other);
}

/** '12 s ahead of the database', for operators. */
export const describeOffset = (ms: number): string =>
  `is ${Math.round(Math.abs(ms) / 1000)} s ${ms > 0 ? 'ahead of' : 'behind'} the clock of the database`;
