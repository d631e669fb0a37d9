import { describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { queryClient } from '../../../lib/net/query.ts';
import { mockRoutes } from '../../../testing/api.ts';
import { press, typeText } from '../../../testing/keys.ts';
import {
  highlightedRow,
  paletteInput,
  paletteItems,
  openPaletteHere,
  paletteOrder,
  paletteRow,
} from '../../../testing/palette.ts';
import { listRows } from '../../../testing/list.ts';
import { countNews } from '../../../testing/news.ts';
import { loadPage, runInPalette as runByPalette, signIn } from '../../../testing/panel.tsx';
import { expectPath, textContents } from '../../../testing/locators.ts';

describe('the palette finds a command', () => {
  for (const [query, id] of [
    ['delete news', 'news.delete'],
    ['删除新闻', 'news.delete'],
    ['scxw', 'news.delete'],
    ['shanchu', 'news.delete'],
    ['news.delete', 'news.delete'],
    ['remove news', 'news.delete'],
    ['permission set', 'go.permission'],
    ['权限设置', 'go.permission'],
    ['qxsz', 'go.permission'],
    ['深色', 'theme.set'],
    ['dark', 'theme.set'],
  ] as const) {
    test(`by "${query}"`, async () => {
      await signIn('all', '/news');
      await expect.element(listRows().first()).toBeVisible();
      await press('j');
      await openPaletteHere();
      await typeText(query);
      await expect.element(paletteRow(id)).toBeVisible();
      await expect.poll(() => paletteOrder().slice(0, 3)).toContain(id);
    });
  }

  test('only for people who may run it', async () => {
    await signIn('analyst', '/news');
    await openPaletteHere();
    for (const query of ['news.delete', '删除新闻', 'delete news']) {
      await paletteInput().fill(query);
      await expect.element(paletteRow('news.delete')).toHaveLength(0);
    }
    await paletteInput().fill('go.permission');
    await expect.element(paletteRow('go.permission')).toBeVisible();
  });

  test('and below the commands a record by part of its title, which Enter opens', async () => {
    await signIn('all', '/');
    await openPaletteHere();
    await typeText('YBTC 主网');
    const record = paletteItems().filter({ hasText: 'YBTC 主网铸造额突破 2,000 枚（2）' });
    await expect.element(record).toBeVisible();
    await press('Enter');
    await expect.poll(() => location.pathname + location.search).toMatch(/^\/news\?open=/);
    await expect.element(page.getByRole('dialog', { name: /YBTC 主网铸造额/ })).toBeVisible();
  });

  test('above commands that can’t run here under another name, and offers none without a target', async () => {
    await signIn('all', '/', { views: { list: mockRoutes.views.list.handler(() => []) } });
    await expect.poll(() => queryClient.getQueryData(['views'])).toEqual([]);
    await openPaletteHere();
    await typeText('清算');
    const record = paletteItems().filter({ hasText: '清算机制参数调整公告' });
    await expect.element(record.first()).toBeVisible();
    await expect.element(page.css('[data-palette]').getByText('此处不可用')).toBeVisible();
    const order = paletteOrder();
    const records = order.flatMap((value, index) => (value?.startsWith('news:') ? [index] : []));
    expect(highlightedRow()).toBe('go.CRSMList');
    expect(records[0]).toBe(1);
    expect(order.indexOf('crsm.claimAllCollateralGains')).toBeGreaterThan(records.at(-1) ?? Infinity);
    await paletteInput().fill('视图');
    await expect.element(paletteRow('views.save')).toHaveLength(1);
    expect(paletteOrder().filter((value) => value?.startsWith('views.'))).toEqual(['views.save']);
  });

  test('first next time once it was used', async () => {
    await signIn('all', '/');
    await runByPalette('go.overview');
    await expectPath('/overview');
    await openPaletteHere();
    await expect.element(paletteItems().first()).toHaveAttribute('data-row', 'go.overview');
    await expect.element(page.css('[data-palette] [data-heading]').first()).toHaveTextContent(/^最近使用$/);
  });

  test('and marks the matching letters, in Chinese by pinyin too', async () => {
    await signIn('all', '/news');
    await openPaletteHere();
    const rootElement = page.css('#root');
    await expect.element(rootElement).toHaveAttribute('inert');
    await typeText('scxw');
    await expect.poll(() => textContents(paletteRow('news.delete').css('mark'))).toEqual(['删除新闻']);
    await press('Escape');
    await press('Escape');
    await expect.element(rootElement).not.toHaveAttribute('inert');
    await expect.element(rootElement).not.toHaveAttribute('aria-hidden');
  });
});

describe('recently opened records', () => {
  const recentRecords = () => paletteOrder().filter((value) => value?.startsWith('news:'));
  const openAt = async (index: number): Promise<string> => {
    await listRows().nth(index).css('[data-column="time"]').click();
    await expect.element(page.css('[data-peek] h2')).toHaveTextContent(countNews()[index]?.title ?? '');
    return `news:${countNews()[index]?.id}`;
  };

  test('are listed below recent commands, latest first, and Enter opens them', async () => {
    await signIn('all', '/news');
    await runByPalette('go.news');
    await expect.element(listRows().first()).toBeVisible();
    const openedIds = [await openAt(2), await openAt(4)];
    await loadPage('/');
    await expect.poll(() => window.admin).toBeTruthy();
    await openPaletteHere();
    await expect.poll(recentRecords).toEqual(openedIds.toReversed());
    expect(paletteOrder().indexOf(openedIds[1] ?? '')).toBeGreaterThan(paletteOrder().indexOf('go.news'));
    await expect.element(page.css('[data-palette]').getByText('最近打开的记录')).toBeVisible();
    await paletteInput().fill('go.');
    expect(recentRecords()).toEqual([]);
    await paletteInput().fill('');
    while (highlightedRow() !== openedIds[0]) await press('ArrowDown');
    await press('Enter');
    await expect.poll(() => location.pathname + location.search).toBe(`/news?open=${openedIds[0]?.slice(5)}`);
  });

  test('are five of this person alone, and disappear when deleted', async () => {
    await signIn('all', '/news');
    await expect.element(listRows().first()).toBeVisible();
    const openedIds: string[] = [];
    for (const index of [0, 1, 2, 3, 4, 5]) openedIds.push(await openAt(index));
    await press('Escape');
    await openPaletteHere();
    await expect.poll(recentRecords).toEqual(openedIds.slice(1).toReversed());
    await press('Escape');
    const title = countNews()[5]?.title ?? '';
    await window.admin?.run('news.delete', { targets: [openedIds[5]?.slice(5) ?? ''], confirm: true });
    expect(countNews().some((row) => row.title === title)).toBe(false);
    await openPaletteHere();
    await expect.poll(recentRecords).toEqual(openedIds.slice(1, 5).toReversed());
    const storedRecents = localStorage.getItem('prefs.recent') ?? '';
    await signIn('all', '/news');
    localStorage.setItem('prefs.recent', storedRecents);
    await openPaletteHere();
    await expect.element(paletteRow('go.news')).toBeVisible();
    expect(recentRecords()).toEqual([]);
  });
});
