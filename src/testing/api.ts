import { implement, ORPCError, type AnyRouter } from '@orpc/server';
import { RPCHandler } from '@orpc/server/fetch';
import { contract } from '../../api/contract.ts';
import { errorStatus, type ErrorCode } from '../../api/errors.ts';
import type { Access } from '../../api/access/session.ts';

/** Replaces only `fetch`, typed by the contract. Routes without a handler return NOT_FOUND. */
export const on = implement(contract);

type Routes = { readonly [Resource in keyof typeof contract]?: Record<string, unknown> };

export const failure = (code: ErrorCode, data?: Readonly<Record<string, unknown>>) =>
  new ORPCError(code, { status: errorStatus[code], data });

/** `path` as in 'news/list'. */
export interface Call {
  readonly path: string;
  readonly input: unknown;
}

let calls: Call[] = [];
let plain = new Map<string, () => Response>();
let held: { fits: (call: Call) => boolean; released: Promise<void> }[] = [];
let handler: RPCHandler<Record<never, never>>;
let sessions = new Map<string, Access>();

/** Keeps only these routes and the session's. */
export function startApi(routes: Routes): void {
  calls = [];
  held = [];
  plain = new Map();
  sessions = new Map();
  const all: Routes = { ...routes, session: { ...sessionRoutes, ...routes.session } };
  handler = new RPCHandler(all as unknown as AnyRouter);
}

export const knowSession = (authorization: string, access: Access): void => void sessions.set(authorization, access);

export const callsOf = (path: string): Call[] => calls.filter((call) => call.path === path);

/** A route outside the contract, until the next `startApi`. */
export const servePlain = (path: string, respond: () => Response): void => void plain.set(path, respond);

/** Until the returned function is called. */
export function hold(path: string, fits: (input: unknown) => boolean = () => true): () => void {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  held.push({ fits: (call) => call.path === path && fits(call.input), released });
  return release;
}

let pages = 0;

/** Pending responses never arrive at the abandoned page. */
export const leavePage = (): void => void (pages += 1);

let asking: string | null = null;

const sessionRoutes = {
  current: on.session.current.handler(() => {
    const access = sessions.get(asking ?? '');
    if (!access) throw failure('UNAUTHORIZED');
    return access;
  }),
  signOut: on.session.signOut.handler(() => {
    sessions.delete(asking ?? '');
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
  const respond = plain.get(pathname);
  if (respond) return respond();
  if (pathname.startsWith('/rpc/')) return answer(request, pathname.slice('/rpc/'.length));
  return network(input, init);
};

async function answer(request: Request, path: string): Promise<Response> {
  const requested = pages;
  const body: unknown = await request
    .clone()
    .json()
    .catch(() => null);
  const call: Call = { path, input: typeof body === 'object' && body !== null && 'json' in body ? body.json : null };
  calls.push(call);
  for (const { fits, released } of held) if (fits(call)) await released;
  request.signal.throwIfAborted();
  asking = request.headers.get('authorization');
  const { response } = await handler.handle(request, { prefix: '/rpc', context: {} });
  request.signal.throwIfAborted();
  const provided = response ?? Response.json({ json: { code: 'NOT_FOUND', status: 404, message: path } }, { status: 404 });
  // An abandoned page must not read a response that has begun.
  const read = provided.json.bind(provided) as () => Promise<unknown>;
  const whileThere = async <Value>(value: Value): Promise<Value> => (requested === pages ? value : new Promise(() => {}));
  provided.json = async () => whileThere(await read());
  return whileThere(provided);
}

function openStream(signal: AbortSignal): Response {
  const body = new ReadableStream({
    start: (controller) => signal.addEventListener('abort', () => controller.error(signal.reason)),
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}
