import { expect, test } from 'vitest';
import { setDictionary } from '../../lib/i18n/i18n.ts';
import { schedule as enSchedule } from '../../lib/i18n/en-US/schedule.ts';
import { schedule as zhSchedule } from '../../lib/i18n/zh-CN/schedule.ts';
import { formatTime } from '../../lib/format.ts';
import { periodText } from './show-review.ts';

const now = new Date('2026-11-29T12:00:00.000Z');
const [before, soon, later] = ['2026-11-01T00:00:00.000Z', '2026-11-30T00:00:00.000Z', '2026-12-05T00:00:00.000Z'] as const;
const periods = [
  { startsAt: null, endsAt: null },
  { startsAt: before, endsAt: later },
  { startsAt: soon, endsAt: null },
  { startsAt: soon, endsAt: later },
  { startsAt: null, endsAt: before },
];

test('names the times at which the website shows a record, or stops, in both languages', () => {
  setDictionary('zh-CN', { schedule: zhSchedule });
  expect(periods.map((period) => periodText('show', period, now))).toEqual([
    '立即在官网展示',
    `立即在官网展示，${formatTime(later)} 结束`,
    `${formatTime(soon)} 在官网开始展示`,
    `${formatTime(soon)} 在官网开始展示，${formatTime(later)} 结束`,
    `展示时段已于 ${formatTime(before)} 结束，官网不会展示`,
  ]);
  setDictionary('en-US', { schedule: enSchedule });
  expect(periods.map((period) => periodText('hide', period, now))).toEqual([
    'Disappears from the website now',
    `Disappears from the website now instead of on ${formatTime(later)}`,
    `Will not appear on the website on ${formatTime(soon)}`,
    `Will not appear on the website on ${formatTime(soon)}`,
    `Off the website since ${formatTime(before)}`,
  ]);
});
