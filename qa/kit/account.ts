import type { APIRequestContext } from '@playwright/test';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Mail } from './environment.ts';
import { SignInError, type Account } from './sign-in.ts';

const maxAttempts = 50;

/** Replaces a colleague's password at first sign-in, using the emailed code. */
export async function replacePassword(
  context: APIRequestContext,
  url: string,
  { email, password }: Account,
  readMails: () => Promise<Mail[]>,
): Promise<Account> {
  const request = async (method: 'POST' | 'PUT', path: string, authorization: string, data?: unknown): Promise<unknown> => {
    const headers = authorization ? { authorization } : {};
    const response = await context.fetch(`${url}/api${path}`, { method, headers, ...(data === undefined ? {} : { data }) });
    const body: unknown = await response.json().catch(() => null);
    if (response.ok()) return body;
    const { code = 'NOT_A_PANEL' } = (body ?? {}) as { code?: string };
    throw new SignInError(code, `setting a password for ${email} failed: ${code} at ${path}`);
  };
  const { authorization } = (await request('POST', '/session', '', { email, password })) as { authorization: string };
  await request('POST', '/account/code', authorization);
  for (let remaining = maxAttempts; remaining > 0; remaining--) {
    const code = (await readMails()).map(({ text }) => /\b(\d{6})\b/.exec(text)?.[1]).find(Boolean);
    if (code) {
      const newPassword = randomBytes(12).toString('hex');
      await request('PUT', '/account/password', authorization, { current: password, password: newPassword, code });
      return { email, password: newPassword };
    }
    await sleep(100);
  }
  throw new SignInError('CODE_REQUIRED', `no verification code arrived for ${email}`);
}
