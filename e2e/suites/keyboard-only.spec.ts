import type { Page } from 'playwright/test';
import { flatMenu } from '../../api/menu.ts';
import { registry } from '../../src/commands/app/all.ts';
import { expect, pressKeys, test } from '../fixtures.ts';

const screens = flatMenu().filter(({ children }) => !children);
/** Screens without rows here: home, a tree, and those that need a chain. */
const rowless: ReadonlySet<string> = new Set([
  '/',
  '/permissions/permission',
  '/statistics/dataVault',
  '/statistics/dataCdp',
  '/selfCustody/withdraw',
  '/selfCustody/authority',
  '/CRSMTrove/CRSMList',
  '/CRSMTrove/positionList',
]);

/** Focused element, and whether its focus is visible. */
const focus = (page: Page) =>
  page.evaluate(() => {
    const at = document.activeElement;
    if (!at || at === document.body) return { is: 'nothing', seen: false };
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(at);
    const row = at.getAttribute('role') === 'grid' ? document.querySelector('[data-cursor]') : null;
    // Browsers mark the active part of a date input.
    const isInParts = at instanceof HTMLInputElement && at.type.startsWith('date');
    return {
      is: `${at.tagName.toLowerCase()} ${at.getAttribute('aria-label') ?? at.textContent?.slice(0, 30) ?? ''}`,
      seen:
        isInParts ||
        (at.matches(':focus-visible') &&
          ((outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none' || row !== null)),
    };
  });

async function tabRound(page: Page): Promise<{ is: string; seen: boolean }[]> {
  await page.evaluate(() => document.querySelector<HTMLElement>('a[href="#main"]')?.focus());
  const places: { is: string; seen: boolean }[] = [];
  for (let presses = 0; presses < 120; presses++) {
    await page.keyboard.press('Tab');
    const at = await focus(page);
    if (at.is === 'nothing') break; // the browser's own bars come next
    places.push(at);
  }
  return places;
}

test('every screen is reached, read, used and left by keyboard alone', { tag: '@long' }, async ({ admin, page }) => {
  test.setTimeout(480_000);
  await page.addInitScript(() => {
    for (const kind of ['mousedown', 'pointerdown', 'touchstart'])
      addEventListener(kind, () => document.documentElement.setAttribute('data-mouse', kind), true);
  });
  await admin.signIn('all', '/');

  for (const { path, zh } of screens) {
    // By the screen's keys, otherwise by its name in the palette.
    const go = registry.all.find(({ permission, id }) => permission === path && id.startsWith('go.'));
    if (!go) throw new Error(`no command goes to ${path}`);
    if (go.keys?.[0]) await pressKeys(page, go.keys[0]);
    else await admin.palette(go.id);
    await expect(page).toHaveURL(new RegExp(`${path === '/' ? '' : path}(\\?.*)?$`));
    const heading = page.getByRole('heading', { level: 1 });
    await expect(heading, zh).toBeVisible();

    await expect(page.locator('main [data-loading]'), path).toHaveCount(0);
    const list = page.getByRole('grid');
    if (rowless.has(path)) await expect(list, path).toHaveCount(0);
    else {
      await expect(list.first(), path).toBeVisible();
      await page.keyboard.press('j');
      const cursor = page.locator('[data-cursor]');
      await expect(cursor, `${path}: a key goes to a row`).toHaveCount(1);
      const row = (await cursor.getAttribute('aria-rowindex')) ?? '';
      // Days of the overview have no record.
      const isRecord = path !== '/overview';
      expect((await admin.assess('list.open')).state === 'ok', path).toBe(isRecord);
      if (isRecord) {
        await page.keyboard.press('Enter');
        const record = page.locator('[data-record]:visible').first();
        await expect(record, `${path}: Enter opens the row`).toBeVisible();
        await page.keyboard.press('Escape');
        await expect(record).toHaveCount(0);
      }
      await expect(cursor).toHaveAttribute('aria-rowindex', row);
      await page.keyboard.press('Shift+F10');
      const menu = page.getByRole('menu');
      if (isRecord) await expect(menu, `${path}: the row's menu`).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(menu).toHaveCount(0);
    }

    const add = registry.all.find(({ place, keys, params }) => place === path && keys?.[0] === 'c' && params !== null);
    const { state } = add ? await admin.assess(add.id) : { state: 'none' };
    if (add) expect(state, add.id).toBe(add.id === 'crsm.create' ? 'blocked' : 'ok'); // that one needs a wallet
    if (add && state === 'ok') {
      await page.keyboard.press('c');
      const form = page.getByRole('dialog').filter({ visible: true });
      await expect(form, add.id).toBeVisible();
      await expect(form.locator(':focus'), `${add.id}: focus is inside`).toHaveCount(1);
      await page.keyboard.press('Escape');
      await expect(form).toHaveCount(0);
    }

    const places = await tabRound(page);
    expect(places.length, `${path}: Tab goes somewhere`).toBeGreaterThan(3);
    expect(places.length, `${path}: Tab comes round`).toBeLessThan(120);
    expect(
      places.filter(({ seen }) => !seen).map(({ is }) => is),
      `${path}: invisible focus`,
    ).toEqual([]);

    await page.keyboard.press('Control+k');
    await expect(page.locator('[data-palette-input]')).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(page.locator('[data-palette]')).toBeHidden();
    await expect(page).toHaveURL(new RegExp(`${path === '/' ? '' : path}(\\?.*)?$`));
  }
  expect(await page.locator('html').getAttribute('data-mouse')).toBeNull();
});
