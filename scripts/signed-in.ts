import type { Page } from 'playwright';
import { demoPassword } from '../server/seeded-roles.ts';

/** Signs a page in as a demo account through the API; it stands on an empty page of the panel's origin then. `stored` goes into its local storage too. */
export async function signIn(
  page: Page,
  url: string,
  stored: Record<string, string> = {},
  email = 'admin@demo.local',
): Promise<void> {
  const answer = await page.request.post(`${url}/api/session`, { data: { email, password: demoPassword } });
  if (!answer.ok()) throw new Error(`${email} is not let in: ${answer.status()} ${await answer.text()}`);
  const { authorization, access } = await answer.json();
  await page.goto(`${url}/healthz`);
  await page.evaluate((items) => void Object.assign(localStorage, items), {
    ...stored,
    Authorization: String(authorization),
    permittedRoutes: JSON.stringify(access.permittedRoutes),
    'prefs.access': JSON.stringify({ email: access.email, codes: access.codes }),
  });
}
