import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What a file's tests have begun, ended in the other order. */
const begun: (() => Promise<void>)[] = [];

/** Runs when the file's tests are done, wherever it is said: Vitest forgets an `afterAll` that is called inside a hook or a test. */
export const atEnd = (end: () => Promise<void>): void => void begun.push(end);

export async function endAll(): Promise<void> {
  for (const end of begun.splice(0).reverse()) await end();
}

/** A folder that goes with the file's tests. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'panel-test-'));
  atEnd(async () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
