import { createHash, randomUUID } from 'node:crypto';
import { eq, inArray } from 'drizzle-orm';
import { pictures } from './tables.ts';
import { personOf, type RequestContext } from '../services/context.ts';
import type { Db, Tx } from '../db/db.ts';
import { cleanPicture, type CleanPicture } from './picture-codec.ts';
import type { PictureStore } from './pictures-store.ts';
import type { RecordAudit } from '../records/write.ts';

/** Not yet in the database. */
export interface StoredPicture {
  id: string;
  sha256: string;
  width: number;
  height: number;
  bytes: number;
}

interface PictureContext {
  db: Db;
  pictures: PictureStore;
  now: () => number;
}

export const pictureContext = ({ db, services: { pictures: store, now } }: RequestContext): PictureContext => ({
  db,
  pictures: store,
  now,
});

export const pictureUrl = (publicUrl: string, id: string) => `${publicUrl}/pictures/${id}.webp`;

export const pictureIdOf = (url: string): string | null =>
  /\/pictures\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.webp$/.exec(url)?.[1] ?? null;

/** Re-encodes and stores an upload once. Throws PictureRefused. */
export const storePicture = (room: PictureContext, upload: Uint8Array): Promise<StoredPicture> =>
  storeOnce(room, uploadHash(upload), () => cleanPicture(upload));

/** For an upload that is already re-encoded. */
export const storeEncoded = (room: PictureContext, sha256: string, encoded: CleanPicture): Promise<StoredPicture> =>
  storeOnce(room, sha256, async () => encoded);

export const uploadHash = (upload: Uint8Array): string => createHash('sha256').update(upload).digest('hex');

async function storeOnce(
  { db, pictures: store, now }: PictureContext,
  sha256: string,
  encode: () => Promise<CleanPicture>,
): Promise<StoredPicture> {
  // One statement, so that the sweep (server/pictures/picture-sweep.ts) either spares the row or has removed it.
  const sentAt = new Date(now());
  const [known] = await db.update(pictures).set({ sentAt }).where(eq(pictures.sha256, sha256)).returning();
  if (known && (await store.get(known.id))) return known;
  const { bytes, width, height } = await encode();
  const id = known?.id ?? randomUUID(); // not time-ordered, so that an address reveals nothing
  await store.put(id, bytes);
  return { id, sha256, width, height, bytes: bytes.byteLength };
}

/** An unrecorded id belongs to this upload alone. The sweep removes what a crash leaves. */
export async function removeUnrecorded({ db, pictures: store }: PictureContext, stored: readonly StoredPicture[]): Promise<void> {
  if (stored.length === 0) return;
  const ids = stored.map(({ id }) => id);
  const rows = await db.select({ id: pictures.id }).from(pictures).where(inArray(pictures.id, ids));
  const recorded = new Set(rows.map(({ id }) => id));
  for (const id of ids) if (!recorded.has(id)) await store.remove(id);
}

interface Recorded {
  picture: StoredPicture;
  isNew: boolean;
}

/** Returns an earlier row of the same picture if there is one. */
export async function recordPicture(tx: Tx, stored: StoredPicture, by: { actorId: string | null; at: Date }): Promise<Recorded> {
  const { id, sha256, width, height, bytes } = stored;
  const [added] = await tx
    .insert(pictures)
    .values({ id, sha256, width, height, bytes, mime: 'image/webp', createdBy: by.actorId, createdAt: by.at, sentAt: by.at })
    .onConflictDoNothing()
    .returning();
  if (added) return { picture: added, isNew: true };
  const [known] = await tx.select().from(pictures).where(eq(pictures.sha256, sha256));
  if (!known) throw new Error('the picture was deleted at the same time');
  return { picture: known, isNew: false };
}

/** Audited if new. */
export async function addPicture(context: RequestContext, tx: Tx, note: RecordAudit, stored: StoredPicture): Promise<Recorded> {
  const by = { actorId: personOf(context)?.id ?? null, at: new Date(context.services.now()) };
  const recorded = await recordPicture(tx, stored, by);
  const { id, sha256, width, height, bytes } = recorded.picture;
  if (recorded.isNew) note({ entity: 'picture', id, action: 'add', after: { sha256, width, height, bytes } });
  return recorded;
}
