import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { hideChart, showChart } from '../../lib/ui/chart/charts.ts';
import { saveExportFile } from '../../lib/exports/save.ts';
import { registry } from './all.ts';

const initialTimeZone = process.env['TZ'];
const chartMarker = Symbol('chart');
const savedNames: string[] = [];

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-03-04T23:30:00Z'), toFake: ['Date', 'setTimeout'] });
  vi.stubGlobal('fetch', () => Promise.resolve(new Response('a\n1\n')));
  const link = { download: '', click: () => savedNames.push(link.download) };
  vi.stubGlobal('document', { createElement: () => link });
  const table = { head: ['a'], rows: [] };
  showChart(chartMarker, {
    name: 'visits',
    hasUnits: true,
    canCompare: true,
    table: () => table,
  });
});
afterEach(() => {
  hideChart(chartMarker);
  vi.unstubAllGlobals();
  vi.useRealTimers();
  if (initialTimeZone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = initialTimeZone;
});

test.each([
  ['Asia/Shanghai', '2026-03-05'],
  ['America/New_York', '2026-03-04'],
])('a file saved in %s has the local day in its name: %s', async (timeZone, day) => {
  process.env['TZ'] = timeZone;
  const job = { id: 'x', list: 'audit', path: '/api/audit/export/x', format: 'xlsx', state: 'done', problem: null } as const;
  const timestamp = new Date().toISOString();
  await saveExportFile({ ...job, rows: 1, total: 1, bytes: 1, createdAt: timestamp, endedAt: timestamp, expiresAt: timestamp });
  expect(savedNames.pop()).toBe(`audit-${day}.xlsx`);
  for (const [id, name] of [
    ['chart.saveCsv', `visits-${day}.csv`],
    ['authority.export', `authority-${day}.jsonl`],
  ] as const) {
    await registry.get(id)?.run({ targets: [], params: {} } as never);
    expect(savedNames.pop(), id).toBe(name);
  }
});
