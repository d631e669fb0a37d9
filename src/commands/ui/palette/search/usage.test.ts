import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { CommandId } from '../../../../../api/names.ts';
import { $loginEmail } from '../../../../lib/session/session.ts';
import { registry } from '../../../app/all.ts';
import { commandRows, notHereGroup, type RowsInput } from '../rows.ts';

const storage = new Map<string, string>();
vi.stubGlobal('localStorage', {
  getItem: (key: string) => storage.get(key) ?? null,
  setItem: (key: string, value: string) => void storage.set(key, value),
});

let { learnedWeights, recordUse, usageWeights } = await import('./usage.ts');
const reload = async () => {
  vi.resetModules();
  const session = await import('../../../../lib/session/session.ts');
  session.$loginEmail.set($loginEmail.get());
  ({ learnedWeights, recordUse, usageWeights } = await import('./usage.ts'));
};
beforeEach(async () => {
  storage.clear();
  $loginEmail.set('ann@example.com');
  await reload();
});

const dayMs = 24 * 3600_000;
const noonMs = Date.UTC(2026, 0, 1);

const commandIdsFor = (query: string, overrides: Partial<RowsInput> = {}) =>
  rowsFor(query, overrides).map(({ command }) => command.id);
const rowsFor = (query: string, overrides: Partial<RowsInput> = {}) =>
  commandRows({
    commands: registry.all,
    query,
    shown: 'en',
    path: '/',
    targets: [],
    assess: () => ({ state: 'ok' }),
    weight: usageWeights(noonMs),
    learned: learnedWeights(query, noonMs),
    ...overrides,
  });

describe('a command chosen for a query', () => {
  test('is first in its band for that query and longer ones, not for others', () => {
    const [firstId, secondId] = commandIdsFor('delete');
    expect(firstId).not.toBe(secondId);
    const previousIds = commandIdsFor('remove');
    recordUse(secondId as CommandId, 'del', noonMs);
    expect(commandIdsFor('del')[0]).toBe(secondId);
    expect(commandIdsFor('DELETE')[0]).toBe(secondId);
    expect(learnedWeights('de', noonMs)(secondId as CommandId)).toBe(0);
    expect(learnedWeights('remove', noonMs)(secondId as CommandId)).toBe(0);
    expect(commandIdsFor('remove').length).toBe(previousIds.length);
  });

  test('ranks by the longer matching query, then by frequency and recency', () => {
    const [firstId, secondId] = commandIdsFor('delete') as [CommandId, CommandId];
    for (let time = 0; time < 9; time++) recordUse(firstId, 'd', noonMs);
    recordUse(secondId, 'delete', noonMs);
    expect(commandIdsFor('delete')[0]).toBe(secondId);
    recordUse(firstId, 'delete', noonMs);
    recordUse(firstId, 'delete', noonMs);
    expect(commandIdsFor('delete')[0]).toBe(firstId);
    expect(
      commandIdsFor('delete', {
        weight: usageWeights(noonMs + 200 * dayMs),
        learned: learnedWeights('delete', noonMs + 200 * dayMs),
      })[0],
    ).toBe(firstId);
  });

  test('stays below a better match, and a blocked one below those that can run', () => {
    recordUse('news.delete', 'news', noonMs);
    expect(commandIdsFor('news.add')[0]).toBe('news.add');
    const [usualId] = commandIdsFor('delete');
    recordUse('news.delete', 'delete', noonMs);
    const assess: RowsInput['assess'] = ({ id }) =>
      id === 'news.delete' ? { state: 'blocked', reason: 'palette.blocked.pickFirst' } : { state: 'ok' };
    const rows = commandIdsFor('delete', { assess });
    expect(rows[0]).not.toBe('news.delete');
    expect(rows).toContain(usualId);
  });

  test('loses weight over time', () => {
    recordUse('news.add', 'n', noonMs);
    expect(usageWeights(noonMs)('news.add')).toBeCloseTo(1);
    expect(usageWeights(noonMs + 14 * dayMs)('news.add')).toBeCloseTo(0.5);
    recordUse('news.add', 'n', noonMs + 14 * dayMs);
    expect(usageWeights(noonMs + 14 * dayMs)('news.add')).toBeCloseTo(1.5);
  });

  test('belongs to one person and survives a reload', async () => {
    recordUse('news.add', 'n', noonMs);
    $loginEmail.set('bob@example.com');
    await reload();
    expect([usageWeights(noonMs)('news.add'), learnedWeights('n', noonMs)('news.add')]).toEqual([0, 0]);
    $loginEmail.set('ann@example.com');
    await reload();
    expect(usageWeights(noonMs)('news.add')).toBeCloseTo(1);
  });

  test('is dropped when least used, and broken stored data is ignored', async () => {
    for (let time = 0; time < 3; time++) recordUse('go.news', 'n', noonMs);
    for (let i = 0; i < 400; i++) recordUse('news.add', `query ${i}`, noonMs);
    expect(JSON.parse(storage.get('prefs.uses') ?? '[]')).toHaveLength(300);
    expect(usageWeights(noonMs)('go.news')).toBeCloseTo(3);
    storage.set('prefs.uses', '{"news.add":{"count":1,"at":1}}');
    await reload();
    expect(usageWeights(noonMs)('news.add')).toBe(0);
  });
});

test('a command that can’t run here and matches only by an alias ranks below all others under its own heading', () => {
  const assess: RowsInput['assess'] = ({ id, target }) =>
    target.kind === 'none' && !id.startsWith('list.')
      ? { state: 'ok' }
      : { state: 'blocked', reason: 'palette.blocked.pickFirst' };
  const rows = rowsFor('view', { assess });
  const notHereRows = rows.filter(({ group }) => group === notHereGroup);
  expect(notHereRows.map(({ command }) => command.id)).toContain('news.open');
  expect(notHereRows.every(({ blocked }) => blocked !== null)).toBe(true);
  expect(rows.slice(-notHereRows.length)).toEqual(notHereRows);
  expect(rows.map(({ command }) => command.id)).toContain('views.save');
  expect(rowsFor('delete news', { assess })[0]).toMatchObject({ command: { id: 'news.delete' }, group: null });
});
