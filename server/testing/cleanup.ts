import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, TestRunner } from 'vitest';

const cleanups: (() => Promise<void>)[] = [];

/** Called in a test or `beforeEach`: runs after the test, otherwise after the file. */
export function onCleanup(cleanUp: () => Promise<void>): void {
  if (TestRunner.getCurrentTest()) onTestFinished(cleanUp);
  else cleanups.push(cleanUp);
}

export async function runCleanups(): Promise<void> {
  for (const cleanUp of cleanups.splice(0).reverse()) await cleanUp();
}

export function createTemporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'panel-test-'));
  onCleanup(async () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
