import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { hideChart, showChart } from '../../lib/ui/chart/charts.ts';
import { saveExportFile } from '../../lib/exports/save.ts';
import { registry } from './all.ts';

const zone = process.env['TZ'];
const chart = Symbol('chart');
const saved: string[] = [];

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-03-04T23:30:00Z'), toFake: ['Date', 'setTimeout'] });
  vi.stubGlobal('fetch', () => Promise.resolve(new Response('a\n1\n')));
  const link = { download: '', click: () => saved.push(link.download) };
  vi.stubGlobal('document', { createElement: () => link });
  const table = { head: ['a'], rows: [] };
  showChart(chart, {
    name: 'visits',
    hasUnits: true,
    canCompare: true,
    table: () => table,
  });
});
afterEach(() => {
  hideChart(chart);
  vi.unstubAllGlobals();
  vi.useRealTimers();
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
});

test.each([
  ['Asia/Shanghai', '2026-03-05'],
  ['America/New_York', '2026-03-04'],
])('a file saved in %s has the local day in its name: %s', async (place, day) => {
  process.env['TZ'] = place;
  const job = { id: 'x', list: 'audit', path: '/api/audit/export/x', format: 'xlsx', state: 'done', problem: null } as const;
  const at = new Date().toISOString();
  await saveExportFile({ ...job, rows: 1, total: 1, bytes: 1, createdAt: at, endedAt: at, expiresAt: at });
  expect(saved.pop()).toBe(`audit-${day}.xlsx`);
  for (const [id, name] of [
    ['chart.saveCsv', `visits-${day}.csv`],
    ['authority.export', `authority-${day}.jsonl`],
  ] as const) {
    await registry.get(id)?.run({ targets: [], params: {} } as never);
    expect(saved.pop(), id).toBe(name);
  }
});
