import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { snapshotTargets } from '../../scope.ts';
import { press } from '../../../testing/keys.ts';
import { checkedRows, cursorRow, visibleDialogs, openNews, listRows } from '../../../testing/list.ts';
import { loadPage, signIn } from '../../../testing/panel.tsx';

const peek = () => page.css('[data-peek]');
const title = () => peek().css('h2').element().textContent ?? '';
const titleAt = (at: number) => listRows().nth(at).css('[data-column="title"]').element().textContent ?? '';
const open = () => new URLSearchParams(location.search).get('open');
const aimed = () => snapshotTargets().map(({ name }) => name);

beforeEach(async () => {
  await page.viewport(1440, 900);
  await signIn('all', '/news');
});

test('a click on a row opens its record next to the list, which stays usable', async () => {
  await openNews();
  await listRows().nth(2).css('[data-column="time"]').click();
  await expect.poll(title).toBe(titleAt(2));
  expect(document.querySelector('[aria-modal="true"]')).toBeNull();
  await press('j');
  expect(aimed()).toEqual([titleAt(3)]); // before the record has followed
  await press('j');
  await expect.poll(title).toBe(titleAt(4));
  expect(aimed()).toEqual([titleAt(4)]);
  await press('x');
  await expect.element(checkedRows()).toHaveLength(1);
  await press('Escape');
  await expect.element(checkedRows()).toHaveLength(0);
  await expect.element(peek()).toBeVisible();
  await press('Escape');
  await expect.poll(visibleDialogs).toHaveLength(0);
  expect(open()).toBeNull();
  await expect.element(page.getByRole('grid')).toHaveFocus();
});

test('one Escape closes a record opened by a click on its title', async () => {
  await openNews();
  await listRows().nth(2).css('[data-title]').click();
  await expect.poll(title).toBe(titleAt(2));
  await press('Escape');
  await expect.poll(visibleDialogs).toHaveLength(0);
  await expect.element(page.getByRole('grid')).toHaveFocus();
});

test('a click on a control or after selecting text opens no record', async () => {
  await openNews();
  await listRows().nth(1).getByRole('checkbox').click();
  await listRows().nth(1).css('[data-actions] button').click();
  await press('Escape');
  expect(open()).toBeNull();
  const words = listRows().nth(1).css('[data-column="title"] a').element();
  getSelection()?.selectAllChildren(words);
  words.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
  expect(open()).toBeNull();
});

test("a row's title is a link that opens the record in a new tab", async () => {
  await openNews();
  const link = listRows().first().css('[data-title]').element();
  expect(new URL((link as HTMLAnchorElement).href).pathname).toBe('/news');
  let isLeft = true;
  link.addEventListener('click', (event) => event.preventDefault(), { once: true });
  addEventListener('click', (event) => (isLeft = !event.defaultPrevented), { once: true });
  link.dispatchEvent(new MouseEvent('click', { bubbles: true, ctrlKey: true, cancelable: true }));
  expect([open(), isLeft]).toEqual([null, false]); // this test stopped it
});

test('Enter shows the record full-width and stores that in the address', async () => {
  await openNews(2);
  await press('Enter');
  await expect.element(peek().css('[data-record]')).toBeVisible();
  await press('Enter');
  await expect.element(page.css('[data-whole]')).toHaveFocus();
  expect(document.querySelector('main')?.inert).toBe(true);
  await press('j');
  const next = titleAt(2);
  await expect.poll(title).toBe(next);
  await loadPage(location.pathname + location.search);
  await expect.poll(() => document.querySelector('[data-whole] h2')?.textContent).toBe(next);
  await expect.poll(() => cursorRow().elements()).toHaveLength(1); // on its row, although opened by a link
  await press('o');
  await expect.poll(() => document.querySelector('[data-whole]')).toBeNull();
  expect(document.querySelector('main')?.inert).toBe(false);
  await press('Escape');
  await expect.poll(open).toBeNull();
});

test('Back leads from the record to the list after any number of records', async () => {
  await openNews(1);
  await press('Enter');
  await expect.poll(open).not.toBeNull();
  await press('j');
  await expect.poll(title).toBe(titleAt(1));
  history.back();
  await expect.poll(open).toBeNull();
});

test('the record panel is resized by drag and keys and keeps its width', async () => {
  await openNews(1);
  await press('Enter');
  const edge = () => peek().getByRole('separator');
  await expect.element(edge()).toHaveAttribute('aria-valuenow', '480');
  (edge().element() as HTMLElement).focus();
  await press('ArrowLeft');
  await expect.element(edge()).toHaveAttribute('aria-valuenow', '512');
  expect(peek().element().getBoundingClientRect().width).toBe(512);
  await press('Home');
  await expect.element(edge()).toHaveAttribute('aria-valuenow', '320');
  await loadPage(location.pathname + location.search);
  await expect.element(edge()).toHaveAttribute('aria-valuenow', '320');
});

test('on a small screen the record is a sheet above the list', async () => {
  await page.viewport(800, 700);
  await openNews();
  await listRows().first().click();
  await expect.element(page.css('[data-drawer] [data-record]')).toBeVisible();
  expect(document.querySelector('[data-drawer]')?.ariaModal).toBe('true');
});
