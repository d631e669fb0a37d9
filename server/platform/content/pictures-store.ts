import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Where picture files are kept. An id is written once and never changes, so any number of servers may share it. */
export interface PictureStore {
  /** Throws where it cannot be used as it is configured. */
  check: () => Promise<void>;
  put: (id: string, bytes: Uint8Array) => Promise<void>;
  get: (id: string) => Promise<Uint8Array | null>;
  remove: (id: string) => Promise<void>;
  /** Ids of the files last written before a moment, milliseconds; what a crash left half written goes by the way. */
  writtenBefore: (at: number) => Promise<string[]>;
}

/** What a picture is called where it is kept. Throws for what is no id. */
export function pictureName(id: string): string {
  if (!/^[0-9a-f-]{36}$/.test(id)) throw new Error(`not a picture id: ${JSON.stringify(id)}`);
  return `${id}.webp`;
}

/** Pictures as files in one folder; on disk before `put` resolves. */
export function diskPictureStore(folder: string): PictureStore {
  const fileOf = (id: string) => join(folder, pictureName(id));

  return {
    async check() {}, // the folder is made with the first picture
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
        const { mtimeMs } = await stat(join(folder, name)).catch(() => ({ mtimeMs: Infinity })); // gone meanwhile
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

/** A rename lasts only when its folder is on disk too. */
async function syncFolder(folder: string) {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
