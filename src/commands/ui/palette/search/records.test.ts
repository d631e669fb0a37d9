import { describe, expect, test } from 'vitest';
import type { Api } from '../../../../lib/net/client.ts';
import type { Target } from '../../../../lib/scope.ts';
import { searchRecords } from './records.ts';
import { records } from '../../../app/all-records.ts';
import { searchesFor, type RecordSearch } from './searchers.ts';
import { registry } from '../../../app/all.ts';

const api = {} as Api;
const record = (id: string) => ({ entity: 'news', id, version: 1, name: id }) as Target<'news'>;

/** Searches answer on command. */
function startSearch(count: number, timeoutMs = 60_000) {
  const answers: ((foundTargets: readonly Target[] | Error) => void)[] = [];
  const startedIndexes: number[] = [];
  const shownIds: string[] = [];
  const searches = Array.from({ length: count }, (_, index): RecordSearch => ({
    entity: 'news',
    find: () => {
      startedIndexes.push(index);
      return new Promise((resolve, reject) => {
        answers[index] = (foundTargets) => (foundTargets instanceof Error ? reject(foundTargets) : resolve(foundTargets));
      });
    },
  }));
  const show = (records: readonly Target[], isBusy: boolean) =>
    shownIds.push(`${records.map(({ id }) => id).join(' ')}${isBusy ? ' …' : '.'}`);
  const searchPromise = searchRecords(api, searches, { timeoutMs, show });
  const settleAt = async (index: number, foundTargets: readonly Target[] | Error) => {
    answers[index]?.(foundTargets);
    for (let i = 0; i < 10; i++) await Promise.resolve();
  };
  return { asked: startedIndexes, shown: shownIds, settle: settleAt, ended: searchPromise };
}

describe('records in the palette', () => {
  test('are shown in order, however responses arrive, and only grow at the end', async () => {
    const { shown, settle, ended } = startSearch(3);
    await settle(2, [record('c')]);
    await settle(0, [record('a')]);
    await settle(1, [record('b')]);
    await ended;
    expect(shown).toEqual(['a …', 'a b c.']);
  });

  test('are shown once when only one list has any, and reported missing once all have answered', async () => {
    const { shown, settle, ended } = startSearch(5);
    for (const index of [0, 1, 3, 4]) await settle(index, []);
    await settle(2, [record('c')]);
    await ended;
    const emptySearch = startSearch(5);
    for (const index of [3, 2, 0, 1, 4]) await emptySearch.settle(index, []);
    await emptySearch.ended;
    expect([shown, emptySearch.shown]).toEqual([['c.'], ['.']]);
  });

  test('do not wait for a slow list, which is added below', async () => {
    const { shown, settle, ended } = startSearch(3, 5);
    await settle(1, [record('b')]);
    await expect.poll(() => shown.at(-1)).toBe('b …');
    await settle(0, [record('a')]);
    await settle(2, [record('c')]);
    await ended;
    expect(shown.at(-1)).toBe('b a c.');
  });

  test('are shown although another list fails', async () => {
    const { shown, settle, ended } = startSearch(2);
    await settle(0, new Error('no'));
    await settle(1, [record('b')]);
    await ended;
    expect(shown.at(-1)).toBe('b.');
  });

  test('are requested four lists at a time', async () => {
    const { asked, settle, ended } = startSearch(9);
    expect(asked).toEqual([0, 1, 2, 3]);
    await settle(2, []);
    expect(asked).toEqual([0, 1, 2, 3, 4]);
    for (const index of asked) if (index !== 2) await settle(index, []);
    await ended;
    expect(asked).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  });
});

describe('a record search', () => {
  test('asks only permitted lists that know such an identifier', () => {
    const searchedEntities = (clue: 'words' | 'hash' | 'address', canOpen: (screenPath: string) => boolean = () => true) =>
      searchesFor({ text: 'x', clues: [clue] }, canOpen).map(({ entity }) => entity);
    expect(searchedEntities('hash')).toEqual(['deposits', 'withdrawals', 'statements']);
    expect(searchedEntities('address')).toEqual([
      'balances',
      'airdrops',
      'deposits',
      'withdrawals',
      'statements',
      'institutions',
      'crsms',
      'positions',
    ]);
    expect(searchedEntities('words', (screenPath) => screenPath === '/news')).toEqual(['news']);
    expect(searchedEntities('address', () => false)).toEqual([]);
  });

  test('opens records by a command of their own screen and kind', () => {
    for (const [entity, searcher] of Object.entries(records)) {
      if (!searcher.open) continue;
      const command = registry.get(searcher.open);
      expect(command?.permission, entity).toBe(searcher.place);
      expect(command?.target, entity).toEqual({ kind: 'one', entity });
    }
  });
});
