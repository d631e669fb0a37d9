import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { mockRoutes } from '../../../testing/api.ts';
import { press } from '../../../testing/keys.ts';
import { listRows } from '../../../testing/list.ts';
import { newsRoutes } from '../../../testing/news.ts';
import { signIn } from '../../../testing/panel.tsx';
import { textContents } from '../../../testing/locators.ts';

const view = (index: number, screenPath: string, name: string, query: string) => ({
  id: `01900000-0000-7000-8000-00000000000${index}`,
  version: 1,
  place: screenPath,
  name,
  query,
});
const views = [
  view(1, '/news', '未展示', 'shown=false'),
  view(2, '/news', '已展示', 'shown=true'),
  view(3, '/feedback', '待处理', 'processed=false'),
];

const navViewsOf = (screenPath: string) => page.css(`nav [data-nav-views="${screenPath}"]`);
const currentViews = () => textContents(page.css('nav [data-nav-views] [aria-current]'));

async function openNews(): Promise<void> {
  await page.viewport(1440, 900);
  await signIn('all', '/news', { news: newsRoutes(), views: { list: mockRoutes.views.list.handler(() => views) } });
  await expect.element(listRows().first()).toBeVisible();
}

test('saved views are listed in the menu under their screen, with the current one marked', async () => {
  await openNews();
  await expect.poll(() => textContents(navViewsOf('/news').getByRole('link'))).toEqual(['未展示', '已展示']);
  await expect.poll(() => textContents(navViewsOf('/feedback').getByRole('link'))).toEqual(['待处理']);
  expect(currentViews()).toEqual([]);
  await navViewsOf('/news').getByRole('link', { name: '未展示' }).click();
  await expect.poll(() => location.search).toBe('?shown=false');
  await expect.poll(currentViews).toEqual(['未展示']);
  await expect
    .poll(() =>
      listRows()
        .elements()
        .every((row) => row.textContent?.includes('不展示')),
    )
    .toBe(true);
});

test('saved views are reached by keyboard and folded with their screen', async () => {
  await openNews();
  const foldButton = navViewsOf('/news').getByRole('button');
  await expect.element(foldButton).toHaveAttribute('aria-expanded', 'true');
  (page.css('nav a[href="/news"]').element() as HTMLElement).focus();
  await press('Tab');
  await expect.element(foldButton).toHaveFocus();
  await press('Tab');
  await expect.element(navViewsOf('/news').getByRole('link', { name: '未展示' })).toHaveFocus();
  await press('Tab');
  await press('Enter');
  await expect.poll(() => location.search).toBe('?shown=true');
  (foldButton.element() as HTMLElement).focus();
  await press('Enter');
  await expect.element(foldButton).toHaveAttribute('aria-expanded', 'false');
  await expect.element(navViewsOf('/news').getByRole('link')).toHaveLength(0);
  await expect.element(navViewsOf('/feedback').getByRole('link')).toHaveLength(1);
});
