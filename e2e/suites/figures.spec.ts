import type { Page } from '@playwright/test';
import { menuScreens } from '../../qa/kit/scenes.ts';
import { expect, test } from '../fixtures.ts';

/** Lists with many figures, measured in every run. The others are measured in the long run. */
const usual = ['/overview', '/selfCustody/dataPanel', '/points'];

/** Sizes of the window, the last ones with a record open. */
const sizes = [1440, 1024, 768, 375] as const;
const recordSizes = [1440, 1024, 920] as const;

/**
 * Texts of figures, times and chips that their cell, an edge of the list or a pinned column cuts, and untranslated keys. Empty if
 * everything is whole.
 */
const cutTexts = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const grid = document.querySelector('[role="grid"]');
    if (!grid) return [];
    const keys = document.body.innerText.match(/\b[a-z][A-Za-z]+(\.[a-z][A-Za-z]+){2,}\b/g) ?? [];
    const cut: string[] = keys.filter((key) => !/example|demo|local|\.com$/.test(key)).map((key) => `untranslated ${key}`);
    const box = grid.getBoundingClientRect();
    for (const row of grid.querySelectorAll('[role="row"]')) {
      if (row.getBoundingClientRect().bottom > box.bottom) continue;
      const cells = [...row.querySelectorAll<HTMLElement>('[role="gridcell"],[role="columnheader"]')];
      const isPinned = (cell: HTMLElement) => getComputedStyle(cell).position === 'sticky';
      let [start, end] = [box.left, box.left + grid.clientWidth];
      for (const pinned of cells.filter(isPinned)) {
        const { left, right } = pinned.getBoundingClientRect();
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
          const whole = cell.getBoundingClientRect();
          const chipEnd = node.parentElement?.closest('[data-chip]')?.getBoundingClientRect().right ?? whole.right;
          for (const { left, right, width } of range.getClientRects()) {
            if (width < 1) continue;
            const isOut = left < whole.left - 0.5 || right > Math.min(whole.right, chipEnd) + 0.5;
            const isSeen = right > start + 0.5 && left < end - 0.5;
            const isCovered = !isPinned(cell) && isSeen && (left < start - 0.5 || right > end + 0.5);
            if (isOut || isCovered) cut.push(`${cell.dataset['column'] ?? cell.dataset['head']}: ${cell.innerText}`);
          }
        }
      }
    }
    return cut;
  });

for (const locale of ['zh-CN', 'en-US'] as const) {
  test.describe(locale, () => {
    test.use({ locale, serverEnv: { DEVNET: 'on' } });
    for (const path of menuScreens) {
      const tag = usual.includes(path) ? [] : ['@long'];
      test(
        `${path} cuts no figure, time or chip at any width, also beside a record, in ${locale}`,
        { tag },
        async ({ admin, page }) => {
          await admin.signIn('all', path);
          await expect(page.locator('main h1').first()).toBeVisible();
          const row = page.locator('[role="grid"] [role="row"]').nth(1);
          const appears = row.waitFor({ timeout: 5_000 });
          if (
            !(await appears.then(
              () => true,
              () => false,
            ))
          )
            return expect(usual).not.toContain(path);
          for (const width of sizes) {
            await page.setViewportSize({ width, height: 900 });
            await expect.poll(() => cutTexts(page), { message: `${width} px` }).toEqual([]);
          }
          await page.setViewportSize({ width: 1440, height: 900 });
          await page.keyboard.press('j');
          await page.keyboard.press('Enter');
          for (const width of recordSizes) {
            await page.setViewportSize({ width, height: 900 });
            await expect.poll(() => cutTexts(page), { message: `${width} px beside a record` }).toEqual([]);
          }
        },
      );
    }
  });
}
