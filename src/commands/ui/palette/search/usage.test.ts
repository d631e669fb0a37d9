import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { CommandId } from '../../../../../api/names.ts';
import { $loginEmail } from '../../../../lib/session/session.ts';
import { registry } from '../../../app/all.ts';
import { commandRows, notHereGroup, type RowsInput } from '../rows.ts';

const stored = new Map<string, string>();
vi.stubGlobal('localStorage', {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => void stored.set(key, value),
});

let { learnedWeights, recordUse, usageWeights } = await import('./usage.ts');
const reload = async () => {
  vi.resetModules();
  const session = await import('../../../../lib/session/session.ts');
  session.$loginEmail.set($loginEmail.get());
  ({ learnedWeights, recordUse, usageWeights } = await import('./usage.ts'));
};
beforeEach(async () => {
  stored.clear();
  $loginEmail.set('ann@example.com');
  await reload();
});

const day = 24 * 3600_000;
const noon = Date.UTC(2026, 0, 1);

const offered = (query: string, rest: Partial<RowsInput> = {}) => rowsFor(query, rest).map(({ command }) => command.id);
const rowsFor = (query: string, rest: Partial<RowsInput> = {}) =>
  commandRows({
    commands: registry.all,
    query,
    shown: 'en',
    path: '/',
    targets: [],
    assess: () => ({ state: 'ok' }),
    weight: usageWeights(noon),
    learned: learnedWeights(query, noon),
    ...rest,
  });

describe('a command chosen for a query', () => {
  test('is first in its band for that query and longer ones, not for others', () => {
    const [first, second] = offered('delete');
    expect(first).not.toBe(second);
    const before = offered('remove');
    recordUse(second as CommandId, 'del', noon);
    expect(offered('del')[0]).toBe(second);
    expect(offered('DELETE')[0]).toBe(second);
    expect(learnedWeights('de', noon)(second as CommandId)).toBe(0);
    expect(learnedWeights('remove', noon)(second as CommandId)).toBe(0);
    expect(offered('remove').length).toBe(before.length);
  });

  test('ranks by the longer matching query, then by frequency and recency', () => {
    const [first, second] = offered('delete') as [CommandId, CommandId];
    for (let time = 0; time < 9; time++) recordUse(first, 'd', noon);
    recordUse(second, 'delete', noon);
    expect(offered('delete')[0]).toBe(second);
    recordUse(first, 'delete', noon);
    recordUse(first, 'delete', noon);
    expect(offered('delete')[0]).toBe(first);
    expect(
      offered('delete', { weight: usageWeights(noon + 200 * day), learned: learnedWeights('delete', noon + 200 * day) })[0],
    ).toBe(first);
  });

  test('stays below a better match, and a blocked one below those that can run', () => {
    recordUse('news.delete', 'news', noon);
    expect(offered('news.add')[0]).toBe('news.add');
    const [usual] = offered('delete');
    recordUse('news.delete', 'delete', noon);
    const assess: RowsInput['assess'] = ({ id }) =>
      id === 'news.delete' ? { state: 'blocked', reason: 'palette.blocked.pickFirst' } : { state: 'ok' };
    const rows = offered('delete', { assess });
    expect(rows[0]).not.toBe('news.delete');
    expect(rows).toContain(usual);
  });

  test('loses weight over time', () => {
    recordUse('news.add', 'n', noon);
    expect(usageWeights(noon)('news.add')).toBeCloseTo(1);
    expect(usageWeights(noon + 14 * day)('news.add')).toBeCloseTo(0.5);
    recordUse('news.add', 'n', noon + 14 * day);
    expect(usageWeights(noon + 14 * day)('news.add')).toBeCloseTo(1.5);
  });

  test('belongs to one person and survives a reload', async () => {
    recordUse('news.add', 'n', noon);
    $loginEmail.set('bob@example.com');
    await reload();
    expect([usageWeights(noon)('news.add'), learnedWeights('n', noon)('news.add')]).toEqual([0, 0]);
    $loginEmail.set('ann@example.com');
    await reload();
    expect(usageWeights(noon)('news.add')).toBeCloseTo(1);
  });

  test('is dropped when least used, and broken stored data is ignored', async () => {
    for (let time = 0; time < 3; time++) recordUse('go.news', 'n', noon);
    for (let at = 0; at < 400; at++) recordUse('news.add', `query ${at}`, noon);
    expect(JSON.parse(stored.get('prefs.uses') ?? '[]')).toHaveLength(300);
    expect(usageWeights(noon)('go.news')).toBeCloseTo(3);
    stored.set('prefs.uses', '{"news.add":{"count":1,"at":1}}');
    await reload();
    expect(usageWeights(noon)('news.add')).toBe(0);
  });
});

test('a command that can’t run here and matches only by an alias ranks below all others under its own heading', () => {
  const assess: RowsInput['assess'] = ({ id, target }) =>
    target.kind === 'none' && !id.startsWith('list.')
      ? { state: 'ok' }
      : { state: 'blocked', reason: 'palette.blocked.pickFirst' };
  const rows = rowsFor('view', { assess });
  const below = rows.filter(({ group }) => group === notHereGroup);
  expect(below.map(({ command }) => command.id)).toContain('news.open');
  expect(below.every(({ blocked }) => blocked !== null)).toBe(true);
  expect(rows.slice(-below.length)).toEqual(below);
  expect(rows.map(({ command }) => command.id)).toContain('views.save');
  expect(rowsFor('delete news', { assess })[0]).toMatchObject({ command: { id: 'news.delete' }, group: null });
});
