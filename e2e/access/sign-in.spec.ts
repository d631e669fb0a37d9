import type { Page } from 'playwright/test';
import { demoPassword } from '../../server/seed/roles.ts';
import { expect, test } from '../fixtures.ts';

test.use({ locale: 'en-US' });

const recordSignInCalls = (page: Page): string[] => {
  const signInUrls: string[] = [];
  page.on('request', (request) => request.url().endsWith('/rpc/session/signIn') && signInUrls.push(request.url()));
  return signInUrls;
};

test('sign-in works by keyboard: the email has focus, then Tab, password, Enter', async ({ page, server }) => {
  await page.goto(`${server.url}/login`);
  await expect(page.getByLabel('Email')).toBeFocused();
  await page.keyboard.type('admin@demo.local');
  await page.keyboard.press('Tab');
  await page.keyboard.type(demoPassword);
  await page.keyboard.press('Enter');
  await page.waitForURL(`${server.url}/`);
  await expect(page.getByRole('navigation')).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('Authorization'))).toMatch(/^Bearer \S{43}$/);
});

test(
  'keys pressed during sign-in run once the panel is open, and are discarded if sign-in fails',
  { tag: '@long' },
  async ({ page, server }) => {
    const password = page.getByLabel('Password', { exact: true });
    await page.route('**/rpc/session/signIn', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 500)); // slower than typing
      await route.continue();
    });
    await page.goto(`${server.url}/login`);
    await page.getByLabel('Email').fill('admin@demo.local');
    await password.fill('not the password');
    await page.keyboard.press('Enter');
    await page.keyboard.type('gf');
    await expect(page.getByRole('alert')).toHaveText('Incorrect email or password. Try again.');
    await expect(password).toBeFocused();
    await expect(password).toHaveValue('not the password');

    await page.keyboard.type(demoPassword);
    await page.keyboard.press('Enter');
    await page.keyboard.type('gn');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('News Manage');
    await expect(page).toHaveURL(`${server.url}/news`);
  },
);

test('empty fields are reported in the specified words one after another, and nothing is sent', async ({ page, server }) => {
  const signInUrls = recordSignInCalls(page);
  await page.goto(`${server.url}/login`);
  const email = page.getByLabel('Email');
  const password = page.getByLabel('Password', { exact: true });
  await page.getByRole('button', { name: 'Log In' }).click();
  await expect(page.getByText('The account cannot be empty', { exact: true })).toBeVisible();
  await expect(email).toBeFocused();
  await expect(email).toHaveAccessibleDescription('The account cannot be empty');

  await email.fill('admin@demo.local');
  await expect(page.getByText('The account cannot be empty')).toHaveCount(0);
  await password.fill('   ');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Password can not be blank', { exact: true })).toBeVisible();
  await expect(password).toBeFocused();
  await expect(password).toHaveAccessibleDescription('Password can not be blank');
  expect(signInUrls).toEqual([]);
});

test(
  'a wrong password and an unknown account get the same answer, and the email stays',
  { tag: '@long' },
  async ({ page, server }) => {
    await page.goto(`${server.url}/login`);
    for (const email of ['admin@demo.local', 'nobody@demo.local']) {
      await page.getByLabel('Email').fill(email);
      await page.getByLabel('Password', { exact: true }).fill('not the password');
      await page.keyboard.press('Enter');
      await expect(page.getByRole('alert')).toHaveText('Incorrect email or password. Try again.');
      await expect(page.getByLabel('Email')).toHaveValue(email);
      await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
    }
    await page.keyboard.type('x');
    await expect(page.getByLabel('Password', { exact: true })).toHaveValue('x');
    expect(await page.evaluate(() => localStorage.getItem('Authorization'))).toBeNull();
  },
);

test('submitting twice sends one request', async ({ page, server }) => {
  const signInUrls = recordSignInCalls(page);
  let releaseResponse = () => {};
  const heldResponse = new Promise<void>((resolve) => {
    releaseResponse = resolve;
  });
  await page.route('**/rpc/session/signIn', async (route) => {
    await heldResponse;
    await route.continue();
  });
  await page.goto(`${server.url}/login`);
  await page.getByLabel('Email').fill('admin@demo.local');
  await page.getByLabel('Password', { exact: true }).fill(demoPassword);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Signing in…' })).toBeVisible();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Signing in…' }).dispatchEvent('click');
  releaseResponse();
  await page.waitForURL(`${server.url}/`);
  expect(signInUrls).toHaveLength(1);
});

test('the password can be shown and hidden again', { tag: '@long' }, async ({ page, server }) => {
  await page.goto(`${server.url}/login`);
  const password = page.getByLabel('Password', { exact: true });
  await password.fill('secret');
  await expect(password).toHaveAttribute('type', 'password');
  await page.getByRole('button', { name: 'Show password' }).click();
  await expect(password).toHaveAttribute('type', 'text');
  await page.getByRole('button', { name: 'Hide password' }).click();
  await expect(password).toHaveAttribute('type', 'password');
});

test('Sign Out asks "Confirm the exit login", and only a confirmation ends the session here and on the server', async ({
  page,
  admin,
}) => {
  await admin.signIn('all', '/news');
  const authorization = await page.evaluate(() => localStorage.getItem('Authorization') ?? '');
  const withOldToken = () => page.request.get(`${admin.url}/api/session`, { headers: { authorization } });
  const cookies = await page.context().cookies();
  expect((await withOldToken()).status()).toBe(200);

  await signOutFromMenu(page);
  const dialog = page.getByRole('alertdialog', { name: 'Confirm the exit login' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
  expect((await withOldToken()).status()).toBe(200);

  await signOutFromMenu(page);
  await dialog.getByRole('button', { name: 'Sign Out' }).click();
  await page.waitForURL(`${admin.url}/login`);
  const storedItems = await page.evaluate(() => [localStorage.getItem('Authorization'), localStorage.getItem('permittedRoutes')]);
  expect(storedItems).toEqual([null, null]);

  await page.context().addCookies(cookies); // both halves of the session are invalid, not only the one the browser dropped
  expect((await withOldToken()).status()).toBe(401);
});

test('Sign Out from the palette asks the same question', { tag: '@long' }, async ({ page, admin }) => {
  await admin.signIn('all', '/');
  await admin.palette('session.signOut');
  await expect(page.getByRole('heading', { name: 'Confirm the exit login' })).toBeVisible();
  await page.getByRole('button', { name: 'Sign Out', exact: true }).click();
  await page.waitForURL(`${admin.url}/login`);
});

test(
  'a token without its cookie half is refused, and so is the cookie alone',
  { tag: '@long' },
  async ({ page, admin, playwright }) => {
    await admin.signIn('all');
    const authorization = await page.evaluate(() => localStorage.getItem('Authorization') ?? '');
    expect((await page.request.get(`${admin.url}/api/session`)).status()).toBe(401);

    const otherRequestContext = await playwright.request.newContext();
    expect((await otherRequestContext.get(`${admin.url}/api/session`, { headers: { authorization } })).status()).toBe(401);
    await otherRequestContext.dispose();

    const [cookie] = await page.context().cookies();
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' });
    await page.context().clearCookies();
    await page.reload();
    await page.waitForURL(`${admin.url}/login`);
  },
);

async function signOutFromMenu(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByRole('menuitem', { name: 'Sign Out' }).click();
}
