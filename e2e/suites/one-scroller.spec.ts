import type { Page } from '@playwright/test';
import { openScreen } from '../../qa/kit/scenes.ts';
import { expect, test } from '../fixtures.ts';

test.use({ locale: 'en-US' });

const screens = [
  '/overview',
  '/statistics/dataView',
  '/statistics/datacaptain',
  '/selfCustody/dataPanel',
  '/permissions/permission',
  '/news',
];
const sizes = [
  [1440, 900],
  [1024, 900],
  [768, 900],
  [375, 740],
] as const;

/** Parts that scroll inside another part that scrolls. */
const findInnerScrollers = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const scrolling = [...document.querySelectorAll('main, main *')].filter(
      (element) =>
        /auto|scroll/.test(getComputedStyle(element).overflowY) &&
        element.scrollHeight > element.clientHeight + 2 &&
        element.clientHeight > 40,
    );
    return scrolling.slice(1).map((element) => element.getAttribute('aria-label') ?? element.outerHTML.slice(0, 80));
  });

for (const path of screens)
  test(`${path} has one scroller at every width`, async ({ admin, page }) => {
    await admin.signIn('all', path);
    for (const [width, height] of sizes) {
      await page.setViewportSize({ width, height });
      await openScreen(page, path);
      await expect(page.locator('[role="row"][id], [role="treeitem"]').first()).toBeAttached();
      expect(await findInnerScrollers(page), `at ${width}`).toEqual([]);
    }
  });

test('a list that is as high as its rows follows the cursor, loads more, and keeps its commands in sight', async ({
  admin,
  page,
}) => {
  await page.setViewportSize({ width: 375, height: 740 });
  await admin.signIn('all', '/statistics/dataView');
  const screen = page.locator('main');
  const readScroll = () => screen.evaluate(({ scrollTop, scrollHeight }) => ({ scrollTop, scrollHeight }));
  await page.getByRole('button', { name: 'Show chart' }).click();
  await expect.poll(async () => (await readScroll()).scrollHeight).toBeGreaterThan(2000);
  await page.getByRole('grid').focus();
  await expect(page.locator('[role="row"][data-cursor]')).toBeAttached();
  const before = await readScroll();
  await page.keyboard.press('End');
  await expect.poll(async () => (await readScroll()).scrollTop).toBeGreaterThan(before.scrollTop + 1000);
  const cursorBox = await page.locator('[role="row"][data-cursor]').boundingBox();
  const footBox = await page.locator('[data-foot]').boundingBox();
  expect(cursorBox && footBox && cursorBox.y + cursorBox.height <= footBox.y + 1).toBe(true);
  await expect(page.locator('[data-foot]')).toBeInViewport();
  await expect.poll(async () => (await readScroll()).scrollHeight).toBeGreaterThan(before.scrollHeight);
  await page.keyboard.press('Home');
  await expect(page.locator('[role="row"][data-cursor]')).toBeInViewport();
});
