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

export const calendarDayOf = (date: Date, isUtc: boolean): CalendarDay =>
  isUtc
    ? { year: date.getUTCFullYear(), month: date.getUTCMonth(), day: date.getUTCDate() }
    : { year: date.getFullYear(), month: date.getMonth(), day: date.getDate() };

/** False for 30 February. */
export function isExistingDay({ year, month, day }: CalendarDay): boolean {
  const date = new Date(Date.UTC(year, month, day));
  return date.getUTCMonth() === month && date.getUTCDate() === day;
}
