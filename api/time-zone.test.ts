import { expect, test } from 'vitest';
import { toInstant } from './time-zone.ts';

test.each([
  ['UTC', '2026-11-01T08:30:00Z', '2026-11-01T08:30:00.000Z'],
  ['Asia/Shanghai', '2026-11-01T00:00:00Z', '2026-10-31T16:00:00.000Z'],
  ['Asia/Kathmandu', '2026-11-01T05:45:00.120Z', '2026-11-01T00:00:00.120Z'],
  ['America/New_York', '2026-03-08T01:59:59Z', '2026-03-08T06:59:59.000Z'],
  ['America/New_York', '2026-03-08T03:00:00Z', '2026-03-08T07:00:00.000Z'],
  ['America/New_York', '2026-11-01T02:00:00Z', '2026-11-01T07:00:00.000Z'],
  ['Africa/Cairo', '2026-04-24T01:00:00Z', '2026-04-23T22:00:00.000Z'],
  ['Pacific/Apia', '2011-12-31T00:00:00Z', '2011-12-30T10:00:00.000Z'],
])('in %s the clock shows %s at %s', (zone, localTime, instant) => {
  expect(new Date(toInstant(zone, Date.parse(localTime)) ?? NaN).toISOString()).toBe(instant);
});

test.each([
  ['America/New_York', '2026-03-08T02:30:00Z', 'skips'],
  ['Africa/Cairo', '2026-04-24T00:00:00Z', 'skips'],
  ['Pacific/Apia', '2011-12-30T12:00:00Z', 'skips'],
  ['America/New_York', '2026-11-01T01:30:00Z', 'repeats'],
  ['Australia/Lord_Howe', '2026-04-05T01:45:00Z', 'repeats'],
])('in %s the local time %s is not one instant, because a clock change %s it', (zone, localTime) => {
  expect(toInstant(zone, Date.parse(localTime))).toBeNull();
});
