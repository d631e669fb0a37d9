import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import { describeError, type Log } from '../core/log.ts';

/** A standby that is read from, for what may be some seconds old. */
export interface Replica {
  /** What to read from, and how old at most, in milliseconds, what it shows is; null: it is gone, or too far behind. */
  current(): { readonly db: NodePgDatabase; readonly ageMs: number } | null;
  close(): Promise<void>;
}

/** Milliseconds: between looks, and the age from which on nobody reads from it. */
const clocks = { look: 1_000, oldest: 30_000 };

interface Mark {
  readonly at: number;
  readonly lsn: bigint;
}

/**
 * Follows how far a replica is behind: each look notes where the primary's log ends, and which of these ends the replica has
 * replayed. So its age is known without its clock, while nothing is written, and when it lost its primary.
 */
export function openReplica(replica: pg.Pool, primary: pg.Pool, log: Log): Replica {
  let marks: Mark[] = [];
  let reached: Mark | null = null;
  /** Why the primary is read from; null: the replica is. */
  let problem: string | null = null;
  const tell = (now: string | null, details: object = {}) => {
    if (now === problem) return;
    if (now !== null) log.warn(details, `${now}: statistics are read from the primary`);
    else log.info('statistics are read from the replica again');
    problem = now;
  };
  const db = drizzle(replica);
  const startedAt = Date.now();

  async function look(): Promise<void> {
    const at = Date.now();
    const end = await primary.query<{ lsn: string }>('select pg_current_wal_lsn() as lsn');
    const recent = marks.filter((mark) => mark.at > at - clocks.oldest); // here, for a replica that is gone answers nothing below
    marks = [...recent, { at, lsn: lsnOf(end.rows[0]?.lsn) }];
    const { rows } = await replica.query<{ lsn: string | null }>(
      'select case when pg_is_in_recovery() then pg_last_wal_replay_lsn() end as lsn',
    );
    const replayed = lsnOf(rows[0]?.lsn); // none: it was promoted, and is nobody's replica
    reached = marks.findLast(({ lsn }) => lsn <= replayed) ?? reached;
    marks = marks.filter((mark) => mark.at >= (reached?.at ?? 0));
    const isPromoted = replayed === -1n;
    const ageMs = reached === null ? Infinity : Date.now() - reached.at;
    if (isPromoted) tell('the replica was promoted, or isn’t a replica');
    else if (ageMs >= clocks.oldest && Date.now() - startedAt >= clocks.oldest) tell('the replica is more than 30 s behind');
    else if (ageMs < clocks.oldest) tell(null);
  }

  let looking = Promise.resolve();
  let isLooking = false;
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    looking = look()
      .catch((error: unknown) => {
        reached = null;
        tell('could not reach the replica', { err: describeError(error) });
      })
      .finally(() => (isLooking = false));
  }, clocks.look);
  timer.unref();

  return {
    current() {
      const ageMs = reached === null ? Infinity : Date.now() - reached.at;
      return ageMs < clocks.oldest ? { db, ageMs } : null;
    },
    async close() {
      clearInterval(timer);
      await looking;
      await replica.end();
    },
  };
}

/** A place in the log, `16/B374D848`, as a number; none is before all. */
function lsnOf(text: string | null | undefined): bigint {
  const [, high, low] = /^([0-9A-F]+)\/([0-9A-F]+)$/.exec(text ?? '') ?? [];
  return high && low ? (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`) : -1n;
}
