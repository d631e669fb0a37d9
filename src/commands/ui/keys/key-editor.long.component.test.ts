import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { press } from '../../../testing/keys.ts';
import { adminScript, runInPalette, signIn, setTestLocale } from '../../../testing/panel.tsx';
import { $overrides } from '../../app/keymap.ts';
import { expectHidden, expectPath } from '../../../testing/locators.ts';

setTestLocale('en-US');

const editor = () => page.getByRole('dialog', { name: 'Change shortcuts' });
const row = (id: string) => editor().css(`[data-keys-of="${id}"]`);
const recorder = () => page.css('[data-recorder]');
const storedKeys = (): unknown => JSON.parse(localStorage.getItem('prefs.keys') ?? '{}');
const statusMessage = () => editor().getByRole('status');

test('a command without keys gets a working sequence by keyboard', async () => {
  await signIn('all', '/news');
  await runInPalette('keys.edit');
  await editor().getByRole('searchbox').fill('permission settings');
  await press('Tab');
  const addButton = row('go.permission').getByRole('button', { name: 'Add a shortcut to' });
  (addButton.element() as HTMLElement).focus();
  await press('Enter');
  await expect.element(recorder()).toHaveFocus();
  await press('g');
  await expect.element(statusMessage()).toHaveTextContent('Already used by');
  await press('k');
  await expect.element(recorder()).toHaveValue('G K');
  await press('Enter');
  await expect.element(row('go.permission').getByRole('button', { name: 'Change G K' })).toHaveFocus();
  await press('Escape');
  await expectHidden(editor());

  await press('g');
  const hint = page.getByRole('status').filter({ hasText: 'Next key:' });
  await expect.element(hint).toHaveTextContent('Go to Permission settings');
  await press('k');
  await expectPath('/permissions/permission');
});

test('keys are changed, reassigned, removed and reset by mouse', async () => {
  await signIn('all', '/news');
  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByRole('menuitem', { name: 'Change shortcuts' }).click();
  await row('news.add').getByRole('button', { name: 'Change C of' }).click();
  await press('Escape');
  await expectHidden(recorder());
  await expect.element(editor()).toBeVisible();

  await row('news.add').getByRole('button', { name: 'Change C of' }).click();
  await press('h');
  await expect.element(statusMessage()).toHaveTextContent('Already used by Hide news');
  expect(storedKeys()).toEqual({});
  await editor().getByRole('button', { name: 'Remove from “Hide news” and use here' }).click();
  expect(storedKeys()).toEqual({ 'news.add': ['h'], 'news.hide': [] });
  await row('news.delete').getByRole('button', { name: 'Remove Del from “Delete news”' }).click();
  expect(storedKeys()).toMatchObject({ 'news.delete': ['#'] });
  await press('Escape');
  await expectHidden(editor());

  await expect.element(page.css('[data-command="news.add"]').first()).toHaveTextContent('H');
  await press('h');
  await expect.element(page.getByRole('dialog', { name: 'Add news' })).toBeVisible();
  await press('Escape');

  await adminScript().run('keys.edit');
  await row('news.add').getByRole('button', { name: 'Reset shortcuts of' }).click();
  expect(storedKeys()).toEqual({ 'news.hide': [], 'news.delete': ['#'] });
  await expect.element(page.getByText('Operation Successful · Shortcuts of “Add news” reset to the default')).toBeVisible();
  await editor().css('[data-command="keys.reset"]').click();
  await expect.poll(storedKeys).toEqual({});
  await page.css('[data-toast]').getByRole('button', { name: 'Undo' }).click();
  await expect.poll(storedKeys).toEqual({ 'news.hide': [], 'news.delete': ['#'] });
});

test('a shortcut stored for a command that no longer exists is ignored', async () => {
  await signIn('all', '/news');
  $overrides.set({ 'keys.preset': ['h'], 'news.add': ['q'] });
  await adminScript().run('keys.reset');
  expect(storedKeys()).toEqual({});
  await page.css('[data-toast]').getByRole('button', { name: 'Undo' }).click();
  await expect.poll(storedKeys).toEqual({ 'news.add': ['q'] });
});
