import { codeOf } from '../core/error-code.ts';
import { version } from '../core/version.ts';
import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { StandardOpenAPIHandler } from '@orpc/openapi/standard';
import type { AnyRouter, ORPCError } from '@orpc/server';
import { Hono, type Context } from 'hono';
import { allScreens } from '../../../api/menu.ts';
import { authorize } from '../auth/guard.ts';
import type { Services } from '../services/context.ts';
import { crossOriginHeaders, preflight } from './cross-origin.ts';
import { appError, isRecord } from '../core/errors.ts';
import { networkOf, type Peer } from './network.ts';
import { requireOwnAddress } from './own-address.ts';
import type { RawRoute } from './raw-routes.ts';
import { checkedRequest } from './request-body.ts';
import { shouldCompress, gzipBody } from './compression.ts';
import { newContext, recordRequest } from './request-context.ts';
import { waitForRunning, trackRunning } from './running-requests.ts';
import { createRpc, rpcInterceptors, reportedFailure, withRequestId, type CallContext } from './rpc.ts';
import { securityHeaders } from './security-headers.ts';

export type StaticFiles = (request: Request) => Promise<Response | null> | Response | null;

export interface HttpParts {
  services: Services;
  router: AnyRouter;
  plain: readonly RawRoute[];
  /** Path → maximum bytes. */
  uploads: Readonly<Record<string, number>>;
  files?: StaticFiles | undefined;
  /** Open pages learn of a new build. */
  build?: string | null | undefined;
}

export interface Http {
  fetch(request: Request, peer?: Peer): Promise<Response>;
  /** Fails `/readyz`, but serves until balancers have noticed. */
  drain(): Promise<void>;
  /** Waits at most ten seconds for running requests. */
  stop(): Promise<void>;
}

interface Env {
  Bindings: { context: CallContext; url: URL };
}

const timeoutMs = 10_000;
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

const unreadable = (error: unknown): string =>
  codeOf(error) === '42501'
    ? 'the database user may not read a table. Run migrate --grants as the owner'
    : 'the server can’t reach the database';

export function createHttp({ services, router, plain, uploads, files, build }: HttpParts): Http {
  const { config, database } = services;
  const rpc = createRpc(router);
  const api = new StandardOpenAPIHandler<CallContext>(router, {
    ...rpcInterceptors(),
    customErrorResponseBodyEncoder: plainError,
  });
  const secure = securityHeaders(config);
  const ofBuild = build ? { 'x-build': build } : {};
  const [page, other] = [
    { ...secure.page, ...ofBuild },
    { ...secure.other, ...ofBuild },
  ];
  // A 304 has no type and may renew a page's headers.
  const headersFor = (type: string | null) => (type === null || type.startsWith('text/html') ? page : other);
  const contractHeaders = { ...other, 'cache-control': 'no-store' };
  const shared = new Set(plain.flatMap(({ path, crossOrigin }) => (crossOrigin ? path : [])));
  const anonymous = new Set(plain.flatMap((route) => (route.anonymous ? route.path : [])));
  let draining = false;
  let stopping = false;

  const app = new Hono<Env>();
  app.get('/healthz', (c) => {
    c.env.context.trace.route = 'GET /healthz';
    return Response.json({ status: 'ok', version, build: build ?? null });
  });
  app.get('/readyz', async (c) => {
    c.env.context.trace.route = 'GET /readyz';
    const problem = draining ? 'the server is stopping' : await database.readinessProblem().catch(unreadable);
    return new Response(problem === null ? 'ready\n' : `not ready: ${problem}\n`, {
      status: problem === null ? 200 : 503,
      headers: { 'content-type': 'text/plain' },
    });
  });
  for (const { path } of allScreens().filter((screen) => screen.path.startsWith('/api/'))) app.get(path, servePage);
  for (const [prefix, handler] of [
    ['/rpc', rpc],
    ['/api', api],
  ] as const) {
    for (const route of plain.filter(({ path }) => path.startsWith(`${prefix}/`))) addPlain(route);
    app.all(`${prefix}/*`, async (c) => {
      const { context, url } = c.env;
      const request = await checkedRequest(c.req.raw, url, context, uploads, config.bodyLimit);
      const { matched, response } = await handler.handle(request, { prefix, context });
      if (!matched) throw appError('NOT_FOUND');
      return contractAnswer(c.req.raw, context, response);
    });
  }
  for (const route of plain.filter(({ path }) => !/^\/(rpc|api)\//.test(path))) addPlain(route);
  app.notFound(servePage);
  app.onError((error, c) => errorResponse(error, c.env.context));

  async function servePage(c: Context<Env>) {
    const found = c.req.method === 'GET' || c.req.method === 'HEAD' ? await files?.(c.req.raw) : null;
    if (!found) throw appError('NOT_FOUND');
    c.env.context.trace.route = 'GET /*';
    return found;
  }

  function addPlain(route: RawRoute) {
    if (route.crossOrigin) app.options(route.path, () => preflight(route.method));
    const called = { name: `${route.method} ${route.path}`, meta: route.meta };
    app.on(route.method, route.path, async (c) => {
      c.env.context.trace.route = called.name;
      const context = { ...c.env.context, route: called };
      const actor = await authorize(context, called);
      const rawResponse = await route.handle({ request: c.req.raw, params: c.req.param(), context: { ...context, actor } });
      if (!('whole' in rawResponse)) return c.req.raw.method === 'HEAD' ? withoutBody(rawResponse) : rawResponse;
      c.env.context.trace.whole = true;
      const every = headersFor(rawResponse.headers['content-type'] ?? null);
      const own = { ...every, ...rawResponse.headers, 'x-request-id': context.requestId };
      return new Response(rawResponse.body, { status: rawResponse.status, headers: own });
    });
  }

  // Building a Headers object would be slower than the rest.
  async function contractAnswer(request: Request, context: CallContext, { status, body }: { status: number; body?: unknown }) {
    if (!isJson(body)) throw new Error('a contract route must return JSON, use a plain route for files');
    context.trace.whole = true;
    const own: Record<string, string> = { ...contractHeaders, 'x-request-id': context.requestId };
    if (context.trace.retryAfter !== null) own['retry-after'] = String(context.trace.retryAfter);
    if (body === undefined) return new Response(null, { status, headers: own });
    own['content-type'] = 'application/json';
    if (status === 200) own['vary'] = 'accept-encoding';
    const bytes = Buffer.from(JSON.stringify(body));
    if (status !== 200 || !shouldCompress(request.headers, bytes.byteLength))
      return new Response(bytes, { status, headers: own });
    own['content-encoding'] = 'gzip';
    return new Response(await gzipBody(bytes), { status, headers: own });
  }

  async function answer(request: Request, peer: Peer | undefined): Promise<Response> {
    const started = performance.now();
    const url = new URL(request.url);
    const context: CallContext = newContext(services, request, peer);
    let response: Response;
    try {
      if (shared.has(url.pathname))
        for (const [name, value] of crossOriginHeaders(request, config)) context.answer.set(name, value);
      else if (!isHealth(url.pathname)) requireOwnAddress(request, url, config);
      if (stopping && url.pathname !== '/healthz') throw appError('UNAVAILABLE');
      if (!methods.has(request.method)) throw appError('NOT_FOUND');
      response = await app.fetch(request, { context, url });
    } catch (error) {
      response = errorResponse(error, context);
    }
    const { whole } = context.trace;
    if (!whole) response = await compressed(request, response);
    for (const [name, value] of context.answer) response.headers.append(name, value);
    if (!whole) {
      for (const [name, value] of Object.entries(headersFor(response.headers.get('content-type'))))
        if (!response.headers.has(name)) response.headers.set(name, value);
      response.headers.set('x-request-id', context.requestId);
    }
    if (!whole && context.trace.retryAfter !== null) response.headers.set('retry-after', String(context.trace.retryAfter));
    if (draining) response.headers.set('connection', 'close');
    const { pathname } = url;
    recordRequest(
      context,
      { method: request.method, path: pathname, status: response.status, began: started },
      anonymous.has(pathname),
    );
    return response;
  }

  return {
    fetch(request, peer) {
      return trackRunning(services, answer(request, peer));
    },
    async drain() {
      draining = true;
      await sleep(config.drainMs);
    },
    async stop() {
      draining = true;
      stopping = true;
      let timer: NodeJS.Timeout | undefined;
      const timeout = new Promise((resolve) => (timer = setTimeout(resolve, timeoutMs)));
      await Promise.race([waitForRunning(services), timeout]);
      clearTimeout(timer);
    },
  };
}

const isHealth = (path: string): boolean => path === '/healthz' || path === '/readyz';

function plainError(error: ORPCError<string, unknown>): Record<string, unknown> {
  const { requestId, ...data } = isRecord(error.data) ? error.data : {};
  return { code: error.code, message: error.message, requestId, ...(Object.keys(data).length > 0 && { data }) };
}

function errorResponse(error: unknown, context: CallContext): Response {
  context.trace.called = true;
  const reported = withRequestId(reportedFailure(error, context), context);
  return Response.json(plainError(reported), { status: reported.status, headers: { 'cache-control': 'no-store' } });
}

/** For HEAD. */
async function withoutBody(response: Response): Promise<Response> {
  await response.body?.cancel();
  return new Response(null, response);
}

async function compressed(request: Request, response: Response): Promise<Response> {
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  if (!isJson || response.status !== 200 || response.headers.has('content-encoding')) return response;
  const body = Buffer.from(await response.arrayBuffer());
  const { headers } = response;
  headers.append('vary', 'accept-encoding');
  if (!shouldCompress(request.headers, body.byteLength)) return new Response(body, { headers });
  headers.set('content-encoding', 'gzip');
  headers.delete('content-length');
  return new Response(await gzipBody(body), { headers });
}

function isJson(body: unknown): boolean {
  if (body === null || typeof body !== 'object' || Array.isArray(body)) return true;
  return Object.getPrototypeOf(body) === Object.prototype;
}

/** Milliseconds and bytes. */
export const serverOptions = {
  headersTimeout: 10_000,
  requestTimeout: 120_000,
  connectionsCheckingInterval: 2_000,
  keepAliveTimeout: 65_000, // a balancer must close first, or a request meets a closed connection
  maxHeaderSize: 16_384,
};

/** Null behind a proxy. */
export function limitServer(server: Server, perAddress: number | null): void {
  server.maxConnections = 2_000;
  server.maxRequestsPerSocket = 1_000;
  if (perAddress === null) return;
  const open = new Map<string, number>();
  server.on('connection', (socket) => {
    const network = networkOf(socket.remoteAddress ?? '');
    const count = open.get(network) ?? 0;
    if (count >= perAddress) return socket.destroy();
    open.set(network, count + 1);
    socket.once('close', () => {
      const openCount = (open.get(network) ?? 1) - 1;
      if (openCount > 0) open.set(network, openCount);
      else open.delete(network);
    });
  });
}

/** Below the server's total. */
export const connectionsPerAddress = 500;
