import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runCrashTest } from '../../scripts/suite/crash.ts';
import { inTier } from '../../scripts/suite/tier.ts';
import { findPostgresProcesses } from '../testing/process.ts';

const dataDir = realpathSync(mkdtempSync(join(tmpdir(), 'crash-test-')));

afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

test(
  'killing server and PostgreSQL loses or repeats no acknowledged write and no audit row',
  async () => {
    const roundCount = inTier(1, 200);
    const { acknowledged, faults } = await runCrashTest({ rounds: roundCount, dataDir });
    expect(faults).toEqual([]);
    expect(acknowledged).toBeGreaterThan(12 * roundCount);
    expect(findPostgresProcesses(dataDir)).toEqual([]);
  },
  inTier(240_000, 3_600_000),
);
