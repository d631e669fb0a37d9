import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { press } from '../../../../testing/keys.ts';
import { openNews, rows } from '../../../../testing/list.ts';
import { signIn } from '../../../../testing/panel.tsx';

beforeEach(() => signIn('all', '/news'));

test('on a phone a row is a card: its title, its state and its menu, side to side', async () => {
  await page.viewport(375, 740);
  await openNews();
  await expect.poll(() => rows().first().css('[data-column]').elements().length).toBe(3);
  const menu = rows().first().css('[data-actions] button').element().getBoundingClientRect();
  expect(menu.right).toBeLessThanOrEqual(375);
  const grid = page.getByRole('grid').element();
  expect(grid.scrollWidth).toBe(grid.clientWidth);
});

test('at 400 % zoom there are still rows, and a key brings one into sight whole', async () => {
  await page.viewport(360, 225);
  await openNews(2);
  const { top, bottom } = page.css('[role="row"][data-cursor]').element().getBoundingClientRect();
  expect(bottom - top).toBeGreaterThan(24);
  expect([top >= 0, top < 225 - 56 - 24]).toEqual([true, true]); // over the bar at the bottom
});

test('beside a record the title and the menu of a row stay in sight', async () => {
  await page.viewport(1100, 700);
  await openNews(1);
  await press('Enter');
  await expect.element(page.css('[data-peek]')).toBeVisible();
  const grid = page.getByRole('grid').element();
  grid.scrollLeft = 400;
  const [box, menu, title] = [
    grid,
    ...['[data-actions]', '[data-column="title"]'].map((part) => rows().first().css(part).element()),
  ].map((element) => element.getBoundingClientRect());
  expect(Math.round(menu?.right ?? 0)).toBe(Math.round(box?.right ?? -1));
  expect(Math.round((title?.left ?? 0) - (box?.left ?? 0))).toBe(40);
});

test('a cursor that moves changes the two rows and what the grid says, and draws nothing', async () => {
  await page.viewport(1440, 900);
  await openNews(1);
  await press('j');
  // The rows out of sight come when nothing else is to do (use-window.ts), which draws once more.
  const beyond = () => {
    const last = rows().last().element().getBoundingClientRect();
    return last.top - page.getByRole('grid').element().getBoundingClientRect().bottom - 4 * last.height;
  };
  await expect.poll(beyond).toBeGreaterThan(0);
  const changed: string[] = [];
  const note = (records: readonly MutationRecord[]) =>
    changed.push(...records.map(({ target, attributeName }) => `${(target as Element).role} ${attributeName}`));
  const watching = new MutationObserver(note);
  // Not all of them: pictures may still come. React writes an input's name and type whenever it draws it.
  const attributeFilter = ['data-cursor', 'aria-activedescendant', 'aria-selected', 'class', 'name', 'type'];
  watching.observe(document.body, { subtree: true, attributeFilter });
  await press('j');
  await press('k');
  note(watching.takeRecords());
  watching.disconnect();
  const move = ['row data-cursor', 'row data-cursor', 'grid aria-activedescendant'];
  expect(changed).toEqual([...move, ...move]);
});

test('a drag of the head that the browser or Escape takes away changes no column', async () => {
  await openNews();
  const heads = () => page.css('[data-head]').elements();
  const look = () => heads().map((head) => [(head as HTMLElement).dataset['head'], head.getBoundingClientRect().width]);
  const before = look();
  const pointer = (target: EventTarget, type: string, clientX: number) =>
    target.dispatchEvent(new PointerEvent(type, { bubbles: true, clientX, clientY: 0 }));
  for (const giveUp of [
    () => pointer(window, 'pointercancel', 600),
    () => document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true })),
  ])
    for (const part of ['edge', 'name']) {
      const head = heads()[1];
      const { right = 0, width = 0 } = head?.getBoundingClientRect() ?? {};
      const from = part === 'edge' ? right - 1 : right - width / 2;
      pointer(head ?? window, 'pointerdown', from);
      pointer(window, 'pointermove', from + 300);
      if (part === 'edge') expect(look()).not.toEqual(before);
      else expect((head as HTMLElement).style.transform).not.toBe('');
      giveUp();
      pointer(window, 'pointerup', from + 300);
      await new Promise((done) => setTimeout(done)); // what was kept is drawn
      expect((head as HTMLElement).style.transform).toBe('');
      expect(look()).toEqual(before);
    }
});

test('the buttons for all that match say so, as the line beside them does', async () => {
  await openNews();
  await press('Shift+X');
  const words = '符合筛选条件的全部 36 条';
  await expect.element(page.css('[data-foot]').getByRole('status')).toHaveTextContent(words);
  await expect.element(page.css('[data-foot]').getByRole('group')).toHaveAttribute('aria-label', words);
});
