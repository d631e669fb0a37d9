import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { textSchema } from '../../api/base.ts';
import { feedbackLimit } from '../../api/feedback/contract.ts';
import { pictureLimit } from '../../api/pictures/contract.ts';
import { presenter } from './rows.ts';
import { noteArrival } from '../platform/records/counters.ts';
import { memoizePerServer, type RequestContext, type Services } from '../platform/services/context.ts';
import { badField, appError } from '../platform/core/errors.ts';
import { newId } from '../platform/core/ids.ts';
import { describeError } from '../platform/core/log.ts';
import { networkOf } from '../platform/http/network.ts';
import { cleanPicture, PictureRefused, type CleanPicture } from '../platform/content/picture-codec.ts';
import {
  pictureContext,
  recordPicture,
  removeUnrecorded,
  storeEncoded,
  uploadHash,
  type StoredPicture,
} from '../platform/content/pictures.ts';
import type { RawRoute } from '../platform/http/raw-routes.ts';
import { mediaType, parseForm, readBody, utf8 } from '../platform/http/request-body.ts';
import { keyedHash, matchesKeyedHash } from '../platform/core/encryption.ts';
import { isFirstInInterval, consumeFromWindow } from '../platform/http/rate-limit.ts';
import { unmodified, writeOnce } from '../platform/records/write.ts';
import { feedback, feedbackPictures } from './tables.ts';
import { requireRow } from '../platform/records/versions.ts';

const tenMinutesMs = 600_000;
const dayMs = 86_400_000;
/** Faster than a person can fill in the form. */
const minFormAgeMs = 3_000;
const timeoutMs = 30_000;
const slack = 64 * 1024; // texts and multipart overhead
/** Forms in memory, from the first byte until pictures are decoded. */
const maxForms = 16;

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
    const network = networkOf(ip);
    await consumeFromWindow(services, `feedback network ${network}`, services.config.feedbackPerNetwork, tenMinutesMs);
    const { fields, issued, pictures } = await readVisitor(request, services);
    const { email, website } = fields;
    const mailbox = keyedHash(services.config, 'feedback mailbox', email.toLowerCase());
    await consumeFromWindow(services, `feedback mailbox ${mailbox}`, feedbackLimit.perMailbox, dayMs);
    const isSoon = services.now() - issued.at < minFormAgeMs && !services.isUnlimited?.();
    const isMachine = website !== '' ? 'honeypot' : isSoon ? 'too soon' : null;
    const dropped = isMachine ?? ((await storeFeedback(context, fields, pictures, { mailbox, network })) ? null : 'seen before');
    if (dropped !== null) context.log.info({ dropped }, 'feedback dropped');
    return Response.json({ received: true }, { status: 202, headers: { 'cache-control': 'no-store' } });
  },
};

// ── What was sent ──────────────────────────────────────────────────────────

/** Labels contain no dot, otherwise refusing a long text takes quadratic time. */
const mailbox = /^[^\s@<>()[\],;:\\"\p{Cc}\p{Cf}]+@[^\s.@<>()[\],;:\\"\p{Cc}\p{Cf}]+(?:\.[^\s.@<>()[\],;:\\"\p{Cc}\p{Cf}]+)+$/u;

const visitorFields = z.strictObject({
  email: textSchema(254).check(z.minLength(3, { error: 'email' }), z.regex(mailbox, { error: 'email' })),
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

interface Sent {
  fields: Record<string, unknown>;
  uploads: Uint8Array[];
}

interface Visitor {
  fields: VisitorFields;
  issued: { at: number };
  pictures: CleanUpload[];
}

async function readVisitor(request: Request, services: Services): Promise<Visitor> {
  const type = mediaType(request.headers.get('content-type'));
  if (type === 'application/json') {
    const body = utf8(await readBody(request, slack, timeoutMs));
    return visitorOf(services, { fields: parseJson(body), uploads: [] });
  }
  if (type !== 'multipart/form-data') throw appError('UNSUPPORTED_MEDIA_TYPE');
  const forms = formsOf(services);
  if (forms.held >= maxForms) throw appError('UNAVAILABLE');
  forms.held += 1;
  try {
    return await visitorOf(services, await readForm(request));
  } finally {
    forms.held -= 1;
  }
}

const formsOf = memoizePerServer(() => ({ held: 0 }));

async function visitorOf(services: Services, { fields, uploads }: Sent): Promise<Visitor> {
  const { success, data, error } = visitorFields.safeParse(fields);
  if (!success) throw appError('BAD_REQUEST', { issues: error.issues });
  const issued = readToken(services, data.token);
  if (issued === null) throw badField('token');
  return { fields: data, issued, pictures: await cleanUploads(uploads) };
}

function parseJson(body: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // said below
  }
  throw appError('BAD_REQUEST', { issues: [] });
}

async function readForm(request: Request): Promise<Sent> {
  const body = await readBody(request, feedbackLimit.pictures * pictureLimit.bytes + slack, timeoutMs);
  const form = await parseForm(request.headers.get('content-type') ?? '', body);
  const fields: Record<string, unknown> = {};
  const files: File[] = [];
  for (const [name, value] of form) {
    if (name === 'pictures' && isEmptyEntry(value)) continue;
    if (name === 'pictures' && value instanceof File) files.push(value);
    else if (Object.hasOwn(fields, name) || typeof value !== 'string') throw badField(name.slice(0, 50));
    else fields[name] = value;
  }
  if (files.length > feedbackLimit.pictures) throw badField('pictures', 'tooLong');
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
      throw error instanceof PictureRefused ? appError('PICTURE_REFUSED', { reason: error.reason }, error) : error;
    });
    encodedPictures.push({ sha256: uploadHash(upload), picture });
  }
  return encodedPictures;
}

// ── Keeping it ─────────────────────────────────────────────────────────────

interface Sender {
  mailbox: string;
  network: string;
}

/** False: this form or text was already sent today. */
async function storeFeedback(
  context: RequestContext,
  fields: VisitorFields,
  encodedPictures: readonly CleanUpload[],
  from: Sender,
): Promise<boolean> {
  const room = pictureContext(context);
  const stored: StoredPicture[] = [];
  try {
    // Before the transaction, so that a slow store holds no connection.
    for (const { sha256, picture } of encodedPictures) stored.push(await storeEncoded(room, sha256, picture));
    return await record(context, fields, stored, from);
  } finally {
    await removeUnrecorded(room, stored).catch((error: unknown) =>
      context.log.warn({ err: describeError(error) }, 'could not delete pictures of dropped feedback, the sweep will'),
    );
  }
}

async function record(
  context: RequestContext,
  { email, content, token }: VisitorFields,
  stored: readonly StoredPicture[],
  { mailbox, network }: Sender,
): Promise<boolean> {
  const { config, now } = context.services;
  const words = content.toLowerCase().replaceAll(/\s+/g, ' ');
  // Short texts are common. Long ones from one network with changing mailboxes come from bots.
  const alike = words.length < 40 ? mailbox : network;
  const marks = [`form ${token}`, `words ${mailbox} ${words}`, `words ${alike} ${words}`];
  // Idempotency keys need a session.
  return writeOnce({ ...context, idempotencyKey: null }, null, async (tx, note) => {
    for (const mark of new Set(marks)) {
      const key = `feedback ${keyedHash(config, 'feedback seen', mark)}`;
      if (!(await isFirstInInterval(tx, key, now(), dayMs))) return unmodified(false);
    }
    const id = newId();
    const at = new Date(now());
    const row = requireRow(await tx.insert(feedback).values({ id, email, content, createdAt: at, updatedAt: at }).returning());
    for (const [position, one] of stored.entries()) {
      const { picture } = await recordPicture(tx, one, { actorId: null, at });
      await tx.insert(feedbackPictures).values({ feedbackId: id, position, pictureId: picture.id });
    }
    await noteArrival(tx, 'feedback', id);
    note({ entity: 'feedback', id, action: 'add', after: (await presenter(context, tx, [id]))(row) });
    return true;
  });
}

// ── The form's token ───────────────────────────────────────────────────────

/** Signed opening time, valid for a day. */
function issueToken({ config, now }: Services): string {
  const requestName = `${now().toString(36)}.${randomBytes(9).toString('base64url')}`;
  return `${requestName}.${keyedHash(config, 'feedback form', requestName)}`;
}

function readToken({ config, now }: Services, token: string): { at: number } | null {
  const [, said = '', mark = ''] = /^([0-9a-z]{1,12}\.[\w-]{12})\.([0-9a-f]{64})$/.exec(token) ?? [];
  if (!matchesKeyedHash(config, 'feedback form', said, mark)) return null;
  const at = Number.parseInt(said, 36);
  return now() - at > dayMs ? null : { at };
}
