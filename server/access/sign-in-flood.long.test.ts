import { expect, test } from 'vitest';
import { demoAccounts, demoPassword } from '../seed/roles.ts';
import { send, testApp } from '../testing/support.ts';

test('known browsers can sign in during a flood of wrong sign-ins', { timeout: 60_000 }, async () => {
  const app = await testApp({ SIGN_IN_PER_NETWORK: '1000000', SIGN_IN_FREE: '10000' }, { jobs: false });
  const signIn = (email: string, password: string, cookie?: string) =>
    send(app, 'POST', '/api/session', { email, password }, cookie === undefined ? {} : { cookie });
  const known = new Map<string, string>();
  for (const { email } of demoAccounts) {
    const cookies = (await signIn(email, demoPassword)).headers.getSetCookie().map((line) => line.split(';')[0] ?? '');
    known.set(email, cookies.find((cookie) => cookie.includes('browser=')) ?? '');
  }
  const flood = Array.from({ length: 80 }, (_, at) => signIn(`${at}@example.com`, 'wrong').then(({ status }) => status));
  const right = [...known].map(([email, cookie]) => signIn(email, demoPassword, cookie).then(({ status }) => status));
  const more = Array.from({ length: 40 }, (_, at) => signIn(`more${at}@example.com`, 'wrong').then(({ status }) => status));
  expect(await Promise.all(right)).toEqual([...known].map(() => 200));
  expect(new Set(await Promise.all([...flood, ...more]))).toEqual(new Set([401, 429]));
});
