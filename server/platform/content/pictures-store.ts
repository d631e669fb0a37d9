import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Where picture files are kept. An id is written once and never changes, so any number of servers may share it. */
export interface PictureStore {
  put: (id: string, bytes: Uint8Array) => Promise<void>;
  get: (id: string) => Promise<Uint8Array | null>;
}

/** Pictures as files in one folder; on disk before `put` resolves. */
export function diskPictureStore(folder: string): PictureStore {
  const fileOf = (id: string) => {
    if (!/^[0-9a-f-]{36}$/.test(id)) throw new Error(`not a picture id: ${JSON.stringify(id)}`);
    return join(folder, `${id}.webp`);
  };

  return {
    async put(id, bytes) {
      const file = fileOf(id);
      await mkdir(folder, { recursive: true });
      const temporary = join(folder, `.${randomUUID()}.tmp`);
      try {
        await writeDurably(temporary, bytes);
        await rename(temporary, file);
        await syncFolder(folder);
      } finally {
        await rm(temporary, { force: true });
      }
    },
    async get(id) {
      try {
        return await readFile(fileOf(id));
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
        throw error;
      }
    },
  };
}

async function writeDurably(file: string, bytes: Uint8Array) {
  const handle = await open(file, 'wx', 0o640);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** A rename lasts only when its folder is on disk too. */
async function syncFolder(folder: string) {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
