import { sql } from 'drizzle-orm';
import type { StatisticsDatabase } from '../platform/db/db.ts';

/** Parts of a day that its slots leave room for. */
const maxPartsPerDay = 8;
const dayMs = 86_400_000;
const refreshMs = 30_000;
/** A new number of parts applies from midnight, when every server has had this long to read it. */
const partChangeNoticeMs = 3_600_000;

interface PartsFromDay {
  readonly fromDay: number;
  readonly parts: number;
}

export const dayOf = (time: Date): number => Math.floor(time.getTime() / dayMs);

/** UTC day × 8 + part, or 0 in the panel's own tables. A repeated visit has the same time and id, so it has the same slot. */
export async function createSlotFinder(statistics: StatisticsDatabase): Promise<(visit: { id: string; at: Date }) => number> {
  if (!statistics.isSeparate) return () => 0;
  const partsFromDays = await readPartsCached(statistics);
  return ({ id, at }) => {
    const day = dayOf(at);
    return day * maxPartsPerDay + (Number.parseInt(id.slice(-2), 16) % partCountOn(partsFromDays, day));
  };
}

export async function readSlots(statistics: StatisticsDatabase, days: Iterable<number>): Promise<number[]> {
  if (!statistics.isSeparate) return [0];
  const partsFromDays = await readPartsCached(statistics);
  return [...new Set(days)].flatMap((day) =>
    Array.from({ length: partCountOn(partsFromDays, day) }, (_, partIndex) => day * maxPartsPerDay + partIndex),
  );
}

const partCountOn = (partsFromDays: readonly PartsFromDay[], day: number): number =>
  partsFromDays.findLast(({ fromDay }) => fromDay <= day)?.parts ?? 1;

const partsCache = new WeakMap<StatisticsDatabase, { at: number; known: Promise<PartsFromDay[]> }>();

function readPartsCached(statistics: StatisticsDatabase): Promise<PartsFromDay[]> {
  const cachedParts = partsCache.get(statistics);
  if (cachedParts && Date.now() - cachedParts.at < refreshMs) return cachedParts.known;
  const pendingParts = readParts(statistics);
  partsCache.set(statistics, { at: Date.now(), known: pendingParts });
  pendingParts.catch(() => partsCache.delete(statistics));
  return pendingParts;
}

async function readParts({ db }: StatisticsDatabase): Promise<PartsFromDay[]> {
  const { rows } = await db.execute<{ fromDay: number; parts: number }>(
    sql`select from_day - date '1970-01-01' as "fromDay", parts from visit_parts order by from_day`,
  );
  return rows;
}

/** From the next UTC day that every server can know of in time. Past days keep their parts. */
export async function setParts(statistics: StatisticsDatabase, parts: number, now: number): Promise<void> {
  if (!statistics.isSeparate) return;
  const pendingParts = await readParts(statistics);
  const from = dayOf(new Date(now + partChangeNoticeMs)) + 1;
  if (partCountOn(pendingParts, from) === parts && !pendingParts.some(({ fromDay }) => fromDay > from)) return;
  await statistics.db.execute(sql`insert into visit_parts (from_day, parts) values (date '1970-01-01' + ${from}::int, ${parts})
    on conflict (from_day) do update set parts = excluded.parts`);
  partsCache.delete(statistics);
}
