import { expect, test } from 'vitest';
import { formatTime } from '../../format.ts';
import { parseNaturalTime } from './natural-time.ts';

/** A Saturday. */
const now = new Date('2026-11-28T15:00:00');

test.for([
  ['tomorrow', '2026-11-29 00:00'],
  ['in 3 days', '2026-12-01 00:00'],
  ['tonight', '2026-11-28 22:00'],
  ['tomorrow 6pm', '2026-11-29 18:00'],
  ['next Friday at 18:30', '2026-12-04 18:30'],
  ['in 2 hours', '2026-11-28 17:00'],
  ['Dec 24 noon', '2026-12-24 12:00'],
  ['明天', '2026-11-29 00:00'],
  ['明天下午3点', '2026-11-29 15:00'],
  ['下周五晚上6点', '2026-12-04 18:00'],
  ['后天早上９点半', '2026-11-30 09:30'],
])('reads "%s" as %s', async ([enteredText, expected]) => {
  const iso = await parseNaturalTime(enteredText ?? '', now);
  expect(iso === null ? null : formatTime(iso)).toBe(expected);
});

test.for(['', '2026', '12', 'hello', 'from Monday to Friday', '2026-11-28 15:00', 'abcdefgh tomorrow ijklmnop'])(
  'does not guess a moment from "%s"',
  async (enteredText) => expect(await parseNaturalTime(enteredText, now)).toBeNull(),
);

test.for([
  ['2026-11-25T15:00:00', '下周日', '2026-12-06 00:00'],
  ['2026-11-25T15:00:00', '本周日 20:30', '2026-11-29 20:30'],
  ['2026-11-29T15:00:00', '下周五 18:00', '2026-12-04 18:00'],
  ['2026-11-29T15:00:00', '下个星期五晚上6点', '2026-12-04 18:00'],
  ['2026-11-29T15:00:00', '下下周一', '2026-12-07 00:00'],
  ['2026-11-30T15:00:00', '这周天', '2026-12-06 00:00'],
])('from %s a week starts on Monday: %s is %s', async ([from = '', enteredText = '', expected]) => {
  const iso = await parseNaturalTime(enteredText, new Date(from));
  expect(iso === null ? null : formatTime(iso)).toBe(expected);
});
