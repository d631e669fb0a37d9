import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, existsSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { getDatabaseErrorCode } from './error-code.ts';

/** Some network folders, FAT and container volumes. */
const isLinkUnsupported = (error: unknown): boolean =>
  ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(getDatabaseErrorCode(error) ?? '');

/** Never overwrites. The name appears once the text is on disk, so a crash leaves no partial key. */
export function writeFileOnce(file: string, text: string): void {
  const temporaryFile = `${file}.${randomUUID()}.tmp`;
  try {
    const handle = openSync(temporaryFile, 'wx', 0o600);
    try {
      writeFileSync(handle, text); // writeSync may write only a part
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    publishFile(temporaryFile, file);
    syncFolder(dirname(file));
  } finally {
    rmSync(temporaryFile, { force: true });
  }
}

function publishFile(temporaryFile: string, file: string): void {
  try {
    linkSync(temporaryFile, file);
  } catch (error) {
    if (getDatabaseErrorCode(error) === 'EEXIST') return;
    if (!isLinkUnsupported(error)) throw error;
    if (!existsSync(file)) renameSync(temporaryFile, file);
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
