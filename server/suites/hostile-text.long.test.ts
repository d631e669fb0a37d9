import { beforeAll, expect, test } from 'vitest';
import { hostileTexts } from '../testing/hostile-texts.ts';
import { listAddressFields, buildHostileInputs, hostileResources } from '../testing/hostile.ts';
import { send, signInAs, createTestApp, type TestApp } from '../testing/support.ts';
import { publicRoutes } from '../public.ts';
import { inTier } from '../../scripts/suite/tier.ts';

// Sends every hostile text through every resource's API (`npm test`: a quarter where adding is slow). It must come back unchanged
// as JSON. For pages see src/lib/ui/list/hostile-text.long.component.test.ts and e2e/suites/hostile-text.spec.ts.

/** Adding these hashes a password or recomputes access. */
const slowResources = new Set(['administrators', 'permissions', 'roles']);

let app: TestApp;
let headers: Record<string, string>;
let existingIds: { home: string; role: string };
beforeAll(async () => {
  app = await createTestApp({ WRITES_PER_MINUTE: '0', READS_PER_MINUTE: '0' });
  ({ headers } = await signInAs(app, 'all'));
  const readOnlyId = async (sql: string) => (await app.database.pool.query<{ id: string }>(sql)).rows[0]?.id ?? '';
  existingIds = {
    home: await readOnlyId(`select id from permission_nodes where identifier = '/'`),
    role: await readOnlyId(`select id from roles where seed = 'analyst'`),
  };
});

interface Row {
  id: string;
  version: number;
}

async function callRpc(route: string, input: unknown): Promise<{ status: number; json: Row }> {
  const response = await send(app, 'POST', `/rpc/${route}`, { json: input }, headers);
  expect(response.headers.get('content-type'), route).toContain('application/json');
  expect(response.headers.get('x-content-type-options'), route).toBe('nosniff');
  return { status: response.status, json: ((await response.json()) as { json: Row }).json };
}

test('there are at least a hundred distinct hostile texts', () => {
  expect(new Set(hostileTexts).size).toBe(hostileTexts.length);
  expect(hostileTexts.length).toBeGreaterThanOrEqual(100);
  expect([...hostileResources.keys()]).toEqual(
    expect.arrayContaining(['news', 'notices', 'roles', 'administrators', 'permissions']),
  );
});

test.each([...hostileResources.keys()])('%s stores each text unchanged, and accepts only http(s) addresses', async (resource) => {
  const hostileSample = slowResources.has(resource)
    ? hostileTexts.filter((_, index) => index % inTier(8, 1) === 0)
    : hostileTexts;
  const inputs = buildHostileInputs(resource, existingIds, hostileSample);
  const addedRows: Row[] = [];
  for (const input of inputs) {
    const { status, json } = await callRpc(`${resource}/add`, input);
    // Confusable and invisible names are refused.
    if (status === 400 && /"(?:lookAlike|unseen)"/.test(JSON.stringify(json))) continue;
    expect(
      status,
      `${JSON.stringify(input)} → ${JSON.stringify(json)}: does test-hostile.ts know values that the route takes?`,
    ).toBe(200);
    const storedTexts = Object.values(json).map(String);
    for (const text of Object.values(input).filter((value) => hostileTexts.includes(value as string)))
      expect(storedTexts, resource).toContain((text as string).trim());
    addedRows.push(json);
  }
  const [baseInput = {}] = inputs;
  for (const name of listAddressFields(hostileResources.get(resource) ?? {}))
    for (const text of hostileTexts) {
      const { status, json } = await callRpc(`${resource}/add`, { ...baseInput, [name]: text });
      if (status !== 200) expect(status, text).toBe(400);
      else {
        expect(String((json as unknown as Record<string, unknown>)[name])).toMatch(/^https?:\/\/[^\s"<>\\]*$/);
        addedRows.push(json);
      }
    }
  if (!publicRoutes.some(({ path }) => path === `/public/${resource}`)) return;
  for (let fromIndex = 0; fromIndex < addedRows.length; fromIndex += 200) {
    const items = addedRows.slice(fromIndex, fromIndex + 200).map(({ id, version }) => ({ id, version }));
    expect((await callRpc(`${resource}/show`, { items })).status).toBe(200);
  }
  await expectPublicTexts(resource, new Set(inputs.flatMap((input) => Object.values(input))));
});

async function expectPublicTexts(resource: string, texts: ReadonlySet<unknown>): Promise<void> {
  const publicTexts = new Set<unknown>();
  for (let cursor: string | null = ''; cursor !== null;) {
    const response = await send(app, 'GET', `/public/${resource}?limit=50${cursor === '' ? '' : `&cursor=${cursor}`}`);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    });
    const body = (await response.json()) as { rows: Record<string, unknown>[]; nextCursor: string | null };
    for (const row of body.rows) for (const value of Object.values(row)) publicTexts.add(value);
    cursor = body.nextCursor;
  }
  expect(hostileTexts.filter((text) => texts.has(text) && !publicTexts.has(text.trim()))).toEqual([]);
}
