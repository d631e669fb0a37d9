import type { Page } from 'playwright/test';
import { expect, test } from '../fixtures.ts';

/** Names of the controls that would be printed. A button that holds a figure, picture or column name doesn't count. */
const visibleControls = (page: Page): Promise<string[]> =>
  page.locator('main :is(button, select, input, textarea, kbd, [role="radiogroup"])').evaluateAll((controls) =>
    controls
      .filter((control) => !control.matches('[data-exact], [data-figure], :has(img, [data-figure]), [role="columnheader"] *'))
      .filter((control) => control.checkVisibility() && control.getBoundingClientRect().width > 0)
      .map(({ textContent }) => textContent),
  );

test.use({ locale: 'en-US' });

test('printing by command loads the matching rows up to the limit and says how many there are', async ({ admin, page }) => {
  await admin.signIn('all', '/statistics/dataView');
  await page.evaluate(() => (window.print = () => (document.title = 'printed')));
  await admin.run('page.print');
  await expect(page).toHaveTitle('printed', { timeout: 20_000 });
  await page.emulateMedia({ media: 'print' });
  const header = page.locator('[data-print-head]');
  await expect(header).toContainText(/1,000 rows of \d+,\d{3}/, { timeout: 30_000 });
  await expect(header).toContainText('Rows beyond 1,000 aren’t printed.');
  await expect(page.locator('main [role="row"][id]')).toHaveCount(1000);
  await page.emulateMedia({ media: 'screen' });

  await admin.open('/statistics/dataView');
  await page.emulateMedia({ media: 'print' });
  await expect(header).toContainText('Only loaded rows are printed.');
  await page.emulateMedia({ media: 'screen' });
});

for (const path of [
  '/',
  '/overview?compare=true',
  '/statistics/dataView',
  '/selfCustody/deposit',
  '/selfCustody/dataPanel',
  '/permissions/permission',
  '/account',
])
  test(`${path} is printed without controls, with every column in full on the paper`, async ({ admin, page }) => {
    await admin.signIn('all', path);
    await expect.poll(async () => (await visibleControls(page)).length).toBeGreaterThan(0);
    await page.emulateMedia({ media: 'print' });
    await expect(page.locator('[data-print-head]')).toBeVisible();
    expect(await visibleControls(page)).toEqual([]);
    const isWide = (await page.locator(':root').getAttribute('data-paper')) === 'wide';
    await page.setViewportSize({ width: isWide ? 960 : 700, height: 900 });
    const cutCells = await page.locator('main [role="grid"] :is([role="gridcell"], [role="columnheader"])').evaluateAll((cells) =>
      cells
        .filter((cell) => cell.checkVisibility())
        .filter((cell) => cell.scrollWidth > cell.clientWidth + 1 || cell.getBoundingClientRect().right > innerWidth + 1)
        .map(({ textContent }) => textContent),
    );
    expect(cutCells).toEqual([]);
    await page.emulateMedia({ media: 'screen' });
    await page.setViewportSize({ width: 1440, height: 900 });
  });
