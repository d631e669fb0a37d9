import { createHash } from 'node:crypto';
import { asc, gt } from 'drizzle-orm';
import type { PictureStore } from '../platform/content/pictures-store.ts';
import { pictures } from '../platform/content/tables.ts';
import type { Db } from '../platform/db/db.ts';

/** Copied, already there with equal bytes, and missing in both. */
export interface MoveResult {
  readonly copied: number;
  readonly there: number;
  readonly missing: readonly string[];
}

interface MoveOptions {
  db: Db;
  from: PictureStore;
  to: PictureStore;
  progress?: (done: number) => void;
}

const pageSize = 200;
const concurrency = 8;

/** Reads each copy back and deletes nothing, so it can be repeated. Throws if a copy differs. */
export async function movePictures({ db, from, to, progress = () => {} }: MoveOptions): Promise<MoveResult> {
  let [copiedCount, presentCount, doneCount] = [0, 0, 0];
  const missingIds: string[] = [];
  const movePicture = async (id: string) => {
    const [source, existing] = await Promise.all([from.get(id), to.get(id)]);
    if (source === null) return existing === null ? void missingIds.push(id) : void presentCount++;
    if (existing !== null && hashBytes(existing) === hashBytes(source)) return void presentCount++;
    await to.put(id, source);
    const readBack = await to.get(id);
    if (readBack === null || hashBytes(readBack) !== hashBytes(source))
      throw new Error(`the copy of picture ${id} differs from the original`);
    copiedCount++;
  };
  for (let lastId: string | null = null; ;) {
    const rows: { id: string }[] = await db
      .select({ id: pictures.id })
      .from(pictures)
      .where(lastId === null ? undefined : gt(pictures.id, lastId))
      .orderBy(asc(pictures.id))
      .limit(pageSize);
    if (rows.length === 0) return { copied: copiedCount, there: presentCount, missing: missingIds };
    for (let offset = 0; offset < rows.length; offset += concurrency) {
      const results = await Promise.allSettled(rows.slice(offset, offset + concurrency).map(({ id }) => movePicture(id)));
      for (const end of results) if (end.status === 'rejected') throw end.reason;
    }
    lastId = rows.at(-1)?.id ?? null;
    progress((doneCount += rows.length));
  }
}

const hashBytes = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
