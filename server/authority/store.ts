import { setImmediate as nextTurn } from 'node:timers/promises';
import { asc, gte, sql } from 'drizzle-orm';
import { canonical, canonicalHash } from '../../api/authority/canonical.ts';
import { toSafeInteger } from '../../api/integers.ts';
import { logVersion, type GenesisLine, type LogLine, type Proof, type Statement } from '../../api/authority/statements.ts';
import { memoizePerServer, type Services } from '../platform/services/context.ts';
import type { Queries, Tx } from '../platform/db/db.ts';
import type { Authority } from './authority.ts';
import { AuthorityLog, type LogProblem } from './replay.ts';
import { completeIndex, indexStatements } from './statement-index.ts';
import { authorityLines } from './tables.ts';

const appendLock = 4280_0031;
const linesPerBatch = 50;

/** `turn`: serializes reading without holding a connection. */
const logReaders = memoizePerServer(() => ({
  log: null as AuthorityLog | null,
  turn: Promise.resolve() as Promise<unknown>,
  linesRead: 0,
}));

export const linesReplayed = (services: Services): number => logReaders(services).linesRead;

/** Null: none, so nothing is minted. */
export async function readGenesisLine(services: Services, queries: Queries): Promise<string | null> {
  const { authorityGenesis, demo } = services.config;
  if (authorityGenesis !== null || !demo) return authorityGenesis;
  // A demo's genesis is not pinned, because it protects no money.
  const [genesisRow] = await queries
    .select({ hash: authorityLines.hash })
    .from(authorityLines)
    .orderBy(asc(authorityLines.number))
    .limit(1);
  return genesisRow?.hash ?? null;
}

/** Null without a genesis. Throws LogError for an invalid log. */
export async function readAuthority(services: Services, queries: Queries): Promise<Authority | null> {
  return (await readLog(services, queries, queries === services.database.db))?.state() ?? null;
}

export async function warmAuthority(services: Services): Promise<void> {
  const authority = await readAuthority(services, services.database.db).catch((error: unknown) => {
    services.log.error({ err: error }, 'the authority log does not fit');
    return null;
  });
  if (authority) await completeIndex(services.database.db, authority);
}

interface LineRow {
  readonly number: number;
  readonly hash: string;
  readonly line: string;
}

/**
 * Reads new lines. `isCommitted`: the queries see only committed lines. Lines of an open transaction may be rolled back, so they
 * are not shared.
 */
async function readLog(services: Services, queries: Queries, isCommitted: boolean): Promise<AuthorityLog | null> {
  const reader = logReaders(services);
  const cachedLog = reader.log;
  if (cachedLog) {
    const [lastKnownRow, ...newRows] = await readRowsFrom(queries, cachedLog.head.number);
    if (lastKnownRow && isLine(cachedLog, lastKnownRow))
      return newRows.length === 0 ? cachedLog : runSerially(services, () => extendFrom(cachedLog, newRows));
  }
  // First reading, or the database was restored.
  if (reader.log === cachedLog) reader.log = null;
  const genesis = await readGenesisLine(services, queries);
  const allRows = genesis === null ? [] : await readRowsFrom(queries, 0);
  if (genesis === null || allRows.length === 0) return null;
  return runSerially(services, () => extendFrom(new AuthorityLog({ genesis, now: services.now }), allRows));

  async function extendFrom(baseLog: AuthorityLog, rows: readonly LineRow[]): Promise<AuthorityLog> {
    const newestLog = reader.log && rows.some((row) => reader.log && isLine(reader.log, row)) ? reader.log : baseLog;
    const log = await extendLog(
      services,
      newestLog.fork(),
      rows.filter(({ number }) => number > newestLog.head.number),
    );
    return isCommitted ? (reader.log = log.commit()) : log;
  }
}

const isLine = (log: AuthorityLog, { number, hash }: LineRow): boolean => log.hashes.at(number) === hash;

function runSerially<T>(services: Services, runTask: () => Promise<T>): Promise<T> {
  const reader = logReaders(services);
  const currentTask = reader.turn.then(runTask);
  reader.turn = currentTask.catch(() => null);
  return currentTask;
}

async function extendLog(services: Services, log: AuthorityLog, rows: readonly LineRow[]): Promise<AuthorityLog> {
  for (const [index, { line }] of rows.entries()) {
    if (index > 0 && index % linesPerBatch === 0) await nextTurn();
    await log.add(line);
    logReaders(services).linesRead += 1;
  }
  return log;
}

const readRowsFrom = (queries: Queries, number: number): Promise<LineRow[]> =>
  queries
    .select({ number: authorityLines.number, hash: authorityLines.hash, line: authorityLines.line })
    .from(authorityLines)
    .where(gte(authorityLines.number, number))
    .orderBy(asc(authorityLines.number));

export interface LogWriter {
  readonly state: () => Authority;
  readonly problemOf: (statement: Statement) => LogProblem | null;
  /** The first signature adds the statement. Throws LogError. */
  readonly sign: (statement: Statement, person: string, proof: Proof) => Promise<void>;
}

/** Once per transaction, under a lock until it ends. Null without a genesis. */
export async function appendToLog<T>(tx: Tx, services: Services, writeLines: (log: LogWriter) => Promise<T>): Promise<T | null> {
  await tx.execute(sql`select pg_advisory_xact_lock(${appendLock})`);
  // Under the lock, all existing lines are committed.
  const committed = await readLog(services, tx, true);
  if (!committed) return null;
  const log = committed.fork();
  const maxTime = await readLatestTime(tx, services);
  const lines: LogLine[] = [];
  const writeResult = await writeLines({
    state: () => log.state(),
    problemOf: (statement) => log.problemOf(statement, timeOfNext()),
    sign: async (statement, person, proof) => {
      const { number, hash: previous } = log.head;
      const isoTime = new Date(timeOfNext()).toISOString();
      const linePosition = { v: logVersion, number: number + 1, previous, at: isoTime } as const;
      const signs = canonicalHash(statement);
      const line: LogLine = log.state().statements.has(signs)
        ? { ...linePosition, kind: 'signature', signs, person, proof }
        : { ...linePosition, kind: 'statement', statement, person, proof };
      await log.add(line);
      lines.push(line);
    },
  });
  await insertLines(tx, lines);
  if (lines.length > 0) await indexStatements(tx, log.state(), log.touched);
  return writeResult;

  function timeOfNext(): number {
    return Math.max(Math.min(services.now(), maxTime), log.head.at);
  }
}

/** The database's clock limits the time of a line, because readers refuse later ones. Tests and demos run ahead on purpose. */
async function readLatestTime(tx: Tx, { config, log, now }: Services): Promise<number> {
  if (!config.production) return Infinity;
  const { rows } = await tx.execute<{ ms: string }>(sql`select floor(extract(epoch from clock_timestamp()) * 1000)::text as ms`);
  const databaseTime = toSafeInteger(rows[0]?.ms ?? '0');
  const aheadMs = now() - databaseTime;
  if (aheadMs > maxAheadMs)
    log.error({ ahead: aheadMs }, 'the clock of this server is ahead of the database, using the database time for log lines');
  return databaseTime;
}

/** Tolerance before a warning. */
const maxAheadMs = 120_000;

export async function insertLines(queries: Queries, lines: readonly LogLine[]): Promise<void> {
  if (lines.length === 0) return;
  const rows = lines.map((line) => ({
    number: line.number,
    hash: canonicalHash(line),
    line: canonical(line),
    at: new Date(line.at),
  }));
  await queries.insert(authorityLines).values(rows);
}

export async function insertGenesis(queries: Queries, line: GenesisLine, services: Pick<Services, 'now'>): Promise<void> {
  await insertLines(queries, [line]);
  const log = new AuthorityLog({ genesis: canonicalHash(line), now: services.now });
  await log.add(line);
  await indexStatements(queries, log.state(), [canonicalHash(line)]);
}
