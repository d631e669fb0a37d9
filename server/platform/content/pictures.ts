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

export const pictureContextOf = ({ db, services: { pictures: store, now } }: RequestContext): PictureContext => ({
  db,
  pictures: store,
  now,
});

export const buildPictureUrl = (publicUrl: string, id: string) => `${publicUrl}/pictures/${id}.webp`;

export const parsePictureId = (url: string): string | null =>
  /\/pictures\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.webp$/.exec(url)?.[1] ?? null;

/** Re-encodes and stores an upload once. Throws PictureRefusedError. */
export const storePicture = (pictureContext: PictureContext, upload: Uint8Array): Promise<StoredPicture> =>
  storeIfNew(pictureContext, uploadHash(upload), () => cleanPicture(upload));

/** For an upload that is already re-encoded. */
export const storeEncoded = (pictureContext: PictureContext, sha256: string, encoded: CleanPicture): Promise<StoredPicture> =>
  storeIfNew(pictureContext, sha256, async () => encoded);

export const uploadHash = (upload: Uint8Array): string => createHash('sha256').update(upload).digest('hex');

async function storeIfNew(
  { db, pictures: store, now }: PictureContext,
  sha256: string,
  encodePicture: () => Promise<CleanPicture>,
): Promise<StoredPicture> {
  // One statement, so that the sweep (server/pictures/picture-sweep.ts) either spares the row or has removed it.
  const sentAt = new Date(now());
  const [knownPicture] = await db.update(pictures).set({ sentAt }).where(eq(pictures.sha256, sha256)).returning();
  if (knownPicture && (await store.get(knownPicture.id))) return knownPicture;
  const { bytes, width, height } = await encodePicture();
  const id = knownPicture?.id ?? randomUUID(); // not time-ordered, so that an address reveals nothing
  await store.put(id, bytes);
  return { id, sha256, width, height, bytes: bytes.byteLength };
}

/** An unrecorded id belongs to this upload alone. The sweep removes what a crash leaves. */
export async function removeUnrecordedPictures(
  { db, pictures: store }: PictureContext,
  stored: readonly StoredPicture[],
): Promise<void> {
  if (stored.length === 0) return;
  const ids = stored.map(({ id }) => id);
  const rows = await db.select({ id: pictures.id }).from(pictures).where(inArray(pictures.id, ids));
  const recordedIds = new Set(rows.map(({ id }) => id));
  for (const id of ids) if (!recordedIds.has(id)) await store.remove(id);
}

interface RecordedPicture {
  picture: StoredPicture;
  isNew: boolean;
}

/** Returns an earlier row of the same picture if there is one. */
export async function recordPicture(
  tx: Tx,
  storedPicture: StoredPicture,
  uploader: { actorId: string | null; at: Date },
): Promise<RecordedPicture> {
  const { id, sha256, width, height, bytes } = storedPicture;
  const [addedPicture] = await tx
    .insert(pictures)
    .values({
      id,
      sha256,
      width,
      height,
      bytes,
      mime: 'image/webp',
      createdBy: uploader.actorId,
      createdAt: uploader.at,
      sentAt: uploader.at,
    })
    .onConflictDoNothing()
    .returning();
  if (addedPicture) return { picture: addedPicture, isNew: true };
  const [knownPicture] = await tx.select().from(pictures).where(eq(pictures.sha256, sha256));
  if (!knownPicture) throw new Error('the picture was deleted at the same time');
  return { picture: knownPicture, isNew: false };
}

/** Audited if new. */
export async function addPicture(
  context: RequestContext,
  tx: Tx,
  recordAudit: RecordAudit,
  storedPicture: StoredPicture,
): Promise<RecordedPicture> {
  const uploader = { actorId: personOf(context)?.id ?? null, at: new Date(context.services.now()) };
  const recordedPicture = await recordPicture(tx, storedPicture, uploader);
  const { id, sha256, width, height, bytes } = recordedPicture.picture;
  if (recordedPicture.isNew) recordAudit({ entity: 'picture', id, action: 'add', after: { sha256, width, height, bytes } });
  return recordedPicture;
}
