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
export function pictureName(id: string): string {
  if (!/^[0-9a-f-]{36}$/.test(id)) throw new Error(`not a picture id: ${JSON.stringify(id)}`);
  return `${id}.webp`;
}

/** Durable once `put` resolves. */
export function diskPictureStore(folder: string): PictureStore {
  const fileOf = (id: string) => join(folder, pictureName(id));

  return {
    async check() {},
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
        if (isMissing(error)) return null;
        throw error;
      }
    },
    async remove(id) {
      await rm(fileOf(id), { force: true });
    },
    async writtenBefore(at) {
      const names = await readdir(folder).catch((error: unknown) => {
        if (isMissing(error)) return [];
        throw error;
      });
      const found: string[] = [];
      for (const name of names) {
        const [, id] = /^([0-9a-f-]{36})\.webp$/.exec(name) ?? [];
        const isHalf = /^\.[0-9a-f-]{36}\.tmp$/.test(name);
        if (id === undefined && !isHalf) continue;
        const { mtimeMs } = await stat(join(folder, name)).catch(() => ({ mtimeMs: Infinity }));
        if (mtimeMs >= at) continue;
        if (id === undefined) await rm(join(folder, name), { force: true });
        else found.push(id);
      }
      return found;
    },
  };
}

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';

async function writeDurably(file: string, bytes: Uint8Array) {
  const handle = await open(file, 'wx', 0o640);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** A rename is durable only after its folder is synced. */
async function syncFolder(folder: string) {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
