/** Months count from 0. Days may overflow the month, as in Date. */
export interface CalendarDay {
  year: number;
  month: number;
  day: number;
}

/** In UTC or the viewer's zone, where midnight may be skipped or repeated. */
export function startOfDay({ year, month, day }: CalendarDay, isUtc: boolean): Date {
  return isUtc ? new Date(Date.UTC(year, month, day)) : new Date(year, month, day);
}

export const calendarDayOf = (at: Date, isUtc: boolean): CalendarDay =>
  isUtc
    ? { year: at.getUTCFullYear(), month: at.getUTCMonth(), day: at.getUTCDate() }
    : { year: at.getFullYear(), month: at.getMonth(), day: at.getDate() };

/** False for 30 February. */
export function isRealDay({ year, month, day }: CalendarDay): boolean {
  const at = new Date(Date.UTC(year, month, day));
  return at.getUTCMonth() === month && at.getUTCDate() === day;
}
