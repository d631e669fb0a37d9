import { useState, type ReactElement } from 'react';
import { flushSync } from 'react-dom';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { commands, page, type Locator } from 'vitest/browser';
import { press } from './testing/keys.ts';
import { openNews, listRows } from './testing/list.ts';
import { paletteItems, openPaletteHere as openPalette, paletteDialog } from './testing/palette.ts';
import { signIn } from './testing/panel.tsx';
import { countDifferentPixels, edgeContrast, capturePixels } from './testing/pixels.ts';
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
const minVisiblePixels = 40;

beforeEach(() => commands.emulateMedia({ forcedColors: 'active' }));

let root: Root | null = null;
let container: HTMLElement | null = null;
afterEach(async () => {
  root?.unmount();
  container?.remove();
  root = null;
  container = null;
  await commands.emulateMedia({ forcedColors: 'none' });
});

/** Renders an element, with a function to render another state. */
function render(initialElement: ReactElement): { element: Element; again: (nextElement: ReactElement) => void } {
  let setElement: (nextElement: ReactElement) => void = () => {};
  function TestComponent() {
    const [element, setShown] = useState(initialElement);
    setElement = setShown;
    return element;
  }
  container = document.body.appendChild(document.createElement('div'));
  container.className = 'w-80 p-2 text-body';
  root = createRoot(container);
  flushSync(() => root?.render(<TestComponent />));
  return { element: container, again: (nextElement) => flushSync(() => setElement(nextElement)) };
}

/** Number of changed pixels. */
async function countChangedPixels(element: Element, applyChange: () => unknown): Promise<number> {
  const pixelsBefore = await capturePixels(element);
  await applyChange();
  await new Promise((resolve) => setTimeout(resolve, 100));
  return countDifferentPixels(pixelsBefore, await capturePixels(element));
}

const noop = () => {};
const elementOf = (locator: Locator): Element => locator.element();

describe('on the screen of a list', { timeout: 60_000 }, () => {
  test('the row that Enter runs is seen in the palette', async () => {
    await signIn('all', '/news');
    await openNews();
    await openPalette();
    await expect.poll(() => paletteItems().elements().length).toBeGreaterThan(3);
    expect(await countChangedPixels(elementOf(paletteItems().nth(0)), () => press('ArrowDown'))).toBeGreaterThan(
      minVisiblePixels,
    );
    expect(edgeContrast(await capturePixels(elementOf(page.css('[data-palette]'))))).toBeGreaterThan(0.9);
    await press('Escape');
    await expect
      .poll(() =>
        paletteDialog()
          .elements()
          .some((element) => element.checkVisibility()),
      )
      .toBe(false);
  });

  test('the row that Enter takes is seen in the filter', async () => {
    await signIn('all', '/news');
    await openNews();
    await press('f');
    const options = page.css('[data-filter-menu] [role="option"]');
    await expect.poll(() => options.elements().length).toBeGreaterThan(1);
    expect(await countChangedPixels(elementOf(options.nth(0)), () => press('ArrowDown'))).toBeGreaterThan(minVisiblePixels);
  });

  test('cursor, checked row, both, and the row under the pointer look different', async () => {
    await signIn('all', '/news');
    await openNews(1);
    const [firstElement, secondRow] = [elementOf(listRows().nth(0)), elementOf(listRows().nth(1))];
    const cursor = await capturePixels(firstElement);
    await press('j');
    const unselectedPixels = await capturePixels(firstElement);
    expect(countDifferentPixels(cursor, unselectedPixels)).toBeGreaterThan(minVisiblePixels);
    await press('x');
    const selectedCurrentPixels = await capturePixels(secondRow);
    await press('k');
    const checked = await capturePixels(secondRow);
    expect(countDifferentPixels(selectedCurrentPixels, checked)).toBeGreaterThan(minVisiblePixels);
    expect(countDifferentPixels(checked, unselectedPixels)).toBeGreaterThan(minVisiblePixels * 10);
    expect(await countChangedPixels(elementOf(page.css('[data-foot]')), () => press('Escape'))).toBeGreaterThan(
      minVisiblePixels * 10,
    );
    const thirdRow = elementOf(listRows().nth(3));
    const box = thirdRow.getBoundingClientRect();
    expect(await countChangedPixels(thirdRow, () => commands.movePointer(box.x + 500, box.y + 10, 1))).toBeGreaterThan(
      minVisiblePixels,
    );
    await commands.movePointer(5, 5, 1);
  });

  test('the menu shows which screen is open', async () => {
    await signIn('all', '/news');
    await openNews();
    const currentLink = elementOf(page.getByRole('navigation').first().getByRole('link', { name: '新闻管理' }));
    expect(
      await countChangedPixels(currentLink, () =>
        (elementOf(page.getByRole('link', { name: '首页' }).first()) as HTMLElement).click(),
      ),
    ).toBeGreaterThan(minVisiblePixels * 10);
  });

  test('an open menu has an edge, and the item under the keys is seen', async () => {
    await signIn('all', '/news');
    await openNews();
    (elementOf(page.getByRole('button', { name: /^账户/ })) as HTMLElement).click();
    const menu = page.css('[role="menu"]:popover-open');
    await expect.element(menu).toBeVisible();
    expect(edgeContrast(await capturePixels(elementOf(menu)))).toBeGreaterThan(0.9);
    const firstItem = elementOf(menu.getByRole('menuitem').nth(0));
    expect(await countChangedPixels(firstItem, () => press('ArrowDown'))).toBeGreaterThan(minVisiblePixels);
  });

  test('a notice and a dialog have an edge', async () => {
    await signIn('all', '/news');
    await openNews();
    const id = showToast({ kind: 'error', text: 'x' });
    const notice = page.css('[data-toast]');
    await expect.element(notice).toBeVisible();
    expect(edgeContrast(await capturePixels(elementOf(notice)))).toBeGreaterThan(0.9);
    dropToast(id);
    await press('c');
    const dialog = page.getByRole('dialog', { name: '新增新闻' }).css('.shadow-dialog');
    await expect.element(dialog).toBeVisible();
    expect(edgeContrast(await capturePixels(elementOf(dialog)))).toBeGreaterThan(0.9);
  });
});

test('the chosen segment is visible with forced colors', async () => {
  const options = [
    { value: 'a', label: 'One' },
    { value: 'b', label: 'Two' },
  ];
  const renderSegments = (value: string) => <Segments label="x" options={options} value={value} onChange={noop} />;
  const { element, again } = render(renderSegments('a'));
  const [firstElement] = element.querySelectorAll('[role=radio]');
  expect(firstElement && (await countChangedPixels(firstElement, () => again(renderSegments('b'))))).toBeGreaterThan(
    minVisiblePixels,
  );
});

test('the chosen tab is visible with forced colors', async () => {
  const tabs = [
    { value: 'a', label: 'One', panel: () => null },
    { value: 'b', label: 'Two', panel: () => null },
  ];
  const renderTabs = (value: string) => <Tabs label="x" tabs={tabs} value={value} onChange={noop} />;
  const { element, again } = render(renderTabs('a'));
  const [firstElement] = element.querySelectorAll('[role=tab]');
  expect(firstElement && (await countChangedPixels(firstElement, () => again(renderTabs('b'))))).toBeGreaterThan(
    minVisiblePixels,
  );
});

test('a status chip has an edge with forced colors', async () => {
  const { element } = render(<Chip state="done">Done</Chip>);
  const chip = element.firstElementChild;
  expect(chip && edgeContrast(await capturePixels(chip))).toBeGreaterThan(0.9);
});

test('the primary button stands out with forced colors, and a disabled one does not', async () => {
  const renderButton = (variant: 'primary' | 'secondary', isDisabled = false) => (
    <Button look={variant} aria-disabled={isDisabled || undefined}>
      Save
    </Button>
  );
  const { element, again } = render(renderButton('primary'));
  const button = () => element.querySelector('button') ?? element;
  const primaryPixels = await capturePixels(button());
  again(renderButton('secondary'));
  expect(countDifferentPixels(primaryPixels, await capturePixels(button()))).toBeGreaterThan(minVisiblePixels * 5);
  again(renderButton('primary', true));
  expect(countDifferentPixels(primaryPixels, await capturePixels(button()))).toBeGreaterThan(minVisiblePixels * 5);
});

test('the calendar shows the chosen day with forced colors', async () => {
  const renderCalendar = (day: number) => <Calendar key={day} day={new Date(2026, 4, day)} onPick={noop} />;
  const { element, again } = render(renderCalendar(12));
  const day = () => element.querySelector('[aria-label="2026-05-12"]') ?? element;
  const chosenPixels = await capturePixels(day());
  again(renderCalendar(20));
  expect(countDifferentPixels(chosenPixels, await capturePixels(day()))).toBeGreaterThan(minVisiblePixels * 5);
});

test('the active option of a multi-select and of a tree is visible with forced colors', async () => {
  const options = async () => [
    { value: 'a', label: 'One' },
    { value: 'b', label: 'Two' },
  ];
  const field = { id: 'x', required: false, invalid: false, describedBy: undefined, labelledBy: 'y', autoFocus: false };
  const { element } = render(<PicksField {...field} value={[]} onChange={noop} options={options} empty="form.choose" />);
  await expect.poll(() => element.querySelectorAll('[role=option]').length).toBe(2);
  const [firstElement] = element.querySelectorAll('[role=option]');
  element.querySelector<HTMLElement>('[role=combobox]')?.focus();
  expect(firstElement && (await countChangedPixels(firstElement, () => press('ArrowDown')))).toBeGreaterThan(minVisiblePixels);
  root?.unmount();
  container?.remove();

  const item = { value: 'a', label: 'One', identifier: 'one', children: [] };
  const line = { item, level: 1, hasChildren: false, isOpen: false, position: 1, size: 1 };
  const renderRow = (isActive: boolean) => (
    <TreeLine id="z" line={line as never} check={false} isActive={isActive} isReasonShown onToggle={noop} onOpen={noop} />
  );
  const renderedTree = render(renderRow(true));
  expect(await countChangedPixels(renderedTree.element, () => renderedTree.again(renderRow(false)))).toBeGreaterThan(
    minVisiblePixels,
  );
});

test('progress and the length of a bar are visible with forced colors', async () => {
  const renderPanel = (width: string) => (
    <div className="h-1.5 overflow-hidden rounded-full bg-neutral-bg">
      <div className="h-full bg-accent" style={{ width }} />
    </div>
  );
  const { element, again } = render(renderPanel('20%'));
  expect(await countChangedPixels(element, () => again(renderPanel('80%')))).toBeGreaterThan(minVisiblePixels);
});

test('the selected point of a chart has a visible dot with forced colors', async () => {
  const color = chartColors().series(0);
  const dot = (background: string) => <div className="u-cursor-pt" style={{ background, width: 12, height: 12 }} />;
  const { element, again } = render(dot('transparent'));
  expect(await countChangedPixels(element, () => again(dot(color)))).toBeGreaterThan(minVisiblePixels);
});

test('the lines of a chart differ from the page and from one another with forced colors', () => {
  const { series } = chartColors();
  const page = getComputedStyle(document.body).backgroundColor;
  const colors = [0, 1, 2].map(series);
  expect(colors.every((color) => color.startsWith('rgb'))).toBe(true);
  expect(new Set([page, ...colors]).size).toBe(4);
});
