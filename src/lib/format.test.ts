import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import {
  formatBytes,
  formatDay,
  formatRelative,
  formatTime,
  formatUtc,
  groupDigits,
  parseLocalTime,
  shortenMiddle,
  withUnit,
  zoneName,
} from './format.ts';

fc.configureGlobal({ seed: 20_260_101 });

test('digits are grouped as in both languages', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), fc.constantFrom('zh-CN', 'en-US'), (value, language) => {
      expect(groupDigits(value)).toBe(new Intl.NumberFormat(language).format(value));
    }),
  );
  expect([0, 999, 1000, -1000, 1_234_567, 1234.125].map(groupDigits)).toEqual([
    '0',
    '999',
    '1,000',
    '-1,000',
    '1,234,567',
    '1,234.125',
  ]);
});

test('percentages equal those of Intl in both languages, and other units follow a space', () => {
  for (const language of ['zh-CN', 'en-US']) {
    const percentFormat = new Intl.NumberFormat(language, { style: 'percent', minimumFractionDigits: 2 });
    expect(withUnit('1,160.00', '%')).toBe(percentFormat.format(11.6));
  }
  expect(withUnit('0.5', 'BTC')).toBe('0.5 BTC');
  expect(withUnit('0.5', undefined)).toBe('0.5');
});

test('file sizes are in kB and MB', () => {
  expect([0, 1, 1499, 999_499, 1_000_000, 1_549_999, 2_000_000_000].map(formatBytes)).toEqual([
    '1 kB',
    '1 kB',
    '1 kB',
    '999 kB',
    '1 MB',
    '1.5 MB',
    '2,000 MB',
  ]);
});

test('a day in UTC is written in both languages', () => {
  const date = new Date('2026-11-02T00:00:00Z');
  const options = { year: 'numeric', month: 'short', day: 'numeric' } as const;
  expect(formatDay(date, 'en-US', options)).toBe('Nov 2, 2026');
  expect(formatDay(date, 'zh-CN', options)).toBe('2026年11月2日');
});

describe('shortenMiddle', () => {
  it('keeps both ends and never makes a text longer', () => {
    expect(shortenMiddle('bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr')).toBe('bc1p5c…kedrcr');
    expect(shortenMiddle('0x12345678')).toBe('0x12345678');
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect([...shortenMiddle(text)].length).toBeLessThanOrEqual([...text].length);
      }),
    );
  });
});

describe('a time', () => {
  const previousTimeZone = process.env['TZ'];
  beforeEach(() => {
    process.env['TZ'] = 'America/New_York';
  });
  afterEach(() => {
    if (previousTimeZone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = previousTimeZone;
  });

  it("is shown in the browser's zone, with midnight as 00", () => {
    expect(formatTime('2026-07-01T03:59:00.000Z')).toBe('2026-06-30 23:59');
    process.env['TZ'] = 'Asia/Shanghai';
    expect(formatTime('2026-01-31T16:05:09.123Z')).toBe('2026-02-01 00:05');
    expect(formatTime('0999-12-31T23:00:00Z')).toMatch(/^1000-01-01 07:/);
    expect(formatUtc('2026-01-31T16:05:09.123Z')).toBe('2026-01-31 16:05:09 UTC');
    expect(formatTime('soon')).toBe('soon');
  });

  it('is parsed to the typed minute, in winter and in summer', () => {
    expect(parseLocalTime('2026-01-15 09:30')).toBe('2026-01-15T14:30:00.000Z');
    expect(parseLocalTime('2026-07-15T09:30')).toBe('2026-07-15T13:30:00.000Z');
    expect(parseLocalTime(' 2026-7-5 9:05 ')).toBe('2026-07-05T13:05:00.000Z');
  });

  it('that does not exist is refused: the hour a clock change skips, 30 February', () => {
    for (const text of ['2026-03-08 02:30', '2026-02-30 10:00', '2026-01-01 24:00', '2026-13-01 00:00', '2026-01-01', 'now', ''])
      expect(parseLocalTime(text)).toBeNull();
  });

  it('is parsed from its displayed form', () => {
    const minuteArbitrary = fc
      .integer({ min: 0, max: 70 * 365 * 24 * 60 })
      .map((minutes) => new Date(minutes * 60_000).toISOString());
    fc.assert(
      fc.property(minuteArbitrary, (iso) => {
        const formattedTime = formatTime(iso);
        const parsedTime = parseLocalTime(formattedTime);
        // The repeated hour of a clock change has two instants for one text.
        expect(parsedTime === iso || (parsedTime !== null && formatTime(parsedTime) === formattedTime)).toBe(true);
      }),
    );
  });

  it('is shown relative to now in both languages', () => {
    const now = new Date('2026-01-31T12:00:00Z');
    expect(formatRelative('2026-01-31T09:00:00Z', now, 'en-US')).toBe('3 hours ago');
    expect(formatRelative('2026-02-02T12:00:00Z', now, 'zh-CN')).toBe('2 天后');
    expect(formatRelative('2026-01-31T12:00:00Z', now, 'en-US')).toBe('now');
    expect(formatRelative('2026-01-31T12:00:00.400Z', now, 'zh-CN')).toBe('现在');
  });

  it('is shown in whole units, not in calendar days', () => {
    const now = new Date('2026-03-05T15:00:00Z');
    expect(formatRelative('2026-03-03T16:00:00Z', now, 'en-US')).toBe('1 day ago'); // 47 hours
    expect(formatRelative('2026-03-03T16:00:00Z', now, 'zh-CN')).toBe('1 天前');
    expect(formatRelative('2026-03-02T16:00:00Z', now, 'zh-CN')).toBe('2 天前');
    expect(formatRelative('2026-03-07T14:00:00Z', now, 'en-US')).toBe('in 1 day');
    expect(formatRelative('2026-01-05T15:00:00Z', now, 'zh-CN')).toBe('1 个月前');
    expect(formatRelative('2024-04-05T15:00:00Z', now, 'en-US')).toBe('1 year ago');
  });

  it("shows the zone's name with its offset at that moment", () => {
    expect(zoneName(new Date('2026-01-15T00:00:00Z'), 'America/New_York')).toBe('America/New_York (GMT-5)');
    expect(zoneName(new Date('2026-07-15T00:00:00Z'), 'America/New_York')).toBe('America/New_York (GMT-4)');
  });
});
