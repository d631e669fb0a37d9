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
    ...['[data-actions]', '[data-column="title"]'].map((part) => listRows().first().css(part).element()),
  ].map((element) => element.getBoundingClientRect());
  expect(Math.round(menu?.right ?? 0)).toBe(Math.round(box?.right ?? -1));
  expect(Math.round((title?.left ?? 0) - (box?.left ?? 0))).toBe(40);
});

test('moving the cursor changes two rows and the grid’s label without a render', async () => {
  await page.viewport(1440, 900);
  await openNews(1);
  await press('j');
  // Rows out of sight render later (use-window.ts).
  const beyond = () => {
    const last = listRows().last().element().getBoundingClientRect();
    return last.top - page.getByRole('grid').element().getBoundingClientRect().bottom - 4 * last.height;
  };
  await expect.poll(beyond).toBeGreaterThan(0);
  const changed: string[] = [];
  const note = (records: readonly MutationRecord[]) =>
    changed.push(...records.map(({ target, attributeName }) => `${(target as Element).role} ${attributeName}`));
  const watching = new MutationObserver(note);
  // React writes name and type of inputs on every render.
  const attributeFilter = ['data-cursor', 'aria-activedescendant', 'aria-selected', 'class', 'name', 'type'];
  watching.observe(document.body, { subtree: true, attributeFilter });
  await press('j');
  await press('k');
  note(watching.takeRecords());
  watching.disconnect();
  const move = ['row data-cursor', 'row data-cursor', 'grid aria-activedescendant'];
  expect(changed).toEqual([...move, ...move]);
});

const heads = () => page.css('[data-head]').elements() as HTMLElement[];
const look = () => heads().map((head) => [head.dataset['head'], head.getBoundingClientRect().width]);
const widthOf = (id: string) => look().find(([head]) => head === id)?.[1];
const drawn = () => new Promise((done) => setTimeout(done));
const mouse = (target: EventTarget, type: string, clientX: number) =>
  target.dispatchEvent(new MouseEvent(type, { bubbles: true, clientX }));
const touch = (target: EventTarget, type: string, clientX: number) =>
  target.dispatchEvent(new TouchEvent(type, { bubbles: true, touches: [new Touch({ identifier: 0, target, clientX })] }));
const escape = () => document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
const edgeOf = (id: string) => page.css(`[data-head="${id}"] [data-edge]`).element();
const stored = () => Object.entries(localStorage).find(([key]) => key.startsWith('prefs.columns.'))?.[1] as string | undefined;

test('the header box checks all rows or none, and checking a row changes no other', async () => {
  await openNews();
  const head = () => page.css('[role="columnheader"] input').element() as HTMLInputElement;
  await page.css('[role="columnheader"] input').click();
  await expect.poll(() => page.css('[role="row"][aria-selected="false"]').elements().length).toBe(0);
  expect([head().checked, head().indeterminate]).toEqual([true, false]);

  const changed = new Set<Node>();
  const watching = new MutationObserver((records) => records.forEach(({ target }) => changed.add(target)));
  watching.observe(page.getByRole('grid').element(), { subtree: true, attributeFilter: ['aria-selected', 'name', 'type'] });
  await listRows().nth(2).css('input').click();
  await expect.poll(() => head().indeterminate).toBe(true);
  watching.disconnect();
  const touched = [...changed].map((node) => (node as Element).closest('[role="row"]')?.getAttribute('aria-rowindex'));
  expect([...new Set(touched)].toSorted()).toEqual(['1', '4']);

  await page.css('[role="columnheader"] input').click();
  await page.css('[role="columnheader"] input').click();
  await expect.poll(() => page.css('[role="row"][aria-selected="true"]').elements().length).toBe(0);
  expect([head().checked, head().indeterminate]).toEqual([false, false]);
});

test('a drag of a column name that the browser or Escape cancels changes no column', async () => {
  await openNews();
  const before = look();
  const pointer = (target: EventTarget, type: string, clientX: number) =>
    target.dispatchEvent(new PointerEvent(type, { bubbles: true, clientX, clientY: 0 }));
  for (const giveUp of [() => pointer(window, 'pointercancel', 600), escape]) {
    const [, head] = heads();
    const { right = 0, width = 0 } = head?.getBoundingClientRect() ?? {};
    const from = right - width / 2;
    pointer(head ?? window, 'pointerdown', from);
    pointer(window, 'pointermove', from + 300);
    expect(head?.style.transform).not.toBe('');
    giveUp();
    pointer(window, 'pointerup', from + 300);
    await drawn();
    expect(head?.style.transform).toBe('');
    expect(look()).toEqual(before);
  }
});

test('a resize ended by Escape or a canceled touch, or a press without movement, changes no width', async () => {
  await openNews();
  const before = look();
  const { right: from } = edgeOf('title').getBoundingClientRect();
  for (const [press, to, giveUp] of [
    [mouse, 300, escape],
    [touch, 300, () => touch(edgeOf('title'), 'touchcancel', from)],
    [mouse, 1, () => {}],
  ] as const) {
    press(edgeOf('title'), press === mouse ? 'mousedown' : 'touchstart', from);
    press(edgeOf('title'), press === mouse ? 'mousemove' : 'touchmove', from + to);
    expect(look()).not.toEqual(before);
    giveUp();
    mouse(document, 'mouseup', from + to);
    await drawn();
    expect(look()).toEqual(before);
    expect(stored()).toBeUndefined();
  }
});

test.each(['ltr', 'rtl'])('a resize in %s starts at the drawn width and keeps a whole number within the limits', async (dir) => {
  await openNews();
  document.dir = dir;
  await page.viewport(600, 900);
  await page.viewport(1440, 900);
  await expect.element(page.css('[data-head="description"]')).toBeVisible();
  const width = Number(widthOf('description'));
  const sign = dir === 'rtl' ? -1 : 1;
  for (const [by, result] of [
    [100, Math.round(width + 100)],
    [-5000, 48],
    [5000, 1200],
  ] as const) {
    mouse(edgeOf('description'), 'mousedown', 500);
    mouse(document, 'mousemove', 500 + sign * by);
    const preview = widthOf('description');
    mouse(document, 'mouseup', 500 + sign * by);
    await drawn();
    expect([preview, widthOf('description')]).toEqual([result, result]);
    expect(JSON.parse(stored() ?? '')).toEqual({ shown: {}, widths: { description: result }, order: [] });
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
  expect(look().map(([id]) => id)).toEqual(['time', 'image', 'status', 'description', 'title', 'createdAt']);
  await page.getByRole('button', { name: '显示' }).click();
  await page.css('[data-choice="link"] input').click();
  expect(look().map(([id]) => id)).toEqual(['time', 'image', 'status', 'description', 'link', 'title', 'createdAt']);
  expect(JSON.parse(stored() ?? '')).toEqual({ ...settings, shown: { createdAt: true, gone: true } });
});

test('the buttons for all matching rows name the scope, as does the line beside them', async () => {
  await openNews();
  await press('Shift+X');
  const words = '符合筛选条件的全部 36 条';
  await expect.element(page.css('[data-foot]').getByRole('status')).toHaveTextContent(words);
  await expect.element(page.css('[data-foot]').getByRole('group')).toHaveAttribute('aria-label', words);
});
