import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { readCalls, mockRoutes, startApi } from '../../../testing/api.ts';
import { press } from '../../../testing/keys.ts';
import { loadPage, openSignedOut } from '../../../testing/panel.tsx';

const token = 'a'.repeat(43);
const password = () => page.getByLabelText('新密码');
const isTokenKept = () => JSON.stringify({ ...sessionStorage, at: location.href }).includes(token);

test('the token of a set-password link survives a reload, such as a language change, and is deleted after use', async () => {
  await openSignedOut(`/login#set-password=${token}`);
  await expect.element(password()).toHaveFocus();
  expect(location.hash).toBe('');
  await loadPage('/login');
  startApi({ session: { usePasswordLink: mockRoutes.session.usePasswordLink.handler(() => ({ email: 'new@demo.local' })) } });
  await password().fill('a good long password');
  await press('Enter');
  await expect.poll(() => readCalls('session/usePasswordLink').map(({ input }) => input)).toMatchObject([{ token }]);
  await expect.poll(isTokenKept).toBe(false);
  await loadPage('/login');
  await expect.element(page.getByLabelText('邮箱')).toBeVisible();
});

test('the token of a set-password link is deleted when the form is left', async () => {
  await openSignedOut(`/login#set-password=${token}`);
  await expect.element(password()).toHaveFocus();
  expect(isTokenKept()).toBe(true);
  await page.css('[data-flow="link"] > button').click();
  await expect.element(page.getByLabelText('邮箱')).toBeVisible();
  expect(isTokenKept()).toBe(false);
});
