import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Pictures are immutable, so servers may share a store. */
export interface PictureStore {
  /** Throws if misconfigured. */
  check: () => Promise<void>;
  put: (id: string, bytes: Uint8Array) => Promise<void>;
  get: (id: string) => Promise<Uint8Array | null>;
  remove: (id: string) => Promise<void>;
  /** Milliseconds. Also deletes partial files of a crash. */
  writtenBefore: (at: number) => Promise<string[]>;
}

/** Throws for an invalid id. */
export function pictureFileName(id: string): string {
  if (!/^[0-9a-f-]{36}$/.test(id)) throw new Error(`not a picture id: ${JSON.stringify(id)}`);
  return `${id}.webp`;
}

/** Durable once `put` resolves. */
export function createDiskPictureStore(folder: string): PictureStore {
  const filePathOf = (id: string) => join(folder, pictureFileName(id));

  return {
    async check() {},
    async put(id, bytes) {
      const file = filePathOf(id);
      await mkdir(folder, { recursive: true });
      const temporaryFile = join(folder, `.${randomUUID()}.tmp`);
      try {
        await writeDurably(temporaryFile, bytes);
        await rename(temporaryFile, file);
        await syncFolder(folder);
      } finally {
        await rm(temporaryFile, { force: true });
      }
    },
    async get(id) {
      try {
        return await readFile(filePathOf(id));
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },
    async remove(id) {
      await rm(filePathOf(id), { force: true });
    },
    async writtenBefore(at) {
      const names = await readdir(folder).catch((error: unknown) => {
        if (isMissing(error)) return [];
        throw error;
      });
      const pictureIds: string[] = [];
      for (const name of names) {
        const [, id] = /^([0-9a-f-]{36})\.webp$/.exec(name) ?? [];
        const isTemporary = /^\.[0-9a-f-]{36}\.tmp$/.test(name);
        if (id === undefined && !isTemporary) continue;
        const { mtimeMs } = await stat(join(folder, name)).catch(() => ({ mtimeMs: Infinity }));
        if (mtimeMs >= at) continue;
        if (id === undefined) await rm(join(folder, name), { force: true });
        else pictureIds.push(id);
      }
      return pictureIds;
    },
  };
}

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';

async function writeDurably(file: string, bytes: Uint8Array) {
  const fileHandle = await open(file, 'wx', 0o640);
  try {
    await fileHandle.writeFile(bytes);
    await fileHandle.sync();
  } finally {
    await fileHandle.close();
  }
}

/** A rename is durable only after its folder is synced. */
async function syncFolder(folder: string) {
  const fileHandle = await open(folder, 'r');
  try {
    await fileHandle.sync();
  } finally {
    await fileHandle.close();
  }
}
