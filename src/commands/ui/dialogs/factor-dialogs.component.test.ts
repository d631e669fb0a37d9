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
