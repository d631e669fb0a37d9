import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../scripts/setup.mjs';
import { createLogger } from '../platform/core/log.ts';
import { openDatabase } from '../platform/db/db.ts';
import { metricsText } from '../signer/metrics-file.ts';
import { createMetrics } from './registry.ts';

async function readMetricNames(): Promise<Set<string>> {
  const url = 'postgres://nobody@127.0.0.1:1/none';
  const database = openDatabase({ url, readUrl: url, statisticsUrl: url, log: createLogger({ level: 'silent' }) });
  const { registry } = createMetrics({ database, evm: { urls: ['http://127.0.0.1:1'], chainId: 1 }, build: 'b' });
  await database.close();
  const metricDescriptions = await registry.getMetricsAsJSON();
  const serverMetrics = metricDescriptions.flatMap(({ name, type }) =>
    String(type) === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : name,
  );
  const text = metricsText({ start: 1, look: 1, proof: 1 }, { nodes: 1, isClockRight: () => true });
  return new Set([...serverMetrics, ...[...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name)]);
}

test.each(['alerts.yml', 'alerts-custody.yml', 'grafana-dashboard.json'])(
  'docs/monitoring/%s uses only metrics that exist',
  async (file) => {
    const text = readFileSync(join(root, 'docs/monitoring', file), 'utf8').replace(/\\"/g, '"');
    const usedMetrics = new Set(text.match(/\b(?:admin_panel|process|nodejs)_[a-z0-9_]+/g));
    const existingMetrics = await readMetricNames();
    expect(usedMetrics.size).toBeGreaterThan(7);
    expect([...usedMetrics].filter((name) => !existingMetrics.has(name))).toEqual([]);
  },
);

test('the dashboard shows every metric of the panel', async () => {
  const text = readFileSync(join(root, 'docs/monitoring/grafana-dashboard.json'), 'utf8');
  const isMentioned = (name: string) => text.includes(name.replace(/_(bucket|sum|count)$/, ''));
  expect([...(await readMetricNames())].filter((name) => name.startsWith('admin_panel_') && !isMentioned(name))).toEqual([]);
});
