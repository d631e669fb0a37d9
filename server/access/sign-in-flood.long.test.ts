import { expect, test } from 'vitest';
import { demoAccounts, demoPassword } from '../seed/roles.ts';
import { send, createTestApp } from '../testing/support.ts';

test('known browsers can sign in during a flood of wrong sign-ins', { timeout: 60_000 }, async () => {
  const app = await createTestApp({ SIGN_IN_PER_NETWORK: '1000000', SIGN_IN_FREE: '10000' }, { jobs: false });
  const signIn = (email: string, password: string, cookie?: string) =>
    send(app, 'POST', '/api/session', { email, password }, cookie === undefined ? {} : { cookie });
  const browserCookies = new Map<string, string>();
  for (const { email } of demoAccounts) {
    const cookies = (await signIn(email, demoPassword)).headers.getSetCookie().map((line) => line.split(';')[0] ?? '');
    browserCookies.set(email, cookies.find((cookie) => cookie.includes('browser=')) ?? '');
  }
  const floodRequests = Array.from({ length: 80 }, (_, index) =>
    signIn(`${index}@example.com`, 'wrong').then(({ status }) => status),
  );
  const right = [...browserCookies].map(([email, cookie]) => signIn(email, demoPassword, cookie).then(({ status }) => status));
  const laterRequests = Array.from({ length: 40 }, (_, index) =>
    signIn(`more${index}@example.com`, 'wrong').then(({ status }) => status),
  );
  expect(await Promise.all(right)).toEqual([...browserCookies].map(() => 200));
  expect(new Set(await Promise.all([...floodRequests, ...laterRequests]))).toEqual(new Set([401, 429]));
});
