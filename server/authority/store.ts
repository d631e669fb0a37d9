import { asc, gt, sql } from 'drizzle-orm';
import { canonical, hashOf } from '../../api/authority/canonical.ts';
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

async function readLog(services: Services, queries: Queries): Promise<Log | null> {
  const reader = readers(services);
  const reading = reader.turn.then(async () => {
    if (!reader.log) {
      const genesis = await genesisOf(services, queries);
      if (genesis === null) return null;
      const first = new Log({ genesis });
      await readOn(first, queries);
      if (first.head.number < 0) return null;
      return (reader.log = first);
    }
    const before = reader.log.copy();
    try {
      await readOn(reader.log, queries);
    } catch (error) {
      reader.log = before;
      throw error;
    }
    return reader.log;
  });
  reader.turn = reading.catch(() => null);
  return reading;
}

async function readOn(log: Log, queries: Queries): Promise<void> {
  const lines = await queries
    .select({ line: authorityLines.line })
    .from(authorityLines)
    .where(gt(authorityLines.number, log.head.number))
    .orderBy(asc(authorityLines.number));
  for (const { line } of lines) await log.add(line);
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
  const log = (await readLog(services, tx))?.copy();
  if (!log) return null;
  const lines: LogLine[] = [];
  const answer = await make({
    state: () => log.state(),
    add: async (line) => {
      const { number, hash: previous, at } = log.head;
      const placed = {
        ...line,
        number: number + 1,
        previous,
        at: new Date(Math.max(services.now(), at)).toISOString(),
      } as LogLine;
      await log.add(placed);
      lines.push(placed);
      return placed;
    },
  });
  await insertLines(tx, lines);
  return answer;
}

/** Writes lines that were checked. */
export async function insertLines(tx: Queries, lines: readonly LogLine[]): Promise<void> {
  if (lines.length === 0) return;
  const rows = lines.map((line) => ({ number: line.number, hash: hashOf(line), line: canonical(line), at: new Date(line.at) }));
  await tx.insert(authorityLines).values(rows);
}
