import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { press } from '../../../testing/keys.ts';
import { openNews } from '../../../testing/list.ts';
import { signIn } from '../../../testing/panel.tsx';
import { showToast } from './toasts-store.ts';

const findToast = () => page.css('[data-toast]');
const isOnScreen = () => {
  const { top, bottom } = findToast().element().getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight;
};

test('a notice stays on screen after another screen opens', async () => {
  await signIn('all', '/news');
  await openNews();
  showToast({ kind: 'error', text: 'not saved' });
  await expect.element(findToast()).toBeVisible();
  expect(isOnScreen()).toBe(true);
  await page.getByRole('navigation').getByRole('link', { name: '首页' }).click();
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('您好');
  await expect.poll(isOnScreen).toBe(true);
  await page.getByRole('navigation').getByRole('link', { name: '新闻' }).click();
  await expect.element(page.css('[data-foot]')).toBeVisible();
  await expect
    .poll(() => findToast().element().getBoundingClientRect().bottom)
    .toBeLessThanOrEqual(page.css('[data-foot]').element().getBoundingClientRect().top);
});

test('a notice keeps clear of the buttons of an open dialog', async () => {
  await page.viewport(900, 700);
  await signIn('all', '/news');
  await openNews();
  await press('c');
  const submitButton = page.getByRole('dialog').getByRole('button').last();
  await expect.element(submitButton).toBeVisible();
  for (const text of ['not saved', 'not saved either']) showToast({ kind: 'error', text });
  await expect.poll(() => page.css('[data-toast]').elements().length).toBe(2);
  const button = submitButton.element().getBoundingClientRect();
  for (const toast of page.css('[data-toast]').elements()) {
    const { left, right, top, bottom } = toast.getBoundingClientRect();
    expect(left < button.right && right > button.left && top < button.bottom && bottom > button.top).toBe(false);
  }
});

test('a notice covers nothing that a dialog shows on a phone', async () => {
  await page.viewport(375, 740);
  await signIn('all', '/news');
  await openNews();
  await press('j');
  await press('#');
  const dialog = page.getByRole('alertdialog');
  await expect.element(dialog.getByRole('button').last()).toBeVisible();
  showToast({ kind: 'success', text: 'done' });
  await expect.element(findToast()).toBeVisible();
  const isClear = () =>
    findToast().element().getBoundingClientRect().bottom <= dialog.getByRole('heading').element().getBoundingClientRect().top;
  await expect.poll(isClear).toBe(true);
});
