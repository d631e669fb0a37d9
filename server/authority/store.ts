import { asc, gte, sql } from 'drizzle-orm';
import { canonical, hashOf } from '../../api/authority/canonical.ts';
import { integerOf } from '../../api/integers.ts';
import type { LogLine } from '../../api/authority/statements.ts';
import { perServer, type Services } from '../platform/core/context.ts';
import type { Queries, Tx } from '../platform/db/db.ts';
import { Log, type Authority } from './replay.ts';
import { authorityLines } from './tables.ts';

const appendLock = 4280_0031;

/** The log as this process has read it, line by line; read on by one at a time. */
const readers = perServer(() => ({ log: null as Log | null, turn: Promise.resolve() as Promise<unknown> }));

/** The hash of the genesis that this server goes by; null: there is none, and nothing is minted. */
export async function genesisOf(services: Services, queries: Queries): Promise<string | null> {
  const { authorityGenesis, demo } = services.config;
  if (authorityGenesis !== null || !demo) return authorityGenesis;
  // A demo made its own (development.ts), worth nothing: it is believed as it stands.
  const [first] = await queries
    .select({ hash: authorityLines.hash })
    .from(authorityLines)
    .orderBy(asc(authorityLines.number))
    .limit(1);
  return first?.hash ?? null;
}

/** What the log says now; null without a genesis. Throws LogError where it does not fit. */
export async function readAuthority(services: Services, queries: Queries): Promise<Authority | null> {
  return (await readLog(services, queries))?.state() ?? null;
}

/**
 * From the pool one reads at a time, for everybody. A transaction reads on its own connection and waits for nobody: it may hold the
 * log's lock, and whoever reads for everybody may be waiting for a connection. What it sees may never be committed: it keeps it to itself.
 */
async function readLog(services: Services, queries: Queries): Promise<Log | null> {
  const reader = readers(services);
  if (queries !== services.database.db) return readFrom(reader.log, services, queries);
  const reading = reader.turn.then(async () => (reader.log = await readFrom(reader.log, services, queries)));
  reader.turn = reading.catch(() => null);
  return reading;
}

/** The log as it stands, from what was read of it before. Throws LogError where it does not fit. */
async function readFrom(before: Log | null, services: Services, queries: Queries): Promise<Log | null> {
  const known = before && (await readOn(before, queries));
  if (known) return known;
  const genesis = await genesisOf(services, queries);
  // Nothing was read yet, or the database is another one than it was: put back from a copy, say.
  const fresh = genesis === null ? null : await readOn(new Log({ genesis }), queries);
  return fresh && fresh.head.number >= 0 ? fresh : null;
}

/** The log with what came after its last line; null where that line is not there any more. Throws LogError for one that does not fit. */
async function readOn(before: Log, queries: Queries): Promise<Log | null> {
  const { number, hash } = before.head;
  const [last, ...lines] = await queries
    .select({ number: authorityLines.number, hash: authorityLines.hash, line: authorityLines.line })
    .from(authorityLines)
    .where(gte(authorityLines.number, number))
    .orderBy(asc(authorityLines.number));
  if (number >= 0 && (last?.number !== number || last.hash !== hash)) return null;
  const fresh = number < 0 && last ? [last, ...lines] : lines;
  if (fresh.length === 0) return before;
  const log = before.copy();
  for (const { line } of fresh) await log.add(line);
  return log;
}

/** Lines to be appended, tried one by one on a copy of the log. */
export interface Draft {
  readonly state: () => Authority;
  /** Fills in the line's place and time, adds it, and answers it as it will stand. Throws LogError when it does not fit. */
  readonly add: <L extends Unplaced>(line: L) => Promise<LogLine>;
}

/** A line without its place. */
type Unplaced = LogLine extends infer L ? (L extends LogLine ? Omit<L, 'number' | 'previous' | 'at'> : never) : never;

/** Appends to the log in this transaction, once a transaction: one writer at a time until it ends. Null without a genesis. */
export async function appendToLog<T>(tx: Tx, services: Services, make: (draft: Draft) => Promise<T>): Promise<T | null> {
  await tx.execute(sql`select pg_advisory_xact_lock(${appendLock})`);
  // Under the lock everything that is there is committed.
  const committed = (readers(services).log = await readLog(services, tx));
  if (!committed) return null;
  const log = committed.copy();
  const latest = await latestTime(tx, services);
  const lines: LogLine[] = [];
  const answer = await make({
    state: () => log.state(),
    add: async (line) => {
      const { number, hash: previous, at } = log.head;
      const placed = {
        ...line,
        number: number + 1,
        previous,
        at: new Date(Math.max(Math.min(services.now(), latest), at)).toISOString(),
      } as LogLine;
      await log.add(placed);
      lines.push(placed);
      return placed;
    },
  });
  await insertLines(tx, lines);
  return answer;
}

/** So far ahead of the database's clock a server's own may be. */
const mostAheadMs = 120_000;

/**
 * The latest time, in milliseconds, that a line may say: it is never before the one before it, and one that was written by a clock
 * far ahead would have all later ones wait for that time. Tests and demos go ahead on purpose.
 */
async function latestTime(tx: Tx, { config, log, now }: Services): Promise<number> {
  if (!config.production) return Infinity;
  const { rows } = await tx.execute<{ ms: string }>(sql`select floor(extract(epoch from clock_timestamp()) * 1000)::text as ms`);
  const latest = integerOf(rows[0]?.ms ?? '0') + mostAheadMs;
  if (now() > latest)
    log.error(
      { ahead: now() - latest },
      'the clock of this server is ahead of the database, using the database time for log lines',
    );
  return latest;
}

/** Writes lines that were checked. */
export async function insertLines(tx: Queries, lines: readonly LogLine[]): Promise<void> {
  if (lines.length === 0) return;
  const rows = lines.map((line) => ({ number: line.number, hash: hashOf(line), line: canonical(line), at: new Date(line.at) }));
  await tx.insert(authorityLines).values(rows);
}
