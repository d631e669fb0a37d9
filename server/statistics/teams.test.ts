import { expect, test } from 'vitest';
import type { ImportQuestion } from '../../api/imports/contract.ts';
import { runImports } from '../imports/worker.ts';
import { createLogger } from '../platform/core/log.ts';
import { openExternalServices } from '../platform/services/services.ts';
import { send, signInAs, createTestApp } from '../testing/support.ts';
import { writeExports } from '../testing/exports.ts';

// Teams and draws exist only through imports.
const app = await createTestApp({}, { jobs: false });
const services = {
  config: app.config,
  log: createLogger({ level: 'silent' }),
  database: app.database,
  now: () => app.clock.now,
  ...openExternalServices(app.config),
};
const { api, headers } = await signInAs(app, 'all');
const [firstCaptain, secondCaptain, thirdCaptain] = [
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0xde709f2102306220921060314715629080e2fb77',
  '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
];
const csv = (...rows: (string | number)[][]) => new File([rows.map((cells) => cells.join(',')).join('\r\n')], 'file.csv');
const page = { direction: 'desc', filter: {}, cursor: null, limit: 50 } as const;

async function importFile(kind: 'teamsImports' | 'drawsImports', file: File) {
  app.clock.now += 60_000;
  const { row: addedImport, badRows, reading, mapping, fills } = await api[kind].add({ file });
  const importVersion = { id: addedImport.id, version: addedImport.version };
  const { row } = await api[kind].reread({ ...importVersion, ...reading, mapping, fills, answers: addedImport.questions });
  await api[kind].start({ id: row.id, version: row.version, again: null });
  await runImports(services);
  const [finishedImport] = await api[kind].many({ ids: [row.id] });
  if (!finishedImport) throw new Error('the import is gone');
  return { done: finishedImport, badRows };
}

test('importing teams replaces earlier ones, and undoing restores them', async () => {
  const listTeams = async () =>
    (await api.teams.list({ ...page, sort: 'yuMinted' })).rows.map(({ captain, yuMinted, size }) => [captain, yuMinted, size]);
  const headerNames = ['captain', 'yuMinted', 'size'];
  const largeAmount = '5000000000000000000001';
  const firstImport = await importFile(
    'teamsImports',
    csv(headerNames, [firstCaptain, largeAmount, 5], [secondCaptain, 7, 1], [secondCaptain, 9, 2], ['nobody', 1, 1]),
  );
  expect(firstImport.done).toMatchObject({ state: 'done', imported: 3 });
  expect(firstImport.badRows).toMatchObject([{ line: 5, issues: [{ path: 'captain', rule: 'address' }] }]);
  expect(await listTeams()).toEqual([
    [firstCaptain, largeAmount, 5],
    [secondCaptain, '9', 2],
  ]);

  const secondImport = await importFile('teamsImports', csv(headerNames, [secondCaptain, 11, 3], [thirdCaptain, 0, 0]));
  expect(await listTeams()).toEqual([
    [firstCaptain, largeAmount, 5],
    [secondCaptain, '11', 3],
    [thirdCaptain, '0', 0],
  ]);
  expect(await api.teams.totals({ filter: {} })).toMatchObject({
    rows: '3',
    sums: { yuMinted: '5000000000000000000012', size: '8' },
  });
  expect(
    await api.teams.totals({ filter: { address: secondCaptain.slice(0, 6).toUpperCase().replace('0X', '0x') } }),
  ).toMatchObject({
    rows: '1',
    sums: { size: '3' },
  });
  expect((await api.teams.top({ filter: {}, by: 'captain', metric: 'size', limit: 2 })).top).toEqual([
    { key: firstCaptain, value: '5' },
    { key: secondCaptain, value: '3' },
  ]);
  expect((await api.teams.bars({ filter: {}, of: 'size', zone: 'UTC' })).bars.slice(0, 3).map(({ rows }) => rows)).toEqual([
    '1',
    '1',
    '1',
  ]);

  await api.teamsImports.undo({ id: secondImport.done.id, version: secondImport.done.version });
  expect(await listTeams()).toEqual([
    [firstCaptain, largeAmount, 5],
    [secondCaptain, '9', 2],
  ]);
  await api.teamsImports.undo({ id: firstImport.done.id, version: firstImport.done.version });
  expect(await listTeams()).toEqual([]);
});

test('undoing an older import of teams keeps newer ones', async () => {
  const headerNames = ['captain', 'yuMinted', 'size'];
  const olderImport = await importFile('teamsImports', csv(headerNames, [firstCaptain, 1, 1]));
  const now = await importFile('teamsImports', csv(headerNames, [firstCaptain, 2, 2]));
  await api.teamsImports.undo({ id: olderImport.done.id, version: olderImport.done.version });
  const { rows } = await api.teams.list({ ...page, sort: 'size' });
  expect(rows).toMatchObject([{ captain: firstCaptain, size: 2, importId: now.done.id }]);
  expect(await api.teams.many({ ids: rows.map(({ id }) => id) })).toEqual(rows);
});

test('draws accept common time formats, refuse duplicates, and sum by local day', async () => {
  const headerNames = ['time', 'captain', 'members', 'captainBerries', 'totalBerries'];
  const firstImport = await importFile(
    'drawsImports',
    csv(
      headerNames,
      ['2026-11-01', firstCaptain, 4, 100, 900],
      ['2026-11-01 08:30', firstCaptain, 4, 100, 900],
      ['2026-11-01T17:00:00+08:00', secondCaptain, 0, 0, 12],
      ['2026-11-01T09:00:00Z', secondCaptain, 1, 1, 1],
      ['2026-02-30', firstCaptain, 1, 1, 1],
    ),
  );
  // The fourth is the third in another zone.
  expect(firstImport.badRows.map(({ line, issues }) => [line, issues[0]?.path, issues[0]?.rule])).toEqual([
    [5, 'captain', 'drawn'],
    [6, 'time', 'timeSpelling'],
  ]);
  const { rows } = await api.draws.list({ ...page, sort: 'time', direction: 'asc' });
  expect(rows.map(({ time, captain }) => [time, captain])).toEqual([
    ['2026-11-01T00:00:00.000Z', firstCaptain],
    ['2026-11-01T08:30:00.000Z', firstCaptain],
    ['2026-11-01T09:00:00.000Z', secondCaptain],
  ]);
  const filter = { time: '2026-10-31T00:00:00.000Z..2026-11-02T00:00:00.000Z' };
  const { points } = await api.draws.series({ filter, unit: 'day', zone: 'America/New_York', compare: false });
  expect(points.map(({ label, values }) => [label, values.draws, values.totalBerries])).toEqual([
    ['2026-10-30', '0', '0'],
    ['2026-10-31', '1', '900'],
    ['2026-11-01', '2', '912'],
  ]);
  const { id, rows: exportedRows } = await api.draws.export({ sort: 'time', direction: 'asc', filter, locale: 'zh-CN' });
  await writeExports(app);
  const text = await (await send(app, 'GET', `/api/statistics/data0penBox/export/${id}`, undefined, headers)).text();
  expect([exportedRows, text.split('\r\n')[0]]).toEqual([3, expect.stringContaining('抽奖时间')]);

  const repeatedImport = await importFile(
    'drawsImports',
    csv(headerNames, ['2026-11-01', firstCaptain, 4, 100, 900], ['2026-11-03', firstCaptain, 4, 100, 900]),
  );
  expect(repeatedImport.done).toMatchObject({ imported: 1, bad: 1 });
  await api.drawsImports.undo({ id: firstImport.done.id, version: firstImport.done.version });
  expect(await api.draws.totals({ filter: {} })).toMatchObject({ rows: '1', sums: { totalBerries: '900' } });
});

test('lets people with read permission export teams but not import draws', async () => {
  const analystSession = await signInAs(app, 'analyst');
  const { rows: listedTeams } = await analystSession.api.teams.list({ ...page, sort: 'size' });
  await expect(analystSession.api.drawsImports.add({ file: csv(['time']) })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  const exportInput = { sort: 'size', direction: 'asc', filter: {}, locale: 'en-US' } as const;
  expect((await analystSession.api.teams.export(exportInput)).rows).toBe(listedTeams.length);
  const editorSession = await signInAs(app, 'editor');
  await expect(editorSession.api.teams.list({ ...page, sort: 'size' })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  await expect(editorSession.api.teams.export(exportInput)).rejects.toMatchObject({ code: 'FORBIDDEN' });
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
  const timeTexts = ['2026-11-01 08:30', '2026-11-02', '2026-11-03T08:30:00Z', '2026-11-01 01:30', '2026-03-08 02:30'];
  const { row, reading, mapping, fills } = await api.drawsImports.add({
    file: csv(names, ...timeTexts.map((time) => [time, `0x${'2'.repeat(40)}`, 3, 10, 100])),
  });
  const importVersion = { id: row.id, version: row.version };
  expect(reading.zone).toBe('UTC');
  expect(row).toMatchObject({ good: 5, questions: ['zone'] });
  await expect(api.drawsImports.start({ ...importVersion, again: null })).rejects.toMatchObject({
    code: 'INCOMPLETE',
    data: { fields: ['zone'] },
  });
  const rereadInZone = (version: number, zone: string, answers: ImportQuestion[] = []) =>
    api.drawsImports.reread({ ...importVersion, version, ...reading, zone, mapping, fills, answers });
  const shanghaiReading = await rereadInZone(row.version, 'Asia/Shanghai', ['zone']);
  expect(shanghaiReading).toMatchObject({ timesWithoutZone: 4, row: { good: 5, questions: [] } });
  expect(shanghaiReading.first.map(({ values }) => values?.['time'])).toEqual([
    '2026-11-01T00:30:00.000Z',
    '2026-11-01T16:00:00.000Z',
    '2026-11-03T08:30:00.000Z',
    '2026-10-31T17:30:00.000Z',
    '2026-03-07T18:30:00.000Z',
  ]);
  const newYorkReading = await rereadInZone(shanghaiReading.row.version, 'America/New_York');
  expect(newYorkReading.row).toMatchObject({ good: 3, bad: 2, questions: ['zone'] });
  const clockChange = [{ path: 'time', rule: 'clockChange' }];
  expect(newYorkReading.badRows).toMatchObject([
    { line: 5, issues: clockChange },
    { line: 6, issues: clockChange },
  ]);
  await expect(rereadInZone(newYorkReading.row.version, 'Nowhere/City')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
});
