import { ORPCError } from '@orpc/server';
import type { RequestContext } from '../services/context.ts';
import { appError } from '../core/errors.ts';
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
export async function checkedRequest(
  request: Request,
  url: URL,
  context: RequestContext,
  uploads: Readonly<Record<string, number>>,
  jsonLimit: number,
): Promise<CheckedRequest> {
  checkIdempotencyKey(context.idempotencyKey);
  const { method } = request;
  const checked = (body: () => Promise<unknown>) => ({
    url,
    method,
    headers: Object.fromEntries(request.headers),
    body,
    signal: undefined,
  });
  if (method === 'GET' || method === 'HEAD') return checked(emptyBody);
  const declared = request.headers.get('content-type');
  const type = mediaType(declared);
  const upload = uploads[url.pathname];
  const isForm = type === 'multipart/form-data' && upload !== undefined;
  // Only signed-in people may send megabytes.
  if (isForm && !(await context.session())) throw appError('UNAUTHORIZED');

  const body = await readBody(request, isForm ? upload : jsonLimit, isForm ? timeoutsMs.form : timeoutsMs.json);
  if (body.byteLength === 0) return checked(emptyBody);
  if (isForm) return checked(() => parseForm(declared ?? '', body));
  if (type !== 'application/json') throw appError('UNSUPPORTED_MEDIA_TYPE');
  const text = utf8(body);
  // Lazy, so that the handler reports invalid JSON.
  return checked(async () => (text === '' ? undefined : (JSON.parse(text) as unknown)));
}

const emptyBody = () => Promise.resolve(undefined);

/** Null if malformed or not UTF-8. */
export function mediaType(value: string | null): string | null {
  const [type = '', ...parameters] = (value ?? '').split(';').map((part) => part.trim().toLowerCase());
  if (type === 'application/json') return parameters.every((parameter) => /^charset="?utf-8"?$/.test(parameter)) ? type : null;
  return type || null;
}

/** Throws UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, BAD_REQUEST. */
export async function readJson(request: Request, limit: number, ms: number): Promise<unknown> {
  if (mediaType(request.headers.get('content-type')) !== 'application/json') throw appError('UNSUPPORTED_MEDIA_TYPE');
  const text = utf8(await readBody(request, limit, ms));
  try {
    return JSON.parse(text);
  } catch {
    throw appError('BAD_REQUEST', { issues: [] });
  }
}

export async function readBody(request: Request, limit: number, ms: number): Promise<Uint8Array<ArrayBuffer>> {
  const declared = request.headers.get('content-length');
  if (Number(declared ?? 0) > limit) throw appError('PAYLOAD_TOO_LARGE');
  // Node enforces a declared length.
  if (declared !== null && !request.headers.has('transfer-encoding')) return readWhole(request, limit, ms);
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body?.getReader();
  if (!reader) return new Uint8Array();
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    void reader.cancel().catch(() => {});
  }, ms);
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      size += part.value.byteLength;
      if (size > limit) throw appError('PAYLOAD_TOO_LARGE');
      chunks.push(part.value);
    }
  } catch (error) {
    if (error instanceof ORPCError) throw error;
    throw appError('BAD_REQUEST', { issues: [] }, error); // the client disconnected
  } finally {
    clearTimeout(timer);
    void reader.cancel().catch(() => {});
  }
  if (timedOut) throw appError('BAD_REQUEST', { issues: [] });
  return new Uint8Array(Buffer.concat(chunks));
}

async function readWhole(request: Request, limit: number, ms: number): Promise<Uint8Array<ArrayBuffer>> {
  let timer: NodeJS.Timeout | undefined;
  const timedOut = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(appError('BAD_REQUEST', { issues: [] })), ms);
  });
  try {
    const body = new Uint8Array(await Promise.race([request.arrayBuffer(), timedOut]));
    if (body.byteLength > limit) throw appError('PAYLOAD_TOO_LARGE');
    return body;
  } catch (error) {
    if (error instanceof ORPCError) throw error;
    throw appError('BAD_REQUEST', { issues: [] }, error); // the client disconnected
  } finally {
    clearTimeout(timer);
  }
}

export async function parseForm(contentType: string, body: Uint8Array<ArrayBuffer>, maxParts = 20): Promise<FormData> {
  const boundary = /boundary="?([^";]{1,70})/i.exec(contentType)?.[1];
  if (
    !boundary ||
    countOf(Buffer.from(body.buffer, body.byteOffset, body.byteLength), `--${boundary}`, maxParts + 2) > maxParts + 1
  )
    throw appError('BAD_REQUEST', { issues: [] });
  return new Request('http://form', { method: 'POST', headers: { 'content-type': contentType }, body })
    .formData()
    .catch((error: unknown) => {
      throw appError('BAD_REQUEST', { issues: [] }, error);
    });
}

function countOf(bytes: Buffer, text: string, enough: number): number {
  let count = 0;
  for (let at = bytes.indexOf(text); at >= 0 && count < enough; at = bytes.indexOf(text, at + text.length)) count++;
  return count;
}

export function utf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw appError('BAD_REQUEST', { issues: [] });
  }
}
