import { and, eq, gt, min, sql } from 'drizzle-orm';
import { pictureLimit } from '../../api/pictures/contract.ts';
import { requirePerson, type RequestContext } from '../platform/services/context.ts';
import { createAppError } from '../platform/core/errors.ts';
import { guardedApi } from '../platform/http/router.ts';
import { countUpload } from '../platform/http/rate-limit.ts';
import { PictureRefusedError } from '../platform/content/picture-codec.ts';
import { addPicture, pictureContextOf, buildPictureUrl, storePicture } from '../platform/content/pictures.ts';
import { pictures as table } from '../platform/content/tables.ts';
import type { Tx } from '../platform/db/db.ts';
import type { RawRoute } from '../platform/http/raw-routes.ts';
import { asUnmodified, writeOnce, type RecordAudit } from '../platform/records/write.ts';

export const pictures = {
  add: guardedApi.pictures.add.handler(async ({ input, context }) => {
    countUpload(context, requirePerson(context), 'picture');
    const upload = await readUpload(input.file);
    const storedPicture = await storePicture(pictureContextOf(context), upload).catch(throwPictureRefusal);
    let isAdded = false;
    const insertPicture = async (tx: Tx, recordAudit: RecordAudit) => {
      const { picture, isNew } = await addPicture(context, tx, recordAudit, storedPicture);
      isAdded = isNew;
      if (isNew) await requireQuota(context, tx);
      const { id, width, height } = picture;
      const uploadedPicture = { id, url: buildPictureUrl(context.services.config.publicUrl, id), width, height };
      return isNew ? uploadedPicture : asUnmodified(uploadedPicture);
    };
    return writeOnce(context, { sha256: storedPicture.sha256 }, insertPicture).catch(async (error: unknown) => {
      // The id is unique to this upload. The sweep removes leftovers of a crash.
      if (isAdded) await context.services.pictures.remove(storedPicture.id);
      throw error;
    });
  }),
};

const dayMs = 86_400_000;

/** Counts the picture just recorded. Throws PICTURE_QUOTA. */
async function requireQuota(context: RequestContext, tx: Tx) {
  const { config, now } = context.services;
  const { count, bytes } = config.picturesPerDay;
  const { id } = requirePerson(context);
  // Serializes the quota check per person.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`pictures of ${id}`}, 0))`);
  const [recentUploads] = await tx
    .select({
      count: sql<number>`count(*)::int`,
      bytes: sql<string>`coalesce(sum(${table.bytes}), 0)`,
      oldest: min(table.createdAt),
    })
    .from(table)
    .where(and(eq(table.createdBy, id), gt(table.createdAt, new Date(now() - dayMs))));
  const isOverQuota =
    !context.services.isUnlimited?.() &&
    recentUploads &&
    ((count > 0 && recentUploads.count > count) || (bytes > 0 && Number(recentUploads.bytes) > bytes));
  if (!isOverQuota) return;
  const retryAfter = Math.max(1, Math.ceil(((recentUploads.oldest?.getTime() ?? now()) + dayMs - now()) / 1000));
  throw createAppError('PICTURE_QUOTA', { pictures: count, megabytes: bytes / 1024 / 1024, retryAfter });
}

async function readUpload(file: File): Promise<Uint8Array> {
  if (file.size > pictureLimit.bytes) throw createAppError('PICTURE_REFUSED', { reason: 'size' });
  return new Uint8Array(await file.arrayBuffer());
}

function throwPictureRefusal(error: unknown): never {
  throw error instanceof PictureRefusedError ? createAppError('PICTURE_REFUSED', { reason: error.reason }, error) : error;
}

/** Immutable, and never executable. */
export const parsePictureFile: RawRoute = {
  method: 'GET',
  path: '/pictures/:file',
  meta: { public: true },
  async handle({ params, request, context }) {
    const [, id] = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\.webp)?$/.exec(params['file'] ?? '') ?? [];
    const bytes = id ? await context.services.pictures.get(id) : null;
    if (!id || !bytes) throw createAppError('NOT_FOUND');
    const headers = {
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "sandbox; default-src 'none'",
      'cross-origin-resource-policy': 'cross-origin', // the official website shows it
      'x-content-type-options': 'nosniff',
      etag: `"${id}"`,
    };
    if (request.headers.get('if-none-match') === headers.etag) return new Response(null, { status: 304, headers });
    return new Response(Buffer.from(bytes), { headers: { ...headers, 'content-type': 'image/webp' } });
  },
};
