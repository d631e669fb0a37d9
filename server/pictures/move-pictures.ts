import { createHash } from 'node:crypto';
import { asc, gt } from 'drizzle-orm';
import type { PictureStore } from '../platform/content/pictures-store.ts';
import { pictures } from '../platform/content/tables.ts';
import type { Db } from '../platform/db/db.ts';

/** Copied, already there with equal bytes, and missing in both. */
export interface Moved {
  readonly copied: number;
  readonly there: number;
  readonly missing: readonly string[];
}

interface Move {
  db: Db;
  from: PictureStore;
  to: PictureStore;
  progress?: (done: number) => void;
}

const step = 200;
const at = 8;

/** Reads each copy back and deletes nothing, so it can be repeated. Throws if a copy differs. */
export async function movePictures({ db, from, to, progress = () => {} }: Move): Promise<Moved> {
  let [copied, there, done] = [0, 0, 0];
  const missing: string[] = [];
  const one = async (id: string) => {
    const [source, known] = await Promise.all([from.get(id), to.get(id)]);
    if (source === null) return known === null ? void missing.push(id) : void there++;
    if (known !== null && hashOf(known) === hashOf(source)) return void there++;
    await to.put(id, source);
    const back = await to.get(id);
    if (back === null || hashOf(back) !== hashOf(source)) throw new Error(`the copy of picture ${id} differs from the original`);
    copied++;
  };
  for (let last: string | null = null; ;) {
    const rows: { id: string }[] = await db
      .select({ id: pictures.id })
      .from(pictures)
      .where(last === null ? undefined : gt(pictures.id, last))
      .orderBy(asc(pictures.id))
      .limit(step);
    if (rows.length === 0) return { copied, there, missing };
    for (let first = 0; first < rows.length; first += at) {
      const ends = await Promise.allSettled(rows.slice(first, first + at).map(({ id }) => one(id)));
      for (const end of ends) if (end.status === 'rejected') throw end.reason;
    }
    last = rows.at(-1)?.id ?? null;
    progress((done += rows.length));
  }
}

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
