import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { snapshotTargets } from '../../scope.ts';
import { press } from '../../../testing/keys.ts';
import { checkedRows, cursorRow, visibleDialogs, openNews, listRows } from '../../../testing/list.ts';
import { loadPage, signIn } from '../../../testing/panel.tsx';

const findPeek = () => page.css('[data-peek]');
const title = () => findPeek().css('h2').element().textContent ?? '';
const readTitle = (index: number) => listRows().nth(index).css('[data-column="title"]').element().textContent ?? '';
const readOpenId = () => new URLSearchParams(location.search).get('open');
const readTargetNames = () => snapshotTargets().map(({ name }) => name);

beforeEach(async () => {
  await page.viewport(1440, 900);
  await signIn('all', '/news');
});

test('a click on a row opens its record next to the list, which stays usable', async () => {
  await openNews();
  await listRows().nth(2).css('[data-column="time"]').click();
  await expect.poll(title).toBe(readTitle(2));
  expect(document.querySelector('[aria-modal="true"]')).toBeNull();
  await press('j');
  expect(readTargetNames()).toEqual([readTitle(3)]); // before the record has followed
  await press('j');
  await expect.poll(title).toBe(readTitle(4));
  expect(readTargetNames()).toEqual([readTitle(4)]);
  await press('x');
  await expect.element(checkedRows()).toHaveLength(1);
  await press('Escape');
  await expect.element(checkedRows()).toHaveLength(0);
  await expect.element(findPeek()).toBeVisible();
  await press('Escape');
  await expect.poll(visibleDialogs).toHaveLength(0);
  expect(readOpenId()).toBeNull();
  await expect.element(page.getByRole('grid')).toHaveFocus();
});

test('one Escape closes a record opened by a click on its title', async () => {
  await openNews();
  await listRows().nth(2).css('[data-title]').click();
  await expect.poll(title).toBe(readTitle(2));
  await press('Escape');
  await expect.poll(visibleDialogs).toHaveLength(0);
  await expect.element(page.getByRole('grid')).toHaveFocus();
});

test('a click on a control or after selecting text opens no record', async () => {
  await openNews();
  await listRows().nth(1).getByRole('checkbox').click();
  await listRows().nth(1).css('[data-actions] button').click();
  await press('Escape');
  expect(readOpenId()).toBeNull();
  const titleLink = listRows().nth(1).css('[data-column="title"] a').element();
  getSelection()?.selectAllChildren(titleLink);
  titleLink.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
  expect(readOpenId()).toBeNull();
});

test("a row's title is a link that opens the record in a new tab", async () => {
  await openNews();
  const link = listRows().first().css('[data-title]').element();
  expect(new URL((link as HTMLAnchorElement).href).pathname).toBe('/news');
  let isListLeft = true;
  link.addEventListener('click', (event) => event.preventDefault(), { once: true });
  addEventListener('click', (event) => (isListLeft = !event.defaultPrevented), { once: true });
  link.dispatchEvent(new MouseEvent('click', { bubbles: true, ctrlKey: true, cancelable: true }));
  expect([readOpenId(), isListLeft]).toEqual([null, false]); // this test stopped it
});

test('Enter shows the record full-width and stores that in the address', async () => {
  await openNews(2);
  await press('Enter');
  await expect.element(findPeek().css('[data-record]')).toBeVisible();
  await press('Enter');
  await expect.element(page.css('[data-whole]')).toHaveFocus();
  expect(document.querySelector('main')?.inert).toBe(true);
  await press('j');
  const nextTitle = readTitle(2);
  await expect.poll(title).toBe(nextTitle);
  await loadPage(location.pathname + location.search);
  await expect.poll(() => document.querySelector('[data-whole] h2')?.textContent).toBe(nextTitle);
  await expect.poll(() => cursorRow().elements()).toHaveLength(1); // on its row, although opened by a link
  await press('o');
  await expect.poll(() => document.querySelector('[data-whole]')).toBeNull();
  expect(document.querySelector('main')?.inert).toBe(false);
  await press('Escape');
  await expect.poll(readOpenId).toBeNull();
});

test('Back leads from the record to the list after any number of records', async () => {
  await openNews(1);
  await press('Enter');
  await expect.poll(readOpenId).not.toBeNull();
  await press('j');
  await expect.poll(title).toBe(readTitle(1));
  history.back();
  await expect.poll(readOpenId).toBeNull();
});

test('the record panel is resized by drag and keys and keeps its width', async () => {
  await openNews(1);
  await press('Enter');
  const findEdge = () => findPeek().getByRole('separator');
  await expect.element(findEdge()).toHaveAttribute('aria-valuenow', '480');
  (findEdge().element() as HTMLElement).focus();
  await press('ArrowLeft');
  await expect.element(findEdge()).toHaveAttribute('aria-valuenow', '512');
  expect(findPeek().element().getBoundingClientRect().width).toBe(512);
  await press('Home');
  await expect.element(findEdge()).toHaveAttribute('aria-valuenow', '320');
  await loadPage(location.pathname + location.search);
  await expect.element(findEdge()).toHaveAttribute('aria-valuenow', '320');
});

test('on a small screen the record is a sheet above the list', async () => {
  await page.viewport(800, 700);
  await openNews();
  await listRows().first().click();
  await expect.element(page.css('[data-drawer] [data-record]')).toBeVisible();
  expect(document.querySelector('[data-drawer]')?.ariaModal).toBe('true');
});
