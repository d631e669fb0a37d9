import type { ContractRouterClient } from '@orpc/contract';
import type { contract } from '../../../api/contract.ts';
import { viewAsHeader } from '../../../api/access/view-as.ts';
import { errorStatus, type ErrorCode, type FieldIssue } from '../../../api/errors.ts';
import { isTabInBackground } from '../session/activity.ts';
import { $unreachableSince, pingServer, recordResponse, isBrowserOffline } from './connectivity.ts';
import { storeFirstList, takePrefetched } from './prefetch-list.ts';
import { $authorization, $loginEmail, $viewAs, type SessionEnd } from '../session/session.ts';

export type Api = ContractRouterClient<typeof contract>;

/** The server writes both into the audit row. */
interface CallContext {
  command?: string;
  key?: string;
}

/** OFFLINE: no response, and no change was sent. LOST: a change was sent without a response. */
export type UnansweredCode = 'OFFLINE' | 'LOST';

/** `code` is a code of the API, or the reason for the missing response. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly code: ErrorCode | UnansweredCode;
  readonly requestId: string | null;
  readonly data: unknown;
  constructor(code: ErrorCode | UnansweredCode, requestId: string | null = null, data: unknown = null) {
    super(code);
    this.code = code;
    this.requestId = requestId;
    this.data = data;
  }
  get issues(): FieldIssue[] {
    const issues = isRecord(this.data) ? this.data['issues'] : null;
    return Array.isArray(issues) ? (issues as FieldIssue[]) : [];
  }
  /** Seconds, after TOO_MANY_REQUESTS. */
  get retryAfter(): number | null {
    const seconds = isRecord(this.data) ? this.data['retryAfter'] : null;
    return typeof seconds === 'number' ? seconds : null;
  }
  get end(): SessionEnd {
    return isRecord(this.data) && this.data['revoked'] === true ? 'revoked' : 'expired';
  }
  /** The current row, after a CONFLICT. */
  get current(): unknown {
    return isRecord(this.data) ? this.data['current'] : undefined;
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

interface CallOptions {
  signal?: AbortSignal | undefined;
}

/** oRPC's RPC protocol. Hand-written because the library's link weighs 8 kB and the contract uses only JSON types and files. */
async function sendRequest(
  path: readonly string[],
  input: unknown,
  { command, key }: CallContext,
  signal?: AbortSignal,
): Promise<unknown> {
  const headers = createHeaders(path);
  if (command) headers['x-command'] = command;
  if (key) headers['idempotency-key'] = key;
  const files = Object.entries(isRecord(input) ? input : {}).filter(([, value]) => value instanceof Blob);
  if (files.length === 0) headers['content-type'] = 'application/json';
  const route = path.join('/');
  const body = files.length === 0 ? JSON.stringify({ json: input }) : createFormData(input, files);
  storeFirstList(route, body);
  const prefetched = key ? null : takePrefetched(route, body, $authorization.get());
  const prefetchedResponse = prefetched && (await prefetched);
  if (prefetched) signal?.throwIfAborted();
  const response =
    prefetchedResponse ??
    (await fetch(`/rpc/${route}`, {
      method: 'POST',
      headers,
      body,
      credentials: 'same-origin',
      ...(signal ? { signal } : {}),
    }));
  recordResponse(response);
  return readOutput(await response.json().catch(() => null), response.status, readRequestId(response));
}

function createHeaders([resource, action]: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  const authorization = $authorization.get();
  if (authorization) headers['authorization'] = authorization;
  const viewAs = $viewAs.get();
  if (viewAs && resource !== 'session' && action !== 'viewAs') headers[viewAsHeader] = `${viewAs.kind}:${viewAs.id}`;
  if (isTabInBackground()) headers['x-background'] = '1';
  return headers;
}

function readOutput(responseBody: unknown, status: number, requestId: string | null): unknown {
  const body = isRecord(responseBody) ? responseBody['json'] : undefined;
  if (status >= 400) throw createRefusal(status, requestId, body);
  if (!isRecord(responseBody) || (Array.isArray(responseBody['meta']) && responseBody['meta'].length > 0))
    throw new ApiError('INTERNAL', requestId);
  return body;
}

function createFormData(input: unknown, files: readonly (readonly [string, unknown])[]): FormData {
  const form = new FormData();
  form.set('data', JSON.stringify({ json: input, meta: [], maps: files.map(([name]) => [name]) }));
  for (const [index, [, file]] of files.entries()) if (file instanceof Blob) form.set(String(index), file);
  return form;
}

const readRequestId = (response: Response): string | null => response.headers.get('x-request-id');

/** A proxy's error page counts as unavailable. */
function createRefusal(status: number, requestId: string | null, body: unknown): ApiError {
  const code =
    isRecord(body) && typeof body['code'] === 'string' && body['code'] in errorStatus ? (body['code'] as ErrorCode) : null;
  return new ApiError(code ?? (status >= 502 ? 'UNAVAILABLE' : 'INTERNAL'), requestId, isRecord(body) ? body['data'] : null);
}

let onUnauthorized: (sessionEnd: SessionEnd) => void = () => {};
export function setOnUnauthorized(listener: (sessionEnd: SessionEnd) => void): void {
  onUnauthorized = listener;
}

/** Idempotency keys derive from the invocation's. `signal` aborts calls that have none of their own. */
export function createApi(command: string | null, invocation: string | null, signal?: AbortSignal): Api {
  let callCount = 0;
  const loginEmail = $loginEmail.get();
  const createClient = (path: readonly string[]): unknown =>
    new Proxy(() => {}, {
      get: (_, name) => (typeof name === 'string' && name !== 'then' ? createClient([...path, name]) : undefined),
      apply: async (_, __, [input, options]: [unknown, CallOptions?]) => {
        const context: CallContext = {};
        if (command) context.command = command;
        if (invocation) context.key = `${invocation}-${callCount++}`;
        const authorization = $authorization.get();
        if (invocation) {
          if ($viewAs.get()) throw new ApiError('VIEW_ONLY');
          // Another person signed in from another tab. Never send one person's work as another.
          if (loginEmail && loginEmail !== $loginEmail.get()) throw new ApiError('UNAUTHORIZED');
          if (($unreachableSince.get() !== null || isBrowserOffline()) && !(await pingServer())) throw new ApiError('OFFLINE');
        }
        try {
          return await sendRequest(path, input, context, options?.signal ?? signal);
        } catch (error) {
          const apiError = toApiError(error, invocation ? 'LOST' : 'OFFLINE');
          // A late response to the previous session does not end this one.
          if (apiError.code === 'UNAUTHORIZED' && authorization && authorization === $authorization.get())
            onUnauthorized(apiError.end);
          throw apiError;
        }
      },
    });
  return createClient([]) as Api;
}

export const api: Api = createApi(null, null);

/** Rethrows an abort. */
export function toApiError(error: unknown, unansweredCode: UnansweredCode = 'OFFLINE'): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof DOMException && error.name === 'AbortError') throw error;
  if (!(error instanceof TypeError)) return new ApiError('INTERNAL');
  void pingServer();
  return new ApiError(unansweredCode);
}
