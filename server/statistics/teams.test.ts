import { expect, test } from 'vitest';
import type { ImportQuestion } from '../../api/imports/contract.ts';
import { runImports } from '../imports/worker.ts';
import { createLogger } from '../platform/core/log.ts';
import { openExternalServices } from '../platform/services/services.ts';
import { send, signInAs, testApp } from '../testing/support.ts';
import { writeExports } from '../testing/exports.ts';

// Teams and draws exist only through imports.
const app = await testApp({}, { jobs: false });
const services = {
  config: app.config,
  log: createLogger({ level: 'silent' }),
  database: app.database,
  now: () => app.clock.now,
  ...openExternalServices(app.config),
};
const { api, headers } = await signInAs(app, 'all');
const [one, two, three] = [
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0xde709f2102306220921060314715629080e2fb77',
  '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
];
const csv = (...rows: (string | number)[][]) => new File([rows.map((cells) => cells.join(',')).join('\r\n')], 'file.csv');
const page = { direction: 'desc', filter: {}, cursor: null, limit: 50 } as const;

async function importFile(kind: 'teamsImports' | 'drawsImports', file: File) {
  app.clock.now += 60_000;
  const { row: added, badRows, reading, mapping, fills } = await api[kind].add({ file });
  const seen = { id: added.id, version: added.version };
  const { row } = await api[kind].reread({ ...seen, ...reading, mapping, fills, answers: added.questions });
  await api[kind].start({ id: row.id, version: row.version, again: null });
  await runImports(services);
  const [done] = await api[kind].many({ ids: [row.id] });
  if (!done) throw new Error('the import is gone');
  return { done, badRows };
}

test('importing teams replaces earlier ones, and undoing restores them', async () => {
  const shown = async () =>
    (await api.teams.list({ ...page, sort: 'yuMinted' })).rows.map(({ captain, yuMinted, size }) => [captain, yuMinted, size]);
  const head = ['captain', 'yuMinted', 'size'];
  const wei = '5000000000000000000001';
  const first = await importFile('teamsImports', csv(head, [one, wei, 5], [two, 7, 1], [two, 9, 2], ['nobody', 1, 1]));
  expect(first.done).toMatchObject({ state: 'done', imported: 3 });
  expect(first.badRows).toMatchObject([{ line: 5, issues: [{ path: 'captain', rule: 'address' }] }]);
  expect(await shown()).toEqual([
    [one, wei, 5],
    [two, '9', 2],
  ]);

  const second = await importFile('teamsImports', csv(head, [two, 11, 3], [three, 0, 0]));
  expect(await shown()).toEqual([
    [one, wei, 5],
    [two, '11', 3],
    [three, '0', 0],
  ]);
  expect(await api.teams.totals({ filter: {} })).toMatchObject({
    rows: '3',
    sums: { yuMinted: '5000000000000000000012', size: '8' },
  });
  expect(await api.teams.totals({ filter: { address: two.slice(0, 6).toUpperCase().replace('0X', '0x') } })).toMatchObject({
    rows: '1',
    sums: { size: '3' },
  });
  expect((await api.teams.top({ filter: {}, by: 'captain', metric: 'size', limit: 2 })).top).toEqual([
    { key: one, value: '5' },
    { key: two, value: '3' },
  ]);
  expect((await api.teams.bars({ filter: {}, of: 'size', zone: 'UTC' })).bars.slice(0, 3).map(({ rows }) => rows)).toEqual([
    '1',
    '1',
    '1',
  ]);

  await api.teamsImports.undo({ id: second.done.id, version: second.done.version });
  expect(await shown()).toEqual([
    [one, wei, 5],
    [two, '9', 2],
  ]);
  await api.teamsImports.undo({ id: first.done.id, version: first.done.version });
  expect(await shown()).toEqual([]);
});

test('undoing an older import of teams keeps newer ones', async () => {
  const head = ['captain', 'yuMinted', 'size'];
  const old = await importFile('teamsImports', csv(head, [one, 1, 1]));
  const now = await importFile('teamsImports', csv(head, [one, 2, 2]));
  await api.teamsImports.undo({ id: old.done.id, version: old.done.version });
  const { rows } = await api.teams.list({ ...page, sort: 'size' });
  expect(rows).toMatchObject([{ captain: one, size: 2, importId: now.done.id }]);
  expect(await api.teams.many({ ids: rows.map(({ id }) => id) })).toEqual(rows);
});

test('draws accept common time formats, refuse duplicates, and sum by local day', async () => {
  const head = ['time', 'captain', 'members', 'captainBerries', 'totalBerries'];
  const first = await importFile(
    'drawsImports',
    csv(
      head,
      ['2026-11-01', one, 4, 100, 900],
      ['2026-11-01 08:30', one, 4, 100, 900],
      ['2026-11-01T17:00:00+08:00', two, 0, 0, 12],
      ['2026-11-01T09:00:00Z', two, 1, 1, 1],
      ['2026-02-30', one, 1, 1, 1],
    ),
  );
  // The fourth is the third in another zone.
  expect(first.badRows.map(({ line, issues }) => [line, issues[0]?.path, issues[0]?.rule])).toEqual([
    [5, 'captain', 'drawn'],
    [6, 'time', 'timeSpelling'],
  ]);
  const { rows } = await api.draws.list({ ...page, sort: 'time', direction: 'asc' });
  expect(rows.map(({ time, captain }) => [time, captain])).toEqual([
    ['2026-11-01T00:00:00.000Z', one],
    ['2026-11-01T08:30:00.000Z', one],
    ['2026-11-01T09:00:00.000Z', two],
  ]);
  const filter = { time: '2026-10-31T00:00:00.000Z..2026-11-02T00:00:00.000Z' };
  const { points } = await api.draws.series({ filter, unit: 'day', zone: 'America/New_York', compare: false });
  expect(points.map(({ label, values }) => [label, values.draws, values.totalBerries])).toEqual([
    ['2026-10-30', '0', '0'],
    ['2026-10-31', '1', '900'],
    ['2026-11-01', '2', '912'],
  ]);
  const { id, rows: found } = await api.draws.export({ sort: 'time', direction: 'asc', filter, locale: 'zh-CN' });
  await writeExports(app);
  const text = await (await send(app, 'GET', `/api/statistics/data0penBox/export/${id}`, undefined, headers)).text();
  expect([found, text.split('\r\n')[0]]).toEqual([3, expect.stringContaining('抽奖时间')]);

  const again = await importFile('drawsImports', csv(head, ['2026-11-01', one, 4, 100, 900], ['2026-11-03', one, 4, 100, 900]));
  expect(again.done).toMatchObject({ imported: 1, bad: 1 });
  await api.drawsImports.undo({ id: first.done.id, version: first.done.version });
  expect(await api.draws.totals({ filter: {} })).toMatchObject({ rows: '1', sums: { totalBerries: '900' } });
});

test('lets people with read permission export teams but not import draws', async () => {
  const analyst = await signInAs(app, 'analyst');
  const { rows: listed } = await analyst.api.teams.list({ ...page, sort: 'size' });
  await expect(analyst.api.drawsImports.add({ file: csv(['time']) })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  const requested = { sort: 'size', direction: 'asc', filter: {}, locale: 'en-US' } as const;
  expect((await analyst.api.teams.export(requested)).rows).toBe(listed.length);
  const editor = await signInAs(app, 'editor');
  await expect(editor.api.teams.list({ ...page, sort: 'size' })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  await expect(editor.api.teams.export(requested)).rejects.toMatchObject({ code: 'FORBIDDEN' });
});

test('draws accept times as Chinese Excel saves them, and other formats are refused by field', async () => {
  const names = ['抽奖时间', '队长地址', '团队人数（不含队长）', '队长积分', '奖励总积分'];
  const rows = ['2026/11/1 8:30', '2026年11月2日 8:30', '11/1/2026 8:30'].map((time) => [
    time,
    `0x${'1'.repeat(40)}`,
    3,
    10,
    100,
  ]);
  const { row, first } = await api.drawsImports.add({ file: csv(names, ...rows) });
  expect(row).toMatchObject({ good: 2, bad: 1, questions: ['zone'] });
  expect(first.map(({ issues }) => issues)).toEqual([[], [], [{ path: 'time', rule: 'timeSpelling' }]]);
});

test('draws without a zone wait for a person, who chooses it and sees the instants', async () => {
  const names = ['time', 'captain', 'members', 'captainBerries', 'totalBerries'];
  const times = ['2026-11-01 08:30', '2026-11-02', '2026-11-03T08:30:00Z', '2026-11-01 01:30', '2026-03-08 02:30'];
  const { row, reading, mapping, fills } = await api.drawsImports.add({
    file: csv(names, ...times.map((time) => [time, `0x${'2'.repeat(40)}`, 3, 10, 100])),
  });
  const seen = { id: row.id, version: row.version };
  expect(reading.zone).toBe('UTC');
  expect(row).toMatchObject({ good: 5, questions: ['zone'] });
  await expect(api.drawsImports.start({ ...seen, again: null })).rejects.toMatchObject({
    code: 'INCOMPLETE',
    data: { fields: ['zone'] },
  });
  const inZone = (version: number, zone: string, answers: ImportQuestion[] = []) =>
    api.drawsImports.reread({ ...seen, version, ...reading, zone, mapping, fills, answers });
  const shanghai = await inZone(row.version, 'Asia/Shanghai', ['zone']);
  expect(shanghai).toMatchObject({ timesWithoutZone: 4, row: { good: 5, questions: [] } });
  expect(shanghai.first.map(({ values }) => values?.['time'])).toEqual([
    '2026-11-01T00:30:00.000Z',
    '2026-11-01T16:00:00.000Z',
    '2026-11-03T08:30:00.000Z',
    '2026-10-31T17:30:00.000Z',
    '2026-03-07T18:30:00.000Z',
  ]);
  const newYork = await inZone(shanghai.row.version, 'America/New_York');
  expect(newYork.row).toMatchObject({ good: 3, bad: 2, questions: ['zone'] });
  const clockChange = [{ path: 'time', rule: 'clockChange' }];
  expect(newYork.badRows).toMatchObject([
    { line: 5, issues: clockChange },
    { line: 6, issues: clockChange },
  ]);
  await expect(inZone(newYork.row.version, 'Nowhere/City')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
});
