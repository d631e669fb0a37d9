import { beforeAll, expect, test } from 'vitest';
import { enPanel } from './en-US/index.ts';
import { enResources } from './en-US/resources.ts';
import { setDictionary, t, tMaybe } from './i18n.ts';

const english = { ...enPanel, ...enResources };

/** Keys whose number is never 1. */
const neverOne = new Set([
  'errors.code.PICTURE_QUOTA', // a limit
  'palette.blocked.tooMany', // a limit
  'batch.wholeBody', // more than a batch takes
  'batch.wideBody',
  'batch.noUndo',
  'crsm.review.batch', // two or more
  'page.rowsPart', // a page of the list or more
  'page.rowsLoaded',
  'permissions.count', // the whole tree
]);

const one = new Proxy({}, { get: () => 1 });

function* textsIn(words: object, path = ''): Generator<[key: string, text: string]> {
  for (const [name, text] of Object.entries(words)) {
    const key = `${path}${name}`;
    if (typeof text === 'object') yield* textsIn(text as object, `${key}.`);
    else yield [key, typeof text === 'function' ? String((text as (values: object) => string)(one)) : String(text)];
  }
}

beforeAll(() => setDictionary('en-US', english));

test('English speaks of one thing in the singular', () => {
  const noPlural = '(?:as|asks|begins|comes|does|has|is|mints|news|plus|signs|this|was)';
  const many = new RegExp(String.raw`(?:\b1|\{\{\w+\}\}) (?:(?:more|bad|selected) )?(?!${noPlural}\b)[a-zA-Z]+s\b`);
  const wrong = [...textsIn(english)].filter(([key, text]) => !neverOne.has(key) && many.test(text));
  expect(wrong).toEqual([]);
});

test('of more it tells how many, in groups where they come in groups', () => {
  expect(t('imports.allIn', { n: 1, count: '1' })).toBe('1 row is in');
  expect(t('imports.allIn', { n: 1200, count: '1,200' })).toBe('1,200 rows are in');
  expect(t('imports.counts', { n: 1, total: '1', good: '0', bad: '1' })).toBe('1 row: 0 good, 1 bad');
  expect(t('imports.startCount', { n: 3000, count: '3,000' })).toBe('Import 3,000 rows');
  expect(t('crsm.updated', { n: 1 })).toBe('Operation Successful · 1 CRSM updated from the chain');
  expect(t('page.rowsAll', { n: 1 })).toBe('1 row');
  expect(t('filter.time.pastDays', { n: '1' })).toBe('Past day');
  expect(tMaybe('airdrops.count', { count: 1 })).toBe('1 airdrop');
  expect(t('crsm.ask.claimYield.title', { count: 1 })).toBe('Claim the yield of this CRSM?');
  expect(t('crsm.ask.claimYield.title', { count: 3 })).toBe('Claim the yield of these 3 CRSMs?');
});
