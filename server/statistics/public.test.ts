import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openCountries } from '../platform/content/countries.ts';
import { ConfigError } from '../platform/core/config.ts';
import { createPeer, send, createTestApp, type TestApp } from '../testing/support.ts';

const website = 'https://www.protocol.example';
const app = await createTestApp({ PUBLIC_ORIGINS: website, EVENTS_PER_NETWORK: '100000' }, { jobs: false });
const hourMs = 3_600_000;
const address = '0x52908400098527886E0F7030069857D2E4169EE7';

const timeBefore = (ms: number) => new Date(app.clock.now - ms).toISOString();
const createVisit = (overrides: Record<string, unknown> = {}) => ({
  id: randomUUID(),
  at: timeBefore(hourMs),
  page: '/mint',
  ...overrides,
});
const createConnection = (overrides: Record<string, unknown> = {}) => ({
  id: randomUUID(),
  at: timeBefore(hourMs),
  address,
  wallet: 'OKX',
  chainId: 200901,
  ...overrides,
});
const postEvents = async (
  eventPath: string,
  events: unknown,
  { on = app, headers = {} as Record<string, string>, ip = '203.0.113.7' } = {},
) => {
  const request = new Request(`http://localhost/public/${eventPath}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ events }),
  });
  const response = await on.http.fetch(request, createPeer(ip));
  return { status: response.status, headers: response.headers, body: (await response.json()) as Record<string, unknown> };
};
const readStoredVisits = async (page: string) =>
  (await app.database.pool.query(`select * from visits where page = $1 order by at`, [page])).rows as Record<string, unknown>[];

test('a repeated batch and a repeated event within it count once', async () => {
  const events = [createVisit({ page: '/once' }), createVisit({ page: '/once' })];
  expect(await postEvents('visits', [...events, events[0]])).toMatchObject({
    status: 202,
    body: { taken: 2, repeated: 1, refused: [] },
  });
  const repeatedResponses = await Promise.all([
    postEvents('visits', events),
    postEvents('visits', events),
    postEvents('visits', events.toReversed()),
  ]);
  for (const { body } of repeatedResponses) expect(body).toEqual({ taken: 0, repeated: 2, refused: [] });
  expect(await readStoredVisits('/once')).toHaveLength(2);
  const { rows } = await app.database.pool.query(`select sum(visits)::int as n from visit_deltas where page = '/once'`);
  expect(rows).toEqual([{ n: 2 }]);
});

test('events a week late and out of order are accepted, older and future ones refused by position', async () => {
  const weekMs = 7 * 24 * hourMs;
  const { body } = await postEvents('visits', [
    createVisit({ page: '/late', at: timeBefore(-4 * 60_000) }),
    createVisit({ page: '/late', at: timeBefore(weekMs + 1) }),
    createVisit({ page: '/late', at: timeBefore(weekMs) }),
    createVisit({ page: '/late', at: timeBefore(-6 * 60_000) }),
  ]);
  expect(body).toEqual({ taken: 2, repeated: 0, refused: [1, 3] });
});

test('a visit keeps only the path of its page', async () => {
  const visitFields = {
    page: '/vault?email=a@b.example#x',
    chainId: 1,
    btcDeposited: '2100000000000000',
    yuMinted: '1',
    address,
    vaultId: '12',
  };
  await postEvents('visits', [createVisit(visitFields)]);
  expect(await readStoredVisits('/vault')).toMatchObject([
    { page: '/vault', country: null, chain_id: 1, btc_deposited: '2100000000000000', yu_minted: '1', address, vault_id: '12' },
  ]);
});

test.each([
  ['no events', []],
  ['too many events', Array.from({ length: 501 }, () => createVisit())],
  ['an id that is not a UUID', [createVisit({ id: 'x' })]],
  ['more bitcoin than there is', [createVisit({ btcDeposited: '2100000000000001' })]],
  ['a fraction', [createVisit({ yuMinted: '0.5' })]],
  ['a page of another site', [createVisit({ page: 'https://a.example/' })]],
  ['a text that turns direction', [createVisit({ page: '/a\u202e' })]],
  ['a mistyped address', [createVisit({ address: address.replace('E0F', 'e0f') })]],
  ['an unknown field', [createVisit({ ip: '203.0.113.7' })]],
])('a batch of visits with %s is refused as a whole', async (_, events) => {
  expect(await postEvents('visits', events)).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
});

test('headers cannot set the country, and the sender’s address is stored nowhere', async () => {
  const ip = '198.51.100.77';
  await postEvents('visits', [createVisit({ page: '/private' })], {
    ip,
    headers: { 'cf-ipcountry': 'DE', 'x-forwarded-for': '8.8.8.8' },
  });
  expect(await readStoredVisits('/private')).toMatchObject([{ country: null }]);
  for (const table of ['visits', 'visit_deltas', 'rate_limits', 'audit']) {
    const { rows } = await app.database.pool.query(`select 1 from ${table} t where t::text like '%${ip}%'`);
    expect(rows, table).toEqual([]);
  }
  expect(app.logged.filter((line) => line.includes(ip))).toEqual([]);
  expect(app.logged.some((line) => line.includes('/public/visits'))).toBe(true);
});

test('only pages of the configured websites can send events', async () => {
  const acceptedResponse = await postEvents('visits', [createVisit()], { headers: { origin: website } });
  expect(acceptedResponse.headers.get('access-control-allow-origin')).toBe(website);
  expect(await postEvents('visits', [createVisit()], { headers: { origin: 'https://evil.example' } })).toMatchObject({
    status: 403,
  });
  expect((await send(app, 'OPTIONS', '/public/visits', undefined, { origin: website })).status).toBe(204);
});

test('a network that sends too much is delayed, and no other', async () => {
  const limitedApp: TestApp = await createTestApp({ EVENTS_PER_NETWORK: '2' }, { jobs: false });
  const postBatch = () =>
    postEvents('visits', [{ ...createVisit(), at: new Date(limitedApp.clock.now).toISOString() }], { on: limitedApp });
  expect([(await postBatch()).status, (await postBatch()).status, (await postBatch()).status]).toEqual([202, 202, 429]);
  const otherVisit = { ...createVisit(), at: new Date(limitedApp.clock.now).toISOString() };
  expect((await postEvents('visits', [otherVisit], { on: limitedApp, ip: '203.0.113.8' })).status).toBe(202);
});

test('each address has one row per wallet and chain with first and last time and count', async () => {
  const wallet = 'Xverse';
  const events = [5, 1, 3].map((hours) => createConnection({ wallet, at: timeBefore(hours * hourMs) }));
  await postEvents('wallet-connections', events);
  await Promise.all([
    postEvents('wallet-connections', events),
    postEvents('wallet-connections', [createConnection({ wallet, at: timeBefore(9 * hourMs) })]),
  ]);
  await postEvents('wallet-connections', [createConnection({ wallet, chainId: 1 })]);
  const { rows } = await app.database.pool.query(
    `select chain_id, times, first_at, last_at from wallet_connections where wallet = $1 order by chain_id`,
    [wallet],
  );
  expect(rows).toMatchObject([
    { chain_id: 1, times: 1 },
    { chain_id: 200901, times: 4, first_at: new Date(timeBefore(9 * hourMs)), last_at: new Date(timeBefore(hourMs)) },
  ]);
});

test('the country comes only from the configured database', async () => {
  const file = join(app.config.dataDir, 'country.mmdb');
  writeFileSync(file, createCountryDatabase('DE'));
  const appWithCountries = await createTestApp({ COUNTRY_DATABASE: file }, { jobs: false });
  await postEvents('visits', [{ ...createVisit(), at: new Date(appWithCountries.clock.now).toISOString() }], {
    on: appWithCountries,
  });
  const { rows } = await appWithCountries.database.pool.query('select country from visits');
  expect(rows).toEqual([{ country: 'DE' }]);
  expect(openCountries(appWithCountries.config)('unknown')).toBeNull();
  writeFileSync(file, 'no database');
  expect(() => openCountries(appWithCountries.config)).toThrow(ConfigError);
});

/** A MaxMind database with one node: every address is in one country. */
function createCountryDatabase(code: string): Buffer {
  const text = (value: string) => Buffer.concat([Buffer.from([0x40 | value.length]), Buffer.from(value)]);
  const encodeMap = (...pairs: Buffer[]) => Buffer.concat([Buffer.from([0xe0 | (pairs.length / 2)]), ...pairs]);
  const encodeNumber = (type: 5 | 6, value: number) => Buffer.from([(type << 5) | 1, value]);
  const data = encodeMap(text('country'), encodeMap(text('iso_code'), text(code)));
  const leafRecord = 1 + 16; // the first record of the data, behind one node
  const searchTree = Buffer.from([0, 0, leafRecord, 0, 0, leafRecord]);
  const databaseMetadata = encodeMap(
    text('node_count'),
    encodeNumber(6, 1),
    text('record_size'),
    encodeNumber(5, 24),
    text('ip_version'),
    encodeNumber(5, 4),
    text('database_type'),
    text('Test'),
    text('binary_format_major_version'),
    encodeNumber(5, 2),
    text('binary_format_minor_version'),
    encodeNumber(5, 0),
    text('build_epoch'),
    encodeNumber(6, 1),
    text('languages'),
    Buffer.from([0x00, 0x04]), // an array of none
    text('description'),
    encodeMap(),
  );
  return Buffer.concat([
    searchTree,
    Buffer.alloc(16),
    data,
    Buffer.from('abcdef', 'hex'),
    Buffer.from('MaxMind.com'),
    databaseMetadata,
  ]);
}
