import { request } from '@playwright/test';
import { TestEnvironment } from './environment.ts';
import { accountIn, panelIn, placeOf, signIn, type Account, type Post } from './sign-in.ts';

/** Without a page, as in a global set-up: `await steering((environment) => environment.keep('clean'))`. */
export async function steering<T>(
  work: (environment: TestEnvironment) => Promise<T>,
  { url = panelIn(process.env), account = accountIn(process.env) }: { url?: string; account?: Account } = {},
): Promise<T> {
  const known = placeOf(url, account.email, process.env).read();
  const at = {
    domain: new URL(url).hostname,
    path: '/',
    expires: -1,
    httpOnly: true,
    secure: false,
    sameSite: 'Strict',
  } as const;
  const context = await request.newContext(known ? { storageState: { cookies: [{ ...known, ...at }], origins: [] } } : {});
  try {
    const post: Post = async (path, data) => {
      const answer = await context.post(`${url}${path}`, data === undefined ? {} : { data });
      return { ok: answer.ok(), body: await answer.json().catch(() => null) };
    };
    let authorization: string | null = null;
    const environment: TestEnvironment = new TestEnvironment(context, url, async () => {
      authorization ??= (await signIn(post, account, () => environment.aheadMs())).authorization;
      return authorization;
    });
    return await work(environment);
  } finally {
    await context.dispose();
  }
}
