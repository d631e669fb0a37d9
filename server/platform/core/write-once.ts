import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, rmSync, writeSync } from 'node:fs';
import { codeOf } from './error-code.ts';

/**
 * Makes a file with this text, readable by its owner alone; one that is there stays as it is. The name appears only once the whole
 * text is on the disk, so that a full disk or a crash leaves no half-written key.
 */
export function writeOnce(file: string, text: string): void {
  const temporary = `${file}.${randomUUID()}.tmp`;
  try {
    const handle = openSync(temporary, 'wx', 0o600);
    try {
      writeSync(handle, text);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    linkSync(temporary, file);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error; // another process was first
  } finally {
    rmSync(temporary, { force: true });
  }
}
