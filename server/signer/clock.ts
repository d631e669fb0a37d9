import { sql } from 'drizzle-orm';
import { toSafeInteger } from '../../api/integers.ts';
import { describeError } from '../platform/core/log.ts';
import type { Services } from '../platform/services/context.ts';
import type { ChainNodes } from '../platform/evm/read.ts';

/** Milliseconds since 1970. */
export interface ReferenceClock {
  readonly name: string;
  /** Null: unavailable. */
  read(): Promise<number | null>;
  /** Tolerance ahead of and behind the newest block. */
  readonly aheadMs: number;
  readonly behindMs: number;
}

/** While the clock is wrong, nothing is signed and no time is stored. */
export class ClockError extends Error {
  override name = 'ClockError';
}

export interface SignerClock {
  /** Throws ClockError. */
  trustedNow(): Promise<number>;
  readonly isRight: boolean;
}

/** A check is valid this long while wall and monotonic clock agree. */
const checkValidityMs = 5_000;
const maxDriftMs = 1_000;

export function openClock({ now, log }: Pick<Services, 'now' | 'log'>, references: readonly ReferenceClock[]): SignerClock {
  let lastCheck: { wall: number; monotonic: number } | null = null;
  let isRight = true;

  async function check(): Promise<void> {
    const timeBefore = now();
    const times = await Promise.all(references.map(async ({ read }) => read()));
    const timeAfter = now();
    for (const [index, { name, aheadMs, behindMs }] of references.entries()) {
      const referenceTime = times[index];
      if (referenceTime == null) continue;
      if (timeBefore - referenceTime > aheadMs)
        throw clockError(`${formatDuration(timeBefore - referenceTime)} ahead of ${name}`, timeBefore, referenceTime);
      if (referenceTime - timeAfter > behindMs)
        throw clockError(`${formatDuration(referenceTime - timeAfter)} behind ${name}`, timeAfter, referenceTime);
    }
  }

  return {
    get isRight() {
      return isRight;
    },
    async trustedNow() {
      const [wallTime, monotonicTime] = [now(), performance.now()];
      const elapsed = lastCheck && monotonicTime - lastCheck.monotonic;
      if (
        lastCheck &&
        elapsed !== null &&
        elapsed < checkValidityMs &&
        Math.abs(wallTime - lastCheck.wall - elapsed) < maxDriftMs
      )
        return wallTime;
      lastCheck = null;
      try {
        await check();
      } catch (error) {
        if (isRight && error instanceof ClockError)
          log.error({ err: error.message }, 'the clock of the signer is wrong: it signs nothing');
        isRight &&= !(error instanceof ClockError);
        throw error;
      }
      if (!isRight) log.info('the clock of the signer is correct again');
      isRight = true;
      lastCheck = { wall: now(), monotonic: performance.now() };
      return lastCheck.wall;
    },
  };
}

const clockError = (deviation: string, signerTime: number, referenceTime: number): ClockError =>
  new ClockError(`the signer’s clock is ${deviation} (${toIsoTime(signerTime)}, there ${toIsoTime(referenceTime)})`);

const toIsoTime = (ms: number): string => new Date(Math.min(Math.max(ms, 0), 8.64e15)).toISOString();

function formatDuration(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60)];
  return [days > 0 ? `${days} d` : '', hours > 0 ? `${hours} h` : '', `${minutes % 60} min`].filter(Boolean).join(' ');
}

const toleranceMs = 120_000;

/** `aheadMs`: configured offset in a test environment. */
export const databaseClock = ({ database }: Pick<Services, 'database'>, aheadMs: number): ReferenceClock => ({
  name: "the database's",
  aheadMs: toleranceMs,
  behindMs: toleranceMs,
  async read() {
    const { rows } = await database.db.execute<{ ms: string }>(
      sql`select floor(extract(epoch from clock_timestamp()) * 1000)::text as ms`,
    );
    return toSafeInteger(rows[0]?.ms ?? '0') + aheadMs;
  },
});

/** Longest expected gap between blocks. */
const maxBlockGapMs = 15 * 60_000;

/** Times of the newest blocks. A devnet has no upper limit, because it mines irregularly. */
export const chainClocks = ({ log }: Pick<Services, 'log'>, nodes: ChainNodes, development: boolean): ReferenceClock[] =>
  nodes.map(({ name, client }) => ({
    name: `the newest block of ${name}`,
    aheadMs: development ? Infinity : maxBlockGapMs,
    behindMs: toleranceMs,
    async read() {
      try {
        const { timestamp } = await (await client()).getBlock({ blockTag: 'latest' });
        return toSafeInteger(timestamp) * 1000;
      } catch (error) {
        log.debug({ node: name, err: describeError(error) }, 'a node did not say the time of its newest block');
        return null;
      }
    },
  }));
