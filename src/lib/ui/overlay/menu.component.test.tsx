import { flushSync } from 'react-dom';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { holdKey, press } from '../../../testing/keys.ts';
import { IconButton } from '../button.tsx';
import { Dialog } from './dialog.tsx';
import { Menu, MenuItem, MenuSeparator } from './menu.tsx';
import '../../../styles.css';

let root: Root | null = null;
const onChosen = vi.fn();

function renderMenu(parentKind: 'page' | 'dialog' = 'page', onClose = () => {}) {
  const menu = (
    <Menu opener={(opener) => <IconButton {...opener} label="More" icon="…" />}>
      <MenuItem onSelect={() => onChosen('copy')}>Copy</MenuItem>
      <MenuItem onSelect={() => onChosen('hide')} blocked="It is hidden already">
        Hide
      </MenuItem>
      <MenuSeparator />
      <MenuItem onSelect={() => onChosen('delete')}>Delete</MenuItem>
    </Menu>
  );
  const dialog = (
    <Dialog open onClose={onClose} title="Edit">
      {menu}
    </Dialog>
  );
  const testRoot = createRoot(document.body.appendChild(document.createElement('div')));
  root = testRoot;
  flushSync(() => testRoot.render(parentKind === 'page' ? menu : dialog));
}

afterEach(() => {
  root?.unmount();
  onChosen.mockClear();
  document.body.replaceChildren();
});

const button = () => page.getByRole('button', { name: 'More' });
const menu = () => page.getByRole('menu');
const readActiveItem = () => document.querySelector('[role="menuitem"][data-focus]')?.textContent ?? null;

/** The first opening loads the menu's chunk. */
async function openWithKey(key: string) {
  (button().element() as HTMLElement).focus();
  await press(key);
  await expect.element(menu()).toHaveFocus();
}

test('a menu opens at its first item by Enter and ArrowDown, at its last by ArrowUp, and returns the focus', async () => {
  renderMenu();
  await expect.element(button()).toHaveAttribute('aria-expanded', 'false');
  for (const [key, firstActive] of [
    ['Enter', 'Copy'],
    ['ArrowDown', 'Copy'],
    ['ArrowUp', 'Delete'],
    [' ', 'Copy'],
  ] as const) {
    await openWithKey(key);
    await expect.poll(readActiveItem).toBe(firstActive);
    await expect.element(button()).toHaveAttribute('aria-expanded', 'true');
    await press('Escape');
    await expect.element(button()).toHaveFocus();
    await expect.element(menu()).toHaveLength(0);
  }
});

test('a menu returns the focus to its button after the first mouse press', async () => {
  renderMenu();
  await button().click();
  await expect.element(menu()).toHaveFocus();
  await press('Escape');
  await expect.element(button()).toHaveFocus();
});

test('a menu stays closed if the focus moves on while its file loads', async () => {
  renderMenu();
  const field = document.body.appendChild(document.createElement('input'));
  (button().element() as HTMLElement).focus();
  (button().element() as HTMLElement).click();
  field.focus();
  await expect.poll(() => document.activeElement).toBe(field);
  await new Promise((resolve) => setTimeout(resolve));
  await expect.element(menu()).toHaveLength(0);
  expect(document.activeElement).toBe(field);
});

test('a menu that was opened by mouse opens at its first item by a click without a pointer', async () => {
  renderMenu();
  await button().click();
  await expect.element(menu()).toBeVisible();
  expect(readActiveItem()).toBe(null);
  await button().click();
  await expect.element(menu()).toHaveLength(0);
  (button().element() as HTMLElement).click();
  await expect.poll(readActiveItem).toBe('Copy');
});

test('Home, End, arrows and first letters move through a menu, and Enter chooses', async () => {
  renderMenu();
  await openWithKey('Enter');
  for (const [key, expectedItem] of [
    ['End', 'Delete'],
    ['Home', 'Copy'],
    ['d', 'Delete'],
    ['ArrowUp', /^Hide/],
    ['ArrowDown', 'Delete'],
  ] as const) {
    await press(key);
    await expect.poll(readActiveItem).toMatch(expectedItem);
  }
  await press('Enter');
  expect(onChosen.mock.calls).toEqual([['delete']]);
  await expect.element(button()).toHaveFocus();
});

test('a blocked menu item can be reached and gives its reason, but can’t be chosen by Enter, Space or click', async () => {
  renderMenu();
  await openWithKey('Enter');
  await press('ArrowDown');
  await expect.poll(readActiveItem).toBe('HideIt is hidden already');
  const blockedItem = page.getByRole('menuitem', { name: 'Hide' });
  await expect.element(blockedItem).toHaveAttribute('aria-disabled', 'true');
  await press('Enter');
  await press(' ');
  await blockedItem.click({ force: true });
  await expect.element(menu()).toBeVisible();
  expect(onChosen).not.toHaveBeenCalled();
});

test('a key held since opening a menu chooses nothing', async () => {
  renderMenu();
  await openWithKey('Enter');
  await press('Escape');
  await expect.element(button()).toHaveFocus();
  await holdKey('Enter');
  await expect.element(menu()).toBeVisible();
  expect(onChosen).not.toHaveBeenCalled();
});

test('in a dialog, Escape and a press outside close the menu first, then the dialog', async () => {
  const onClose = vi.fn();
  renderMenu('dialog', onClose);
  await openWithKey('Enter');
  await expect.poll(readActiveItem).toBe('Copy');
  await press('Escape');
  await expect.element(menu()).toHaveLength(0);
  await expect.element(button()).toHaveFocus();

  await button().click();
  await expect.element(menu()).toBeVisible();
  await page.getByRole('heading', { name: 'Edit' }).click();
  await expect.element(menu()).toHaveLength(0);
  expect(onClose).not.toHaveBeenCalled();

  await openWithKey('Enter');
  await press('Enter');
  expect(onChosen.mock.calls).toEqual([['copy']]);
  await expect.element(button()).toHaveFocus();
  await press('Escape');
  expect(onClose).toHaveBeenCalledOnce();
});
