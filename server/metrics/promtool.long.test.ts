import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { findFreePort } from '../../chain/free-port.ts';
import { requireProgram } from '../../scripts/suite/debian.mjs';
import { root } from '../../scripts/setup.mjs';
import { metricsText } from '../signer/metrics-file.ts';
import { createTemporaryFolder } from '../testing/cleanup.ts';
import { startServer, waitUntil } from '../testing/process.ts';

beforeAll(() => requireProgram('promtool', 'prometheus'), 300_000);

function runPromtool(args: readonly string[], input = ''): { status: number | null; said: string } {
  const { status, stdout, stderr } = spawnSync('promtool', args, { input, encoding: 'utf8', cwd: root });
  return { status, said: stdout + stderr };
}

test('promtool accepts the metrics of a server with its chain', async () => {
  const port = await findFreePort();
  const server = startServer(createTemporaryFolder(), { METRICS_PORT: String(port), DEVNET: 'on', DEVNET_BLOCK_SECONDS: '1' });
  try {
    const origin = await server.ready;
    for (const path of ['/readyz', '/public/news', '/', '/nowhere', '/public/reserve']) await fetch(origin + path);
    let text = '';
    await waitUntil(async () => {
      text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      return /^admin_panel_chain_head_block \d/m.test(text) && /^admin_panel_chain_read_block\{watcher="crsm"\} \d/m.test(text);
    });
    expect(text).toContain('admin_panel_database_up 1\n');
    expect(text).toMatch(/^admin_panel_mints\{state="\w+"\} [1-9]/m);
    expect(runPromtool(['check', 'metrics'], text)).toEqual({ status: 0, said: '' });
  } finally {
    server.child.kill('SIGTERM');
    await server.ended;
  }
}, 180_000);

test('promtool accepts the signer’s metrics', () => {
  expect(
    runPromtool(['check', 'metrics'], metricsText({ start: 1, look: 2, proof: null }, { nodes: 2, isClockRight: () => true })),
  ).toEqual({ status: 0, said: '' });
});

test.each(['alerts.yml', 'alerts-custody.yml'])('promtool accepts the rules in %s', (file) => {
  const { status, said } = runPromtool(['check', 'rules', join('docs', 'monitoring', file)]);
  expect([status, said]).toEqual([0, expect.stringMatching(/SUCCESS: \d+ rules found/)]);
});
