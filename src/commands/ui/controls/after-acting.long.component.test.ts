import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { addToHistory } from '../../engine/dispatch/history.ts';
import { snapshotTargets } from '../../../lib/scope.ts';
import { readCalls } from '../../../testing/api.ts';
import { press } from '../../../testing/keys.ts';
import { checkedRows, cursorRow, openNews, listRows } from '../../../testing/list.ts';
import { countNews } from '../../../testing/news.ts';
import { adminScript, openPage, signIn } from '../../../testing/panel.tsx';
import { build } from '../../../../testing/factories/build.ts';

const confirmDialog = () => page.getByRole('alertdialog');
const toast = () => page.css('[data-toast="success"]');
const titleOf = (index: number) => listRows().nth(index).css('[data-column="title"]').element().textContent ?? '';
const targetNames = () => snapshotTargets().map(({ name }) => name);
const addNews = (title: string) =>
  adminScript().run('news.add', {
    params: build.newsFields({ title, image: `${location.origin}/x.png`, time: '2026-10-02T00:00:00.000Z' }),
  });
const isShownAt = (index: number) => countNews()[index]?.shown;

beforeEach(async () => {
  await page.viewport(1440, 900);
  await signIn('all', '/news');
});

test('the cursor and the open record move to a new row after adding', async () => {
  await openNews(3);
  await press('Enter');
  await expect.element(page.css('[data-peek] [data-record]')).toBeVisible();
  await addNews('Brand new');
  await expect.element(cursorRow().css('[data-column="title"]')).toHaveTextContent('Brand new');
  expect(targetNames()).toEqual(['Brand new']);
  await expect.element(page.css('[data-peek] h2')).toHaveTextContent('Brand new');
});

test('a notice links to a new row that the filter hides', async () => {
  await openPage('/news?shown=true');
  await expect.element(listRows().first()).toBeVisible();
  await addNews('Out of sight');
  await expect.element(toast()).toHaveTextContent('不在当前筛选结果中');
  await toast().getByRole('button', { name: '查看' }).click();
  await expect.element(page.css('[data-peek] h2')).toHaveTextContent('Out of sight');
  expect(new URLSearchParams(location.search).get('shown')).toBe('true');
});

test('a notice’s button undoes that notice’s command, whatever ran since', async () => {
  const ids = countNews().map(({ id }) => id);
  const [firstId = '', secondId = ''] = ids.slice(0, 2);
  await openNews(1);
  await adminScript().run('news.hide', { targets: [firstId], confirm: true });
  const undoButton = toast().getByRole('button', { name: '撤销' });
  await expect.element(undoButton).toBeVisible();
  // Done elsewhere, and so the last thing done, without a notice here.
  addToHistory({
    invocation: { id: 'news.show', targets: [secondId] },
    at: Date.now(),
    undo: { id: 'news.hide', targets: [secondId] },
  });
  await undoButton.click();
  await expect.poll(() => [isShownAt(0), isShownAt(1)]).toEqual([true, true]);
});

test('a selection ends with its command, and then the dot means the cursor’s row', async () => {
  await openNews(1);
  await press('x');
  await press('Shift+J');
  await expect.element(checkedRows()).toHaveLength(2);
  await press('h');
  await confirmDialog()
    .getByRole('button', { name: /2 条新闻/ })
    .click();
  await expect.poll(() => [isShownAt(0), isShownAt(1)]).toEqual([false, false]);
  await expect.element(checkedRows()).toHaveLength(0);
  await press('j');
  expect(targetNames()).toEqual([titleOf(2)]);
  await press('.');
  await expect.element(confirmDialog()).toHaveTextContent(titleOf(2));
});

test('records that are not allowed are listed with reasons, and Enter runs the others', async () => {
  await openNews(3);
  await press('x');
  await press('Shift+J');
  await press('h');
  await expect.element(confirmDialog().css('[data-part]')).toHaveTextContent(`所选 2 条中可执行 1 条，其余 1 条无法执行：`);
  await expect.element(confirmDialog().css('[data-part]')).toHaveTextContent(titleOf(3));
  await press('Enter');
  await expect.poll(() => isShownAt(2)).toBe(false);
  const sentIds = readCalls('news/hide').map(({ input }) => (input as { items: { id: string }[] }).items.map(({ id }) => id));
  expect(sentIds).toEqual([[countNews()[2]?.id]]);
  await expect.element(checkedRows()).toHaveLength(0);
});

test('a cell becomes a filter from its menu, and from the row by key', async () => {
  await openNews(4);
  const cell = listRows().nth(3).css('[data-column="status"]');
  await cell.click({ button: 'right' });
  await page.getByRole('menuitem', { name: '只看 状态：不展示' }).click();
  await expect.poll(() => new URLSearchParams(location.search).get('shown')).toBe('false');
  await press('Shift+F');
  await expect.poll(() => location.search).toBe('');
  await expect.element(listRows().nth(4)).toBeVisible();
  await press('Home');
  await press('=');
  const menu = page.css('[data-filter-menu]');
  await expect.element(menu.getByRole('option', { name: /状态.*展示/ })).toBeVisible();
  await press('!');
  await press('Enter');
  await expect.poll(() => new URLSearchParams(location.search).get('shown')).toBe('false');
  await expect.element(page.getByRole('grid')).toHaveFocus();
});

test('a blocked item of a row’s menu looks blocked and shows the reason', async () => {
  await openNews();
  await listRows().nth(3).css('[data-column="title"]').click({ button: 'right' });
  const blockedItem = page.getByRole('menuitem', { name: '隐藏新闻' });
  await expect.element(blockedItem).toHaveAttribute('aria-disabled', 'true');
  const colorOf = (element: Element) => getComputedStyle(element).color;
  const enabledItem = page.getByRole('menuitem', { name: /编辑/ }).element();
  expect(colorOf(blockedItem.element())).not.toBe(colorOf(enabledItem));
});

test('notices cover neither the rows’ menus nor the line below', async () => {
  for (const width of [1440, 375]) {
    await page.viewport(width, 700);
    await openNews();
    await listRows().first().getByRole('checkbox').click();
    await addNews(`New at ${width}`);
    await expect.element(toast()).toBeVisible();
    const notice = () => toast().element().getBoundingClientRect();
    const footerBox = document.querySelector('[data-foot]')?.getBoundingClientRect();
    await expect.poll(() => notice().bottom).toBeLessThan(footerBox?.top ?? 0);
    const menu = () => listRows().first().css('[data-actions]').element().getBoundingClientRect();
    await expect.poll(() => menu().left - notice().right).toBeGreaterThanOrEqual(0);
    await toast().getByRole('button', { name: '关闭' }).click();
  }
});
