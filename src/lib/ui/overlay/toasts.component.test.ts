import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
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
