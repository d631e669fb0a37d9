import { implement, ORPCError, type AnyRouter } from '@orpc/server';
import { RPCHandler } from '@orpc/server/fetch';
import { contract } from '../../api/contract.ts';
import { errorStatus, type ErrorCode } from '../../api/errors.ts';
import type { Access } from '../../api/access/session.ts';

/** Replaces only `fetch`, typed by the contract. Routes without a handler return NOT_FOUND. */
export const mockRoutes = implement(contract);

type MockRoutes = { readonly [Resource in keyof typeof contract]?: Record<string, unknown> };

export const apiFailure = (code: ErrorCode, data?: Readonly<Record<string, unknown>>) =>
  new ORPCError(code, { status: errorStatus[code], data });

/** `path` as in 'news/list'. */
export interface RecordedCall {
  readonly path: string;
  readonly input: unknown;
}

let calls: RecordedCall[] = [];
let plainResponses = new Map<string, () => Response>();
let heldResponses: { fits: (call: RecordedCall) => boolean; released: Promise<void> }[] = [];
let handler: RPCHandler<Record<never, never>>;
let sessions = new Map<string, Access>();

/** Keeps only these routes and the session's. */
export function startApi(routes: MockRoutes): void {
  calls = [];
  heldResponses = [];
  plainResponses = new Map();
  sessions = new Map();
  const allRoutes: MockRoutes = { ...routes, session: { ...sessionRoutes, ...routes.session } };
  handler = new RPCHandler(allRoutes as unknown as AnyRouter);
}

export const registerSession = (authorization: string, access: Access): void => void sessions.set(authorization, access);

export const readCalls = (path: string): RecordedCall[] => calls.filter((call) => call.path === path);

/** A route outside the contract, until the next `startApi`. */
export const servePlainResponse = (path: string, respond: () => Response): void => void plainResponses.set(path, respond);

/** Until the returned function is called. */
export function holdResponses(path: string, isMatch: (input: unknown) => boolean = () => true): () => void {
  let releaseResponses = () => {};
  const releasePromise = new Promise<void>((resolve) => (releaseResponses = resolve));
  heldResponses.push({ fits: (call) => call.path === path && isMatch(call.input), released: releasePromise });
  return releaseResponses;
}

let pageCount = 0;

/** Pending responses never arrive at the abandoned page. */
export const leavePage = (): void => void (pageCount += 1);

let pendingQuestion: string | null = null;

const sessionRoutes = {
  current: mockRoutes.session.current.handler(() => {
    const access = sessions.get(pendingQuestion ?? '');
    if (!access) throw apiFailure('UNAUTHORIZED');
    return access;
  }),
  signOut: mockRoutes.session.signOut.handler(() => {
    sessions.delete(pendingQuestion ?? '');
    return {};
  }),
};

const network = window.fetch.bind(window);

window.fetch = async (input, init) => {
  const request = new Request(input, init);
  const { pathname, origin } = new URL(request.url);
  if (origin !== location.origin) return network(input, init);
  if (pathname === '/healthz') return new Response(null);
  if (pathname === '/api/events') return openStream(request.signal);
  const respond = plainResponses.get(pathname);
  if (respond) return respond();
  if (pathname.startsWith('/rpc/')) return respondTo(request, pathname.slice('/rpc/'.length));
  return network(input, init);
};

async function respondTo(request: Request, path: string): Promise<Response> {
  const pageAtRequest = pageCount;
  const body: unknown = await request
    .clone()
    .json()
    .catch(() => null);
  const call: RecordedCall = { path, input: typeof body === 'object' && body !== null && 'json' in body ? body.json : null };
  calls.push(call);
  for (const { fits, released } of heldResponses) if (fits(call)) await released;
  request.signal.throwIfAborted();
  pendingQuestion = request.headers.get('authorization');
  const { response } = await handler.handle(request, { prefix: '/rpc', context: {} });
  request.signal.throwIfAborted();
  const routeResponse = response ?? Response.json({ json: { code: 'NOT_FOUND', status: 404, message: path } }, { status: 404 });
  // An abandoned page must not read a response that has begun.
  const readJson = routeResponse.json.bind(routeResponse) as () => Promise<unknown>;
  const whilePageOpen = async <Value>(value: Value): Promise<Value> =>
    pageAtRequest === pageCount ? value : new Promise(() => {});
  routeResponse.json = async () => whilePageOpen(await readJson());
  return whilePageOpen(routeResponse);
}

function openStream(signal: AbortSignal): Response {
  const body = new ReadableStream({
    start: (controller) => signal.addEventListener('abort', () => controller.error(signal.reason)),
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}
