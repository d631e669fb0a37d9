import type { APIRequestContext, Page } from 'playwright/test';
import { contract } from '../../api/contract.ts';
import { functions } from '../../api/all-names.ts';
import { hostileTexts } from '../../server/testing/hostile-texts.ts';
import { buildHostileInputs, hostileResources } from '../../server/testing/hostile.ts';
import { publicRoutes } from '../../server/public.ts';
import { registry } from '../../src/commands/app/all.ts';
import { importTraces as left } from '../../src/testing/traces.ts';
import { expect, test } from '../fixtures.ts';

const findRoute = (resource: string, name: string) => (contract as Record<string, Record<string, unknown>>)[resource]?.[name];
const findScreen = (resource: string) =>
  Object.entries(functions).find(([, ids]) => ids.some((id) => id === `${resource}.add`))?.[0] ?? '/';

interface Row {
  id: string;
  version: number;
}

async function createCaller(page: Page, url: string) {
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

async function runInSequence<T, R>(items: readonly T[], run: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await run(item));
  return results;
}

async function watchSideEffects(page: Page): Promise<string[]> {
  const sideEffects: string[] = [];
  page.on('dialog', (dialog) => {
    sideEffects.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => request.url().includes('evil.example') && sideEffects.push(`a request to ${request.url()}`));
  page.on('popup', (popup) => sideEffects.push(`a window at ${popup.url()}`));
  page.on(
    'framenavigated',
    (childFrame) => childFrame !== page.mainFrame() && sideEffects.push(`a frame at ${childFrame.url()}`),
  );
  await page.exposeFunction('tellDeed', (description: string) => sideEffects.push(description));
  await page.addInitScript(() => {
    const reportSideEffect = (description: string) =>
      (window as unknown as { tellDeed: (description: string) => void }).tellDeed(description);
    addEventListener('securitypolicyviolation', (event) =>
      reportSideEffect(`a violation of ${event.violatedDirective}: ${event.blockedURI}`),
    );
    for (const name of ['alert', 'confirm', 'prompt', 'print'] as const)
      window[name] = (() => reportSideEffect(`a call of ${name}`)) as never;
  });
  return sideEffects;
}

const readSideEffects = (page: Page) => page.evaluate(left);

const readRenderedRows = (page: Page) =>
  page.evaluate(() => {
    const list = document.querySelector('[role="grid"], [role="tree"]');
    const rows = [...(list?.querySelectorAll('[role="row"][id], [role="treeitem"]') ?? [])];
    const isLastRow = rows.at(-1)?.getAttribute('aria-rowindex') === list?.getAttribute('aria-rowcount');
    const isScrolledDown = list !== null && list.scrollTop + list.clientHeight > list.scrollHeight - 1;
    return { ids: rows.map(({ id }) => id.slice(-36)), isEnd: isLastRow && isScrolledDown };
  });

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

const forbiddenParts = ['<script', 'onerror=alert', 'javascript:'];

// Storage and one list have tests of their own (server/suites/hostile-text.long.test.ts,
// hostile-text.long.component.test.ts).
test.describe('hostile text', { tag: '@long' }, () => {
  for (const resource of hostileResources.keys()) {
    test(`${resource}: hostile text stays text in the list, the record, the form, the palette, the audit and in public`, async ({
      admin,
      page,
      db,
    }) => {
      test.setTimeout(180_000);
      const sideEffects = await watchSideEffects(page);
      const screen = findScreen(resource);
      await admin.signIn('all', '/');
      const call = await createCaller(page, admin.url);
      const readOnlyId = async (sql: string) => (await db.query<{ id: string }>(sql)).rows[0]?.id ?? '';
      const homeId = await readOnlyId(`select id from permission_nodes where identifier = '/'`);
      const role = await readOnlyId(`select id from roles where seed = 'analyst'`);
      const inputs = buildHostileInputs(resource, { home: homeId, role }, hostileTexts);
      const addedItems = await runInSequence(inputs, async (input) => {
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
        const shownTexts = new Set<string>();
        let isListEnd = false;
        for (let step = 0; step < 200 && !isListEnd; step++) {
          const renderedRows = await readRenderedRows(page);
          for (const id of renderedRows.ids) shownTexts.add(id);
          ({ isEnd: isListEnd } = renderedRows);
          expect(await readSideEffects(page)).toEqual([]);
          await page.mouse.wheel(0, 300);
          await page.waitForTimeout(40);
        }
        expect(isListEnd, 'the end of the list').toBe(true);
        expect(addedItems.filter(({ id }) => !shownTexts.has(id))).toEqual([]);
      });

      const readCommands = registry.all.filter(
        ({ target, excludeFromHistory, params }) =>
          excludeFromHistory && !params && target.kind === 'one' && (target.entity as string) === resource,
      );
      for (const { id } of readCommands) {
        await test.step(id, async () => {
          // One look in four keeps the long run short.
          for (const [index, text] of hostileTexts.entries()) {
            const record = addedItems[index]?.id;
            if (index % 4 !== 0 || record === undefined || (await openAndCheck(page, id, record, text.trim())) === 'blocked')
              continue;
            expect(await readSideEffects(page)).toEqual([]);
          }
        });
      }

      await test.step('forms and questions', async () => {
        const recordId = addedItems[Math.min(32, addedItems.length - 1)]?.id ?? '';
        for (const command of ['edit', 'delete']) {
          await admin.open(`/~${resource}.${command}?id=${recordId}`);
          await expect(page.locator('[role="dialog"], [role="alertdialog"]').filter({ visible: true }).first()).toBeVisible();
          expect(await readSideEffects(page)).toEqual([]);
        }
        const [text = ''] = hostileTexts;
        const query = new URLSearchParams(Object.keys(hostileResources.get(resource) ?? {}).map((name) => [name, text]));
        await admin.open(`/~${resource}.add?${query}${resource === 'permissions' ? `&id=${homeId}` : ''}`);
        await expect(page.getByRole('dialog').filter({ visible: true }).first()).toBeVisible();
        expect(await readSideEffects(page)).toEqual([]);
      });

      await test.step('the palette, by part of the text', async () => {
        await admin.open('/');
        await admin.open(screen);
        for (const forbiddenPart of forbiddenParts) {
          await page.keyboard.press('Control+k');
          await page.locator('[data-palette-input]').fill(forbiddenPart);
          if (findRoute(resource, 'list') && ['news', 'notices'].includes(resource))
            await expect(page.locator(`[data-palette] [data-row^="${resource}:"]`).first()).toBeVisible();
          expect(await readSideEffects(page)).toEqual([]);
          await page.keyboard.press('Escape');
          await page.keyboard.press('Escape');
        }
      });

      await test.step('the audit', async () => {
        await admin.open('/audit');
        await page.locator('[role="row"]').nth(2).locator('[data-column]').first().click();
        await page.keyboard.press('Enter');
        await expect(page.locator('[data-record]')).toBeVisible();
        expect(await readSideEffects(page)).toEqual([]);
      });

      if (publicRoutes.some(({ path }) => path === `/public/${resource}`)) {
        await test.step('in public', async () => {
          expect((await call(`${resource}/show`, { items: addedItems.map(toItem) })).status).toBe(200);
          await page.goto(`${admin.url}/public/${resource}?limit=50`);
          expect(await readSideEffects(page)).toEqual([]);
        });
      }

      expect(sideEffects).toEqual([]);
    });
  }
});

const toItem = ({ id, version }: Row) => ({ id, version });

async function openAndCheck(page: Page, command: string, target: string, text: string): Promise<'seen' | 'blocked'> {
  return page.evaluate(
    async ([id, record, expectedText]) => {
      const isShown = () =>
        [...document.querySelectorAll('[role="dialog"]')].some((item) => item.textContent.includes(expectedText));
      try {
        await window.admin?.run(id as never, { targets: [record] });
      } catch (error) {
        if ((error as { code?: string }).code === 'BLOCKED') return 'blocked';
        throw error;
      }
      if (!location.search.includes(record)) return 'seen';
      for (let attempt = 0; attempt < 1500 && !isShown(); attempt++) await new Promise((resolve) => setTimeout(resolve, 10));
      if (!isShown()) throw new Error(`${id} does not show ${expectedText}`);
      return 'seen';
    },
    [command, target, text] as const,
  );
}
