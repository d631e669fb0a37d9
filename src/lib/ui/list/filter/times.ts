// Stretches of time as people name them. They stay relative in the URL and in saved views, and become instants here, in the
// person's zone, when something is asked of the server; what is chosen by them is then frozen under the server's seal.

/** Days from the first on and before the other, at local midnight; weeks begin on Monday. */
const named = {
  today: (y: number, m: number, d: number) => [new Date(y, m, d), new Date(y, m, d + 1)],
  yesterday: (y, m, d) => [new Date(y, m, d - 1), new Date(y, m, d)],
  'this-week': (y, m, d, w) => [new Date(y, m, d - w), new Date(y, m, d - w + 7)],
  'last-week': (y, m, d, w) => [new Date(y, m, d - w - 7), new Date(y, m, d - w)],
  'this-month': (y, m) => [new Date(y, m, 1), new Date(y, m + 1, 1)],
  'last-month': (y, m) => [new Date(y, m - 1, 1), new Date(y, m, 1)],
  'this-quarter': (y, m) => [new Date(y, m - (m % 3), 1), new Date(y, m - (m % 3) + 3, 1)],
  'last-quarter': (y, m) => [new Date(y, m - (m % 3) - 3, 1), new Date(y, m - (m % 3), 1)],
  'this-year': (y) => [new Date(y, 0, 1), new Date(y + 1, 0, 1)],
  'last-year': (y) => [new Date(y - 1, 0, 1), new Date(y, 0, 1)],
} as const satisfies Record<string, (y: number, m: number, d: number, weekday: number) => readonly [Date, Date]>;

export type NamedTime = keyof typeof named;
export const namedTimes = Object.keys(named) as NamedTime[];
/** Whole days up to and with this one. */
export const pastDays = /^past-([1-9]\d{0,3})-days$/;

const day = /^(\d{4})-(\d\d)-(\d\d)$/;
const minute = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)$/;
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** A spelling of the URL as `<instant>..<instant>`, days in the person's zone or in UTC; null where it makes no sense. `2026-11-15` as an end takes in that day. */
export function resolveTime(text: string, now: Date, utc = false): string | null {
  const offset = (at: Date) => (utc ? at.getTimezoneOffset() * 60_000 : 0);
  const iso = (at: Date) => new Date(at.getTime() - offset(at)).toISOString();
  const today = new Date(now.getTime() + offset(now));
  const [y, m, d] = [today.getFullYear(), today.getMonth(), today.getDate()] as const;
  const past = Number(pastDays.exec(text)?.[1] ?? 0);
  if (past > 0) return [new Date(y, m, d - past + 1), new Date(y, m, d + 1)].map(iso).join('..');
  const name = namedTimes.find((one) => one === text);
  if (name)
    return named[name](y, m, d, (today.getDay() + 6) % 7)
      .map(iso)
      .join('..');
  const [from = '', to = from, ...rest] = text.split('..');
  if (rest.length > 0 || text === '..') return null;
  const ends = [endOf(from, 0, iso), endOf(to, 1, iso)] as const;
  if (ends.includes(null) || (!text.includes('..') && !day.test(text))) return null;
  return ends.join('..');
}

/** `more` days are added to a day that is an end. */
function endOf(text: string, more: 0 | 1, iso: (at: Date) => string): string | null {
  if (text === '' || instant.test(text)) return text;
  const [, y = 0, m = 0, d = 0, hours, minutes] = (day.exec(text) ?? minute.exec(text) ?? []).map(Number);
  const exact = new Date(y, m - 1, d, hours ?? 0, minutes ?? 0);
  // A day that the calendar has: 30 February would pass as 2 March. Before 1970 nothing happened.
  if (y < 1970 || y > 9998 || exact.getMonth() !== m - 1 || exact.getDate() !== d) return null;
  return iso(hours === undefined ? new Date(y, m - 1, d + more) : exact);
}
