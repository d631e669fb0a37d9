import { and, count, eq, inArray, sql } from 'drizzle-orm';
import type * as z from 'zod/mini';
import { airdropFields } from '../../api/rewards/airdrops.ts';
import type { FieldIssue } from '../../api/errors.ts';
import { numberFields, timeFields, type ImportKind, type ImportReading } from '../../api/imports/contract.ts';
import { pointsFields } from '../../api/rewards/points.ts';
import { parseTimeText } from '../../api/time-text.ts';
import { toInstant } from '../../api/time-zone.ts';
import { validationRules, type ValidationRule } from '../../api/validation-rules.ts';
import { drawFields, teamFields } from '../../api/statistics/contract.ts';
import { insertAirdrops } from '../rewards/shared/airdrop-rows.ts';
import type { Queries, Tx } from '../platform/db/db.ts';
import { createAppError } from '../platform/core/errors.ts';
import { appendEntries } from '../rewards/shared/points-ledger.ts';
import { newId } from '../platform/core/ids.ts';
import { type imports } from './tables.ts';
import { airdrops, pointBalances, points } from '../rewards/tables.ts';
import { draws, teams } from '../statistics/tables.ts';
import type { CsvRow } from './file.ts';
import { withDecimalPoint } from './numbers.ts';

export interface ValidRow<Values = unknown> extends CsvRow {
  values: Values;
}
export interface InvalidRow extends CsvRow {
  issues: FieldIssue[];
}

type Import = typeof imports.$inferSelect;

export interface ImportActor {
  id: string | null;
  email: string;
  at: Date;
}

/** Finds valid rows that conflict with stored data or earlier rows. Call it with batches in file order. */
interface RowScreening<Values> {
  refuse(rows: readonly ValidRow<Values>[]): Promise<InvalidRow[]>;
}

export interface ImportHandler<Values = unknown> {
  judge(row: CsvRow, reading: ImportReading): ValidRow<Values> | InvalidRow;
  /** Base units. */
  amountOf(values: Values): bigint;
  /** Rows with equal keys are duplicates. */
  keyOf(values: Values): string;
  /** Only the last row of a key counts. Requires non-negative amounts. */
  lastCounts?: boolean;
  screen(queries: Queries): RowScreening<Values>;
  put(tx: Tx, importRow: Import, rows: readonly ValidRow<Values>[], actor: ImportActor): Promise<void>;
  /** Reverts everything and returns the count. Throws if later changes depend on it. */
  undo(tx: Tx, importRow: Import, actor: ImportActor): Promise<number>;
}

export const importHandlers: Readonly<Record<ImportKind, ImportHandler>> = {
  points: createHandler('points', pointsFields, {
    amountOf: ({ berries }) => BigInt(berries),
    keyOf: wholeRowKey,
    screen: screenBalances,
    put: insertPointRows,
    undo: deletePoints,
  }),
  airdrops: createHandler('airdrops', airdropFields, {
    amountOf: ({ berries }) => BigInt(berries),
    keyOf: wholeRowKey,
    screen: noScreening,
    put: insertAirdropRows,
    undo: deleteAirdrops,
  }),
  teams: createHandler('teams', teamFields, {
    amountOf: ({ yuMinted }) => BigInt(yuMinted),
    keyOf: ({ captain }) => captain,
    lastCounts: true,
    screen: noScreening,
    put: insertTeamRows,
    undo: deleteTeams,
  }),
  draws: createHandler('draws', drawFields, {
    amountOf: ({ totalBerries }) => BigInt(totalBerries),
    keyOf: wholeRowKey,
    screen: screenDraws,
    put: insertDrawRows,
    undo: deleteDraws,
  }),
};

function wholeRowKey(values: object): string {
  return JSON.stringify(values);
}

function noScreening() {
  return { refuse: () => Promise.resolve([]) };
}

function createHandler<S extends z.ZodMiniObject>(
  name: ImportKind,
  schema: S,
  handlerRest: Omit<ImportHandler<z.infer<S>>, 'judge'>,
): ImportHandler<z.infer<S>> {
  return {
    judge(row, reading) {
      if (row.malformed) return { ...row, issues: [{ path: '', rule: row.malformed }] };
      const { texts, issues } = normalizeTexts(name, row.texts, reading);
      const parseResult = schema.safeParse(texts);
      if (parseResult.success && issues.length === 0) return { ...row, values: parseResult.data };
      return { ...row, issues: [...issues, ...(parseResult.success ? [] : issuesOf(parseResult.error.issues))] };
    },
    ...handlerRest,
  };
}

/** Normalizes numbers and times. */
function normalizeTexts(name: ImportKind, rawTexts: CsvRow['texts'], { decimal, zone }: ImportReading) {
  const texts = { ...rawTexts };
  const issues: FieldIssue[] = [];
  for (const field of numberFields[name]) texts[field] = withDecimalPoint(texts[field] ?? '', decimal);
  for (const field of timeFields[name]) {
    const time = parseTimeText(texts[field] ?? '');
    if (!time || time.hasZone) continue;
    const utcTime = toInstant(zone, Date.parse(time.iso));
    if (utcTime === null) issues.push({ path: field, rule: 'clockChange' });
    else texts[field] = new Date(utcTime).toISOString();
  }
  return { texts, issues };
}

function issuesOf(zodIssues: readonly { path: readonly PropertyKey[]; message: string }[]): FieldIssue[] {
  const issues = new Map<string, FieldIssue>();
  for (const { path, message } of zodIssues) {
    const field = String(path[0] ?? '');
    if (!issues.has(field)) issues.set(field, { path: field, rule: isValidationRule(message) ? message : 'invalid' });
  }
  return [...issues.values()];
}

const isValidationRule = (message: string): message is ValidationRule => (validationRules as readonly string[]).includes(message);

// ── Points ─────────────────────────────────────────────────────────────────

type PointsValues = z.infer<typeof pointsFields>;

/** Refuses a row that makes the balance negative after the earlier rows. */
function screenBalances(queries: Queries): RowScreening<PointsValues> {
  const storedBalances = new Map<string, bigint>();
  const importedChanges = new Map<string, bigint>();
  const findConflicts = async (rows: readonly ValidRow<PointsValues>[]): Promise<InvalidRow[]> => {
    const debitedAddresses = rows.filter(({ values }) => values.berries.startsWith('-')).map(({ values }) => values.address);
    const addressesToRead = [...new Set(debitedAddresses)].filter((address) => !storedBalances.has(address));
    if (addressesToRead.length > 0) {
      for (const address of addressesToRead) storedBalances.set(address, 0n);
      const balanceRows = await queries.select().from(pointBalances).where(inArray(pointBalances.address, addressesToRead));
      for (const { address, berries } of balanceRows) storedBalances.set(address, berries);
    }
    const conflictingRows: InvalidRow[] = [];
    for (const { values, ...row } of rows) {
      const { address } = values;
      const balanceAfter = (importedChanges.get(address) ?? 0n) + BigInt(values.berries);
      const isDebit = values.berries.startsWith('-');
      if (isDebit && (storedBalances.get(address) ?? 0n) + balanceAfter < 0n)
        conflictingRows.push({ ...row, issues: [{ path: 'berries', rule: 'balance' }] });
      else importedChanges.set(address, balanceAfter);
    }
    return conflictingRows;
  };
  return { refuse: findConflicts };
}

async function insertPointRows(
  tx: Tx,
  { id }: Import,
  rows: readonly ValidRow<PointsValues>[],
  actor: ImportActor,
): Promise<void> {
  await appendEntries(
    tx,
    rows.map(({ line, values }) => ({
      address: values.address,
      berries: BigInt(values.berries),
      reason: values.reason,
      source: 'import' as const,
      importId: id,
      importLine: line,
      administratorId: actor.id,
      administratorEmail: actor.email,
      createdAt: actor.at,
    })),
  );
}

/** Adds reversals. Fails for entries that were reversed, or berries that were spent. */
async function deletePoints(tx: Tx, { id, name }: Import, actor: ImportActor): Promise<number> {
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
      administratorId: actor.id,
      administratorEmail: actor.email,
      createdAt: actor.at,
    })),
  );
  return entries.length;
}

// ── Airdrops ───────────────────────────────────────────────────────────────

async function insertAirdropRows(
  tx: Tx,
  { id }: Import,
  rows: readonly ValidRow<z.infer<typeof airdropFields>>[],
  { at }: ImportActor,
): Promise<void> {
  await insertAirdrops(
    tx,
    rows.map(({ line, values }) => ({ ...values, importId: id, importLine: line, createdAt: at })),
  );
}

/** Fails if one was edited since. */
async function deleteAirdrops(tx: Tx, { id }: Import): Promise<number> {
  const isOfImport = eq(airdrops.importId, id);
  const deletedRows = await tx
    .delete(airdrops)
    .where(and(isOfImport, eq(airdrops.version, 1)))
    .returning({ id: airdrops.id });
  const [left] = await tx.select({ rows: count() }).from(airdrops).where(isOfImport);
  if (left && left.rows > 0) throw createAppError('BUILT_ON', { rows: left.rows });
  return deletedRows.length;
}

// ── Teams ──────────────────────────────────────────────────────────────────

const teamLock = 4280_0021;

/** Replaces each captain's team. The last line of a captain counts. */
async function insertTeamRows(
  tx: Tx,
  { id }: Import,
  rows: readonly ValidRow<z.infer<typeof teamFields>>[],
  { at }: ImportActor,
): Promise<void> {
  if (rows.length === 0) return;
  await tx.execute(sql`select pg_advisory_xact_lock(${teamLock})`);
  const captains = [...new Set(rows.map(({ values }) => values.captain))];
  await tx
    .update(teams)
    .set({ current: false })
    .where(and(inArray(teams.captain, captains), teams.current));
  const lastLineByCaptain = new Map(rows.map(({ line, values }) => [values.captain, line]));
  await tx.insert(teams).values(
    rows.map(({ line, values }) => ({
      id: newId(at.getTime()),
      captain: values.captain,
      yuMinted: BigInt(values.yuMinted),
      size: values.size,
      current: lastLineByCaptain.get(values.captain) === line,
      importId: id,
      importLine: line,
      updatedAt: at,
    })),
  );
}

/** Restores the previous teams. */
async function deleteTeams(tx: Tx, { id }: Import): Promise<number> {
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
function screenDraws(queries: Queries): RowScreening<DrawValues> {
  const seenKeys = new Set<string>();
  const keyOf = ({ time, captain }: DrawValues) => `${time} ${captain}`;
  const findConflicts = async (rows: readonly ValidRow<DrawValues>[]): Promise<InvalidRow[]> => {
    const storedDraws = await queries
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
    for (const { time, captain } of storedDraws) seenKeys.add(`${time.toISOString()} ${captain}`);
    const conflictingRows: InvalidRow[] = [];
    for (const { values, ...row } of rows) {
      if (seenKeys.has(keyOf(values))) conflictingRows.push({ ...row, issues: [{ path: 'captain', rule: 'drawn' }] });
      seenKeys.add(keyOf(values));
    }
    return conflictingRows;
  };
  return { refuse: findConflicts };
}

async function insertDrawRows(tx: Tx, { id }: Import, rows: readonly ValidRow<DrawValues>[], { at }: ImportActor): Promise<void> {
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

async function deleteDraws(tx: Tx, { id }: Import): Promise<number> {
  return (await tx.delete(draws).where(eq(draws.importId, id)).returning({ id: draws.id })).length;
}
