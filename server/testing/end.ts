import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, TestRunner } from 'vitest';

/** What a file has begun for all its tests, ended in the other order. */
const begun: (() => Promise<void>)[] = [];

/** Runs when the test is done that says it, or its `beforeEach`; said elsewhere, when the file's tests are. */
export function atEnd(end: () => Promise<void>): void {
  if (TestRunner.getCurrentTest()) onTestFinished(end);
  else begun.push(end);
}

export async function endAll(): Promise<void> {
  for (const end of begun.splice(0).reverse()) await end();
}

/** A folder that goes with the test, or with the file's tests. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'panel-test-'));
  atEnd(async () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
