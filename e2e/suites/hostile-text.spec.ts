import type { APIRequestContext, Page } from 'playwright/test';
import { contract } from '../../api/contract.ts';
import { functions } from '../../api/all-names.ts';
import { hostileTexts } from '../../server/testing/hostile-texts.ts';
import { hostileInputs, hostileResources } from '../../server/testing/hostile.ts';
import { publicRoutes } from '../../server/public.ts';
import { registry } from '../../src/commands/app/all.ts';
import { importTraces as left } from '../../src/testing/traces.ts';
import { expect, test } from '../fixtures.ts';

const memberOf = (resource: string, name: string) => (contract as Record<string, Record<string, unknown>>)[resource]?.[name];
const screenOf = (resource: string) =>
  Object.entries(functions).find(([, ids]) => ids.some((id) => id === `${resource}.add`))?.[0] ?? '/';

interface Row {
  id: string;
  version: number;
}

async function caller(page: Page, url: string) {
  const authorization = await page.evaluate(() => localStorage.getItem('Authorization') ?? '');
  const request: APIRequestContext = page.request;
  return async (route: string, input: unknown): Promise<{ status: number; json: unknown }> => {
    const response = await request.post(`${url}/rpc/${route}`, { headers: { authorization }, data: { json: input } });
    const headers = response.headers();
    expect(headers['content-type'], route).toContain('application/json');
    expect(headers['x-content-type-options'], route).toBe('nosniff');
    return { status: response.status(), json: ((await response.json()) as { json: unknown }).json };
  };
}

async function inSequence<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const one of all) results.push(await work(one));
  return results;
}

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

const traces = (page: Page) => page.evaluate(left);

const drawnRows = (page: Page) =>
  page.evaluate(() => {
    const list = document.querySelector('[role="grid"], [role="tree"]');
    const rows = [...(list?.querySelectorAll('[role="row"][id], [role="treeitem"]') ?? [])];
    const isLast = rows.at(-1)?.getAttribute('aria-rowindex') === list?.getAttribute('aria-rowcount');
    const isDown = list !== null && list.scrollTop + list.clientHeight > list.scrollHeight - 1;
    return { ids: rows.map(({ id }) => id.slice(-36)), isEnd: isLast && isDown };
  });

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

const parts = ['<script', 'onerror=alert', 'javascript:'];

// `npm test` covers storage and one list (server/suites/hostile-text.long.test.ts,
// hostile-text.component.test.ts).
test.describe('hostile text', { tag: '@long' }, () => {
  for (const resource of hostileResources.keys()) {
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
      const only = async (sql: string) => (await db.query<{ id: string }>(sql)).rows[0]?.id ?? '';
      const home = await only(`select id from permission_nodes where identifier = '/'`);
      const role = await only(`select id from roles where seed = 'analyst'`);
      const inputs = hostileInputs(resource, { home, role }, hostileTexts);
      const added = await inSequence(inputs, async (input) => {
        const { status, json } = await call(`${resource}/add`, input);
        expect(status, JSON.stringify(input)).toBe(200);
        return json as Row;
      });

      await test.step('the list, to its end', async () => {
        await admin.open(screen);
        const rows = page.locator('[role="row"], [role="treeitem"]');
        await expect(rows.nth(5)).toBeVisible();
        // Scrolls by less than half a screen, so that no row is missed.
        await page.mouse.move(700, 500);
        const shown = new Set<string>();
        let isEnd = false;
        for (let step = 0; step < 200 && !isEnd; step++) {
          const drawn = await drawnRows(page);
          for (const id of drawn.ids) shown.add(id);
          ({ isEnd } = drawn);
          expect(await traces(page)).toEqual([]);
          await page.mouse.wheel(0, 300);
          await page.waitForTimeout(40);
        }
        expect(isEnd, 'the end of the list').toBe(true);
        expect(added.filter(({ id }) => !shown.has(id))).toEqual([]);
      });

      const looks = registry.all.filter(
        ({ target, excludeFromHistory, params }) =>
          excludeFromHistory && !params && target.kind === 'one' && (target.entity as string) === resource,
      );
      for (const { id } of looks) {
        await test.step(id, async () => {
          // One look in four keeps the long run short.
          for (const [at, text] of hostileTexts.entries()) {
            const record = added[at]?.id;
            if (at % 4 !== 0 || record === undefined || (await look(page, id, record, text.trim())) === 'blocked') continue;
            expect(await traces(page)).toEqual([]);
          }
        });
      }

      await test.step('forms and questions', async () => {
        const withText = added[Math.min(32, added.length - 1)]?.id ?? '';
        for (const command of ['edit', 'delete']) {
          await admin.open(`/~${resource}.${command}?id=${withText}`);
          await expect(page.locator('[role="dialog"], [role="alertdialog"]').filter({ visible: true }).first()).toBeVisible();
          expect(await traces(page)).toEqual([]);
        }
        const [text = ''] = hostileTexts;
        const query = new URLSearchParams(Object.keys(hostileResources.get(resource) ?? {}).map((name) => [name, text]));
        await admin.open(`/~${resource}.add?${query}${resource === 'permissions' ? `&id=${home}` : ''}`);
        await expect(page.getByRole('dialog').filter({ visible: true }).first()).toBeVisible();
        expect(await traces(page)).toEqual([]);
      });

      await test.step('the palette, by part of the text', async () => {
        await admin.open('/');
        await admin.open(screen);
        for (const part of parts) {
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
          expect((await call(`${resource}/show`, { items: added.map(itemOf) })).status).toBe(200);
          await page.goto(`${admin.url}/public/${resource}?limit=50`);
          expect(await traces(page)).toEqual([]);
        });
      }

      expect(deeds).toEqual([]);
    });
  }
});

const itemOf = ({ id, version }: Row) => ({ id, version });

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
      if (!location.search.includes(record)) return 'seen';
      for (let tries = 0; tries < 1500 && !isThere(); tries++) await new Promise((resolve) => setTimeout(resolve, 10));
      if (!isThere()) throw new Error(`${id} does not show ${words}`);
      return 'seen';
    },
    [command, target, text] as const,
  );
}
