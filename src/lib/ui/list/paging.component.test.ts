import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { navigate } from 'wouter/use-browser-location';
import { holdResponses, readCalls } from '../../../testing/api.ts';
import { press } from '../../../testing/keys.ts';
import { openNews } from '../../../testing/list.ts';
import { buildNews, newsRoutes } from '../../../testing/news.ts';
import { adminScript, signIn } from '../../../testing/panel.tsx';

const isPage = (cursor: string | null) => (input: unknown) => (input as { cursor: string | null }).cursor === cursor;
const countPageCalls = (cursor: string | null) => readCalls('news/list').filter(({ input }) => isPage(cursor)(input)).length;

async function openManyNews(): Promise<void> {
  const rows = buildNews([...Array.from({ length: 180 }).keys()], (index) => ({ title: `News item ${index}` }));
  await signIn('all', '/news', { news: newsRoutes(rows) });
  await openNews();
  await expect.poll(() => countPageCalls('50')).toBe(1); // loaded ahead
}

test('the next page loads when the end is reached while the first page is refetched', async () => {
  await openManyNews();
  const release = holdResponses('news/list', isPage(null));
  await press('r');
  await expect.poll(() => countPageCalls(null)).toBeGreaterThan(1);
  const grid = page.getByRole('grid').element();
  grid.scrollTop = grid.scrollHeight;
  await expect.element(page.getByText('News item 99')).toBeVisible();
  release();
  await expect.poll(() => countPageCalls('100')).toBe(1);
});

test('a print whose list was left loads no more pages and prints no other screen', async () => {
  await openManyNews();
  const print = vi.spyOn(window, 'print').mockImplementation(() => {});
  const release = holdResponses('news/list', isPage('100'));
  void adminScript().run('page.print');
  await expect.poll(() => countPageCalls('100')).toBe(1);
  navigate('/account');
  await expect.element(page.getByRole('grid')).toHaveLength(0);
  release();
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(countPageCalls('150')).toBe(0);
  expect(print).not.toHaveBeenCalled();
  print.mockRestore();
});
