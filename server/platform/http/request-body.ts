import { ORPCError } from '@orpc/server';
import type { RequestContext } from '../services/context.ts';
import { createAppError } from '../core/errors.ts';
import { checkIdempotencyKey } from './request-context.ts';

/** Milliseconds. */
const timeoutsMs = { json: 10_000, form: 120_000 };

/** Avoids a second Request around the bytes. */
interface CheckedRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: () => Promise<unknown>;
  readonly signal: undefined; // an AbortSignal per request is slow
}

/** A JSON body, or a form on upload paths. Throws PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, BAD_REQUEST, UNAUTHORIZED. */
export async function checkRequest(
  request: Request,
  url: URL,
  context: RequestContext,
  uploadLimits: Readonly<Record<string, number>>,
  jsonLimit: number,
): Promise<CheckedRequest> {
  checkIdempotencyKey(context.idempotencyKey);
  const { method } = request;
  const buildRequest = (body: () => Promise<unknown>) => ({
    url,
    method,
    headers: Object.fromEntries(request.headers),
    body,
    signal: undefined,
  });
  if (method === 'GET' || method === 'HEAD') return buildRequest(readEmptyBody);
  const declaredType = request.headers.get('content-type');
  const type = parseMediaType(declaredType);
  const uploadLimit = uploadLimits[url.pathname];
  const isForm = type === 'multipart/form-data' && uploadLimit !== undefined;
  // Only signed-in people may send megabytes.
  if (isForm && !(await context.session())) throw createAppError('UNAUTHORIZED');

  const body = await readBody(request, isForm ? uploadLimit : jsonLimit, isForm ? timeoutsMs.form : timeoutsMs.json);
  if (body.byteLength === 0) return buildRequest(readEmptyBody);
  if (isForm) return buildRequest(() => parseForm(declaredType ?? '', body));
  if (type !== 'application/json') throw createAppError('UNSUPPORTED_MEDIA_TYPE');
  const text = decodeUtf8(body);
  // Lazy, so that the handler reports invalid JSON.
  return buildRequest(async () => (text === '' ? undefined : (JSON.parse(text) as unknown)));
}

const readEmptyBody = () => Promise.resolve(undefined);

/** Null if malformed or not UTF-8. */
export function parseMediaType(value: string | null): string | null {
  const [type = '', ...parameters] = (value ?? '').split(';').map((part) => part.trim().toLowerCase());
  if (type === 'application/json') return parameters.every((parameter) => /^charset="?utf-8"?$/.test(parameter)) ? type : null;
  return type || null;
}

/** Throws UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, BAD_REQUEST. */
export async function readJson(request: Request, limit: number, timeoutMs: number): Promise<unknown> {
  if (parseMediaType(request.headers.get('content-type')) !== 'application/json') throw createAppError('UNSUPPORTED_MEDIA_TYPE');
  const text = decodeUtf8(await readBody(request, limit, timeoutMs));
  try {
    return JSON.parse(text);
  } catch {
    throw createAppError('BAD_REQUEST', { issues: [] });
  }
}

export async function readBody(request: Request, limit: number, timeoutMs: number): Promise<Uint8Array<ArrayBuffer>> {
  const declaredLength = request.headers.get('content-length');
  if (Number(declaredLength ?? 0) > limit) throw createAppError('PAYLOAD_TOO_LARGE');
  // Node enforces a declared length.
  if (declaredLength !== null && !request.headers.has('transfer-encoding')) return readWholeBody(request, limit, timeoutMs);
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body?.getReader();
  if (!reader) return new Uint8Array();
  let isTimedOut = false;
  const timer = setTimeout(() => {
    isTimedOut = true;
    void reader.cancel().catch(() => {});
  }, timeoutMs);
  try {
    for (let bodyPart = await reader.read(); !bodyPart.done; bodyPart = await reader.read()) {
      size += bodyPart.value.byteLength;
      if (size > limit) throw createAppError('PAYLOAD_TOO_LARGE');
      chunks.push(bodyPart.value);
    }
  } catch (error) {
    if (error instanceof ORPCError) throw error;
    throw createAppError('BAD_REQUEST', { issues: [] }, error); // the client disconnected
  } finally {
    clearTimeout(timer);
    void reader.cancel().catch(() => {});
  }
  if (isTimedOut) throw createAppError('BAD_REQUEST', { issues: [] });
  return new Uint8Array(Buffer.concat(chunks));
}

async function readWholeBody(request: Request, limit: number, timeoutMs: number): Promise<Uint8Array<ArrayBuffer>> {
  let timer: NodeJS.Timeout | undefined;
  const timeoutPromise = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(createAppError('BAD_REQUEST', { issues: [] })), timeoutMs);
  });
  try {
    const body = new Uint8Array(await Promise.race([request.arrayBuffer(), timeoutPromise]));
    if (body.byteLength > limit) throw createAppError('PAYLOAD_TOO_LARGE');
    return body;
  } catch (error) {
    if (error instanceof ORPCError) throw error;
    throw createAppError('BAD_REQUEST', { issues: [] }, error); // the client disconnected
  } finally {
    clearTimeout(timer);
  }
}

export async function parseForm(contentType: string, body: Uint8Array<ArrayBuffer>, maxParts = 20): Promise<FormData> {
  const boundary = /boundary="?([^";]{1,70})/i.exec(contentType)?.[1];
  if (
    !boundary ||
    countOccurrences(Buffer.from(body.buffer, body.byteOffset, body.byteLength), `--${boundary}`, maxParts + 2) > maxParts + 1
  )
    throw createAppError('BAD_REQUEST', { issues: [] });
  return new Request('http://form', { method: 'POST', headers: { 'content-type': contentType }, body })
    .formData()
    .catch((error: unknown) => {
      throw createAppError('BAD_REQUEST', { issues: [] }, error);
    });
}

function countOccurrences(bytes: Buffer, text: string, maxCount: number): number {
  let count = 0;
  for (
    let position = bytes.indexOf(text);
    position >= 0 && count < maxCount;
    position = bytes.indexOf(text, position + text.length)
  )
    count++;
  return count;
}

export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw createAppError('BAD_REQUEST', { issues: [] });
  }
}
