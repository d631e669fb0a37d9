import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { addToHistory } from '../../engine/dispatch/history.ts';
import { snapshotTargets } from '../../../lib/scope.ts';
import { callsOf } from '../../../testing/api.ts';
import { press } from '../../../testing/keys.ts';
import { checkedRows, cursorRow, openNews, listRows } from '../../../testing/list.ts';
import { newsHeld } from '../../../testing/news.ts';
import { admin, openPage, signIn } from '../../../testing/panel.tsx';
import { build } from '../../../../testing/factories/build.ts';

const ask = () => page.getByRole('alertdialog');
const toast = () => page.css('[data-toast="success"]');
const titleOf = (at: number) => listRows().nth(at).css('[data-column="title"]').element().textContent ?? '';
const aimed = () => snapshotTargets().map(({ name }) => name);
const add = (title: string) =>
  admin().run('news.add', {
    params: build.newsFields({ title, image: `${location.origin}/x.png`, time: '2026-10-02T00:00:00.000Z' }),
  });
const stateOf = (at: number) => newsHeld()[at]?.shown;

beforeEach(async () => {
  await page.viewport(1440, 900);
  await signIn('all', '/news');
});

test('the cursor and the open record move to a new row after adding', async () => {
  await openNews(3);
  await press('Enter');
  await expect.element(page.css('[data-peek] [data-record]')).toBeVisible();
  await add('Brand new');
  await expect.element(cursorRow().css('[data-column="title"]')).toHaveTextContent('Brand new');
  expect(aimed()).toEqual(['Brand new']);
  await expect.element(page.css('[data-peek] h2')).toHaveTextContent('Brand new');
});

test('a notice links to a new row that the filter hides', async () => {
  await openPage('/news?shown=true');
  await expect.element(listRows().first()).toBeVisible();
  await add('Out of sight');
  await expect.element(toast()).toHaveTextContent('不在当前筛选结果中');
  await toast().getByRole('button', { name: '查看' }).click();
  await expect.element(page.css('[data-peek] h2')).toHaveTextContent('Out of sight');
  expect(new URLSearchParams(location.search).get('shown')).toBe('true');
});

test('a notice’s button undoes that notice’s command, whatever ran since', async () => {
  const ids = newsHeld().map(({ id }) => id);
  const [first = '', second = ''] = ids.slice(0, 2);
  await openNews(1);
  await admin().run('news.hide', { targets: [first], confirm: true });
  const undo = toast().getByRole('button', { name: '撤销' });
  await expect.element(undo).toBeVisible();
  // Done elsewhere, and so the last thing done, without a notice here.
  addToHistory({
    invocation: { id: 'news.show', targets: [second] },
    at: Date.now(),
    undo: { id: 'news.hide', targets: [second] },
  });
  await undo.click();
  await expect.poll(() => [stateOf(0), stateOf(1)]).toEqual([true, true]);
});

test('a selection ends with its command, and then the dot means the cursor’s row', async () => {
  await openNews(1);
  await press('x');
  await press('Shift+J');
  await expect.element(checkedRows()).toHaveLength(2);
  await press('h');
  await ask()
    .getByRole('button', { name: /2 条新闻/ })
    .click();
  await expect.poll(() => [stateOf(0), stateOf(1)]).toEqual([false, false]);
  await expect.element(checkedRows()).toHaveLength(0);
  await press('j');
  expect(aimed()).toEqual([titleOf(2)]);
  await press('.');
  await expect.element(ask()).toHaveTextContent(titleOf(2));
});

test('records that are not allowed are listed with reasons, and Enter runs the others', async () => {
  await openNews(3);
  await press('x');
  await press('Shift+J');
  await press('h');
  await expect.element(ask().css('[data-part]')).toHaveTextContent(`所选 2 条中可执行 1 条，其余 1 条无法执行：`);
  await expect.element(ask().css('[data-part]')).toHaveTextContent(titleOf(3));
  await press('Enter');
  await expect.poll(() => stateOf(2)).toBe(false);
  const sent = callsOf('news/hide').map(({ input }) => (input as { items: { id: string }[] }).items.map(({ id }) => id));
  expect(sent).toEqual([[newsHeld()[2]?.id]]);
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
  const blocked = page.getByRole('menuitem', { name: '隐藏新闻' });
  await expect.element(blocked).toHaveAttribute('aria-disabled', 'true');
  const colourOf = (element: Element) => getComputedStyle(element).color;
  const live = page.getByRole('menuitem', { name: /编辑/ }).element();
  expect(colourOf(blocked.element())).not.toBe(colourOf(live));
});

test('notices cover neither the rows’ menus nor the line below', async () => {
  for (const width of [1440, 375]) {
    await page.viewport(width, 700);
    await openNews();
    await listRows().first().getByRole('checkbox').click();
    await add(`New at ${width}`);
    await expect.element(toast()).toBeVisible();
    const notice = () => toast().element().getBoundingClientRect();
    const foot = document.querySelector('[data-foot]')?.getBoundingClientRect();
    await expect.poll(() => notice().bottom).toBeLessThan(foot?.top ?? 0);
    const menu = () => listRows().first().css('[data-actions]').element().getBoundingClientRect();
    await expect.poll(() => menu().left - notice().right).toBeGreaterThanOrEqual(0);
    await toast().getByRole('button', { name: '关闭' }).click();
  }
});
