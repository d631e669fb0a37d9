import { traverseContractProcedures, type AnyRouter } from '@orpc/server';
import type { APIRequestContext, Page } from 'playwright/test';
import { toJSONSchema } from 'zod';
import { contract } from '../api/contract.ts';
import { functions } from '../api/names.ts';
import { publicRoutes } from '../server/public.ts';
import { registry } from '../src/commands/all.ts';
import { expect, test, type Admin } from './fixtures.ts';
import { hostileTexts } from './support/hostile-texts.ts';

interface Schema {
  type?: string;
  format?: string;
  pattern?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  maxLength?: number;
  properties?: Record<string, Schema>;
}

/** Adding to these takes addresses and choices alone: nothing there is free text, and their own tests try what is no address. */
const withoutText = new Set(['withdrawals']);

/** Every resource that something can be added to, with the schema of what its route takes. */
const resources = new Map<string, Record<string, Schema>>();
traverseContractProcedures({ router: contract as unknown as AnyRouter, path: [] }, ({ contract: procedure, path }) => {
  const { meta, inputSchema } = procedure['~orpc'];
  const [resource = '', name] = path;
  if (name !== 'add' || withoutText.has(resource) || !('permission' in (meta as object)) || !inputSchema) return;
  const schema = toJSONSchema(inputSchema as never, { io: 'input', unrepresentable: 'any' }) as Schema;
  if (schema.properties?.['file']) return; // a file, not a field
  resources.set(resource, schema.properties ?? {});
});

const memberOf = (resource: string, name: string) => (contract as Record<string, Record<string, unknown>>)[resource]?.[name];
const screenOf = (resource: string) =>
  Object.entries(functions).find(([, ids]) => ids.some((id) => id === `${resource}.add`))?.[0] ?? '/';

/** What no schema says of a field: values that exist, or that may be there once. */
type Given = Record<string, (at: number) => unknown>;

/** Text anybody may type; an address, a mailbox and a secret have rules of their own and are tried apart. */
const isText = ({ type, format, pattern, enum: choices, maxLength = 0 }: Schema) =>
  type === 'string' && !format && !pattern && !choices && ![254, 256, 2000].includes(maxLength);
const isAddress = ({ type, maxLength }: Schema) => type === 'string' && maxLength === 2000;

/** A field's plain value, as its schema has it. */
function plain(schema: Schema, at: number): unknown {
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf) return schema.anyOf.some(({ type }) => type === 'null') ? null : plain(schema.anyOf[0] ?? {}, at);
  if (schema.type === 'boolean') return false;
  if (schema.type === 'array') return [];
  if (schema.type === 'integer' || schema.type === 'number') return 1;
  if (schema.pattern?.includes('T')) return '2026-01-02T03:04:05.678Z';
  if (isAddress(schema)) return 'https://a.example/';
  return `plain ${at}`;
}

const inputOf = (fields: Record<string, Schema>, given: Given, text: string, at: number) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => {
      if (given[name]) return [name, given[name](at)];
      return [name, isText(schema) && text.length <= (schema.maxLength ?? 0) ? text : plain(schema, at)];
    }),
  );

interface Row {
  id: string;
  version: number;
}

/** Calls routes as whoever is signed in on the page, a few at a time. */
async function caller(page: Page, url: string) {
  const authorization = await page.evaluate(() => localStorage.getItem('Authorization') ?? '');
  const request: APIRequestContext = page.request;
  return async (route: string, input: unknown): Promise<{ status: number; json: unknown }> => {
    const answer = await request.post(`${url}/rpc/${route}`, { headers: { authorization }, data: { json: input } });
    const headers = answer.headers();
    expect(headers['content-type'], route).toContain('application/json');
    expect(headers['x-content-type-options'], route).toBe('nosniff');
    return { status: answer.status(), json: ((await answer.json()) as { json: unknown }).json };
  };
}

async function inTurn<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const one of all) results.push(await work(one));
  return results;
}

/** Notes whatever a text did that it should not have. */
async function watch(page: Page): Promise<string[]> {
  const deeds: string[] = [];
  page.on('dialog', (dialog) => {
    deeds.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => request.url().includes('evil.example') && deeds.push(`a request to ${request.url()}`));
  page.on('popup', (popup) => deeds.push(`a window at ${popup.url()}`));
  page.on('framenavigated', (frame) => frame !== page.mainFrame() && deeds.push(`a frame at ${frame.url()}`));
  await page.exposeFunction('tellDeed', (what: string) => deeds.push(what));
  await page.addInitScript(() => {
    const tell = (what: string) => (window as unknown as { tellDeed: (what: string) => void }).tellDeed(what);
    addEventListener('securitypolicyviolation', (event) =>
      tell(`a violation of ${event.violatedDirective}: ${event.blockedURI}`),
    );
    for (const name of ['alert', 'confirm', 'prompt', 'print'] as const)
      window[name] = (() => tell(`a call of ${name}`)) as never;
  });
  return deeds;
}

/** What markup in a text would have left behind in the page. */
const traces = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('xss, marquee, iframe, object, embed, base, portal, isindex, math, body script, body style')]
      .map((element) => element.outerHTML)
      .concat(
        [...document.querySelectorAll('*')].flatMap((element) =>
          element
            .getAttributeNames()
            .filter((name) => name.startsWith('on') || name === 'srcdoc')
            .map((name) => `${element.tagName} ${name}`),
        ),
        [...document.querySelectorAll<HTMLAnchorElement>('a[href]')]
          .filter(({ protocol }) => !['http:', 'https:'].includes(protocol))
          .map(({ href }) => href),
      ),
  );

test('there are a hundred hostile texts and more, each another', () => {
  expect(new Set(hostileTexts).size).toBe(hostileTexts.length);
  expect(hostileTexts.length).toBeGreaterThanOrEqual(100);
  expect([...resources.keys()]).toEqual(expect.arrayContaining(['news', 'notices', 'roles', 'administrators', 'permissions']));
});

for (const [resource, fields] of resources) {
  test(`${resource}: hostile text stays text in the list, the record, the form, the palette, the audit and in public`, async ({
    admin,
    page,
    db,
  }) => {
    test.setTimeout(180_000);
    const deeds = await watch(page);
    const screen = screenOf(resource);
    await admin.signIn('all', '/');
    const call = await caller(page, admin.url);
    const stamp = Date.now();
    const only = async (sql: string) => (await db.query<{ id: string }>(sql)).rows[0]?.id ?? '';
    const [home, analyst] = [
      await only(`select id from permission_nodes where identifier = '/'`),
      await only(`select id from roles where seed = 'analyst'`),
    ];
    const given: Record<string, Given> = {
      roles: { grants: () => ['/'] },
      airdrops: { address: () => '0x52908400098527886E0F7030069857D2E4169EE7', berries: () => '1' },
      deposits: {
        userAddress: () => '0x52908400098527886E0F7030069857D2E4169EE7',
        amount: () => '100000000',
        coboAddress: () => 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
        txid: (at) => `${stamp}${at}`.padStart(64, 'f'),
      },
      administrators: {
        email: (at) => `hostile${stamp}x${at}@demo.local`,
        password: () => 'a long enough password',
        roles: () => [analyst],
      },
      permissions: {
        to: () => home,
        kind: (at) => (at % 2 === 0 ? 'menu' : 'function'),
        place: (at) => (at % 2 === 0 ? 'after' : 'under'),
        identifier: (at) => (at % 2 === 0 ? `/hostile-${at}` : `hostile.${at}`),
      },
    };
    const inputs = hostileTexts.map((text, at) => inputOf(fields, given[resource] ?? {}, text, at));
    const added = await inTurn(inputs, async (input) => {
      const { status, json } = await call(`${resource}/add`, input);
      expect(status, `${JSON.stringify(input)} → ${JSON.stringify(json)}: does this file know values that the route takes?`).toBe(
        200,
      );
      return json as Row;
    });

    // An address is http(s) or refused, never kept as it was sent.
    for (const name of Object.keys(fields).filter((one) => isAddress(fields[one] ?? {}))) {
      const [base = {}] = inputs;
      await inTurn(hostileTexts, async (text) => {
        const { status, json } = await call(`${resource}/add`, { ...base, [name]: text });
        if (status !== 200) return expect(status, text).toBe(400);
        expect(String((json as Record<string, unknown>)[name])).toMatch(/^https?:\/\/[^\s"<>\\]*$/);
        added.push(json as Row);
      });
    }

    await test.step('the list, to its end', async () => {
      await admin.open(screen);
      const rows = page.locator('[role="row"], [role="treeitem"]');
      await expect(rows.nth(5)).toBeVisible();
      for (let step = 0; step < 16; step++) {
        await rows.last().scrollIntoViewIfNeeded();
        await page.mouse.move(700, 500);
        await page.mouse.wheel(0, 2000);
        await page.waitForTimeout(40);
      }
      expect(await traces(page)).toEqual([]);
    });

    // Whatever only looks at one record: the drawer, the preview, what else there will be.
    const looks = registry.all.filter(
      ({ target, passing, params }) => passing && !params && target.kind === 'one' && (target.entity as string) === resource,
    );
    for (const { id } of looks) {
      await test.step(id, async () => {
        // The list has shown every text; one look in four keeps the run short.
        for (const [at, text] of hostileTexts.entries()) {
          const record = added[at]?.id;
          if (at % 4 !== 0 || record === undefined || (await look(page, id, record, text.trim())) === 'blocked') continue;
          expect(await traces(page)).toEqual([]);
        }
      });
    }

    await test.step('forms and questions', async () => {
      const withText = added[32]?.id ?? '';
      for (const command of ['edit', 'delete']) {
        await admin.open(`/~${resource}.${command}?id=${withText}`);
        await expect(page.locator('[role="dialog"], [role="alertdialog"]').filter({ visible: true }).first()).toBeVisible();
        expect(await traces(page)).toEqual([]);
      }
      const [text = ''] = hostileTexts;
      const query = new URLSearchParams(Object.keys(fields).map((name) => [name, text]));
      await admin.open(`/~${resource}.add?${query}${resource === 'permissions' ? `&id=${home}` : ''}`);
      await expect(page.getByRole('dialog').filter({ visible: true }).first()).toBeVisible();
      expect(await traces(page)).toEqual([]);
    });

    await test.step('the palette, by part of the text', async () => {
      await admin.open(screen);
      for (const part of ['<script', 'onerror=alert', 'javascript:']) {
        await page.keyboard.press('Control+k');
        await page.locator('[data-palette-input]').fill(part);
        if (memberOf(resource, 'list') && ['news', 'notices'].includes(resource))
          await expect(page.locator(`[data-palette] [data-row^="${resource}:"]`).first()).toBeVisible();
        expect(await traces(page)).toEqual([]);
        await page.keyboard.press('Escape');
        await page.keyboard.press('Escape');
      }
    });

    await test.step('the audit', async () => {
      await admin.open('/audit');
      await page.locator('[role="row"]').nth(2).locator('[data-column]').first().click();
      await page.keyboard.press('Enter');
      await expect(page.locator('[data-record]')).toBeVisible();
      expect(await traces(page)).toEqual([]);
    });

    if (publicRoutes.some(({ path }) => path === `/public/${resource}`)) {
      await test.step('in public', async () => {
        for (let from = 0; from < added.length; from += 200)
          expect((await call(`${resource}/show`, { items: added.slice(from, from + 200).map(itemOf) })).status).toBe(200);
        await expectPublic(admin, resource, new Set(inputs.flatMap((input) => Object.values(input))));
      });
    }

    expect(deeds).toEqual([]);
  });
}

const itemOf = ({ id, version }: Row) => ({ id, version });

/** Looks at one record by a command, as soon as it stands there. */
async function look(page: Page, command: string, target: string, text: string): Promise<'seen' | 'blocked'> {
  return page.evaluate(
    async ([id, record, words]) => {
      const isThere = () => [...document.querySelectorAll('[role="dialog"]')].some((one) => one.textContent.includes(words));
      try {
        await window.admin?.run(id as never, { targets: [record] });
      } catch (error) {
        if ((error as { code?: string }).code === 'BLOCKED') return 'blocked';
        throw error;
      }
      if (!location.search.includes(record)) return 'seen'; // it opened nothing: a copy
      for (let tries = 0; tries < 1500 && !isThere(); tries++) await new Promise((resolve) => setTimeout(resolve, 10));
      if (!isThere()) throw new Error(`${id} does not show ${words}`);
      return 'seen';
    },
    [command, target, text] as const,
  );
}

/** Every page of a public endpoint: JSON that nobody takes for anything else, the texts in it to the letter. */
async function expectPublic({ page, url }: Admin, resource: string, texts: ReadonlySet<unknown>): Promise<void> {
  const seen = new Set<unknown>();
  for (let cursor: string | null = ''; cursor !== null;) {
    const answer = await page.request.get(`${url}/public/${resource}?limit=50${cursor === '' ? '' : `&cursor=${cursor}`}`);
    expect(answer.status()).toBe(200);
    expect(answer.headers()).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    });
    const body = (await answer.json()) as { rows: Record<string, unknown>[]; nextCursor: string | null };
    for (const row of body.rows) for (const value of Object.values(row)) seen.add(value);
    cursor = body.nextCursor;
  }
  const missing = hostileTexts.filter((text) => texts.has(text) && !seen.has(text.trim()));
  expect(missing).toEqual([]);
  await page.goto(`${url}/public/${resource}?limit=50`); // as a page of its own it is text, too
  expect(await traces(page)).toEqual([]);
}
