/** Milliseconds. Beyond it, sessions and codes of other servers are invalid here. */
export const clockTolerance = 30_000;

export const databaseTime = '(extract(epoch from clock_timestamp()) * 1000)::float8';

/** Milliseconds ahead. `other` was read between `asked` and `answered`, so smaller differences are 0. */
export function offsetBetween(sentAt: number, answered: number, other: number): number {
  if (other >= sentAt && other <= answered) return 0;
  return Math.round(other < sentAt ? sentAt - other : answered - other);
}

export const describeOffset = (ms: number): string =>
  `is ${Math.round(Math.abs(ms) / 1000)} s ${ms > 0 ? 'ahead of' : 'behind'} the clock of the database`;
