import type { Page } from 'playwright';
import { demoPassword } from '../../server/seed/roles.ts';
import { signIn, storedOf } from '../../qa/kit/sign-in.ts';

/**
 * Signs in as the demo account with all permissions, on a blank page of the panel's origin. `storedItems` is added to local storage.
 */
export async function signInDemo(page: Page, url: string, storedItems: Record<string, string> = {}): Promise<void> {
  const session = await signIn(
    async (path, data) => {
      const response = await page.request.post(`${url}${path}`, { data });
      return { ok: response.ok(), body: await response.json().catch(() => null) };
    },
    { email: 'admin@demo.local', password: demoPassword },
  );
  await page.goto(`${url}/healthz`);
  await page.evaluate((items) => void Object.assign(localStorage, items), { ...storedItems, ...storedOf(session) });
}
