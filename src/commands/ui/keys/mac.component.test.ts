import { afterAll, beforeAll, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { press } from '../../../testing/keys.ts';
import { visibleDialogs, openNews } from '../../../testing/list.ts';
import { paletteDialog } from '../../../testing/palette.ts';
import { signIn } from '../../../testing/panel.tsx';
import { expectHidden } from '../../../testing/locators.ts';

beforeAll(() => void Object.defineProperty(navigator, 'platform', { value: 'MacIntel', configurable: true }));
afterAll(() => void Reflect.deleteProperty(navigator, 'platform'));

const opener = () => page.css('header [data-command="palette.open"]');

test('⌘ is the key on a Mac and shown as such, and Control is not', async () => {
  await signIn('all', '/news');
  await openNews(1);
  await expect.element(opener()).toHaveAttribute('aria-keyshortcuts', 'Meta+K');
  await expect.element(opener()).toHaveTextContent(/⌘K$/);
  await press('Control+k');
  expect(visibleDialogs()).toHaveLength(0);
  await press('Meta+k');
  await expect.element(paletteDialog()).toBeVisible();
  await press('Control+k');
  await expect.element(paletteDialog()).toBeVisible();
  await press('Meta+k');
  await expectHidden(paletteDialog());
});

test('⌘A selects the rows, ⌘Enter sends a form, and the sheet shows no Ctrl on a Mac', async () => {
  await signIn('all', '/news');
  await openNews(1);
  await press('Meta+a');
  await expect.element(page.css('[data-checked]').first()).toBeVisible();
  await press('Escape');
  await press('c');
  const form = page.getByRole('dialog');
  await expect.element(form.getByRole('textbox').first()).toHaveFocus();
  await press('Meta+Enter');
  await expect.element(form.css('[aria-invalid="true"]').first()).toBeVisible();
  await press('Escape');
  await expectHidden(form);
  await press('?');
  const sheet = page.getByRole('dialog', { name: '键盘快捷键' });
  await expect.element(sheet).toHaveTextContent('⌘');
  expect(sheet.element().textContent).not.toContain('Ctrl');
});
