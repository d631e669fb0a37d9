/** A day of the calendar; months count from 0, and days may run over the end of their month, as in Date. */
export interface CalendarDay {
  year: number;
  month: number;
  day: number;
}

/** The first instant of a day: in UTC, else in the viewer's zone, where a clock change may leave midnight out or have it twice. */
export function startOfDay({ year, month, day }: CalendarDay, isUtc: boolean): Date {
  return isUtc ? new Date(Date.UTC(year, month, day)) : new Date(year, month, day);
}

/** The day that an instant is in, in UTC or in the viewer's zone. */
export const dayOf = (at: Date, isUtc: boolean): CalendarDay =>
  isUtc
    ? { year: at.getUTCFullYear(), month: at.getUTCMonth(), day: at.getUTCDate() }
    : { year: at.getFullYear(), month: at.getMonth(), day: at.getDate() };

/** Whether the calendar has the day: it has no 30 February. */
export function isRealDay({ year, month, day }: CalendarDay): boolean {
  const at = new Date(Date.UTC(year, month, day));
  return at.getUTCMonth() === month && at.getUTCDate() === day;
}
