import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, TestRunner } from 'vitest';

const begun: (() => Promise<void>)[] = [];

/** Called in a test or `beforeEach`: runs after the test, otherwise after the file. */
export function atEnd(end: () => Promise<void>): void {
  if (TestRunner.getCurrentTest()) onTestFinished(end);
  else begun.push(end);
}

export async function endAll(): Promise<void> {
  for (const end of begun.splice(0).reverse()) await end();
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'panel-test-'));
  atEnd(async () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
