import type { Page } from '@playwright/test';
import { menuScreens, openScreen } from '../../qa/kit/scenes.ts';
import { expect, test } from '../fixtures.ts';

/** Lists with many figures, measured in every run. The others are measured in the long run. */
const defaultScreens = ['/overview', '/selfCustody/dataPanel', '/points'];

/** Sizes of the window, the last ones with a record open. */
const viewportWidths = [1440, 1024, 768, 375] as const;
const recordSizes = [1440, 1024, 920] as const;

/**
 * Texts of figures, times and chips that their cell, an edge of the list or a pinned column cuts, and untranslated keys. Empty if
 * everything is whole.
 */
const findCutTexts = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const grid = document.querySelector('[role="grid"]');
    if (!grid) return [];
    const keys = document.body.innerText.match(/\b[a-z][A-Za-z]+(\.[a-z][A-Za-z]+){2,}\b/g) ?? [];
    const cutFigures: string[] = keys.filter((key) => !/example|demo|local|\.com$/.test(key)).map((key) => `untranslated ${key}`);
    const box = grid.getBoundingClientRect();
    for (const row of grid.querySelectorAll('[role="row"]')) {
      if (row.getBoundingClientRect().bottom > box.bottom) continue;
      const cells = [...row.querySelectorAll<HTMLElement>('[role="gridcell"],[role="columnheader"]')];
      const isPinned = (cell: HTMLElement) => getComputedStyle(cell).position === 'sticky';
      let [start, end] = [box.left, box.left + grid.clientWidth];
      for (const pinnedCell of cells.filter(isPinned)) {
        const { left, right } = pinnedCell.getBoundingClientRect();
        if (left + right < 2 * box.left + box.width) start = Math.max(start, right);
        else end = Math.min(end, left);
      }
      for (const cell of cells) {
        if (getComputedStyle(cell).opacity === '0') continue;
        if (!cell.matches('.tabular-nums.justify-end') && !cell.querySelector('time, [data-chip]')) continue;
        const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
          if (node.parentElement?.closest('.sr-only')) continue;
          const range = document.createRange();
          range.selectNodeContents(node);
          const cellRect = cell.getBoundingClientRect();
          const chipRight = node.parentElement?.closest('[data-chip]')?.getBoundingClientRect().right ?? cellRect.right;
          for (const { left, right, width } of range.getClientRects()) {
            if (width < 1) continue;
            const isClipped = left < cellRect.left - 0.5 || right > Math.min(cellRect.right, chipRight) + 0.5;
            const isVisible = right > start + 0.5 && left < end - 0.5;
            const isCovered = !isPinned(cell) && isVisible && (left < start - 0.5 || right > end + 0.5);
            if (isClipped || isCovered) cutFigures.push(`${cell.dataset['column'] ?? cell.dataset['head']}: ${cell.innerText}`);
          }
        }
      }
    }
    for (const figure of document.querySelectorAll<HTMLElement>('main dd'))
      if (figure.scrollWidth > figure.clientWidth + 1) cutFigures.push(`runs into the next figure: ${figure.innerText}`);
    return cutFigures;
  });

for (const locale of ['zh-CN', 'en-US'] as const) {
  test.describe(locale, () => {
    test.use({ locale, serverEnv: { DEVNET: 'on' } });
    for (const path of menuScreens) {
      const tag = defaultScreens.includes(path) ? [] : ['@long'];
      test(
        `${path} cuts no figure, time or chip at any width, also beside a record, in ${locale}`,
        { tag },
        async ({ admin, page }) => {
          await admin.signIn('all', path);
          await expect(page.locator('main h1').first()).toBeVisible();
          const row = page.locator('[role="grid"] [role="row"]').nth(1);
          const rowVisible = row.waitFor({ timeout: 5_000 });
          if (
            !(await rowVisible.then(
              () => true,
              () => false,
            ))
          )
            return expect(defaultScreens).not.toContain(path);
          for (const width of viewportWidths) {
            await page.setViewportSize({ width, height: 900 });
            await expect.poll(() => findCutTexts(page), { message: `${width} px` }).toEqual([]);
          }
          await page.setViewportSize({ width: 1440, height: 900 });
          await page.keyboard.press('j');
          await page.keyboard.press('Enter');
          for (const width of recordSizes) {
            await page.setViewportSize({ width, height: 900 });
            await expect.poll(() => findCutTexts(page), { message: `${width} px beside a record` }).toEqual([]);
          }
        },
      );
    }
  });
}

test('a card on a phone shows more of each record than its name', async ({ admin, page }) => {
  await page.setViewportSize({ width: 375, height: 740 });
  await admin.signIn('all', '/');
  for (const path of menuScreens) {
    await openScreen(page, path);
    const cards = page.locator('[role="grid"] [role="row"][id]');
    if ((await cards.count()) === 0) continue;
    const texts = await cards
      .first()
      .locator('[data-column]')
      .evaluateAll((cells) => cells.filter((cell) => cell.checkVisibility()).map(({ textContent }) => textContent));
    expect(texts.filter((text) => text.trim() !== '').length, `${path}: ${texts.join(' | ')}`).toBeGreaterThan(1);
  }
});
