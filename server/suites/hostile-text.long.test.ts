import { beforeAll, expect, test } from 'vitest';
import { hostileTexts } from '../testing/hostile-texts.ts';
import { addressesOf, hostileInputs, hostileResources } from '../testing/hostile.ts';
import { send, signInAs, testApp, type TestApp } from '../testing/support.ts';
import { publicRoutes } from '../public.ts';
import { inTier } from '../../scripts/suite/tier.ts';

// Sends every hostile text through every resource's API (`npm test`: a quarter where adding is slow). It must come back unchanged
// as JSON. For pages see src/lib/ui/list/hostile-text.long.component.test.ts and e2e/suites/hostile-text.spec.ts.

/** Adding these hashes a password or recomputes access. */
const slow = new Set(['administrators', 'permissions', 'roles']);

let app: TestApp;
let headers: Record<string, string>;
let there: { home: string; role: string };
beforeAll(async () => {
  app = await testApp({ WRITES_PER_MINUTE: '0', READS_PER_MINUTE: '0' });
  ({ headers } = await signInAs(app, 'all'));
  const only = async (sql: string) => (await app.database.pool.query<{ id: string }>(sql)).rows[0]?.id ?? '';
  there = {
    home: await only(`select id from permission_nodes where identifier = '/'`),
    role: await only(`select id from roles where seed = 'analyst'`),
  };
});

interface Row {
  id: string;
  version: number;
}

async function call(route: string, input: unknown): Promise<{ status: number; json: Row }> {
  const answer = await send(app, 'POST', `/rpc/${route}`, { json: input }, headers);
  expect(answer.headers.get('content-type'), route).toContain('application/json');
  expect(answer.headers.get('x-content-type-options'), route).toBe('nosniff');
  return { status: answer.status, json: ((await answer.json()) as { json: Row }).json };
}

test('there are at least a hundred distinct hostile texts', () => {
  expect(new Set(hostileTexts).size).toBe(hostileTexts.length);
  expect(hostileTexts.length).toBeGreaterThanOrEqual(100);
  expect([...hostileResources.keys()]).toEqual(
    expect.arrayContaining(['news', 'notices', 'roles', 'administrators', 'permissions']),
  );
});

test.each([...hostileResources.keys()])('%s stores each text unchanged, and accepts only http(s) addresses', async (resource) => {
  const texts = slow.has(resource) ? hostileTexts.filter((_, at) => at % inTier(8, 1) === 0) : hostileTexts;
  const inputs = hostileInputs(resource, there, texts);
  const added: Row[] = [];
  for (const input of inputs) {
    const { status, json } = await call(`${resource}/add`, input);
    // Confusable and invisible names are refused.
    if (status === 400 && /"(?:lookAlike|unseen)"/.test(JSON.stringify(json))) continue;
    expect(
      status,
      `${JSON.stringify(input)} → ${JSON.stringify(json)}: does test-hostile.ts know values that the route takes?`,
    ).toBe(200);
    const stored = Object.values(json).map(String);
    for (const text of Object.values(input).filter((value) => hostileTexts.includes(value as string)))
      expect(stored, resource).toContain((text as string).trim());
    added.push(json);
  }
  const [base = {}] = inputs;
  for (const name of addressesOf(hostileResources.get(resource) ?? {}))
    for (const text of hostileTexts) {
      const { status, json } = await call(`${resource}/add`, { ...base, [name]: text });
      if (status !== 200) expect(status, text).toBe(400);
      else {
        expect(String((json as unknown as Record<string, unknown>)[name])).toMatch(/^https?:\/\/[^\s"<>\\]*$/);
        added.push(json);
      }
    }
  if (!publicRoutes.some(({ path }) => path === `/public/${resource}`)) return;
  for (let from = 0; from < added.length; from += 200) {
    const items = added.slice(from, from + 200).map(({ id, version }) => ({ id, version }));
    expect((await call(`${resource}/show`, { items })).status).toBe(200);
  }
  await expectPublic(resource, new Set(inputs.flatMap((input) => Object.values(input))));
});

async function expectPublic(resource: string, texts: ReadonlySet<unknown>): Promise<void> {
  const seen = new Set<unknown>();
  for (let cursor: string | null = ''; cursor !== null;) {
    const answer = await send(app, 'GET', `/public/${resource}?limit=50${cursor === '' ? '' : `&cursor=${cursor}`}`);
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    });
    const body = (await answer.json()) as { rows: Record<string, unknown>[]; nextCursor: string | null };
    for (const row of body.rows) for (const value of Object.values(row)) seen.add(value);
    cursor = body.nextCursor;
  }
  expect(hostileTexts.filter((text) => texts.has(text) && !seen.has(text.trim()))).toEqual([]);
}
