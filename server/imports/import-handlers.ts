import { and, count, eq, inArray, sql } from 'drizzle-orm';
import type * as z from 'zod/mini';
import { airdropFields } from '../../api/rewards/airdrops.ts';
import type { FieldIssue } from '../../api/errors.ts';
import { numberFields, timeFields, type ImportKind, type ImportReading } from '../../api/imports/contract.ts';
import { pointsFields } from '../../api/rewards/points.ts';
import { parseTimeText } from '../../api/time-text.ts';
import { instantIn } from '../../api/time-zone.ts';
import { validationRules, type ValidationRule } from '../../api/validation-rules.ts';
import { drawFields, teamFields } from '../../api/statistics/contract.ts';
import { insertAirdrops } from '../rewards/shared/airdrop-rows.ts';
import type { Queries, Tx } from '../platform/db/db.ts';
import { appError } from '../platform/core/errors.ts';
import { appendEntries } from '../rewards/shared/points-ledger.ts';
import { newId } from '../platform/core/ids.ts';
import { type imports } from './tables.ts';
import { airdrops, pointBalances, points } from '../rewards/tables.ts';
import { draws, teams } from '../statistics/tables.ts';
import type { CsvLine } from './file.ts';
import { withDecimalPoint } from './numbers.ts';

export interface GoodRow<Values = unknown> extends CsvLine {
  values: Values;
}
export interface BadRow extends CsvLine {
  issues: FieldIssue[];
}

type Import = typeof imports.$inferSelect;

export interface ImportWorker {
  id: string | null;
  email: string;
  at: Date;
}

/** Finds valid rows that conflict with stored data or earlier rows. Call it with batches in file order. */
interface Screen<Values> {
  refuse(rows: readonly GoodRow<Values>[]): Promise<BadRow[]>;
}

export interface ImportHandler<Values = unknown> {
  judge(row: CsvLine, reading: ImportReading): GoodRow<Values> | BadRow;
  /** Base units. */
  amountOf(values: Values): bigint;
  /** Rows with equal keys are duplicates. */
  keyOf(values: Values): string;
  /** Only the last row of a key counts. Requires non-negative amounts. */
  lastCounts?: boolean;
  screen(queries: Queries): Screen<Values>;
  put(tx: Tx, into: Import, rows: readonly GoodRow<Values>[], by: ImportWorker): Promise<void>;
  /** Reverts everything and returns the count. Throws if later changes depend on it. */
  undo(tx: Tx, from: Import, by: ImportWorker): Promise<number>;
}

export const importHandlers: Readonly<Record<ImportKind, ImportHandler>> = {
  points: kind('points', pointsFields, {
    amountOf: ({ berries }) => BigInt(berries),
    keyOf: whole,
    screen: screenBalances,
    put: putPoints,
    undo: undoPoints,
  }),
  airdrops: kind('airdrops', airdropFields, {
    amountOf: ({ berries }) => BigInt(berries),
    keyOf: whole,
    screen: noScreening,
    put: putAirdrops,
    undo: undoAirdrops,
  }),
  teams: kind('teams', teamFields, {
    amountOf: ({ yuMinted }) => BigInt(yuMinted),
    keyOf: ({ captain }) => captain,
    lastCounts: true,
    screen: noScreening,
    put: putTeams,
    undo: undoTeams,
  }),
  draws: kind('draws', drawFields, {
    amountOf: ({ totalBerries }) => BigInt(totalBerries),
    keyOf: whole,
    screen: screenDraws,
    put: putDraws,
    undo: undoDraws,
  }),
};

function whole(values: object): string {
  return JSON.stringify(values);
}

function noScreening() {
  return { refuse: () => Promise.resolve([]) };
}

function kind<S extends z.ZodMiniObject>(
  name: ImportKind,
  schema: S,
  rest: Omit<ImportHandler<z.infer<S>>, 'judge'>,
): ImportHandler<z.infer<S>> {
  return {
    judge(row, reading) {
      if (row.malformed) return { ...row, issues: [{ path: '', rule: row.malformed }] };
      const { texts, issues } = plainTexts(name, row.texts, reading);
      const parsed = schema.safeParse(texts);
      if (parsed.success && issues.length === 0) return { ...row, values: parsed.data };
      return { ...row, issues: [...issues, ...(parsed.success ? [] : issuesOf(parsed.error.issues))] };
    },
    ...rest,
  };
}

/** Normalizes numbers and times. */
function plainTexts(name: ImportKind, provided: CsvLine['texts'], { decimal, zone }: ImportReading) {
  const texts = { ...provided };
  const issues: FieldIssue[] = [];
  for (const field of numberFields[name]) texts[field] = withDecimalPoint(texts[field] ?? '', decimal);
  for (const field of timeFields[name]) {
    const time = parseTimeText(texts[field] ?? '');
    if (!time || time.hasZone) continue;
    const at = instantIn(zone, Date.parse(time.iso));
    if (at === null) issues.push({ path: field, rule: 'clockChange' });
    else texts[field] = new Date(at).toISOString();
  }
  return { texts, issues };
}

function issuesOf(found: readonly { path: readonly PropertyKey[]; message: string }[]): FieldIssue[] {
  const issues = new Map<string, FieldIssue>();
  for (const { path, message } of found) {
    const field = String(path[0] ?? '');
    if (!issues.has(field)) issues.set(field, { path: field, rule: isRule(message) ? message : 'invalid' });
  }
  return [...issues.values()];
}

const isRule = (message: string): message is ValidationRule => (validationRules as readonly string[]).includes(message);

// ── Points ─────────────────────────────────────────────────────────────────

type PointsValues = z.infer<typeof pointsFields>;

/** Refuses a row that makes the balance negative after the earlier rows. */
function screenBalances(queries: Queries): Screen<PointsValues> {
  const stored = new Map<string, bigint>();
  const gained = new Map<string, bigint>();
  const refuse = async (rows: readonly GoodRow<PointsValues>[]): Promise<BadRow[]> => {
    const taking = rows.filter(({ values }) => values.berries.startsWith('-')).map(({ values }) => values.address);
    const unread = [...new Set(taking)].filter((address) => !stored.has(address));
    if (unread.length > 0) {
      for (const address of unread) stored.set(address, 0n);
      const found = await queries.select().from(pointBalances).where(inArray(pointBalances.address, unread));
      for (const { address, berries } of found) stored.set(address, berries);
    }
    const bad: BadRow[] = [];
    for (const { values, ...row } of rows) {
      const { address } = values;
      const after = (gained.get(address) ?? 0n) + BigInt(values.berries);
      const isTaking = values.berries.startsWith('-');
      if (isTaking && (stored.get(address) ?? 0n) + after < 0n)
        bad.push({ ...row, issues: [{ path: 'berries', rule: 'balance' }] });
      else gained.set(address, after);
    }
    return bad;
  };
  return { refuse };
}

async function putPoints(tx: Tx, { id }: Import, rows: readonly GoodRow<PointsValues>[], by: ImportWorker): Promise<void> {
  await appendEntries(
    tx,
    rows.map(({ line, values }) => ({
      address: values.address,
      berries: BigInt(values.berries),
      reason: values.reason,
      source: 'import' as const,
      importId: id,
      importLine: line,
      administratorId: by.id,
      administratorEmail: by.email,
      createdAt: by.at,
    })),
  );
}

/** Adds reversals. Fails for entries that were reversed, or berries that were spent. */
async function undoPoints(tx: Tx, { id, name }: Import, by: ImportWorker): Promise<number> {
  const entries = await tx
    .select({ id: points.id, address: points.address, berries: points.berries })
    .from(points)
    .where(eq(points.importId, id))
    .orderBy(points.importLine);
  await appendEntries(
    tx,
    entries.map((entry) => ({
      address: entry.address,
      berries: -entry.berries,
      reason: name,
      source: 'reversal' as const,
      reverses: entry.id,
      administratorId: by.id,
      administratorEmail: by.email,
      createdAt: by.at,
    })),
  );
  return entries.length;
}

// ── Airdrops ───────────────────────────────────────────────────────────────

async function putAirdrops(
  tx: Tx,
  { id }: Import,
  rows: readonly GoodRow<z.infer<typeof airdropFields>>[],
  { at }: ImportWorker,
): Promise<void> {
  await insertAirdrops(
    tx,
    rows.map(({ line, values }) => ({ ...values, importId: id, importLine: line, createdAt: at })),
  );
}

/** Fails if one was edited since. */
async function undoAirdrops(tx: Tx, { id }: Import): Promise<number> {
  const ofImport = eq(airdrops.importId, id);
  const deletedRows = await tx
    .delete(airdrops)
    .where(and(ofImport, eq(airdrops.version, 1)))
    .returning({ id: airdrops.id });
  const [left] = await tx.select({ rows: count() }).from(airdrops).where(ofImport);
  if (left && left.rows > 0) throw appError('BUILT_ON', { rows: left.rows });
  return deletedRows.length;
}

// ── Teams ──────────────────────────────────────────────────────────────────

const teamLock = 4280_0021;

/** Replaces each captain's team. The last line of a captain counts. */
async function putTeams(
  tx: Tx,
  { id }: Import,
  rows: readonly GoodRow<z.infer<typeof teamFields>>[],
  { at }: ImportWorker,
): Promise<void> {
  if (rows.length === 0) return;
  await tx.execute(sql`select pg_advisory_xact_lock(${teamLock})`);
  const captains = [...new Set(rows.map(({ values }) => values.captain))];
  await tx
    .update(teams)
    .set({ current: false })
    .where(and(inArray(teams.captain, captains), teams.current));
  const last = new Map(rows.map(({ line, values }) => [values.captain, line]));
  await tx.insert(teams).values(
    rows.map(({ line, values }) => ({
      id: newId(at.getTime()),
      captain: values.captain,
      yuMinted: BigInt(values.yuMinted),
      size: values.size,
      current: last.get(values.captain) === line,
      importId: id,
      importLine: line,
      updatedAt: at,
    })),
  );
}

/** Restores the previous teams. */
async function undoTeams(tx: Tx, { id }: Import): Promise<number> {
  await tx.execute(sql`select pg_advisory_xact_lock(${teamLock})`);
  const deletedRows = await tx.delete(teams).where(eq(teams.importId, id)).returning({ captain: teams.captain });
  const captains = [...new Set(deletedRows.map(({ captain }) => captain))];
  await tx.execute(sql`
    update teams set current = true where id in (
      select distinct on (captain) id from teams where captain = any(${sql.param(captains)}::text[])
      order by captain, updated_at desc, import_line desc nulls last, id desc
    ) and not current`);
  return deletedRows.length;
}

// ── Draws ──────────────────────────────────────────────────────────────────

type DrawValues = z.infer<typeof drawFields>;

/** Refuses a second draw of the same captain at the same time, stored or earlier in the file. */
function screenDraws(queries: Queries): Screen<DrawValues> {
  const seen = new Set<string>();
  const keyOf = ({ time, captain }: DrawValues) => `${time} ${captain}`;
  const refuse = async (rows: readonly GoodRow<DrawValues>[]): Promise<BadRow[]> => {
    const stored = await queries
      .select({ time: draws.time, captain: draws.captain })
      .from(draws)
      .where(
        and(
          inArray(
            draws.time,
            rows.map(({ values }) => new Date(values.time)),
          ),
          inArray(
            draws.captain,
            rows.map(({ values }) => values.captain),
          ),
        ),
      );
    for (const { time, captain } of stored) seen.add(`${time.toISOString()} ${captain}`);
    const bad: BadRow[] = [];
    for (const { values, ...row } of rows) {
      if (seen.has(keyOf(values))) bad.push({ ...row, issues: [{ path: 'captain', rule: 'drawn' }] });
      seen.add(keyOf(values));
    }
    return bad;
  };
  return { refuse };
}

async function putDraws(tx: Tx, { id }: Import, rows: readonly GoodRow<DrawValues>[], { at }: ImportWorker): Promise<void> {
  if (rows.length === 0) return;
  await tx.insert(draws).values(
    rows.map(({ line, values }) => ({
      id: newId(at.getTime()),
      time: new Date(values.time),
      captain: values.captain,
      members: values.members,
      captainBerries: BigInt(values.captainBerries),
      totalBerries: BigInt(values.totalBerries),
      importId: id,
      importLine: line,
    })),
  );
}

async function undoDraws(tx: Tx, { id }: Import): Promise<number> {
  return (await tx.delete(draws).where(eq(draws.importId, id)).returning({ id: draws.id })).length;
}
