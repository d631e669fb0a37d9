import { request } from '@playwright/test';
import { TestEnvironment } from './environment.ts';
import { accountIn, panelIn, cookieStoreOf, signIn, type Account, type Post } from './sign-in.ts';

/** Without a page, as in a global set-up: `await steering((environment) => environment.keep('clean'))`. */
export async function steering<T>(
  callback: (environment: TestEnvironment) => Promise<T>,
  { url = panelIn(process.env), account = accountIn(process.env) }: { url?: string; account?: Account } = {},
): Promise<T> {
  const storedCookie = cookieStoreOf(url, account.email, process.env).read();
  const requestOptions = {
    domain: new URL(url).hostname,
    path: '/',
    expires: -1,
    httpOnly: true,
    secure: false,
    sameSite: 'Strict',
  } as const;
  const context = await request.newContext(
    storedCookie ? { storageState: { cookies: [{ ...storedCookie, ...requestOptions }], origins: [] } } : {},
  );
  try {
    const post: Post = async (path, data) => {
      const response = await context.post(`${url}${path}`, data === undefined ? {} : { data });
      return { ok: response.ok(), body: await response.json().catch(() => null) };
    };
    let authorization: string | null = null;
    const environment: TestEnvironment = new TestEnvironment(context, url, async () => {
      authorization ??= (await signIn(post, account, () => environment.aheadMs())).authorization;
      return authorization;
    });
    return await callback(environment);
  } finally {
    await context.dispose();
  }
}
