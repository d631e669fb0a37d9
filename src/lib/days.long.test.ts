import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { calendarDayOf, isExistingDay, startOfDay } from './days.ts';
import { resolveTime } from './ui/list/filter/times.ts';

let previousTimeZone: string | undefined;
beforeEach(() => {
  previousTimeZone = process.env['TZ'];
});
afterEach(() => {
  if (previousTimeZone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = previousTimeZone;
});

const hourMs = 3_600_000;
const timeZones = [...Intl.supportedValuesOf('timeZone'), 'UTC', 'Africa/El_Aaiun'];
const days = Array.from({ length: 3 * 365 + 1 }, (_, dayIndex) => ({ year: 2025, month: 0, day: 1 + dayIndex }));
const padTwo = (value: number) => String(value).padStart(2, '0');

function createCalendar(timeZone: string): (at: number) => string {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  return (dayIndex) => format.format(dayIndex);
}

describe('days', () => {
  it.each(timeZones)('begin when the calendar of %s changes, and end when the next day begins', (timeZone) => {
    process.env['TZ'] = timeZone;
    const formatCalendarDay = createCalendar(timeZone);
    let isCorrect = true;
    let unusualDayCount = 0;
    for (const day of days) {
      const expectedDay = new Date(Date.UTC(day.year, day.month, day.day)).toISOString().slice(0, 10);
      const start = startOfDay(day, false);
      const end = startOfDay({ ...day, day: day.day + 1 }, false);
      const hours = (end.getTime() - start.getTime()) / hourMs;
      unusualDayCount += hours;
      const { year, month, day: dayOfMonth } = calendarDayOf(start, false);
      const actualDay = `${year}-${padTwo(month + 1)}-${padTwo(dayOfMonth)}`;
      const isUnusualLength = hours !== 24;
      const startsOnTime =
        !isUnusualLength ||
        (formatCalendarDay(start.getTime()) === expectedDay && formatCalendarDay(start.getTime() - 1) < expectedDay);
      const endsOnTime = !isUnusualLength || formatCalendarDay(end.getTime() - 1) === expectedDay;
      if (actualDay !== expectedDay || hours < 22 || hours > 26 || !startsOnTime || !endsOnTime) isCorrect = false;
      expect(isCorrect, `${timeZone} ${expectedDay}: ${start.toISOString()}, ${hours} hours`).toBe(true);
    }
    const total =
      startOfDay({ year: 2028, month: 0, day: 2 }, false).getTime() -
      startOfDay({ year: 2025, month: 0, day: 1 }, false).getTime();
    expect(Math.abs(unusualDayCount - total / hourMs)).toBeLessThanOrEqual(24);
  });

  it.each(timeZones)('in UTC are the same for a viewer in %s', (timeZone) => {
    process.env['TZ'] = timeZone;
    const now = new Date('2026-06-15T12:00:00.000Z');
    for (const day of days) {
      const dayStart = Date.UTC(day.year, day.month, day.day);
      const expectedDay = new Date(dayStart).toISOString().slice(0, 10);
      const nextDayStart = new Date(dayStart + 24 * hourMs).toISOString();
      if (resolveTime(expectedDay, now, true) !== `${expectedDay}T00:00:00.000Z..${nextDayStart}`)
        expect(resolveTime(expectedDay, now, true), `${timeZone} ${expectedDay}`).toBe(
          `${expectedDay}T00:00:00.000Z..${nextDayStart}`,
        );
    }
    expect(resolveTime('past-30-days', now, true)).toBe('2026-05-17T00:00:00.000Z..2026-06-16T00:00:00.000Z');
    expect(resolveTime('this-week', now, true)).toBe('2026-06-15T00:00:00.000Z..2026-06-22T00:00:00.000Z');
  });

  it('have no gap where midnight is skipped', () => {
    process.env['TZ'] = 'Africa/Cairo';
    const now = new Date('2026-04-25T12:00:00.000Z');
    expect(resolveTime('2026-04-23', now)).toBe('2026-04-22T22:00:00.000Z..2026-04-23T22:00:00.000Z');
    expect(resolveTime('2026-04-24', now)).toBe('2026-04-23T22:00:00.000Z..2026-04-24T21:00:00.000Z');
    expect(resolveTime('2026-04-24', now, true)).toBe('2026-04-24T00:00:00.000Z..2026-04-25T00:00:00.000Z');
    expect(resolveTime('2026-04-24T00:00..2026-04-24T06:00', now, true)).toBe(
      '2026-04-24T00:00:00.000Z..2026-04-24T06:00:00.000Z',
    );
  });

  it('begin at the first of two midnights', () => {
    process.env['TZ'] = 'America/Havana';
    expect(startOfDay({ year: 2026, month: 10, day: 1 }, false).toISOString()).toBe('2026-11-01T04:00:00.000Z');
  });

  it('are rejected if the calendar does not have them', () => {
    expect(isExistingDay({ year: 2026, month: 1, day: 29 })).toBe(false);
    expect(isExistingDay({ year: 2028, month: 1, day: 29 })).toBe(true);
  });
});
