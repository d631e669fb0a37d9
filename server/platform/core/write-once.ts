import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, existsSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf } from './error-code.ts';

/** A file system without hard links: some network folders, FAT, some container volumes. */
const hasNoLinks = (error: unknown): boolean =>
  ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(codeOf(error) ?? '');

/**
 * Makes a file with this text, readable by its owner alone; one that is there stays as it is. The name appears only once the whole
 * text is on the disk, so that a full disk or a crash leaves no half-written key.
 */
export function writeOnce(file: string, text: string): void {
  const temporary = `${file}.${randomUUID()}.tmp`;
  try {
    const handle = openSync(temporary, 'wx', 0o600);
    try {
      writeFileSync(handle, text); // writes all of it or throws, which writeSync does not
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    publish(temporary, file);
    syncFolder(dirname(file));
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Of two processes the first one counts. */
function publish(temporary: string, file: string): void {
  try {
    linkSync(temporary, file);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return;
    if (!hasNoLinks(error)) throw error;
    if (!existsSync(file)) renameSync(temporary, file);
  }
}

function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
