import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import { describeError, type Log } from '../core/log.ts';

export interface Replica {
  /** `ageMs` is an upper bound. Null: unreachable or too far behind. */
  current(): { readonly db: NodePgDatabase; readonly ageMs: number } | null;
  close(): Promise<void>;
}

/** Milliseconds. */
const intervals = { look: 1_000, oldest: 30_000 };

interface LsnMark {
  readonly at: number;
  readonly lsn: bigint;
}

/** Compares the replica with past ends of the primary's log, so that the age needs neither its clock nor writes. */
export function openReplica(replica: pg.Pool, primary: pg.Pool, log: Log): Replica {
  let lsnMarks: LsnMark[] = [];
  let replayedMark: LsnMark | null = null;
  let problem: string | null = null;
  const logProblemChange = (newProblem: string | null, details: object = {}) => {
    if (newProblem === problem) return;
    if (newProblem !== null) log.warn(details, `${newProblem}: statistics are read from the primary`);
    else log.info('statistics are read from the replica again');
    problem = newProblem;
  };
  const db = drizzle(replica);
  const startedAt = Date.now();

  async function checkLag(): Promise<void> {
    const nowMs = Date.now();
    const currentLsn = await primary.query<{ lsn: string }>('select pg_current_wal_lsn() as lsn');
    const recentMarks = lsnMarks.filter((lsnMark) => lsnMark.at > nowMs - intervals.oldest); // before the query, which fails on a dead replica
    lsnMarks = [...recentMarks, { at: nowMs, lsn: parseLsn(currentLsn.rows[0]?.lsn) }];
    const { rows } = await replica.query<{ lsn: string | null }>(
      'select case when pg_is_in_recovery() then pg_last_wal_replay_lsn() end as lsn',
    );
    const replayedLsn = parseLsn(rows[0]?.lsn); // -1n: promoted
    replayedMark = lsnMarks.findLast(({ lsn }) => lsn <= replayedLsn) ?? replayedMark;
    lsnMarks = lsnMarks.filter((lsnMark) => lsnMark.at >= (replayedMark?.at ?? 0));
    const isPromoted = replayedLsn === -1n;
    const ageMs = replayedMark === null ? Infinity : Date.now() - replayedMark.at;
    if (isPromoted) logProblemChange('the replica was promoted, or isn’t a replica');
    else if (ageMs >= intervals.oldest && Date.now() - startedAt >= intervals.oldest)
      logProblemChange('the replica is more than 30 s behind');
    else if (ageMs < intervals.oldest) logProblemChange(null);
  }

  let pendingCheck = Promise.resolve();
  let isChecking = false;
  const timer = setInterval(() => {
    if (isChecking) return;
    isChecking = true;
    pendingCheck = checkLag()
      .catch((error: unknown) => {
        replayedMark = null;
        logProblemChange('could not reach the replica', { err: describeError(error) });
      })
      .finally(() => (isChecking = false));
  }, intervals.look);
  timer.unref();

  return {
    current() {
      const ageMs = replayedMark === null ? Infinity : Date.now() - replayedMark.at;
      return ageMs < intervals.oldest ? { db, ageMs } : null;
    },
    async close() {
      clearInterval(timer);
      await pendingCheck;
      await replica.end();
    },
  };
}

/** `16/B374D848` as a number. */
function parseLsn(text: string | null | undefined): bigint {
  const [, highHex, lowHex] = /^([0-9A-F]+)\/([0-9A-F]+)$/.exec(text ?? '') ?? [];
  return highHex && lowHex ? (BigInt(`0x${highHex}`) << 32n) + BigInt(`0x${lowHex}`) : -1n;
}
