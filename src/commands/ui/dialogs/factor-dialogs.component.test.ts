import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { apiFailure, mockRoutes, readCalls } from '../../../testing/api.ts';
import { setTestLocale, signIn } from '../../../testing/panel.tsx';

test('a person without factor and password is asked to sign in again before the setup of the first factor', async () => {
  setTestLocale('en-US');
  await signIn('all', '/', {
    account: {
      startTotp: mockRoutes.account.startTotp.handler(() => {
        throw apiFailure('FACTOR_STALE');
      }),
      factor: mockRoutes.account.factor.handler(() => ({ methods: ['signIn'], options: null })),
    },
  });
  void window.admin?.run('account.addTotp');
  const again = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await expect.element(again).toHaveTextContent('Sign out and sign in again. Then try again within five minutes.');
  expect(again.getByRole('textbox').elements()).toEqual([]);
  expect(readCalls('account/startTotp')).toHaveLength(1);
});

test('a person without own proof signs in at the provider in another tab, and the setup continues with what was typed', async () => {
  setTestLocale('en-US');
  const content = JSON.stringify({ name: 'Acme', required: false });
  const meta = Object.assign(document.createElement('meta'), { name: 'sso', content });
  document.head.append(meta);
  let isProven = false;
  await signIn('all', '/', {
    account: {
      startPasskey: mockRoutes.account.startPasskey.handler(() => {
        throw apiFailure(isProven ? 'UNAVAILABLE' : 'FACTOR_STALE');
      }),
      factor: mockRoutes.account.factor.handler(() => ({ methods: ['sso'], options: null })),
    },
  });
  void window.admin?.run('account.addPasskey');
  await page.getByRole('textbox', { name: /^Passkey name/ }).fill('My laptop');
  const name = page.getByRole('textbox', { name: /^Passkey name/ }).element();
  name.closest('form')?.requestSubmit();
  const again = page.getByRole('dialog', { name: 'Confirm it’s you' });
  const link = again.getByRole('link', { name: 'Continue with Acme' });
  await expect.element(link).toHaveFocus();
  expect(link.element().getAttribute('href')).toBe('/login#prove-sso');
  expect(link.element().getAttribute('target')).toBe('_blank');
  isProven = true;
  const channel = new BroadcastChannel('sso.proven');
  channel.postMessage(null);
  channel.close();
  await expect.poll(() => readCalls('account/startPasskey')).toHaveLength(2);
  await expect.element(page.getByRole('textbox', { name: /^Passkey name/ })).toHaveValue('My laptop');
  meta.remove();
});
