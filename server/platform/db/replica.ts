import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import { describeError, type Log } from '../core/log.ts';

export interface Replica {
  /** `ageMs` is an upper bound. Null: unreachable or too far behind. */
  current(): { readonly db: NodePgDatabase; readonly ageMs: number } | null;
  close(): Promise<void>;
}

/** Milliseconds. */
const clocks = { look: 1_000, oldest: 30_000 };

interface Mark {
  readonly at: number;
  readonly lsn: bigint;
}

/** Compares the replica with past ends of the primary's log, so that the age needs neither its clock nor writes. */
export function openReplica(replica: pg.Pool, primary: pg.Pool, log: Log): Replica {
  let marks: Mark[] = [];
  let reached: Mark | null = null;
  let problem: string | null = null;
  const tell = (now: string | null, details: object = {}) => {
    if (now === problem) return;
    if (now !== null) log.warn(details, `${now}: statistics are read from the primary`);
    else log.info('statistics are read from the replica again');
    problem = now;
  };
  const db = drizzle(replica);
  const startedAt = Date.now();

  async function checkLag(): Promise<void> {
    const at = Date.now();
    const end = await primary.query<{ lsn: string }>('select pg_current_wal_lsn() as lsn');
    const recent = marks.filter((mark) => mark.at > at - clocks.oldest); // before the query, which fails on a dead replica
    marks = [...recent, { at, lsn: lsnOf(end.rows[0]?.lsn) }];
    const { rows } = await replica.query<{ lsn: string | null }>(
      'select case when pg_is_in_recovery() then pg_last_wal_replay_lsn() end as lsn',
    );
    const replayed = lsnOf(rows[0]?.lsn); // promoted
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
    looking = checkLag()
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

/** `16/B374D848` as a number. */
function lsnOf(text: string | null | undefined): bigint {
  const [, high, low] = /^([0-9A-F]+)\/([0-9A-F]+)$/.exec(text ?? '') ?? [];
  return high && low ? (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`) : -1n;
}
