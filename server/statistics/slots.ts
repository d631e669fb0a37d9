import { sql } from 'drizzle-orm';
import type { StatisticsDatabase } from '../platform/db/db.ts';

/** Parts of a day that its slots leave room for. */
const maxParts = 8;
const dayMs = 86_400_000;
const refreshMs = 30_000;
/** A new number of parts applies from midnight, when every server has had this long to read it. */
const noticeMs = 3_600_000;

interface FromDay {
  readonly fromDay: number;
  readonly parts: number;
}

export const dayOf = (at: Date): number => Math.floor(at.getTime() / dayMs);

/** UTC day × 8 + part, or 0 in the panel's own tables. A repeated visit has the same time and id, so it has the same slot. */
export async function slotting(statistics: StatisticsDatabase): Promise<(visit: { id: string; at: Date }) => number> {
  if (!statistics.isSeparate) return () => 0;
  const known = await partsByDay(statistics);
  return ({ id, at }) => {
    const day = dayOf(at);
    return day * maxParts + (Number.parseInt(id.slice(-2), 16) % partsOn(known, day));
  };
}

export async function slotsOf(statistics: StatisticsDatabase, days: Iterable<number>): Promise<number[]> {
  if (!statistics.isSeparate) return [0];
  const known = await partsByDay(statistics);
  return [...new Set(days)].flatMap((day) => Array.from({ length: partsOn(known, day) }, (_, part) => day * maxParts + part));
}

const partsOn = (known: readonly FromDay[], day: number): number => known.findLast(({ fromDay }) => fromDay <= day)?.parts ?? 1;

const kept = new WeakMap<StatisticsDatabase, { at: number; known: Promise<FromDay[]> }>();

function partsByDay(statistics: StatisticsDatabase): Promise<FromDay[]> {
  const found = kept.get(statistics);
  if (found && Date.now() - found.at < refreshMs) return found.known;
  const known = readParts(statistics);
  kept.set(statistics, { at: Date.now(), known });
  known.catch(() => kept.delete(statistics));
  return known;
}

async function readParts({ db }: StatisticsDatabase): Promise<FromDay[]> {
  const { rows } = await db.execute<{ fromDay: number; parts: number }>(
    sql`select from_day - date '1970-01-01' as "fromDay", parts from visit_parts order by from_day`,
  );
  return rows;
}

/** From the next UTC day that every server can know of in time. Past days keep their parts. */
export async function setParts(statistics: StatisticsDatabase, parts: number, now: number): Promise<void> {
  if (!statistics.isSeparate) return;
  const known = await readParts(statistics);
  const from = dayOf(new Date(now + noticeMs)) + 1;
  if (partsOn(known, from) === parts && !known.some(({ fromDay }) => fromDay > from)) return;
  await statistics.db.execute(sql`insert into visit_parts (from_day, parts) values (date '1970-01-01' + ${from}::int, ${parts})
    on conflict (from_day) do update set parts = excluded.parts`);
  kept.delete(statistics);
}
