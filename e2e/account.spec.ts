import { TOTP, Secret } from 'otpauth';
import type { Page } from 'playwright/test';
import { demoAccounts, demoPassword } from '../server/seed/roles.ts';
import { Admin, expect, test } from './fixtures.ts';
import { addAuthenticator } from './support/authenticator.ts';
import type { Session } from '../qa/kit/sign-in.ts';

// New browsers need a code.
test.use({ serverEnv: { NEW_BROWSER_CODE: 'on' } });

const email = (role: string): string => demoAccounts.find((account) => account.role === role)?.email ?? '';
const newPassword = 'harbour lantern seventeen';

async function readCode(page: Page, url: string, recipient: string): Promise<string> {
  const mailbox = await page.context().newPage();
  try {
    await mailbox.goto(`${url}/dev/mail`);
    const mail = mailbox.locator('article', { hasText: recipient }).filter({ hasText: 'Verification code' }).first();
    return /code (\d{6})/.exec(await mail.getByRole('heading').innerText())?.[1] ?? '';
  } finally {
    await mailbox.close();
  }
}

async function typePassword(page: Page, url: string, emailAddress: string, password: string): Promise<void> {
  await page.goto(`${url}/login`);
  await page.getByLabel('Email').focus();
  await page.keyboard.insertText(emailAddress);
  await page.keyboard.press('Tab');
  await page.keyboard.insertText(password);
  await page.keyboard.press('Enter');
}

async function signInWithNewPassword(page: Page, url: string, emailAddress: string, password: string): Promise<void> {
  await typePassword(page, url, emailAddress, password);
  const code = page.getByPlaceholder('Please enter the verification code');
  await expect(code).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Get Verification Code' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Sent Successfully')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Resend in \d+ s$/ })).toBeVisible();
  await expect(code).toBeFocused();
  await page.keyboard.type(await readCode(page, url, emailAddress));
  await page.keyboard.press('Enter');
}

async function openAccount(page: Page, url: string, emailAddress: string): Promise<Admin> {
  const postJson = async (path: string, data: object = {}): Promise<unknown> =>
    (await page.request.post(`${url}/api/session${path}`, { data })).json();
  expect(await postJson('', { email: emailAddress, password: demoPassword })).toEqual({ step: 'code' });
  await postJson('/code/send');
  const admin = new Admin(page, url);
  await admin.enter((await postJson('/code', { code: await readCode(page, url, emailAddress) })) as Session, '/account');
  await expect(page.getByRole('heading', { level: 1, name: 'My account' })).toBeVisible();
  return admin;
}

async function tabUntilFocused(page: Page, target: ReturnType<Page['locator']>): Promise<void> {
  for (let pressCount = 0; pressCount < 80; pressCount++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('Tab never came there');
}

test.use({ locale: 'en-US' });
// Each test has its own minute, because a person gets one code per minute.
test.beforeEach(async ({ db }) => void (await db.query('delete from rate_limits')));

test('a new browser needs a code, and the same browser does not need one later', { tag: '@long' }, async ({ page, server }) => {
  await signInWithNewPassword(page, server.url, email('editor'), demoPassword);
  await page.waitForURL(`${server.url}/`);
  await new Admin(page, server.url).ready();
  await page.evaluate(() => window.admin?.run('session.signOut', { confirm: true }));
  await page.waitForURL(`${server.url}/login`);
  await typePassword(page, server.url, email('editor'), demoPassword);
  await page.waitForURL(`${server.url}/`);
});

test('a password is changed with a code from the mailbox, and the other sessions end', async ({ page, server, browser }) => {
  const emailAddress = email('operator');
  await signInWithNewPassword(page, server.url, emailAddress, demoPassword);
  const admin = new Admin(page, server.url);
  await admin.ready();
  const otherContext = await browser.newContext({ locale: 'en-US' });
  await otherContext.addCookies((await page.context().cookies()).filter(({ name }) => name === 'browser'));
  const otherPage = await otherContext.newPage();
  await typePassword(otherPage, server.url, emailAddress, demoPassword);
  await otherPage.waitForURL(`${server.url}/`);

  await admin.palette('session.changePassword');
  const dialog = page.getByRole('dialog', { name: 'Change Password' });
  await expect(dialog.getByLabel(/^Current password/)).toBeFocused();
  await page.keyboard.insertText(demoPassword);
  await tabUntilFocused(page, dialog.getByLabel(/^New password/));
  await page.keyboard.type('short');
  await tabUntilFocused(page, dialog.getByRole('button', { name: 'Get Verification Code' }));
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('Sent Successfully')).toBeVisible();
  await page.keyboard.type(await readCode(page, server.url, emailAddress));
  await page.keyboard.press('Control+Enter');
  await expect(dialog.getByText('New password must have at least 8 characters')).toBeVisible();
  await expect(dialog.getByLabel(/^New password/)).toBeFocused();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(newPassword);
  await page.keyboard.press('Control+Enter');
  await expect(dialog).toBeHidden();
  await expect(page.getByText('Operation Successful')).toBeVisible();

  await otherPage.goto(`${server.url}/account`);
  await otherPage.waitForURL(`${server.url}/login`);
  await otherContext.close();
  await admin.run('session.signOut', { confirm: true });
  await typePassword(page, server.url, emailAddress, newPassword);
  await page.waitForURL(`${server.url}/`);
});

test('a forgotten password is reset with a code', { tag: '@long' }, async ({ page, server }) => {
  const emailAddress = email('analyst');
  await page.goto(`${server.url}/login`);
  await tabUntilFocused(page, page.getByRole('button', { name: 'Forgot password?' }));
  await page.keyboard.press('Enter');
  await expect(page.getByLabel(/^Email/)).toBeFocused();
  await page.keyboard.insertText(emailAddress);
  await tabUntilFocused(page, page.getByRole('button', { name: 'Get Verification Code' }));
  await page.keyboard.press('Enter');
  await expect(page.getByText('Sent Successfully')).toBeVisible();
  await page.keyboard.type(await readCode(page, server.url, emailAddress));
  await tabUntilFocused(page, page.getByLabel(/^New password/));
  await page.keyboard.insertText(newPassword);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Password changed. Sign in with your new password.')).toBeVisible();
  await signInWithNewPassword(page, server.url, emailAddress, newPassword);
  await page.waitForURL(`${server.url}/`);
});

test(
  'an authenticator app is set up from its QR code, and a recovery code signs in without the app',
  { tag: '@long' },
  async ({ page, server }) => {
    const emailAddress = email('approver');
    const admin = await openAccount(page, server.url, emailAddress);
    await tabUntilFocused(page, page.locator('[data-command="account.addTotp"]'));
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Set up authenticator app' });
    await expect(dialog.getByRole('img', { name: /QR code/ })).toBeVisible();
    const secret = (await dialog.locator('[data-totp-secret]').innerText()).replace(/\s/g, '');
    await expect(dialog.getByLabel(/authenticator app/i).last()).toBeFocused();
    await page.keyboard.type(new TOTP({ secret: Secret.fromBase32(secret) }).generate());
    await page.keyboard.press('Enter');
    const recoveryDialog = page.getByRole('alertdialog', { name: 'Recovery codes' });
    await expect(recoveryDialog.locator('[data-recovery-codes] li')).toHaveCount(10);
    const recoveryCode = await recoveryDialog.locator('[data-recovery-codes] li').first().innerText();
    await tabUntilFocused(page, recoveryDialog.getByRole('button', { name: 'I’ve saved my codes' }));
    await page.keyboard.press('Enter');
    await expect(page.getByText('10 left')).toBeVisible();

    await admin.run('session.signOut', { confirm: true });
    await typePassword(page, server.url, emailAddress, demoPassword);
    await tabUntilFocused(page, page.getByRole('button', { name: 'Use a recovery code' }));
    await page.keyboard.press('Enter');
    await expect(page.getByLabel(/^Recovery code/)).toBeFocused();
    await page.keyboard.type(recoveryCode);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${server.url}/`);
  },
);

test('sign-in asks for the app’s code, and no code works twice', { tag: '@long' }, async ({ page, server }) => {
  const emailAddress = email('editor');
  const admin = await openAccount(page, server.url, emailAddress);
  const callApi = async (method: 'POST' | 'DELETE', path: string, data: object = {}): Promise<unknown> => {
    const authorization = await page.evaluate(() => localStorage.getItem('Authorization') ?? '');
    const response = await page.request.fetch(`${server.url}/api/account/totp${path}`, {
      method,
      data,
      headers: { authorization },
    });
    expect(response.status()).toBe(200);
    return response.json();
  };
  const { secret } = (await callApi('POST', '/start')) as { secret: string };
  const authenticatorApp = new TOTP({ secret: Secret.fromBase32(secret) });
  const firstCode = authenticatorApp.generate();
  await callApi('POST', '', { code: firstCode });

  await admin.run('session.signOut', { confirm: true });
  await typePassword(page, server.url, emailAddress, demoPassword);
  const digits = page.getByLabel(/^Code from the authenticator app/);
  await expect(digits).toBeFocused();
  await page.keyboard.type(firstCode);
  await page.keyboard.press('Enter');
  await expect(page.getByText('The second factor didn’t match. Try again or use another one.')).toBeVisible();
  await digits.focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.type(authenticatorApp.generate({ timestamp: Date.now() + 30_000 }));
  await page.keyboard.press('Enter');
  await page.waitForURL(`${server.url}/`);
  await callApi('DELETE', '');
});

test('a passkey is added, signs in, and is removed after it confirms', { tag: '@long' }, async ({ page, server }) => {
  const emailAddress = email('access');
  await addAuthenticator(page);
  await signInWithNewPassword(page, server.url, emailAddress, demoPassword);
  const admin = new Admin(page, server.url);
  await admin.ready();
  await admin.palette('go.account');
  await tabUntilFocused(page, page.locator('[data-command="account.addPasskey"]'));
  await page.keyboard.press('Enter');
  await expect(page.getByLabel(/^Passkey name/)).toBeFocused();
  await page.keyboard.type('My laptop');
  await page.keyboard.press('Enter');
  const recoveryDialog = page.getByRole('alertdialog', { name: 'Recovery codes' });
  await tabUntilFocused(page, recoveryDialog.getByRole('button', { name: 'I’ve saved my codes' }));
  await page.keyboard.press('Enter');
  await expect(page.getByText('My laptop')).toBeVisible();

  await admin.run('session.signOut', { confirm: true });
  await typePassword(page, server.url, emailAddress, demoPassword);
  await expect(page.getByRole('button', { name: 'Use a passkey' })).toBeFocused();
  await page.keyboard.press('Enter');
  await page.waitForURL(`${server.url}/`);
  await admin.ready();

  // An old factor must be confirmed again before it is removed.
  await page.evaluate(() => window.admin?.run('go.account'));
  const client = new (await import('pg')).default.Client({ connectionString: server.databaseUrl });
  await client.connect();
  await client.query(`update sessions set factor_at = now() - interval '1 hour'`);
  await client.end();
  await tabUntilFocused(page, page.locator('[data-command="account.removePasskey"]'));
  await page.keyboard.press('Enter');
  const removeDialog = page.getByRole('alertdialog', { name: 'Remove this passkey?' });
  await tabUntilFocused(page, removeDialog.getByRole('button', { name: 'Remove passkey' }));
  await page.keyboard.press('Enter');
  const confirmDialog = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await expect(confirmDialog.getByRole('button', { name: 'Use a passkey' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText('No passkeys yet')).toBeVisible();
});

test(
  'an ended session keeps typed text, and the same person continues on the page after signing in',
  { tag: '@long' },
  async ({ page, server, db }) => {
    const emailAddress = email('all');
    await signInWithNewPassword(page, server.url, emailAddress, demoPassword);
    const admin = new Admin(page, server.url);
    await admin.ready();
    await admin.palette('go.news');
    await page.waitForURL(`${server.url}/news`);
    await admin.palette('news.add');
    const form = page.getByRole('dialog', { name: 'Add news' });
    await expect(form.getByLabel(/^Title/)).toBeFocused();
    await page.keyboard.type('Half a title');
    await tabUntilFocused(page, form.getByLabel(/^Description/));
    await page.keyboard.type('And a text that took a while');
    await tabUntilFocused(page, form.getByLabel(/^Image/));
    await page.keyboard.insertText('https://pictures.example.com/a.png');
    await tabUntilFocused(page, form.getByLabel(/^Link/));
    await page.keyboard.insertText('https://blog.example.com/a');
    await db.query(`update sessions set last_seen_at = now() - interval '1 day'`);
    await page.keyboard.press('Control+Enter');

    const signInDialog = page.getByRole('alertdialog', { name: 'Sign in again to continue' });
    await expect(signInDialog.getByLabel('Email')).toHaveValue(emailAddress);
    await expect(signInDialog.getByLabel(/^Password/)).toBeFocused();
    await page.keyboard.insertText(demoPassword);
    await page.keyboard.press('Enter');
    await expect(signInDialog).toBeHidden();
    await expect(form.getByLabel(/^Title/)).toHaveValue('Half a title');
    await expect(form.getByLabel(/^Description/)).toHaveValue('And a text that took a while');
    await form.getByLabel(/^Title/).focus();
    await page.keyboard.press('Control+Enter');
    await expect(form).toBeHidden();
    const { rows } = await db.query(`select description from news where title = 'Half a title'`);
    expect(rows).toEqual([{ description: 'And a text that took a while' }]);
  },
);

test.describe('with a mocked clock', () => {
  test.use({ ownContext: true });
  test('an idle person is warned and stays signed in with one key', { tag: '@long' }, async ({ page, server }) => {
    await signInWithNewPassword(page, server.url, email('editor'), demoPassword);
    await page.waitForURL(`${server.url}/`);
    await new Admin(page, server.url).ready();
    await page.clock.install();
    await page.reload();
    await new Admin(page, server.url).ready();
    await page.clock.fastForward('28:30');
    const expiryDialog = page.getByRole('alertdialog', { name: 'You’ll be signed out soon' });
    await expect(expiryDialog).toBeVisible();
    await expect(expiryDialog.getByRole('button', { name: 'Stay signed in' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(expiryDialog).toBeHidden();
  });
});
