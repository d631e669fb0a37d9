import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { press } from '../../../../testing/keys.ts';
import { openNews, listRows } from '../../../../testing/list.ts';
import { openPage, signIn } from '../../../../testing/panel.tsx';
import { $loginEmail } from '../../../session/session.ts';

beforeEach(() => signIn('all', '/news'));

test('a row is a card with title, state and menu on a phone', async () => {
  await page.viewport(375, 740);
  await openNews();
  await expect.poll(() => listRows().first().css('[data-column]').elements().length).toBe(3);
  const menu = listRows().first().css('[data-actions] button').element().getBoundingClientRect();
  expect(menu.right).toBeLessThanOrEqual(375);
  const grid = page.getByRole('grid').element();
  expect(grid.scrollWidth).toBe(grid.clientWidth);
});

test('rows are visible at 400 % zoom, and a key scrolls one fully into view', async () => {
  await page.viewport(360, 225);
  await openNews(2);
  const { top, bottom } = page.css('[role="row"][data-cursor]').element().getBoundingClientRect();
  expect(bottom - top).toBeGreaterThan(24);
  expect([top >= 0, top < 225 - 56 - 24]).toEqual([true, true]);
});

test('title and menu of a row stay in view beside a record', async () => {
  await page.viewport(1100, 700);
  await openNews(1);
  await press('Enter');
  await expect.element(page.css('[data-peek]')).toBeVisible();
  const grid = page.getByRole('grid').element();
  grid.scrollLeft = 400;
  const [box, menu, title] = [
    grid,
    ...['[data-actions]', '[data-column="title"]'].map((selector) => listRows().first().css(selector).element()),
  ].map((element) => element.getBoundingClientRect());
  expect(Math.round(menu?.right ?? 0)).toBe(Math.round(box?.right ?? -1));
  expect(Math.round((title?.left ?? 0) - (box?.left ?? 0))).toBe(40);
});

test('moving the cursor changes two rows and the grid’s label without a render', async () => {
  await page.viewport(1440, 900);
  await openNews(1);
  await press('j');
  // Rows out of sight render later (use-window.ts).
  const distanceBelowGrid = () => {
    const lastRow = listRows().last().element().getBoundingClientRect();
    return lastRow.top - page.getByRole('grid').element().getBoundingClientRect().bottom - 4 * lastRow.height;
  };
  await expect.poll(distanceBelowGrid).toBeGreaterThan(0);
  const mutations: string[] = [];
  const recordMutations = (records: readonly MutationRecord[]) =>
    mutations.push(...records.map(({ target, attributeName }) => `${(target as Element).role} ${attributeName}`));
  const observer = new MutationObserver(recordMutations);
  // React writes name and type of inputs on every render.
  const attributeFilter = ['data-cursor', 'aria-activedescendant', 'aria-selected', 'class', 'name', 'type'];
  observer.observe(document.body, { subtree: true, attributeFilter });
  await press('j');
  await press('k');
  recordMutations(observer.takeRecords());
  observer.disconnect();
  const expectedMutations = ['row data-cursor', 'row data-cursor', 'grid aria-activedescendant'];
  expect(mutations).toEqual([...expectedMutations, ...expectedMutations]);
});

const headerCells = () => page.css('[data-head]').elements() as HTMLElement[];
const columnWidths = () =>
  headerCells().map((headerCell) => [headerCell.dataset['head'], headerCell.getBoundingClientRect().width]);
const readWidth = (id: string) => columnWidths().find(([headerCell]) => headerCell === id)?.[1];
const waitForRender = () => new Promise((resolve) => setTimeout(resolve));
const dispatchPointer = (target: EventTarget, type: string, clientX: number, pointerId = 1) =>
  target.dispatchEvent(new PointerEvent(type, { bubbles: true, clientX, pointerId }));
const pressEscape = () => document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
const findResizeHandle = (id: string) => page.css(`[data-head="${id}"] [data-edge]`).element();
const readStoredColumns = () =>
  Object.entries(localStorage).find(([key]) => key.startsWith('prefs.columns.'))?.[1] as string | undefined;

test('the header box checks all rows or none, and checking a row changes no other', async () => {
  await openNews();
  const headerCell = () => page.css('[role="columnheader"] input').element() as HTMLInputElement;
  await page.css('[role="columnheader"] input').click();
  await expect.poll(() => page.css('[role="row"][aria-selected="false"]').elements().length).toBe(0);
  expect([headerCell().checked, headerCell().indeterminate]).toEqual([true, false]);

  const changedNodes = new Set<Node>();
  const observer = new MutationObserver((records) => records.forEach(({ target }) => changedNodes.add(target)));
  observer.observe(page.getByRole('grid').element(), { subtree: true, attributeFilter: ['aria-selected', 'name', 'type'] });
  await listRows().nth(2).css('input').click();
  await expect.poll(() => headerCell().indeterminate).toBe(true);
  observer.disconnect();
  const changedRowIndexes = [...changedNodes].map((node) =>
    (node as Element).closest('[role="row"]')?.getAttribute('aria-rowindex'),
  );
  expect([...new Set(changedRowIndexes)].toSorted()).toEqual(['1', '4']);

  await page.css('[role="columnheader"] input').click();
  await page.css('[role="columnheader"] input').click();
  await expect.poll(() => page.css('[role="row"][aria-selected="true"]').elements().length).toBe(0);
  expect([headerCell().checked, headerCell().indeterminate]).toEqual([false, false]);
});

test('a drag of a column name that the browser or Escape cancels changes no column', async () => {
  await openNews();
  const widthsBefore = columnWidths();
  for (const cancelDrag of [() => dispatchPointer(window, 'pointercancel', 600), pressEscape]) {
    const [, headerCell] = headerCells();
    const { right = 0, width = 0 } = headerCell?.getBoundingClientRect() ?? {};
    const from = right - width / 2;
    dispatchPointer(headerCell ?? window, 'pointerdown', from);
    dispatchPointer(window, 'pointermove', from + 300);
    expect(headerCell?.style.transform).not.toBe('');
    cancelDrag();
    dispatchPointer(window, 'pointerup', from + 300);
    await waitForRender();
    expect(headerCell?.style.transform).toBe('');
    expect(columnWidths()).toEqual(widthsBefore);
  }
});

test('a resize ended by Escape or the browser, or a press without movement, changes no width', async () => {
  await openNews();
  const widthsBefore = columnWidths();
  const { right: from } = findResizeHandle('title').getBoundingClientRect();
  for (const [offset, cancelDrag] of [
    [300, pressEscape],
    [300, () => dispatchPointer(findResizeHandle('title'), 'pointercancel', from)],
    [1, () => {}],
  ] as const) {
    dispatchPointer(findResizeHandle('title'), 'pointerdown', from);
    dispatchPointer(findResizeHandle('title'), 'pointermove', from + offset);
    expect(columnWidths()).not.toEqual(widthsBefore);
    cancelDrag();
    dispatchPointer(window, 'pointerup', from + offset);
    await waitForRender();
    expect(columnWidths()).toEqual(widthsBefore);
    expect(readStoredColumns()).toBeUndefined();
  }
});

test.each(['ltr', 'rtl'])('a resize in %s starts at the drawn width and keeps a whole number within the limits', async (dir) => {
  await openNews();
  document.dir = dir;
  await page.viewport(600, 900);
  await page.viewport(1440, 900);
  await expect.element(page.css('[data-head="description"]')).toBeVisible();
  const width = Number(readWidth('description'));
  const sign = dir === 'rtl' ? -1 : 1;
  for (const [delta, result] of [
    [100, Math.round(width + 100)],
    [-5000, 48],
    [5000, 1200],
  ] as const) {
    dispatchPointer(findResizeHandle('description'), 'pointerdown', 500);
    dispatchPointer(window, 'pointermove', 500 + sign * delta);
    const previewWidth = readWidth('description');
    dispatchPointer(window, 'pointermove', 400, 2);
    expect(readWidth('description')).toBe(previewWidth);
    dispatchPointer(window, 'pointerup', 500 + sign * delta);
    await waitForRender();
    expect([previewWidth, readWidth('description')]).toEqual([result, result]);
    expect(JSON.parse(readStoredColumns() ?? '')).toEqual({ shown: {}, widths: { description: result }, order: [] });
  }
  document.dir = 'ltr';
});

test('a column missing from the stored order appears at its default position, and the pinned column stays in place', async () => {
  const settings = {
    shown: { link: false, createdAt: true, gone: true },
    widths: {},
    order: ['time', 'gone', 'status', 'title'],
  };
  localStorage.setItem(`prefs.columns.${$loginEmail.get()}.news`, JSON.stringify(settings));
  await openPage('/news');
  await expect.element(listRows().first()).toBeVisible();
  expect(columnWidths().map(([id]) => id)).toEqual(['time', 'image', 'status', 'description', 'title', 'createdAt']);
  await page.getByRole('button', { name: '显示' }).click();
  await page.css('[data-choice="link"] input').click();
  expect(columnWidths().map(([id]) => id)).toEqual(['time', 'image', 'status', 'description', 'link', 'title', 'createdAt']);
  expect(JSON.parse(readStoredColumns() ?? '')).toEqual({ ...settings, shown: { createdAt: true, gone: true } });
});

test('the buttons for all matching rows name the scope, as does the line beside them', async () => {
  await openNews();
  await press('Shift+X');
  const selectionText = '符合筛选条件的全部 36 条';
  await expect.element(page.css('[data-foot]').getByRole('status')).toHaveTextContent(selectionText);
  await expect.element(page.css('[data-foot]').getByRole('group')).toHaveAttribute('aria-label', selectionText);
});
