import { calendarDayOf, isRealDay, startOfDay } from '../../../days.ts';

// Relative in URLs and saved views, resolved to instants in the person's zone when the server is
// asked.

type Ymd = readonly [year: number, month: number, day: number];

/** End is exclusive. Weeks begin on Monday. */
const named = {
  today: (y, m, d) => [
    [y, m, d],
    [y, m, d + 1],
  ],
  yesterday: (y, m, d) => [
    [y, m, d - 1],
    [y, m, d],
  ],
  'this-week': (y, m, d, w) => [
    [y, m, d - w],
    [y, m, d - w + 7],
  ],
  'last-week': (y, m, d, w) => [
    [y, m, d - w - 7],
    [y, m, d - w],
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
} as const satisfies Record<string, (y: number, m: number, d: number, weekday: number) => readonly [Ymd, Ymd]>;

export type NamedTime = keyof typeof named;
export const namedTimes = Object.keys(named) as NamedTime[];
/** Includes today. */
export const pastDays = /^past-([1-9]\d{0,3})-days$/;

const day = /^(\d{4})-(\d\d)-(\d\d)$/;
const minute = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)$/;
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** `<instant>..<instant>`. Null: invalid. `2026-11-15` as an end includes that day. */
export function resolveTime(text: string, now: Date, utc = false): string | null {
  const iso = ([year, month, date]: Ymd) => startOfDay({ year, month, day: date }, utc).toISOString();
  const { year: y, month: m, day: d } = calendarDayOf(now, utc);
  const past = Number(pastDays.exec(text)?.[1] ?? 0);
  if (past > 0) return `${iso([y, m, d - past + 1])}..${iso([y, m, d + 1])}`;
  const name = namedTimes.find((one) => one === text);
  if (name) {
    const weekday = (new Date(Date.UTC(y, m, d)).getUTCDay() + 6) % 7;
    const [from, to] = named[name](y, m, d, weekday);
    return `${iso(from)}..${iso(to)}`;
  }
  const [from = '', to = from, ...rest] = text.split('..');
  if (rest.length > 0 || text === '..') return null;
  const ends = [endOf(from, 0, utc), endOf(to, 1, utc)] as const;
  if (ends.includes(null) || (!text.includes('..') && !day.test(text))) return null;
  return ends.join('..');
}

function endOf(text: string, more: 0 | 1, utc: boolean): string | null {
  if (text === '' || instant.test(text)) return text;
  const [, y = 0, m = 0, d = 0, hours, minutes = 0] = (day.exec(text) ?? minute.exec(text) ?? []).map(Number);
  // There is no data before 1970.
  if (y < 1970 || y > 9998 || !isRealDay({ year: y, month: m - 1, day: d })) return null;
  if (hours === undefined) return startOfDay({ year: y, month: m - 1, day: d + more }, utc).toISOString();
  const exact = utc ? new Date(Date.UTC(y, m - 1, d, hours, minutes)) : new Date(y, m - 1, d, hours, minutes);
  return hours < 24 && minutes < 60 ? exact.toISOString() : null;
}
