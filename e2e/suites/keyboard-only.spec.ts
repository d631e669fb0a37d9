import type { Page } from 'playwright/test';
import { flattenMenu } from '../../api/menu.ts';
import { registry } from '../../src/commands/app/all.ts';
import { expect, pressKeys, test } from '../fixtures.ts';

const screens = flattenMenu().filter(({ children }) => !children);
/** Screens without rows here: home, a tree, and those that need a chain. */
const screensWithoutRows: ReadonlySet<string> = new Set([
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
    const activeElement = document.activeElement;
    if (!activeElement || activeElement === document.body) return { is: 'nothing', seen: false };
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(activeElement);
    const row = activeElement.getAttribute('role') === 'grid' ? document.querySelector('[data-cursor]') : null;
    // Browsers mark the active part of a date input.
    const isDateInput = activeElement instanceof HTMLInputElement && activeElement.type.startsWith('date');
    return {
      is: `${activeElement.tagName.toLowerCase()} ${activeElement.getAttribute('aria-label') ?? activeElement.textContent?.slice(0, 30) ?? ''}`,
      seen:
        isDateInput ||
        (activeElement.matches(':focus-visible') &&
          ((outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none' || row !== null)),
    };
  });

async function collectTabStops(page: Page): Promise<{ is: string; seen: boolean }[]> {
  await page.evaluate(() => document.querySelector<HTMLElement>('a[href="#main"]')?.focus());
  const tabStops: { is: string; seen: boolean }[] = [];
  for (let pressCount = 0; pressCount < 120; pressCount++) {
    await page.keyboard.press('Tab');
    const tabStop = await focus(page);
    if (tabStop.is === 'nothing') break; // the browser's own bars come next
    tabStops.push(tabStop);
  }
  return tabStops;
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
    const goCommand = registry.all.find(({ permission, id }) => permission === path && id.startsWith('go.'));
    if (!goCommand) throw new Error(`no command goes to ${path}`);
    if (goCommand.keys?.[0]) await pressKeys(page, goCommand.keys[0]);
    else await admin.palette(goCommand.id);
    await expect(page).toHaveURL(new RegExp(`${path === '/' ? '' : path}(\\?.*)?$`));
    const heading = page.getByRole('heading', { level: 1 });
    await expect(heading, zh).toBeVisible();

    await expect(page.locator('main [data-loading]'), path).toHaveCount(0);
    const list = page.getByRole('grid');
    if (screensWithoutRows.has(path)) await expect(list, path).toHaveCount(0);
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

    const addCommand = registry.all.find(({ place, keys, params }) => place === path && keys?.[0] === 'c' && params !== null);
    const { state } = addCommand ? await admin.assess(addCommand.id) : { state: 'none' };
    if (addCommand) expect(state, addCommand.id).toBe(addCommand.id === 'crsm.create' ? 'blocked' : 'ok'); // that one needs a wallet
    if (addCommand && state === 'ok') {
      await page.keyboard.press('c');
      const form = page.getByRole('dialog').filter({ visible: true });
      await expect(form, addCommand.id).toBeVisible();
      await expect(form.locator(':focus'), `${addCommand.id}: focus is inside`).toHaveCount(1);
      await page.keyboard.press('Escape');
      await expect(form).toHaveCount(0);
    }

    const tabStops = await collectTabStops(page);
    expect(tabStops.length, `${path}: Tab goes somewhere`).toBeGreaterThan(3);
    expect(tabStops.length, `${path}: Tab comes round`).toBeLessThan(120);
    expect(
      tabStops.filter(({ seen }) => !seen).map(({ is }) => is),
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
