import { calendarDayOf, isExistingDay, startOfDay } from '../../../days.ts';

// Relative in URLs and saved views, resolved to instants in the person's zone when the server is
// asked.

type DateParts = readonly [year: number, month: number, day: number];

/** End is exclusive. Weeks begin on Monday. */
const rangesByName = {
  today: (y, m, d) => [
    [y, m, d],
    [y, m, d + 1],
  ],
  yesterday: (y, m, d) => [
    [y, m, d - 1],
    [y, m, d],
  ],
  'this-week': (y, m, d, weekday) => [
    [y, m, d - weekday],
    [y, m, d - weekday + 7],
  ],
  'last-week': (y, m, d, weekday) => [
    [y, m, d - weekday - 7],
    [y, m, d - weekday],
  ],
  'this-month': (y, m) => [
    [y, m, 1],
    [y, m + 1, 1],
  ],
  'last-month': (y, m) => [
    [y, m - 1, 1],
    [y, m, 1],
  ],
  'this-quarter': (y, m) => [
    [y, m - (m % 3), 1],
    [y, m - (m % 3) + 3, 1],
  ],
  'last-quarter': (y, m) => [
    [y, m - (m % 3) - 3, 1],
    [y, m - (m % 3), 1],
  ],
  'this-year': (y) => [
    [y, 0, 1],
    [y + 1, 0, 1],
  ],
  'last-year': (y) => [
    [y - 1, 0, 1],
    [y, 0, 1],
  ],
} as const satisfies Record<string, (y: number, m: number, d: number, weekday: number) => readonly [DateParts, DateParts]>;

export type NamedTime = keyof typeof rangesByName;
export const namedTimes = Object.keys(rangesByName) as NamedTime[];
/** Includes today. */
export const pastDays = /^past-([1-9]\d{0,3})-days$/;

const day = /^(\d{4})-(\d\d)-(\d\d)$/;
const minutePattern = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)$/;
const instantPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** `<instant>..<instant>`. Null: invalid. `2026-11-15` as an end includes that day. */
export function resolveTime(text: string, now: Date, isUtc = false): string | null {
  const toIso = ([year, month, date]: DateParts) => startOfDay({ year, month, day: date }, isUtc).toISOString();
  const { year: y, month: m, day: d } = calendarDayOf(now, isUtc);
  const pastDayCount = Number(pastDays.exec(text)?.[1] ?? 0);
  if (pastDayCount > 0) return `${toIso([y, m, d - pastDayCount + 1])}..${toIso([y, m, d + 1])}`;
  const name = namedTimes.find((timeName) => timeName === text);
  if (name) {
    const weekday = (new Date(Date.UTC(y, m, d)).getUTCDay() + 6) % 7;
    const [rangeStart, rangeEnd] = rangesByName[name](y, m, d, weekday);
    return `${toIso(rangeStart)}..${toIso(rangeEnd)}`;
  }
  const [rangeStart = '', rangeEnd = rangeStart, ...extraParts] = text.split('..');
  if (extraParts.length > 0 || text === '..') return null;
  const rangeEnds = [parseEnd(rangeStart, 0, isUtc), parseEnd(rangeEnd, 1, isUtc)] as const;
  if (rangeEnds.includes(null) || (!text.includes('..') && !day.test(text))) return null;
  return rangeEnds.join('..');
}

function parseEnd(text: string, addedUnit: 0 | 1, isUtc: boolean): string | null {
  if (text === '' || instantPattern.test(text)) return text;
  const [, y = 0, m = 0, d = 0, hours, minutes = 0] = (day.exec(text) ?? minutePattern.exec(text) ?? []).map(Number);
  // There is no data before 1970.
  if (y < 1970 || y > 9998 || !isExistingDay({ year: y, month: m - 1, day: d })) return null;
  if (hours === undefined) return startOfDay({ year: y, month: m - 1, day: d + addedUnit }, isUtc).toISOString();
  const exactDate = isUtc ? new Date(Date.UTC(y, m - 1, d, hours, minutes)) : new Date(y, m - 1, d, hours, minutes);
  return hours < 24 && minutes < 60 ? exactDate.toISOString() : null;
}
