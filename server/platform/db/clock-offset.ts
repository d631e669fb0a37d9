/** Milliseconds. Beyond it, sessions and codes of other servers are invalid here. */
export const clockTolerance = 30_000;

export const databaseTime = '(extract(epoch from clock_timestamp()) * 1000)::float8';

/** Milliseconds ahead. `otherTime` was read between `sentAt` and `receivedAt`, so smaller differences are 0. */
export function computeOffset(sentAt: number, receivedAt: number, otherTime: number): number {
  if (otherTime >= sentAt && otherTime <= receivedAt) return 0;
  return Math.round(otherTime < sentAt ? sentAt - otherTime : receivedAt - otherTime);
}

export const describeOffset = (offsetMs: number): string =>
  `is ${Math.round(Math.abs(offsetMs) / 1000)} s ${offsetMs > 0 ? 'ahead of' : 'behind'} the clock of the database`;
