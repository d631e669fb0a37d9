import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { calendarDayOf, isRealDay, startOfDay } from './days.ts';
import { resolveTime } from './ui/list/filter/times.ts';

let before: string | undefined;
beforeEach(() => {
  before = process.env['TZ'];
});
afterEach(() => {
  if (before === undefined) delete process.env['TZ'];
  else process.env['TZ'] = before;
});

const hourMs = 3_600_000;
const zones = [...Intl.supportedValuesOf('timeZone'), 'UTC', 'Africa/El_Aaiun'];
const days = Array.from({ length: 3 * 365 + 1 }, (_, at) => ({ year: 2025, month: 0, day: 1 + at }));
const two = (part: number) => String(part).padStart(2, '0');

function calendarOf(zone: string): (at: number) => string {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' });
  return (at) => format.format(at);
}

describe('days', () => {
  it.each(zones)('begin when the calendar of %s changes, and end when the next day begins', (zone) => {
    process.env['TZ'] = zone;
    const calendar = calendarOf(zone);
    let isRight = true;
    let lengths = 0;
    for (const day of days) {
      const named = new Date(Date.UTC(day.year, day.month, day.day)).toISOString().slice(0, 10);
      const start = startOfDay(day, false);
      const end = startOfDay({ ...day, day: day.day + 1 }, false);
      const hours = (end.getTime() - start.getTime()) / hourMs;
      lengths += hours;
      const { year, month, day: of } = calendarDayOf(start, false);
      const spelled = `${year}-${two(month + 1)}-${two(of)}`;
      const isOdd = hours !== 24;
      const turns = !isOdd || (calendar(start.getTime()) === named && calendar(start.getTime() - 1) < named);
      const lasts = !isOdd || calendar(end.getTime() - 1) === named;
      if (spelled !== named || hours < 22 || hours > 26 || !turns || !lasts) isRight = false;
      expect(isRight, `${zone} ${named}: ${start.toISOString()}, ${hours} hours`).toBe(true);
    }
    const total =
      startOfDay({ year: 2028, month: 0, day: 2 }, false).getTime() -
      startOfDay({ year: 2025, month: 0, day: 1 }, false).getTime();
    expect(Math.abs(lengths - total / hourMs)).toBeLessThanOrEqual(24);
  });

  it.each(zones)('in UTC are the same for a viewer in %s', (zone) => {
    process.env['TZ'] = zone;
    const now = new Date('2026-06-15T12:00:00.000Z');
    for (const day of days) {
      const at = Date.UTC(day.year, day.month, day.day);
      const named = new Date(at).toISOString().slice(0, 10);
      const next = new Date(at + 24 * hourMs).toISOString();
      if (resolveTime(named, now, true) !== `${named}T00:00:00.000Z..${next}`)
        expect(resolveTime(named, now, true), `${zone} ${named}`).toBe(`${named}T00:00:00.000Z..${next}`);
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
    expect(isRealDay({ year: 2026, month: 1, day: 29 })).toBe(false);
    expect(isRealDay({ year: 2028, month: 1, day: 29 })).toBe(true);
  });
});
