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

test('a person who signs in only at the provider confirms there', async () => {
  const content = JSON.stringify({ name: 'Acme', required: false });
  const meta = document.head.appendChild(Object.assign(document.createElement('meta'), { name: 'sso', content }));
  const factor = mockRoutes.account.factor.handler(() => ({ methods: ['sso'], options: null }));
  const startTotp = mockRoutes.account.startTotp.handler(() => {
    throw apiFailure('FACTOR_STALE');
  });
  const proveSso = mockRoutes.account.proveSso.handler(() => {
    if (readCalls('account/proveSso').length === 1) throw apiFailure('SSO_OFF');
    return { url: '#at-the-provider' };
  });
  setTestLocale('en-US');
  await signIn('all', '/', { account: { startTotp, factor, proveSso } });
  void window.admin?.run('account.addTotp');
  const providerButton = page
    .getByRole('dialog', { name: 'Confirm it’s you' })
    .getByRole('button', { name: 'Continue with Acme' });
  await expect.element(providerButton).toHaveFocus();
  await providerButton.click();
  await expect.element(page.css('[data-factor-again] [role="alert"]')).toBeVisible();
  await providerButton.click();
  await expect.poll(() => location.hash).toBe('#at-the-provider');
  meta.remove();
});
