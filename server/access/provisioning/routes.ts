import type { ErrorCode } from '../../../api/errors.ts';
import { createAppError, type AppError } from '../../platform/core/errors.ts';
import type { Config } from '../../platform/core/config.ts';
import type { RawCall, RawRoute } from '../../platform/http/raw-routes.ts';
import { decodeUtf8, parseMediaType, readBody } from '../../platform/http/request-body.ts';
import type { Provisioner, ProvisioningContext } from '../../platform/services/context.ts';
import { parseGroupFilter, parseUserFilter } from './filter.ts';
import { createGroup, deleteGroup, listGroups, patchGroupById, readGroup, replaceGroupById } from './groups.ts';
import { presentGroup, presentList, presentUser } from './representation.ts';
import { coreSchemas, describeResourceTypes, describeSchemas, describeService, maxPageSize } from './schemas.ts';
import { createBadRequest, createNotFound, ScimError, type ScimStatus } from './scim-error.ts';
import { createUser, deleteUser, listUsers, patchUserById, readUser, replaceUserById, type Page } from './users.ts';

const mediaType = 'application/scim+json';
const maxBytes = 1024 * 1024;
const timeoutMs = 10_000;

interface ScimCall {
  context: ProvisioningContext;
  id: string;
  query: URLSearchParams;
  base: string;
  readJson: () => Promise<unknown>;
}

interface ScimResponse {
  status?: number;
  body?: object;
  location?: string;
}

type Method = RawRoute['method'];

/** `/scim/v2`, where SCIM is on. */
export function provisioningRoutes({ scim, publicUrl }: Pick<Config, 'scim' | 'publicUrl'>): RawRoute[] {
  if (!scim) return [];
  const base = `${publicUrl}/scim/v2`;
  const route = (method: Method, path: string, handle: (call: ScimCall) => Promise<ScimResponse> | ScimResponse): RawRoute => ({
    method,
    path: `/scim/v2${path}`,
    meta: { scim: true },
    presentError,
    handle: (call) => respond(call, base, handle),
  });
  return [
    route('GET', '/ServiceProviderConfig', () => ({ body: describeService(base, `${publicUrl}/help`) })),
    ...describedRoutes(route, '/Schemas', describeSchemas(base)),
    ...describedRoutes(route, '/ResourceTypes', describeResourceTypes(base)),
    ...userRoutes(route),
    ...groupRoutes(route),
    ...(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).map((method) =>
      route(method, '/*', () => {
        throw createNotFound();
      }),
    ),
  ];
}

type DefineRoute = (method: Method, path: string, handle: (call: ScimCall) => Promise<ScimResponse> | ScimResponse) => RawRoute;

const describedRoutes = (route: DefineRoute, path: string, descriptions: readonly { id: string }[]): RawRoute[] => [
  route('GET', path, () => ({
    body: presentList({ total: descriptions.length, startIndex: 1, resources: descriptions }),
  })),
  route('GET', `${path}/:id`, ({ id }) => {
    const description = descriptions.find((candidate) => candidate.id === id);
    if (!description) throw createNotFound();
    return { body: description };
  }),
];

const userRoutes = (route: DefineRoute): RawRoute[] => [
  route('GET', '/Users', async ({ context, query, base }) => {
    const page = readPage(query);
    const filter = query.get('filter');
    const { total, users } = await listUsers(context.db, filter === null ? [] : parseUserFilter(filter), page);
    const resources = users.map((user) => presentUser(base, user));
    return { body: presentList({ total, startIndex: page.startIndex, resources }) };
  }),
  route('GET', '/Users/:id', async ({ context, id, base }) => ({ body: presentUser(base, await readUser(context.db, id)) })),
  route('POST', '/Users', async ({ context, base, readJson }) => {
    const body = presentUser(base, await createUser(context, await readJson()));
    return { status: 201, body, location: body.meta.location };
  }),
  route('PUT', '/Users/:id', async ({ context, id, base, readJson }) => ({
    body: presentUser(base, await replaceUserById(context, id, await readJson())),
  })),
  route('PATCH', '/Users/:id', async ({ context, id, base, readJson }) => ({
    body: presentUser(base, await patchUserById(context, id, await readJson())),
  })),
  route('DELETE', '/Users/:id', async ({ context, id }) => {
    await deleteUser(context, id);
    return { status: 204 };
  }),
];

const groupRoutes = (route: DefineRoute): RawRoute[] => [
  route('GET', '/Groups', async ({ context, query, base }) => {
    const page = readPage(query);
    const filter = query.get('filter');
    const conditions = filter === null ? [] : parseGroupFilter(filter);
    const { total, groups } = await listGroups(context.db, conditions, page, wantsMembers(query));
    const resources = groups.map((group) => presentGroup(base, group));
    return { body: presentList({ total, startIndex: page.startIndex, resources }) };
  }),
  route('GET', '/Groups/:id', async ({ context, id, query, base }) => ({
    body: presentGroup(base, await readGroup(context.db, id, wantsMembers(query))),
  })),
  route('POST', '/Groups', async ({ context, base, readJson }) => {
    const body = presentGroup(base, await createGroup(context, await readJson()));
    return { status: 201, body, location: body.meta.location };
  }),
  route('PUT', '/Groups/:id', async ({ context, id, base, readJson }) => ({
    body: presentGroup(base, await replaceGroupById(context, id, await readJson())),
  })),
  // RFC 7644 allows both, and Entra expects this for groups.
  route('PATCH', '/Groups/:id', async ({ context, id, readJson }) => {
    await patchGroupById(context, id, await readJson());
    return { status: 204 };
  }),
  route('DELETE', '/Groups/:id', async ({ context, id }) => {
    await deleteGroup(context, id);
    return { status: 204 };
  }),
];

async function respond(
  { request, params, context }: RawCall,
  base: string,
  handle: (call: ScimCall) => Promise<ScimResponse> | ScimResponse,
): Promise<Response> {
  const { provisioner } = context;
  if (!isProvisioner(provisioner)) throw createAppError('UNAUTHORIZED');
  try {
    const {
      status = 200,
      body,
      location,
    } = await handle({
      context: { ...context, provisioner },
      id: params['id'] ?? '',
      query: new URL(request.url).searchParams,
      base,
      readJson: () => readScimJson(request),
    });
    return createResponse(status, body, location === undefined ? {} : { location });
  } catch (error) {
    // Counted and logged like every error. `presentError` writes it in the format of SCIM.
    throw error instanceof ScimError ? createAppError(codes[error.status], undefined, error) : error;
  }
}

const codes = { 400: 'BAD_REQUEST', 404: 'NOT_FOUND', 409: 'CONFLICT' } as const satisfies Record<ScimStatus, ErrorCode>;

const isProvisioner = (provider: RawCall['context']['provisioner']): provider is Provisioner =>
  provider !== undefined && 'tokenId' in provider;

async function readScimJson(request: Request): Promise<unknown> {
  const declaredType = request.headers.get('content-type')?.replace(/^\s*application\/scim\+json/i, 'application/json') ?? null;
  if (parseMediaType(declaredType) !== 'application/json') throw createAppError('UNSUPPORTED_MEDIA_TYPE');
  const text = decodeUtf8(await readBody(request, maxBytes, timeoutMs));
  try {
    return JSON.parse(text);
  } catch {
    throw createBadRequest('invalidSyntax', 'The body isn’t valid JSON.');
  }
}

function readPage(query: URLSearchParams): Page {
  const startIndex = readInteger(query, 'startIndex', 1);
  const pageSize = readInteger(query, 'count', maxPageSize);
  return { startIndex: Math.min(Math.max(startIndex, 1), 1_000_000), count: Math.min(Math.max(pageSize, 0), maxPageSize) };
}

function readInteger(query: URLSearchParams, name: string, fallback: number): number {
  const text = query.get(name);
  if (text === null || text === '') return fallback;
  if (!/^-?\d{1,9}$/.test(text)) throw createBadRequest('invalidValue', `${name} must be a number.`);
  return Number(text);
}

const wantsMembers = (query: URLSearchParams): boolean =>
  !(query.get('excludedAttributes') ?? '').split(',').some((name) => name.trim().toLowerCase() === 'members');

const createResponse = (status: number, body: object | undefined, headers: Record<string, string> = {}): Response =>
  new Response(body === undefined ? null : JSON.stringify(body), {
    status,
    headers: { 'cache-control': 'no-store', ...(body !== undefined && { 'content-type': mediaType }), ...headers },
  });

const createErrorBody = (
  status: number,
  scimType: string | null,
  detail: string,
  headers: Record<string, string> = {},
): Response =>
  createResponse(
    status,
    { schemas: [coreSchemas.error], ...(scimType !== null && { scimType }), detail, status: String(status) },
    headers,
  );

/** Errors of the panel in the format of SCIM. */
function presentError({ status, code, data, cause }: AppError): Response {
  if (cause instanceof ScimError) return createErrorBody(cause.status, cause.scimType, cause.message);
  const retryAfter = data?.['retryAfter'];
  return createErrorBody(
    status,
    code === 'BAD_REQUEST' ? 'invalidValue' : null,
    code,
    typeof retryAfter === 'number'
      ? { 'retry-after': String(retryAfter) }
      : status === 401
        ? { 'www-authenticate': 'Bearer' }
        : {},
  );
}
