import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createLogger } from '../platform/core/log.ts';
import { openMetricsFile } from './metrics-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'signer-metrics-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const state = { nodes: 2, isClockRight: () => true };

test('the file has the last time of each action, and none for actions not done', () => {
  const file = join(folder, 'signer.prom');
  let now = 1_000_000;
  const recordEvent = openMetricsFile({ log: createLogger({ level: 'silent' }), now: () => now }, file, state);
  now = 1_060_000;
  recordEvent('look');
  const firstContent = readFileSync(file, 'utf8');
  expect(firstContent).toContain('\nadmin_panel_signer_start_timestamp_seconds 1000\n');
  expect(firstContent).toContain('\nadmin_panel_signer_look_timestamp_seconds 1060\n');
  expect(firstContent).not.toMatch(/^admin_panel_signer_proof_timestamp_seconds/m);
  now = 1_070_000;
  recordEvent('proof');
  expect(readFileSync(file, 'utf8')).toMatch(
    /look_timestamp_seconds 1060\n[^]*\nadmin_panel_signer_proof_timestamp_seconds 1070\n/,
  );
  expect(readdirSync(folder)).toEqual(['signer.prom']);
});

test('an unwritable folder is reported and does not stop the signer', () => {
  const lines: string[] = [];
  const log = createLogger({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  openMetricsFile({ log, now: Date.now }, join(folder, 'none', 'signer.prom'), state)('look');
  expect(lines).toEqual([expect.stringContaining('could not write the metrics file')]);
});

test('the file has the number of nodes, and shows a wrong clock immediately', () => {
  const file = join(folder, 'clock.prom');
  let isClockRight = true;
  const recordEvent = openMetricsFile({ log: createLogger({ level: 'silent' }), now: Date.now }, file, {
    nodes: 1,
    isClockRight: () => isClockRight,
  });
  recordEvent('look');
  expect(readFileSync(file, 'utf8')).toMatch(/\nadmin_panel_signer_nodes 1\n[^]*\nadmin_panel_signer_clock_right 1\n/);
  isClockRight = false;
  recordEvent(null);
  expect(readFileSync(file, 'utf8')).toContain('\nadmin_panel_signer_clock_right 0\n');
});
