import { expect, test } from 'vitest';
import { openDatabase } from '../platform/db/db.ts';
import { createLogger } from '../platform/core/log.ts';
import { createApp } from '../app.ts';
import { readConfig } from '../platform/core/config.ts';
import { onCleanup, createTemporaryFolder } from '../testing/cleanup.ts';
import { savedReleases, restoreRelease } from '../testing/releases.ts';
import { send, signInAs, createTestApp } from '../testing/support.ts';
import type { RoleName } from '../seed/roles.ts';

interface OpenApiDocument {
  openapi: string;
  tags: { name: string; 'x-name'?: { zh: string; en: string } }[];
  paths: Record<string, Record<string, Record<string, unknown>>>;
}

const path = '/api/openapi.json';

test.each([
  ['all', 200],
  ['analyst', 200],
  ['editor', 403],
  ['operator', 403],
  ['approver', 403],
  ['access', 403],
] as const)('the OpenAPI document answers the role %s with %i', async (role: RoleName, status) => {
  const app = await createTestApp();
  const { headers } = await signInAs(app, role);
  expect((await send(app, 'GET', path, undefined, headers)).status).toBe(status);
});

test('the OpenAPI document needs a session, in development too', async () => {
  const app = await createTestApp();
  expect((await send(app, 'GET', path)).status).toBe(401);
});

test('a refused request for the OpenAPI document is in the audit log', async () => {
  const app = await createTestApp();
  const { headers } = await signInAs(app, 'editor');
  await send(app, 'GET', path, undefined, headers);
  const { rows } = await app.database.pool.query(`select result, entity from audit where route = 'GET ${path}'`);
  expect(rows).toEqual([{ result: 'refused', entity: `GET ${path}` }]);
});

test('the OpenAPI document names each route, its permission and its group in both languages', async () => {
  const app = await createTestApp();
  const { headers } = await signInAs(app, 'analyst');
  const document = (await (await send(app, 'GET', path, undefined, headers)).json()) as OpenApiDocument;
  expect(document.openapi).toMatch(/^3\.1/);
  expect(document.tags.filter((tag) => !tag['x-name'])).toEqual([]);
  expect(document.tags).toContainEqual({
    name: 'news',
    description: 'News Manage',
    'x-name': { zh: '新闻管理', en: 'News Manage' },
  });
  expect(document.paths['/news']?.['post']).toMatchObject({
    operationId: 'news.add',
    tags: ['news'],
    'x-access': { permission: 'news.add' },
    'x-name': { zh: expect.any(String), en: expect.any(String) },
    security: [{ session: [] }],
  });
  expect(document.paths['/session']?.['post']).toMatchObject({ 'x-access': { public: true }, security: [] });
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  expect(operations.length).toBeGreaterThan(300);
  expect(operations.filter((operation) => !operation['x-access'])).toEqual([]);
  const idempotentOperations = operations.filter((operation) => (operation['x-access'] as { keyed?: true }).keyed);
  expect(idempotentOperations.length).toBeGreaterThan(0);
  for (const { parameters } of idempotentOperations)
    expect(parameters).toContainEqual(expect.objectContaining({ name: 'Idempotency-Key' }));
});

test('the address /api/docs serves the page of the panel, and other addresses below /api do not', async () => {
  const app = await createTestApp({}, { files: () => new Response('the panel', { headers: { 'content-type': 'text/html' } }) });
  const page = await send(app, 'GET', '/api/docs');
  expect({ status: page.status, text: await page.text() }).toEqual({ status: 200, text: 'the panel' });
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect((await send(app, 'HEAD', '/api/docs')).status).toBe(200);
  for (const [method, otherMethod] of [
    ['POST', '/api/docs'],
    ['GET', '/api/docs/more'],
    ['GET', '/api/none'],
  ] as const)
    expect((await send(app, method, otherMethod)).status, `${method} ${otherMethod}`).toBe(404);
});

test.each(savedReleases.map((release) => [release.version, release] as const))(
  'starting on the database of %s adds the screen to the permission tree, for all rights and the analyst only',
  { timeout: 180_000 },
  async (_, release) => {
    const url = await restoreRelease(release);
    const log = createLogger({ level: 'silent' });
    const database = openDatabase({ url, log });
    onCleanup(() => database.close());
    const readGrants = () =>
      database.pool.query<{ seed: string | null }>(
        `select r.seed from permission_nodes n join role_nodes rn on rn.node_id = n.id join roles r on r.id = rn.role_id
         where n.identifier = '/api/docs' order by r.seed`,
      );
    expect((await readGrants()).rows).toEqual([]);
    const config = readConfig({ NODE_ENV: 'test', DATA_DIR: createTemporaryFolder(), DATABASE_URL: url, DEMO_NEWS: 'off' });
    const app = { http: await createApp({ config, log, database, jobs: false }), database: { ...database, url }, config };
    onCleanup(() => app.http.stop());
    const { rows } = await readGrants();
    expect(rows.map(({ seed }) => seed)).toEqual(['all', 'analyst']);
    const releaseApp = { ...app, clock: { now: Date.now() }, logged: [] };
    const readStatus = async (role: RoleName) =>
      (await send(releaseApp, 'GET', path, undefined, (await signInAs(releaseApp, role)).headers)).status;
    expect([await readStatus('analyst'), await readStatus('editor')]).toEqual([200, 403]);
  },
);
