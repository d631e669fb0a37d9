import { getDatabaseErrorCode } from '../core/error-code.ts';
import { version } from '../core/version.ts';
import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { StandardOpenAPIHandler } from '@orpc/openapi/standard';
import type { AnyRouter, ORPCError } from '@orpc/server';
import { Hono, type Context } from 'hono';
import { listScreens } from '../../../api/menu.ts';
import { authorize } from '../auth/guard.ts';
import { authorizeProvisioning } from '../auth/provisioning/find-provisioner.ts';
import type { CalledRoute, RequestContext, Services } from '../services/context.ts';
import { buildCrossOriginHeaders, createPreflightResponse } from './cross-origin.ts';
import { createAppError, isRecord, type AppError } from '../core/errors.ts';
import { getNetwork, type Peer } from './network.ts';
import { requireOwnOrigin } from './own-address.ts';
import type { RawRoute } from './raw-routes.ts';
import { checkRequest } from './request-body.ts';
import { shouldCompress, gzipBody } from './compression.ts';
import { createContext, recordRequest } from './request-context.ts';
import { waitForRunning, trackRunning } from './running-requests.ts';
import { createRpc, createRpcInterceptors, toReportedError, addRequestId, type CallContext } from './rpc.ts';
import { buildSecurityHeaders } from './security-headers.ts';

export type StaticFiles = (request: Request) => Promise<Response | null> | Response | null;

export interface HttpOptions {
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
const allowedMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

const describeReadFailure = (error: unknown): string =>
  getDatabaseErrorCode(error) === '42501'
    ? 'the database user may not read a table. Run migrate --grants as the owner'
    : 'the server can’t reach the database';

export function createHttp({
  services,
  router,
  plain: rawRoutes,
  uploads: uploadLimits,
  files: serveFile,
  build: buildId,
}: HttpOptions): Http {
  const { config, database } = services;
  const rpcHandler = createRpc(router);
  const apiHandler = new StandardOpenAPIHandler<CallContext>(router, {
    ...createRpcInterceptors(),
    customErrorResponseBodyEncoder: serializeError,
  });
  const securityHeaderSets = buildSecurityHeaders(config);
  const buildHeaders = buildId ? { 'x-build': buildId } : {};
  const [page, otherHeaders] = [
    { ...securityHeaderSets.page, ...buildHeaders },
    { ...securityHeaderSets.other, ...buildHeaders },
  ];
  // A 304 has no type and may renew a page's headers.
  const headersFor = (type: string | null) => (type === null || type.startsWith('text/html') ? page : otherHeaders);
  const contractHeaders = { ...otherHeaders, 'cache-control': 'no-store' };
  const crossOriginPaths = new Set(rawRoutes.flatMap(({ path, crossOrigin }) => (crossOrigin ? path : [])));
  const anonymousPaths = new Set(rawRoutes.flatMap((route) => (route.anonymous ? route.path : [])));
  let isDraining = false;
  let isStopping = false;

  const app = new Hono<Env>();
  app.get('/healthz', (c) => {
    c.env.context.trace.route = 'GET /healthz';
    return Response.json({ status: 'ok', version, build: buildId ?? null });
  });
  app.get('/readyz', async (c) => {
    c.env.context.trace.route = 'GET /readyz';
    const problem = isDraining ? 'the server is stopping' : await database.readinessProblem().catch(describeReadFailure);
    return new Response(problem === null ? 'ready\n' : `not ready: ${problem}\n`, {
      status: problem === null ? 200 : 503,
      headers: { 'content-type': 'text/plain' },
    });
  });
  for (const { path } of listScreens().filter((screen) => screen.path.startsWith('/api/'))) app.get(path, servePage);
  for (const [prefix, handler] of [
    ['/rpc', rpcHandler],
    ['/api', apiHandler],
  ] as const) {
    for (const route of rawRoutes.filter(({ path }) => path.startsWith(`${prefix}/`))) addRawRoute(route);
    app.all(`${prefix}/*`, async (c) => {
      const { context, url } = c.env;
      const request = await checkRequest(c.req.raw, url, context, uploadLimits, config.bodyLimit);
      const { matched: isMatched, response } = await handler.handle(request, { prefix, context });
      if (!isMatched) throw createAppError('NOT_FOUND');
      return buildContractResponse(c.req.raw, context, response);
    });
  }
  for (const route of rawRoutes.filter(({ path }) => !/^\/(rpc|api)\//.test(path))) addRawRoute(route);
  app.notFound(servePage);
  app.onError((error, c) => createErrorResponse(error, c.env.context));

  async function servePage(c: Context<Env>) {
    const file = c.req.method === 'GET' || c.req.method === 'HEAD' ? await serveFile?.(c.req.raw) : null;
    if (!file) throw createAppError('NOT_FOUND');
    c.env.context.trace.route = 'GET /*';
    return file;
  }

  function addRawRoute(route: RawRoute) {
    if (route.crossOrigin) app.options(route.path, () => createPreflightResponse(route.method));
    const calledRoute = { name: `${route.method} ${route.path}`, meta: route.meta };
    app.on(route.method, route.path, async (c) => {
      c.env.context.trace.route = calledRoute.name;
      const context = { ...c.env.context, route: calledRoute };
      const call = async () => {
        const caller = await authorizeRaw(context, calledRoute);
        return route.handle({ request: c.req.raw, params: c.req.param(), context: { ...context, ...caller } });
      };
      const { presentError } = route;
      const rawResponse = await (presentError
        ? call().catch((error: unknown) => presentError(reportFailure(error, c.env.context)))
        : call());
      if (!('whole' in rawResponse)) return c.req.raw.method === 'HEAD' ? stripBody(rawResponse) : rawResponse;
      c.env.context.trace.whole = true;
      const defaultHeaders = headersFor(rawResponse.headers['content-type'] ?? null);
      const responseHeaders = { ...defaultHeaders, ...rawResponse.headers, 'x-request-id': context.requestId };
      return new Response(rawResponse.body, { status: rawResponse.status, headers: responseHeaders });
    });
  }

  // Building a Headers object would be slower than the rest.
  async function buildContractResponse(
    request: Request,
    context: CallContext,
    { status, body }: { status: number; body?: unknown },
  ) {
    if (!isJson(body)) throw new Error('a contract route must return JSON, use a plain route for files');
    context.trace.whole = true;
    const responseHeaders: Record<string, string> = { ...contractHeaders, 'x-request-id': context.requestId };
    if (context.trace.retryAfter !== null) responseHeaders['retry-after'] = String(context.trace.retryAfter);
    if (body === undefined) return new Response(null, { status, headers: responseHeaders });
    responseHeaders['content-type'] = 'application/json';
    if (status === 200) responseHeaders['vary'] = 'accept-encoding';
    const bytes = Buffer.from(JSON.stringify(body));
    if (status !== 200 || !shouldCompress(request.headers, bytes.byteLength))
      return new Response(bytes, { status, headers: responseHeaders });
    responseHeaders['content-encoding'] = 'gzip';
    return new Response(await gzipBody(bytes), { status, headers: responseHeaders });
  }

  async function handleRequest(request: Request, peer: Peer | undefined): Promise<Response> {
    const startTime = performance.now();
    const url = new URL(request.url);
    const context: CallContext = createContext(services, request, peer);
    let response: Response;
    try {
      if (crossOriginPaths.has(url.pathname))
        for (const [name, value] of buildCrossOriginHeaders(request, config)) context.answer.set(name, value);
      else if (!isHealth(url.pathname)) requireOwnOrigin(request, url, config);
      if (isStopping && url.pathname !== '/healthz') throw createAppError('UNAVAILABLE');
      if (!allowedMethods.has(request.method)) throw createAppError('NOT_FOUND');
      response = await app.fetch(request, { context, url });
    } catch (error) {
      response = createErrorResponse(error, context);
    }
    const { whole: isComplete } = context.trace;
    if (!isComplete) response = await compressResponse(request, response);
    for (const [name, value] of context.answer) response.headers.append(name, value);
    if (!isComplete) {
      for (const [name, value] of Object.entries(headersFor(response.headers.get('content-type'))))
        if (!response.headers.has(name)) response.headers.set(name, value);
      response.headers.set('x-request-id', context.requestId);
    }
    if (!isComplete && context.trace.retryAfter !== null) response.headers.set('retry-after', String(context.trace.retryAfter));
    if (isDraining) response.headers.set('connection', 'close');
    const { pathname } = url;
    recordRequest(
      context,
      { method: request.method, path: pathname, status: response.status, began: startTime },
      anonymousPaths.has(pathname),
    );
    return response;
  }

  return {
    fetch(request, peer) {
      return trackRunning(services, handleRequest(request, peer));
    },
    async drain() {
      isDraining = true;
      await sleep(config.drainMs);
    },
    async stop() {
      isDraining = true;
      isStopping = true;
      let timer: NodeJS.Timeout | undefined;
      const timeout = new Promise((resolve) => (timer = setTimeout(resolve, timeoutMs)));
      await Promise.race([waitForRunning(services), timeout]);
      clearTimeout(timer);
    },
  };
}

const isHealth = (path: string): boolean => path === '/healthz' || path === '/readyz';

function serializeError(error: ORPCError<string, unknown>): Record<string, unknown> {
  const { requestId, ...data } = isRecord(error.data) ? error.data : {};
  return { code: error.code, message: error.message, requestId, ...(Object.keys(data).length > 0 && { data }) };
}

/** A provisioning token opens the provisioning routes, and nothing else opens them. */
async function authorizeRaw(context: RequestContext, route: CalledRoute) {
  return route.meta.scim ? { provisioner: await authorizeProvisioning(context) } : { actor: await authorize(context, route) };
}

function reportFailure(error: unknown, context: CallContext): AppError {
  context.trace.called = true;
  return toReportedError(error, context);
}

function createErrorResponse(error: unknown, context: CallContext): Response {
  const reportedError = addRequestId(reportFailure(error, context), context);
  return Response.json(serializeError(reportedError), { status: reportedError.status, headers: { 'cache-control': 'no-store' } });
}

/** For HEAD. */
async function stripBody(response: Response): Promise<Response> {
  await response.body?.cancel();
  return new Response(null, response);
}

async function compressResponse(request: Request, response: Response): Promise<Response> {
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
export function limitServer(server: Server, maxPerAddress: number | null): void {
  server.maxConnections = 2_000;
  server.maxRequestsPerSocket = 1_000;
  if (maxPerAddress === null) return;
  const openCounts = new Map<string, number>();
  server.on('connection', (socket) => {
    const network = getNetwork(socket.remoteAddress ?? '');
    const count = openCounts.get(network) ?? 0;
    if (count >= maxPerAddress) return socket.destroy();
    openCounts.set(network, count + 1);
    socket.once('close', () => {
      const openCount = (openCounts.get(network) ?? 1) - 1;
      if (openCount > 0) openCounts.set(network, openCount);
      else openCounts.delete(network);
    });
  });
}

/** Below the server's total. */
export const connectionsPerAddress = 500;
