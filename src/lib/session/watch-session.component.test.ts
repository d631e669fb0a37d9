import { beforeEach, expect, test } from 'vitest';
import { signIn } from '../../testing/panel.tsx';
import { takeReturnState } from './return-to.ts';
import { authorizationKey } from './session.ts';

beforeEach(async () => {
  await signIn('all', '/news');
  takeReturnState();
  history.replaceState({ form: 'news.add' }, '');
});

test('a form is kept when another tab signs out', () => {
  localStorage.removeItem(authorizationKey);
  dispatchEvent(new StorageEvent('storage', { key: authorizationKey }));
  expect(takeReturnState()).toEqual({ form: 'news.add' });
});

test('a form is not kept for the next sign-in when another tab only changes a setting', () => {
  dispatchEvent(new StorageEvent('storage', { key: 'prefs.theme' }));
  expect(takeReturnState()).toBeNull();
});
