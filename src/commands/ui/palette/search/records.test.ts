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
function held(count: number, timeoutMs = 60_000) {
  const answer: ((found: readonly Target[] | Error) => void)[] = [];
  const requested: number[] = [];
  const shown: string[] = [];
  const searches = Array.from({ length: count }, (_, at): RecordSearch => ({
    entity: 'news',
    find: () => {
      requested.push(at);
      return new Promise((resolve, reject) => {
        answer[at] = (found) => (found instanceof Error ? reject(found) : resolve(found));
      });
    },
  }));
  const show = (records: readonly Target[], busy: boolean) =>
    shown.push(`${records.map(({ id }) => id).join(' ')}${busy ? ' …' : '.'}`);
  const ended = searchRecords(api, searches, { timeoutMs, show });
  const settle = async (at: number, found: readonly Target[] | Error) => {
    answer[at]?.(found);
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  };
  return { asked: requested, shown, settle, ended };
}

describe('records in the palette', () => {
  test('are shown in order, however responses arrive, and only grow at the end', async () => {
    const { shown, settle, ended } = held(3);
    await settle(2, [record('c')]);
    await settle(0, [record('a')]);
    await settle(1, [record('b')]);
    await ended;
    expect(shown).toEqual(['a …', 'a b c.']);
  });

  test('are shown once when only one list has any, and reported missing once all have answered', async () => {
    const { shown, settle, ended } = held(5);
    for (const at of [0, 1, 3, 4]) await settle(at, []);
    await settle(2, [record('c')]);
    await ended;
    const none = held(5);
    for (const at of [3, 2, 0, 1, 4]) await none.settle(at, []);
    await none.ended;
    expect([shown, none.shown]).toEqual([['c.'], ['.']]);
  });

  test('do not wait for a slow list, which is added below', async () => {
    const { shown, settle, ended } = held(3, 5);
    await settle(1, [record('b')]);
    await expect.poll(() => shown.at(-1)).toBe('b …');
    await settle(0, [record('a')]);
    await settle(2, [record('c')]);
    await ended;
    expect(shown.at(-1)).toBe('b a c.');
  });

  test('are shown although another list fails', async () => {
    const { shown, settle, ended } = held(2);
    await settle(0, new Error('no'));
    await settle(1, [record('b')]);
    await ended;
    expect(shown.at(-1)).toBe('b.');
  });

  test('are requested four lists at a time', async () => {
    const { asked, settle, ended } = held(9);
    expect(asked).toEqual([0, 1, 2, 3]);
    await settle(2, []);
    expect(asked).toEqual([0, 1, 2, 3, 4]);
    for (const at of asked) if (at !== 2) await settle(at, []);
    await ended;
    expect(asked).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  });
});

describe('a record search', () => {
  test('asks only permitted lists that know such an identifier', () => {
    const requested = (clue: 'words' | 'hash' | 'address', mayOpen: (place: string) => boolean = () => true) =>
      searchesFor({ text: 'x', clues: [clue] }, mayOpen).map(({ entity }) => entity);
    expect(requested('hash')).toEqual(['deposits', 'withdrawals', 'statements']);
    expect(requested('address')).toEqual([
      'balances',
      'airdrops',
      'deposits',
      'withdrawals',
      'statements',
      'institutions',
      'crsms',
      'positions',
    ]);
    expect(requested('words', (place) => place === '/news')).toEqual(['news']);
    expect(requested('address', () => false)).toEqual([]);
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
