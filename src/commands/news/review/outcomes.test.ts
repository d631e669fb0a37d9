import { expect, test } from 'vitest';
import { build } from '../../../../testing/factories/build.ts';
import { initialChoices } from '../join.ts';
import { joinOutcomes, warningsOf } from './outcomes.ts';

const zh = build.news({ title: '主网上线', link: 'https://a.example/zh' });
const en = build.news({ title: 'Mainnet is live', link: 'https://a.example/en', time: '2026-02-02T00:00:00.000Z' });
const pairOf = (chinese: Partial<typeof zh> = {}, english: Partial<typeof en> = {}) => ({
  'zh-CN': { ...zh, ...chinese },
  'en-US': { ...en, ...english },
});

test('the Chinese item stays unless only the English one is shown', () => {
  expect(initialChoices(pairOf()).kept).toBe('zh-CN');
  expect(initialChoices(pairOf({ shown: true }, { shown: true })).kept).toBe('zh-CN');
  expect(initialChoices(pairOf({}, { shown: true })).kept).toBe('en-US');
});

test('image and period come from the only item that has one', () => {
  expect(initialChoices(pairOf({ image: null }, { endsAt: '2026-03-01T00:00:00.000Z' }))).toEqual({
    kept: 'zh-CN',
    links: 'both',
    image: 'en-US',
    period: 'en-US',
  });
  expect(initialChoices(pairOf({}, { image: null }))).toMatchObject({ image: 'zh-CN', period: 'zh-CN' });
});

test('every value of both items is kept, becomes the translation, is the same in both, or is lost', () => {
  const pair = pairOf(
    { image: 'https://a.example/zh.png', startsAt: '2026-01-01T00:00:00.000Z' },
    { image: 'https://a.example/en.png' },
  );
  expect(joinOutcomes(pair, initialChoices(pair))).toEqual({
    'zh-CN': { text: 'kept', image: 'kept', link: 'kept', period: 'kept', time: 'kept', status: 'kept' },
    'en-US': { text: 'translation', image: 'lost', link: 'translation', period: 'none', time: 'lost', status: 'same' },
  });
  expect(joinOutcomes(pair, { kept: 'en-US', links: 'kept', image: 'zh-CN', period: 'en-US' })).toEqual({
    'zh-CN': { text: 'translation', image: 'kept', link: 'lost', period: 'lost', time: 'lost', status: 'same' },
    'en-US': { text: 'kept', image: 'lost', link: 'kept', period: 'none', time: 'kept', status: 'kept' },
  });
});

test('warns when the website changes, loses both items, or the image is missing', () => {
  const warnings = (...pair: Parameters<typeof pairOf>) =>
    warningsOf(pairOf(...pair), { kept: 'zh-CN', links: 'both', image: 'zh-CN', period: 'zh-CN' });
  expect(warnings()).toEqual([]);
  expect(warnings({ shown: true })).toEqual(['changesWebsite']);
  expect(warnings({}, { shown: true })).toEqual(['hides']);
  expect(warnings({ image: null })).toEqual(['noImage']);
});
