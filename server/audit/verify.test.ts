import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bundleOf } from '../../scripts/setup.mjs';
import { testDatabase } from '../testing/support.ts';

test('pointed at a folder without the key it does not end well, however sound the rows are', async () => {
  const { url } = await testDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'verify-'));
  const { status, stderr } = spawnSync(process.execPath, [bundleOf('audit-verify')], {
    env: { PATH: process.env['PATH'], DATABASE_URL: url, DATA_DIR: folder },
    encoding: 'utf8',
  });
  rmSync(folder, { recursive: true });
  expect([status, stderr.trim()]).toEqual([2, expect.stringContaining('Not checked against signed heads: no key in')]);
});
