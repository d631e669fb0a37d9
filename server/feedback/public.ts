import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { textSchema } from '../../api/base.ts';
import { feedbackLimit } from '../../api/feedback/contract.ts';
import { pictureLimit } from '../../api/pictures/contract.ts';
import { createPresenter } from './rows.ts';
import { countArrival } from '../platform/records/counters.ts';
import { memoizePerServer, type RequestContext, type Services } from '../platform/services/context.ts';
import { createFieldError, createAppError } from '../platform/core/errors.ts';
import { newId } from '../platform/core/ids.ts';
import { describeError } from '../platform/core/log.ts';
import { getNetwork } from '../platform/http/network.ts';
import { cleanPicture, PictureRefusedError, type CleanPicture } from '../platform/content/picture-codec.ts';
import {
  pictureContextOf,
  recordPicture,
  removeUnrecordedPictures,
  storeEncoded,
  uploadHash,
  type StoredPicture,
} from '../platform/content/pictures.ts';
import type { RawRoute } from '../platform/http/raw-routes.ts';
import { parseMediaType, parseForm, readBody, decodeUtf8 } from '../platform/http/request-body.ts';
import { computeKeyedHash, matchesKeyedHash } from '../platform/core/encryption.ts';
import { isFirstInInterval, consumeFromWindow } from '../platform/http/rate-limit.ts';
import { asUnmodified, writeOnce } from '../platform/records/write.ts';
import { feedback, feedbackPictures } from './tables.ts';
import { requireRow } from '../platform/records/versions.ts';

const tenMinutesMs = 600_000;
const dayMs = 86_400_000;
/** Faster than a person can fill in the form. */
const minFormAgeMs = 3_000;
const timeoutMs = 30_000;
const overheadBytes = 64 * 1024; // texts and multipart overhead
/** Forms in memory, from the first byte until pictures are decoded. */
const maxConcurrentForms = 16;

/** Issues the token of a form. */
export const publicFeedbackForm: RawRoute = {
  method: 'GET',
  path: '/public/feedback/form',
  meta: { public: true },
  crossOrigin: true,
  handle: ({ context: { services } }) =>
    Response.json({ token: issueToken(services) }, { headers: { 'cache-control': 'no-store' } }),
};

/** Multipart with up to three pictures, or JSON. Suspected bots get the same response, and nothing is stored. */
export const publicFeedback: RawRoute = {
  method: 'POST',
  path: '/public/feedback',
  meta: { public: true },
  crossOrigin: true,
  async handle({ request, context }) {
    const { services, ip } = context;
    const network = getNetwork(ip);
    await consumeFromWindow(services, `feedback network ${network}`, services.config.feedbackPerNetwork, tenMinutesMs);
    const { fields, issued, pictures } = await readVisitor(request, services);
    const { email, website } = fields;
    const mailboxHash = computeKeyedHash(services.config, 'feedback mailbox', email.toLowerCase());
    await consumeFromWindow(services, `feedback mailbox ${mailboxHash}`, feedbackLimit.perMailbox, dayMs);
    const isTooSoon = services.now() - issued.at < minFormAgeMs && !services.isUnlimited?.();
    const botReason = website !== '' ? 'honeypot' : isTooSoon ? 'too soon' : null;
    const dropReason =
      botReason ?? ((await storeFeedback(context, fields, pictures, { mailbox: mailboxHash, network })) ? null : 'seen before');
    if (dropReason !== null) context.log.info({ dropped: dropReason }, 'feedback dropped');
    return Response.json({ received: true }, { status: 202, headers: { 'cache-control': 'no-store' } });
  },
};

// ── What was sent ──────────────────────────────────────────────────────────

/** Labels contain no dot, otherwise refusing a long text takes quadratic time. */
const emailPattern =
  /^[^\s@<>()[\],;:\\"\p{Cc}\p{Cf}]+@[^\s.@<>()[\],;:\\"\p{Cc}\p{Cf}]+(?:\.[^\s.@<>()[\],;:\\"\p{Cc}\p{Cf}]+)+$/u;

const visitorFields = z.strictObject({
  email: textSchema(254).check(z.minLength(3, { error: 'email' }), z.regex(emailPattern, { error: 'email' })),
  content: z.pipe(
    z.pipe(
      z.string({ error: 'required' }),
      z.transform((value) => stripInvisible(value)),
    ),
    textSchema(feedbackLimit.content),
  ),
  token: z.string({ error: 'required' }).check(z.maxLength(200, { error: 'invalid' })),
  /** A honeypot that only bots fill in. */
  website: z._default(z.string().check(z.maxLength(2000)), ''),
});
type VisitorFields = z.infer<typeof visitorFields>;

/** Normalizes line breaks and removes control and bidirectional characters. */
const stripInvisible = (value: string) =>
  value.replaceAll(/\r\n?/g, '\n').replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '');

interface SubmittedForm {
  fields: Record<string, unknown>;
  uploads: Uint8Array[];
}

interface VisitorSubmission {
  fields: VisitorFields;
  issued: { at: number };
  pictures: CleanUpload[];
}

async function readVisitor(request: Request, services: Services): Promise<VisitorSubmission> {
  const type = parseMediaType(request.headers.get('content-type'));
  if (type === 'application/json') {
    const body = decodeUtf8(await readBody(request, overheadBytes, timeoutMs));
    return parseSubmission(services, { fields: parseJson(body), uploads: [] });
  }
  if (type !== 'multipart/form-data') throw createAppError('UNSUPPORTED_MEDIA_TYPE');
  const openForms = formCounters(services);
  if (openForms.held >= maxConcurrentForms) throw createAppError('UNAVAILABLE');
  openForms.held += 1;
  try {
    return await parseSubmission(services, await readForm(request));
  } finally {
    openForms.held -= 1;
  }
}

const formCounters = memoizePerServer(() => ({ held: 0 }));

async function parseSubmission(services: Services, { fields, uploads }: SubmittedForm): Promise<VisitorSubmission> {
  const { success, data, error } = visitorFields.safeParse(fields);
  if (!success) throw createAppError('BAD_REQUEST', { issues: error.issues });
  const issued = readToken(services, data.token);
  if (issued === null) throw createFieldError('token');
  return { fields: data, issued, pictures: await cleanUploads(uploads) };
}

function parseJson(body: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // said below
  }
  throw createAppError('BAD_REQUEST', { issues: [] });
}

async function readForm(request: Request): Promise<SubmittedForm> {
  const body = await readBody(request, feedbackLimit.pictures * pictureLimit.bytes + overheadBytes, timeoutMs);
  const form = await parseForm(request.headers.get('content-type') ?? '', body);
  const fields: Record<string, unknown> = {};
  const files: File[] = [];
  for (const [name, value] of form) {
    if (name === 'pictures' && isEmptyEntry(value)) continue;
    if (name === 'pictures' && value instanceof File) files.push(value);
    else if (Object.hasOwn(fields, name) || typeof value !== 'string') throw createFieldError(name.slice(0, 50));
    else fields[name] = value;
  }
  if (files.length > feedbackLimit.pictures) throw createFieldError('pictures', 'tooLong');
  return { fields, uploads: await Promise.all(files.map(async (file) => new Uint8Array(await file.arrayBuffer()))) };
}

/** An unused file input sends an empty file, with or without a name. */
const isEmptyEntry = (value: File | string): boolean =>
  value === '' || (value instanceof File && value.name === '' && value.size === 0);

interface CleanUpload {
  sha256: string;
  picture: CleanPicture;
}

/** Before any check, so that everyone waits equally and visitors learn which picture failed. */
async function cleanUploads(uploads: readonly Uint8Array[]): Promise<CleanUpload[]> {
  const encodedPictures: CleanUpload[] = [];
  for (const upload of uploads) {
    const picture = await cleanPicture(upload).catch((error: unknown) => {
      throw error instanceof PictureRefusedError ? createAppError('PICTURE_REFUSED', { reason: error.reason }, error) : error;
    });
    encodedPictures.push({ sha256: uploadHash(upload), picture });
  }
  return encodedPictures;
}

// ── Keeping it ─────────────────────────────────────────────────────────────

interface FeedbackSender {
  mailbox: string;
  network: string;
}

/** False: this form or text was already sent today. */
async function storeFeedback(
  context: RequestContext,
  fields: VisitorFields,
  encodedPictures: readonly CleanUpload[],
  from: FeedbackSender,
): Promise<boolean> {
  const pictureStorage = pictureContextOf(context);
  const storedPictures: StoredPicture[] = [];
  try {
    // Before the transaction, so that a slow store holds no connection.
    for (const { sha256, picture } of encodedPictures) storedPictures.push(await storeEncoded(pictureStorage, sha256, picture));
    return await record(context, fields, storedPictures, from);
  } finally {
    await removeUnrecordedPictures(pictureStorage, storedPictures).catch((error: unknown) =>
      context.log.warn({ err: describeError(error) }, 'could not delete pictures of dropped feedback, the sweep will'),
    );
  }
}

async function record(
  context: RequestContext,
  { email, content, token }: VisitorFields,
  storedPictures: readonly StoredPicture[],
  { mailbox, network }: FeedbackSender,
): Promise<boolean> {
  const { config, now } = context.services;
  const normalizedWords = content.toLowerCase().replaceAll(/\s+/g, ' ');
  // Short texts are common. Long ones from one network with changing mailboxes come from bots.
  const duplicateScope = normalizedWords.length < 40 ? mailbox : network;
  const duplicateMarks = [`form ${token}`, `words ${mailbox} ${normalizedWords}`, `words ${duplicateScope} ${normalizedWords}`];
  // Idempotency keys need a session.
  return writeOnce({ ...context, idempotencyKey: null }, null, async (tx, recordAudit) => {
    for (const duplicateMark of new Set(duplicateMarks)) {
      const key = `feedback ${computeKeyedHash(config, 'feedback seen', duplicateMark)}`;
      if (!(await isFirstInInterval(tx, key, now(), dayMs))) return asUnmodified(false);
    }
    const id = newId();
    const receivedAt = new Date(now());
    const row = requireRow(
      await tx.insert(feedback).values({ id, email, content, createdAt: receivedAt, updatedAt: receivedAt }).returning(),
    );
    for (const [position, storedPicture] of storedPictures.entries()) {
      const { picture } = await recordPicture(tx, storedPicture, { actorId: null, at: receivedAt });
      await tx.insert(feedbackPictures).values({ feedbackId: id, position, pictureId: picture.id });
    }
    await countArrival(tx, 'feedback', id);
    recordAudit({ entity: 'feedback', id, action: 'add', after: (await createPresenter(context, tx, [id]))(row) });
    return true;
  });
}

// ── The form's token ───────────────────────────────────────────────────────

/** Signed opening time, valid for a day. */
function issueToken({ config, now }: Services): string {
  const tokenPayload = `${now().toString(36)}.${randomBytes(9).toString('base64url')}`;
  return `${tokenPayload}.${computeKeyedHash(config, 'feedback form', tokenPayload)}`;
}

function readToken({ config, now }: Services, token: string): { at: number } | null {
  const [, payload = '', mark = ''] = /^([0-9a-z]{1,12}\.[\w-]{12})\.([0-9a-f]{64})$/.exec(token) ?? [];
  if (!matchesKeyedHash(config, 'feedback form', payload, mark)) return null;
  const issuedAt = Number.parseInt(payload, 36);
  return now() - issuedAt > dayMs ? null : { at: issuedAt };
}
