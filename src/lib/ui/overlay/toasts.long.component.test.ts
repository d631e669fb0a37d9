import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { press } from '../../../testing/keys.ts';
import { openNews } from '../../../testing/list.ts';
import { signIn } from '../../../testing/panel.tsx';
import { showToast } from './toasts-store.ts';

const focus = (locator: ReturnType<typeof page.css>) => (locator.element() as HTMLElement).focus();
const close = () => page.css('[data-toast]').getByRole('button', { name: '关闭' });

test('closing a toast by key focuses the next one, then the previous element, and later toasts close automatically', async () => {
  await signIn('all', '/news');
  await openNews();
  const link = page.getByRole('navigation').getByRole('link', { name: '首页' });
  focus(link);
  for (const text of ['first', 'second']) showToast({ kind: 'error', text });
  await expect.element(close()).toHaveLength(2);
  focus(close().first());
  await press('Enter');
  await expect.element(close()).toHaveLength(1);
  await expect.element(close()).toHaveFocus();
  await press('Enter');
  await expect.element(close()).toHaveLength(0);
  await expect.element(link).toHaveFocus();
  showToast({ kind: 'success', text: 'third' });
  await expect.element(close()).toHaveLength(1);
  await expect.element(close()).toHaveLength(0);
});

test('the next person to sign in sees no toast of the person before', async () => {
  await signIn('all', '/news');
  await openNews();
  showToast({ kind: 'error', text: 'what went wrong' });
  await expect.element(page.getByText('what went wrong')).toBeVisible();
  await signIn('editor', '/news');
  await openNews();
  await expect.element(page.css('[data-toast]')).toHaveLength(0);
});
