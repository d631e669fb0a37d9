/** Milliseconds. Beyond this, sessions and codes of other servers would be invalid here. */
export const clockTolerance = 30_000;

/** SQL: milliseconds. */
export const databaseTime = '(extract(epoch from clock_timestamp()) * 1000)::float8';

/**
 * How far a clock is ahead in milliseconds. `other` was read between `asked` and `answered`, so a smaller difference counts as
 * none.
 */
export function offsetBetween(asked: number, answered: number, other: number): number {
  if (other >= asked && other <= answered) return 0;
  return Math.round(other < asked ? asked - other : answered - other);
}

/** '12 s ahead of the database'. */
export const describeOffset = (ms: number): string =>
  `is ${Math.round(Math.abs(ms) / 1000)} s ${ms > 0 ? 'ahead of' : 'behind'} the clock of the database`;
