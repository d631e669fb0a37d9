import { useState, type ReactElement } from 'react';
import { flushSync } from 'react-dom';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { commands, page, type Locator } from 'vitest/browser';
import { press } from './testing/keys.ts';
import { openNews, listRows } from './testing/list.ts';
import { paletteItems, openPaletteHere as openPalette, paletteDialog } from './testing/palette.ts';
import { signIn } from './testing/panel.tsx';
import { countDifferentPixels, edgeContrast, pixelsOf } from './testing/pixels.ts';
import { chartColors } from './lib/ui/chart/chart-colors.ts';
import { Button } from './lib/ui/button.tsx';
import { Calendar } from './lib/ui/form/calendar.tsx';
import { PicksField } from './lib/ui/form/picks-field.tsx';
import { TreeLine } from './lib/ui/form/tree-line.tsx';
import { dropToast, showToast } from './lib/ui/overlay/toasts-store.ts';
import { Segments } from './lib/ui/segments.tsx';
import { Tabs } from './lib/ui/tabs.tsx';
import { Chip } from './lib/ui/value/chip.tsx';

// Every state that is only a background elsewhere must change pixels in forced colors.

/** More pixels than antialiasing changes. */
const seen = 40;

beforeEach(() => commands.emulateMedia({ forcedColors: 'active' }));

let root: Root | null = null;
let place: HTMLElement | null = null;
afterEach(async () => {
  root?.unmount();
  place?.remove();
  root = null;
  place = null;
  await commands.emulateMedia({ forcedColors: 'none' });
});

/** Renders an element, with a function to render another state. */
function draw(first: ReactElement): { element: Element; again: (next: ReactElement) => void } {
  let set: (next: ReactElement) => void = () => {};
  function Drawn() {
    const [shown, setShown] = useState(first);
    set = setShown;
    return shown;
  }
  place = document.body.appendChild(document.createElement('div'));
  place.className = 'w-80 p-2 text-body';
  root = createRoot(place);
  flushSync(() => root?.render(<Drawn />));
  return { element: place, again: (next) => flushSync(() => set(next)) };
}

/** Number of changed pixels. */
async function changed(element: Element, change: () => unknown): Promise<number> {
  const before = await pixelsOf(element);
  await change();
  await new Promise((resolve) => setTimeout(resolve, 100));
  return countDifferentPixels(before, await pixelsOf(element));
}

const nothing = () => {};
const el = (locator: Locator): Element => locator.element();

describe('on the screen of a list', { timeout: 60_000 }, () => {
  test('the row that Enter runs is seen in the palette', async () => {
    await signIn('all', '/news');
    await openNews();
    await openPalette();
    await expect.poll(() => paletteItems().elements().length).toBeGreaterThan(3);
    expect(await changed(el(paletteItems().nth(0)), () => press('ArrowDown'))).toBeGreaterThan(seen);
    expect(edgeContrast(await pixelsOf(el(page.css('[data-palette]'))))).toBeGreaterThan(0.9);
    await press('Escape');
    await expect
      .poll(() =>
        paletteDialog()
          .elements()
          .some((one) => one.checkVisibility()),
      )
      .toBe(false);
  });

  test('the row that Enter takes is seen in the filter', async () => {
    await signIn('all', '/news');
    await openNews();
    await press('f');
    const options = page.css('[data-filter-menu] [role="option"]');
    await expect.poll(() => options.elements().length).toBeGreaterThan(1);
    expect(await changed(el(options.nth(0)), () => press('ArrowDown'))).toBeGreaterThan(seen);
  });

  test('cursor, checked row, both, and the row under the pointer look different', async () => {
    await signIn('all', '/news');
    await openNews(1);
    const [first, second] = [el(listRows().nth(0)), el(listRows().nth(1))];
    const cursor = await pixelsOf(first);
    await press('j');
    const plain = await pixelsOf(first);
    expect(countDifferentPixels(cursor, plain)).toBeGreaterThan(seen);
    await press('x');
    const both = await pixelsOf(second);
    await press('k');
    const checked = await pixelsOf(second);
    expect(countDifferentPixels(both, checked)).toBeGreaterThan(seen);
    expect(countDifferentPixels(checked, plain)).toBeGreaterThan(seen * 10);
    expect(await changed(el(page.css('[data-foot]')), () => press('Escape'))).toBeGreaterThan(seen * 10);
    const third = el(listRows().nth(3));
    const box = third.getBoundingClientRect();
    expect(await changed(third, () => commands.movePointer(box.x + 500, box.y + 10, 1))).toBeGreaterThan(seen);
    await commands.movePointer(5, 5, 1);
  });

  test('the menu shows which screen is open', async () => {
    await signIn('all', '/news');
    await openNews();
    const here = el(page.getByRole('navigation').first().getByRole('link', { name: '新闻管理' }));
    expect(
      await changed(here, () => (el(page.getByRole('link', { name: '首页' }).first()) as HTMLElement).click()),
    ).toBeGreaterThan(seen * 10);
  });

  test('an open menu has an edge, and the item under the keys is seen', async () => {
    await signIn('all', '/news');
    await openNews();
    (el(page.getByRole('button', { name: /^账户/ })) as HTMLElement).click();
    const menu = page.css('[role="menu"]:popover-open');
    await expect.element(menu).toBeVisible();
    expect(edgeContrast(await pixelsOf(el(menu)))).toBeGreaterThan(0.9);
    const first = el(menu.getByRole('menuitem').nth(0));
    expect(await changed(first, () => press('ArrowDown'))).toBeGreaterThan(seen);
  });

  test('a notice and a dialog have an edge', async () => {
    await signIn('all', '/news');
    await openNews();
    const id = showToast({ kind: 'error', text: 'x' });
    const notice = page.css('[data-toast]');
    await expect.element(notice).toBeVisible();
    expect(edgeContrast(await pixelsOf(el(notice)))).toBeGreaterThan(0.9);
    dropToast(id);
    await press('c');
    const dialog = page.getByRole('dialog', { name: '新增新闻' }).css('.shadow-dialog');
    await expect.element(dialog).toBeVisible();
    expect(edgeContrast(await pixelsOf(el(dialog)))).toBeGreaterThan(0.9);
  });
});

test('the chosen segment is visible with forced colors', async () => {
  const options = [
    { value: 'a', label: 'One' },
    { value: 'b', label: 'Two' },
  ];
  const of = (value: string) => <Segments label="x" options={options} value={value} onChange={nothing} />;
  const { element, again } = draw(of('a'));
  const [first] = element.querySelectorAll('[role=radio]');
  expect(first && (await changed(first, () => again(of('b'))))).toBeGreaterThan(seen);
});

test('the chosen tab is visible with forced colors', async () => {
  const tabs = [
    { value: 'a', label: 'One', panel: () => null },
    { value: 'b', label: 'Two', panel: () => null },
  ];
  const of = (value: string) => <Tabs label="x" tabs={tabs} value={value} onChange={nothing} />;
  const { element, again } = draw(of('a'));
  const [first] = element.querySelectorAll('[role=tab]');
  expect(first && (await changed(first, () => again(of('b'))))).toBeGreaterThan(seen);
});

test('a status chip has an edge with forced colors', async () => {
  const { element } = draw(<Chip state="done">Done</Chip>);
  const chip = element.firstElementChild;
  expect(chip && edgeContrast(await pixelsOf(chip))).toBeGreaterThan(0.9);
});

test('the primary button stands out with forced colors, and a disabled one does not', async () => {
  const of = (look: 'primary' | 'secondary', isDisabled = false) => (
    <Button look={look} aria-disabled={isDisabled || undefined}>
      Save
    </Button>
  );
  const { element, again } = draw(of('primary'));
  const button = () => element.querySelector('button') ?? element;
  const primary = await pixelsOf(button());
  again(of('secondary'));
  expect(countDifferentPixels(primary, await pixelsOf(button()))).toBeGreaterThan(seen * 5);
  again(of('primary', true));
  expect(countDifferentPixels(primary, await pixelsOf(button()))).toBeGreaterThan(seen * 5);
});

test('the calendar shows the chosen day with forced colors', async () => {
  const of = (day: number) => <Calendar key={day} day={new Date(2026, 4, day)} onPick={nothing} />;
  const { element, again } = draw(of(12));
  const day = () => element.querySelector('[aria-label="2026-05-12"]') ?? element;
  const chosen = await pixelsOf(day());
  again(of(20));
  expect(countDifferentPixels(chosen, await pixelsOf(day()))).toBeGreaterThan(seen * 5);
});

test('the active option of a multi-select and of a tree is visible with forced colors', async () => {
  const options = async () => [
    { value: 'a', label: 'One' },
    { value: 'b', label: 'Two' },
  ];
  const field = { id: 'x', required: false, invalid: false, describedBy: undefined, labelledBy: 'y', autoFocus: false };
  const { element } = draw(<PicksField {...field} value={[]} onChange={nothing} options={options} empty="form.choose" />);
  await expect.poll(() => element.querySelectorAll('[role=option]').length).toBe(2);
  const [first] = element.querySelectorAll('[role=option]');
  element.querySelector<HTMLElement>('[role=combobox]')?.focus();
  expect(first && (await changed(first, () => press('ArrowDown')))).toBeGreaterThan(seen);
  root?.unmount();
  place?.remove();

  const item = { value: 'a', label: 'One', identifier: 'one', children: [] };
  const line = { item, level: 1, hasChildren: false, isOpen: false, position: 1, size: 1 };
  const of = (isActive: boolean) => (
    <TreeLine id="z" line={line as never} check={false} isActive={isActive} onToggle={nothing} onOpen={nothing} />
  );
  const tree = draw(of(true));
  expect(await changed(tree.element, () => tree.again(of(false)))).toBeGreaterThan(seen);
});

test('progress and the length of a bar are visible with forced colors', async () => {
  const of = (width: string) => (
    <div className="h-1.5 overflow-hidden rounded-full bg-neutral-bg">
      <div className="h-full bg-accent" style={{ width }} />
    </div>
  );
  const { element, again } = draw(of('20%'));
  expect(await changed(element, () => again(of('80%')))).toBeGreaterThan(seen);
});

test('the lines of a chart differ from the page and from one another with forced colors', () => {
  const { series } = chartColors();
  const page = getComputedStyle(document.body).backgroundColor;
  const colors = [0, 1, 2].map(series);
  expect(colors.every((color) => color.startsWith('rgb'))).toBe(true);
  expect(new Set([page, ...colors]).size).toBe(4);
});
