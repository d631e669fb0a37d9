import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { toJSONSchema } from 'zod';
import { contract } from '../../api/contract.ts';
import { listContractRoutes } from '../../api/route.ts';
import { errorStatus } from '../../api/errors.ts';
import { inTier } from '../../scripts/suite/tier.ts';
import { isServiceScope } from '../platform/auth/service-accounts/service-rights.ts';
import { administrators, permissionNodes } from '../platform/auth/tables.ts';
import { send, signInAs, createTestApp, type TestSession, type TestApp } from '../testing/support.ts';
import { build } from '../../testing/factories/build.ts';
import { createStore } from '../../testing/factories/store.ts';

/** Deterministic requests per route. FUZZ_RUNS and FUZZ_SEED change them. */
const runCount = Number(process.env['FUZZ_RUNS'] ?? inTier(7, 250));
const seed = Number(process.env['FUZZ_SEED'] ?? 20_261_121);
const leakPattern =
  /\bat .*\(?.*:\d+:\d+|SELECT |select .* from|pg_|node_modules|\/home\/|\/work\/|\/tmp\/|relation "|ECONN|drizzle|argon2/;

interface JsonSchema {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: JsonSchema | false;
  items?: JsonSchema;
  minItems?: number;
  maxLength?: number;
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
}

const routes = listContractRoutes(contract).map(({ name, path, http, meta, input }) => ({
  name,
  rpc: `/rpc/${path.join('/')}`,
  method: http.method ?? 'POST',
  path: `/api${http.path ?? ''}`,
  isWrite: 'permission' in meta,
  input: input ? (toJSONSchema(input as never, { io: 'input', unrepresentable: 'any' }) as JsonSchema) : {},
}));

const contractAddress = `0x${'1'.repeat(40)}`;

let app: TestApp;
let sessions: Record<string, string>[];
let knownRecords: { id: string; version: number }[];
let deletions: string[];
beforeAll(async () => {
  app = await createTestApp({
    PUBLIC_URL: 'http://127.0.0.1:9',
    SIGN_IN_FREE: '10000',
    ALARM_MAIL: 'custody@example.com',
    // A configured chain that does not respond.
    EVM_RPC_URL: 'http://127.0.0.1:9',
    EVM_CHAIN_ID: '31337',
    YU_ADDRESS: `0x${'1'.repeat(40)}`,
    YBTC_ADDRESS: `0x${'2'.repeat(40)}`,
    TROVE_MANAGER_ADDRESS: `0x${'3'.repeat(40)}`,
    STABILITY_POOL_ADDRESS: `0x${'4'.repeat(40)}`,
    MULTI_TROVE_GETTERS_ADDRESS: `0x${'5'.repeat(40)}`,
    CUSTODY_BRIDGE_ADDRESS: `0x${'6'.repeat(40)}`,
    CRSM_FACTORY_ADDRESS: `0x${'7'.repeat(40)}`,
    CRSM_UTILS_ADDRESS: `0x${'8'.repeat(40)}`,
  });
  // Fixed ids, so that a seed reproduces a run exactly.
  const items = await createStore(app.database.db).newsItems(
    Array.from({ length: 60 }, (_, n) => ({
      id: `00000000-0000-4000-8000-${String(n + 1).padStart(12, '0')}`,
      title: `News ${n + 1}`,
    })),
  );
  knownRecords = items.map(({ id, version }) => ({ id, version }));
  const fullSession = await signInAs(app, 'all');
  for (let n = 0; n < 20; n++) {
    const { id, version } = await fullSession.api.news.add(build.newsFields({ title: 'Gone' }));
    await fullSession.api.news.remove({ items: [{ id, version }] });
  }
  const removedRows = await app.database.pool.query<{ id: string }>(
    `select id from audit where entity = 'news' and action = 'remove' order by seq`,
  );
  deletions = removedRows.rows.map(({ id }) => id);
  // The same ids in several tables, so that a known id exists for every route.
  await app.database.pool.query(
    `insert into feed_items (id, feed, guid, title, description, link, time, fetched_at)
     select id, 'https://a.example/feed', id::text, 'Item', 'd', 'https://a.example/' || id, now(), now() from news`,
  );
  await app.database.pool.query(
    `insert into notices (id, content, link, creator_email, created_at, updated_at)
     select id, title, 'https://a.example/', '', now(), now() from news where title like 'News %'`,
  );
  await app.database.pool.query(
    `insert into deposits (id, user_address, amount, cobo_address, network, txid, vout, status, mint_status, modified_email, created_at, updated_at)
     select id, $1, 1000, $2, 'mainnet', repeat('b', 64), row_number() over (order by id), 'confirmed', 'done', 'a@a.example', now(), now() from news`,
    [contractAddress, taprootAddress],
  );
  await app.database.pool.query(
    `insert into crsms (address, token_id, trove_manager, trove_id, owner, created_at, block, read_at) values ($1, 0, $1, 1, $1, now(), 1, now())`,
    [contractAddress],
  );
  await app.database.pool.query(
    `insert into troves (id, trove_manager, trove_id, owner, opened_at, block, read_at) values ($1 || '-1', $1, 1, $1, now(), 1, now())`,
    [contractAddress],
  );
  // Half menus, half functions.
  await app.database.pool.query(
    `insert into roles (id, name, created_at, updated_at) select id, title, now(), now() from news where title like 'News %'`,
  );
  await app.database.pool.query(
    `with numbered as (select id, row_number() over (order by id) as n, first_value(id) over (order by id) as first from news where title like 'News %')
     insert into permission_nodes (id, parent_id, kind, identifier, name_zh, name_en, position, created_at, updated_at)
     select id, case when n % 2 = 1 then null else first end, case when n % 2 = 1 then 'menu' else 'function' end,
       case when n % 2 = 1 then '/fuzz-' || n else 'fuzz.' || n end, 'f', 'f', n, now(), now() from numbered`,
  );
  // Some with a role without permissions, some with a second factor.
  await app.database.pool.query(
    `insert into administrators (id, email, password_hash, totp_secret, created_at, updated_at)
     select id, 'fuzz' || id || '@a.example', 'none', case when title like 'News 1%' then 'none' end, now(), now() from news
     where title like 'News %'`,
  );
  await app.database.pool.query(
    `insert into administrator_roles (administrator_id, role_id) select id, id from news where title like 'News %' order by id limit 30`,
  );
});

/** In `sessions`. */
const tokenIndex = 5;

/** With everything that a token can have. */
async function addToken(): Promise<string> {
  const { db } = app.database;
  const [owner] = await db.select().from(administrators).where(eq(administrators.email, 'access@demo.local'));
  const nodes = await db.select({ identifier: permissionNodes.identifier }).from(permissionNodes);
  const scopes = nodes.map(({ identifier }) => identifier).filter(isServiceScope);
  const { text } = await createStore(db).serviceToken({ owners: [owner?.id ?? ''], scopes });
  // The first use is recorded, so that the requests below record only what they do.
  await send(app, 'GET', '/api/session', undefined, { authorization: `Bearer ${text}` });
  return text;
}

/** Requests of one route may end the session, so the next route signs in again. */
let canBeConsumed = true;
beforeEach(async () => {
  if (!canBeConsumed) return;
  const signedIn: TestSession[] = [await signInAs(app, 'all'), await signInAs(app, 'analyst')];
  sessions = [
    ...signedIn.map(({ headers }) => headers),
    {},
    { authorization: `Bearer ${'x'.repeat(43)}` },
    { authorization: 'Bearer \u00ff' },
    { authorization: `Bearer ${await addToken()}` },
  ];
});

// ── What to send ───────────────────────────────────────────────────────────

const nastyTexts = [
  '',
  ' ',
  '\0',
  '\ud800',
  '\u202e',
  "'; drop table news; --",
  '%',
  '_',
  '\\',
  '../../etc/passwd',
  '<script>',
  '9'.repeat(400),
  'x'.repeat(6000),
];
const taprootAddress = 'bc1pmfr3p9j00pfxjh0zmgp99y8zftmd3s5pmedqhyptwy6lm87hf5sspknck9';
const nastyAddresses = ['javascript:alert(1)', 'https://u:p@a.example/', 'http://[::1]/'];
const nastyTimes = ['9999-12-31T23:59:59.999Z', '1970-01-01T00:00:00.000Z', '2026-02-30T00:00:00.000Z'];
const nastyOthers: unknown[] = [null, true, -1, 0, 1e308, -0.5, 2 ** 53, [], {}, [[]], [null], { $ne: 1 }, { toString: 1 }];
const nastyValue = fc.constantFrom<unknown>(...nastyTexts, ...nastyAddresses, ...nastyTimes, ...nastyOthers);

const knownIdArbitrary = fc.nat().map((pickIndex) => knownRecords[pickIndex % knownRecords.length]?.id);

const satoshiArbitrary = fc.integer({ min: 0, max: 1_000_000_000 }).map(String);

/** Formats that the JSON Schema does not show. */
const byName: Record<string, fc.Arbitrary<unknown>> = {
  address: fc.constantFrom(
    taprootAddress,
    '0x52908400098527886E0F7030069857D2E4169EE7',
    '0xde709f2102306220921060314715629080e2fb77',
    'no',
  ),
  userAddress: fc.constant('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'),
  coboAddress: fc.constantFrom(taprootAddress, 'no'),
  txid: fc.nat(40).map((n) => n.toString(16).padStart(64, '0')),
  hash: fc.constantFrom('a'.repeat(64), `0x${'a'.repeat(64)}`),
  receiver: fc.constantFrom(taprootAddress, 'no'),
  person: knownIdArbitrary,
  credential: fc.constant('AAAA'),
  publicKey: fc.constant('AAAA'),
  depositId: knownIdArbitrary,
  amount: satoshiArbitrary,
  vout: fc.nat(3),
  port: fc.constantFrom<unknown>(null, 4000, 80),
  challenge: fc.constantFrom('A'.repeat(43), 'no'),
  berries: fc.integer({ min: -100, max: 1000 }).map(String),
  nftNumber: fc.nat(50),
  nftLevel: fc.nat(50),
  crsm: fc.constant(contractAddress),
  position: fc.constant(`${contractAddress}-1`),
  zone: fc.constantFrom('Asia/Shanghai', 'no'),
  TRGCR: fc.constant('1500000000000000000'),
  TARCR: fc.constant('1800000000000000000'),
  MAX_TARCR: fc.constant('2000000000000000000'),
  debtGasCompensation: fc.nat(1000).map(String),
  networks: fc.constantFrom('', '10.0.0.0/8', '2001:db8::/32, 203.0.113.7', '::ffff:192.0.2.1', '0.0.0.0/0', 'no'),
  idleMinutes: fc.constantFrom('', '15', '720', '0', 'no'),
  sessionHours: fc.constantFrom('', '8', '72', '73', 'no'),
  grants: fc.array(fc.oneof({ weight: 9, arbitrary: knownIdArbitrary }, { weight: 1, arbitrary: fc.constant('no') }), {
    maxLength: 6,
  }),
  // A token lives for 365 days at most.
  expiresAt: fc.integer({ min: -1, max: 366 }).map((days) => new Date(app.clock.now + days * 86_400_000).toISOString()),
  identifier: fc.tuple(fc.boolean(), fc.nat(99_999)).map(([menu, n]) => (menu ? `/new-${n}` : `new.f${n}`)),
};

const hexPattern = /^\^(0x)?\[0-9a-f(A-F)?\]\{\d+\}\$$/;

/** Filters are texts with a syntax per field (api/condition.ts). */
const filterArbitrary = (names: readonly string[]): fc.Arbitrary<unknown> => {
  const filterText = fc.constantFrom('true', '-', '!-', 'DE,FR', '!done', 'one', '0.5..2', '2026-01-01T00:00:00.000Z..', '..');
  return fc.oneof(fc.constant({}), fc.record(Object.fromEntries(names.map((name) => [name, filterText])), { requiredKeys: [] }));
};

function validValue(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.const !== undefined) return fc.constant(schema.const);
  const { type } = schema;
  const alternatives = Array.isArray(type)
    ? type.map((typeName) => ({ ...schema, type: typeName }))
    : (schema.anyOf ?? schema.oneOf);
  if (alternatives) return fc.oneof(...alternatives.map(validValue));
  if (schema.properties) {
    const recordModel = Object.fromEntries(
      Object.entries(schema.properties).map(([key, value]) => [
        key,
        byName[key] ?? (key === 'filter' ? filterArbitrary(Object.keys(value.properties ?? {})) : validValue(value)),
      ]),
    );
    // `to` is a node here, elsewhere a time.
    if ('place' in recordModel) recordModel['to'] = knownIdArbitrary;
    // `from` is an amount here, elsewhere a time.
    if ('approvals' in recordModel && 'below' in recordModel)
      Object.assign(recordModel, {
        from: satoshiArbitrary,
        below: fc.constant(''),
        perDay: satoshiArbitrary,
        role: fc.constantFrom('', 'no'),
        approvals: fc.nat(7),
      });
    // Otherwise these are accounts, and ids that are not UUIDs are addresses.
    for (const key of ['from', 'to', 'owner'])
      if (schema.properties[key]?.maxLength === 100) recordModel[key] = fc.constant(contractAddress);
    if (schema.properties['ids']?.items?.maxLength === 100) recordModel['ids'] = fc.constant([contractAddress]);
    const item = 'id' in recordModel && 'version' in recordModel;
    // Matches identifier and parent: menus at the top, functions in a menu.
    if ('place' in recordModel && 'identifier' in recordModel)
      return fc
        .tuple(fc.record(recordModel, { requiredKeys: schema.required ?? [] }), fc.boolean(), fc.nat(99_999), fc.nat())
        .map(([row, menu, n, pickIndex]) => ({
          ...row,
          ...(menu ? { identifier: `/new-${n}`, place: 'after' } : { identifier: `new.f${n}`, place: 'under' }),
          // Known nodes at even positions are menus.
          to: knownRecords[(pickIndex % (knownRecords.length / 2)) * 2]?.id,
        }));
    const recordArbitrary = fc.record(recordModel, { requiredKeys: schema.required ?? [] });
    if ('entry' in recordModel)
      return fc
        .tuple(recordArbitrary, fc.nat(), fc.boolean())
        .map(([row, pickIndex, realRecord]) =>
          realRecord ? { ...row, entry: deletions[pickIndex % deletions.length], state: 'before', version: null } : row,
        );
    return item
      ? fc
          .tuple(recordArbitrary, fc.nat())
          .map(([row, pickIndex]) => Object.assign({}, row, knownRecords[pickIndex % knownRecords.length]))
      : recordArbitrary;
  }
  if (schema.additionalProperties) return fc.constant({});
  if (schema.items) return fc.array(validValue(schema.items), { minLength: schema.minItems ?? 0, maxLength: 6 });
  if (schema.type === 'boolean') return fc.boolean();
  if (schema.type === 'integer')
    return fc.integer({ min: Math.max(schema.minimum ?? 0, -100), max: Math.min(schema.maximum ?? 100, 100) });
  if (schema.type === 'null') return fc.constant(null);
  if (schema.format === 'uuid') return fc.oneof(fc.uuid(), knownIdArbitrary);
  if (schema.pattern && hexPattern.test(schema.pattern)) return fc.stringMatching(new RegExp(schema.pattern));
  if (schema.pattern)
    return fc
      .date({ min: new Date(0), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true })
      .map((date) => date.toISOString());
  if (schema.maxLength === 2000) return fc.webUrl();
  if (schema.maxLength === 254) return fc.emailAddress();
  if (schema.maxLength === 128) return fc.string({ minLength: 15, maxLength: 40 });
  if (schema.maxLength === 100)
    return fc.oneof(fc.constant(taprootAddress), fc.string({ unit: 'grapheme', minLength: 1, maxLength: 50 }));
  return fc.string({ unit: 'grapheme', minLength: 1, maxLength: Math.min(schema.maxLength ?? 50, 50) });
}

function spoilValue(value: unknown, [fieldIndex, spoilKind, invalidValue]: readonly [number, number, unknown]): unknown {
  if (typeof value !== 'object' || value === null) return invalidValue;
  const changedCopy = structuredClone(value) as Record<string, unknown>;
  const keys = Object.keys(changedCopy);
  const key = keys[fieldIndex % Math.max(keys.length, 1)];
  if (key === undefined || spoilKind % 4 === 0) changedCopy[`extra${fieldIndex}`] = invalidValue;
  else if (spoilKind % 4 === 1) delete changedCopy[key];
  else if (spoilKind % 4 === 2) changedCopy[key] = invalidValue;
  else changedCopy[key] = spoilValue(changedCopy[key], [fieldIndex >> 1, spoilKind >> 2, invalidValue]);
  return changedCopy;
}

const bodyArbitrary = (schema: JsonSchema): fc.Arbitrary<string> => {
  const validBody = validValue(schema);
  const spoiledBody = fc
    .tuple(validBody, fc.tuple(fc.nat(), fc.nat(), nastyValue))
    .map(([value, spoilChange]) => spoilValue(value, spoilChange));
  const text = fc.oneof(
    { weight: 3, arbitrary: validBody },
    { weight: 4, arbitrary: spoiledBody },
    { weight: 1, arbitrary: nastyValue },
    { weight: 1, arbitrary: fc.jsonValue() },
  );
  const json = text.map((value) => JSON.stringify(value) ?? '');
  const truncatedBody = fc
    .tuple(json, fc.nat())
    .map(([wholeBody, cutPosition]) => wholeBody.slice(0, cutPosition % (wholeBody.length + 1)));
  const doubledBody = json.map((wholeBody) =>
    wholeBody.startsWith('{"') ? `{"id":1,"title":"twice","__proto__":{"x":1},${wholeBody.slice(1)}` : wholeBody,
  );
  return fc.oneof(
    { weight: 8, arbitrary: json },
    { weight: 1, arbitrary: truncatedBody },
    { weight: 1, arbitrary: doubledBody },
    { weight: 1, arbitrary: fc.string() },
  );
};

// ── What must hold ─────────────────────────────────────────────────────────

/** Responses before a route's own work. */
const isSignInRoute = new Set([400, 401, 403, 413, 415]);
const allowedStatuses = new Set<number>([200, ...Object.values(errorStatus)]);

const watchedTables = [
  'news',
  'pictures',
  'notices',
  'idempotency',
  'feed_items',
  'role_nodes',
  'administrators',
  'administrator_roles',
  'password_links',
  'crsm_calls',
  'roles',
  'permission_nodes',
];
const stateQueries = [
  ...watchedTables.map((table) => `(select array[count(*), max(xmin::text::bigint)] from ${table})`),
  "(select array[count(*)] from audit where result = 'done')", // the audit records refusals too
  '(select array[count(*)] from sessions where revoked_at is null)', // any request changes the last use
];

/** Everything a request may change, in one text: a write leaves a newer transaction id, a deletion fewer rows. */
async function readState(): Promise<string> {
  const { rows } = await app.database.pool.query({ name: 'state', text: `select ${stateQueries.join(', ')}`, rowMode: 'array' });
  return JSON.stringify(rows);
}

describe('random requests cause no errors, leak nothing, and change nothing when refused', () => {
  test.each(routes)('$name', async ({ name, rpc, method, path, isWrite, input }) => {
    const headers = fc.record(
      {
        'x-command': fc.constantFrom('news.add', 'x', 'constructor'),
        'idempotency-key': fc.oneof(fc.constantFrom('k', ''), fc.uuid()),
        'content-type': fc.constantFrom(
          'application/json',
          'application/json',
          'application/json',
          'text/plain',
          'multipart/form-data; boundary=x',
        ),
        'sec-fetch-site': fc.constantFrom('same-origin', 'same-origin', 'cross-site'),
      },
      { requiredKeys: ['content-type'] },
    );
    const sessionIndex = fc.constantFrom(0, 0, 0, 1, 2, 3, 4, tokenIndex);
    const isRead = method === 'GET';
    canBeConsumed = !isRead;
    let stateBefore: string | null = await readState();
    let successCount = 0;
    const sendRequest = async (body: string, extraHeaders: Record<string, string>, sessionNumber: number, isRpcCall: boolean) => {
      // The next request would not be signed in.
      const isSignOut = name === 'session.signOut';
      const session = isSignOut && sessionNumber === 0 ? (await signInAs(app, 'all')).headers : (sessions[sessionNumber] ?? {});
      if (isSignOut) stateBefore = null;
      stateBefore ??= await readState();
      const requestHeaders = { ...session, ...extraHeaders };
      const response = isRpcCall
        ? await send(app, 'POST', rpc, `{"json":${body === '' ? 'null' : body}}`, requestHeaders)
        : await send(app, method, path, isRead ? undefined : body, requestHeaders);
      const text = await response.text();
      expect(allowedStatuses, `${response.status} ${text}`).toContain(response.status);
      expect(response.status, text).toBeLessThan(500);
      expect(response.headers.get('x-request-id')).toBeTruthy();
      expect(response.headers.get('content-security-policy')).toBeTruthy();
      expect(response.headers.get('content-type')).toContain('application/json');
      if (response.status !== 200) expect(text).not.toMatch(leakPattern);
      if (sessionNumber !== 0 && sessionNumber !== tokenIndex && isWrite)
        expect([400, 401, 403, 413, 415]).toContain(response.status);
      // A money rule refuses only after the route has read its input.
      if (!isSignInRoute.has(response.status) || text.includes('MONEY_REFUSED')) successCount++;
      if (isRead) return;
      if (response.status === 200) stateBefore = null;
      else expect(await readState(), `${response.status} ${text}`).toBe(stateBefore);
    };
    const numRuns = name.startsWith('session.sign') ? Math.ceil(runCount / 4) : runCount;
    await fc.assert(fc.asyncProperty(bodyArbitrary(input), headers, sessionIndex, fc.boolean(), sendRequest), { numRuns, seed });
    // Some requests must get past validation. If few draws do, more valid ones are sent.
    const takesFile = 'file' in (input.properties ?? {}); // only in multipart bodies, which are not sent here
    if ((isWrite && !takesFile) || name === 'news.list') {
      for (const value of fc.sample(validValue(input), { numRuns: 100, seed })) {
        if (successCount > 0) break;
        const defaultHeaders = { 'content-type': 'application/json', 'idempotency-key': randomUUID() };
        await sendRequest(JSON.stringify(value) ?? '', defaultHeaders, 0, true);
      }
      expect(successCount).toBeGreaterThan(0);
    }
    if (isRead) expect(await readState()).toBe(stateBefore);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });
});
