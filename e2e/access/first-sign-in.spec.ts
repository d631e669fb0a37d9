import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright/test';
import type { AdministratorRow } from '../../api/access/administrators.ts';
import { build } from '../../testing/factories/build.ts';
import { Admin, expect, test } from '../fixtures.ts';

const colleaguePassword = 'correct horse battery staple';
const ownPassword = 'a lantern of my very own';

test.use({ locale: 'en-US' });
test.beforeEach(async ({ db }) => void (await db.query('delete from rate_limits')));

/** Read from the mailbox, as a person would. */
async function readMail(page: Page, url: string, recipient: string, expectedText: string): Promise<string> {
  const mailbox = await page.context().newPage();
  try {
    await mailbox.goto(`${url}/dev/mail`);
    return await mailbox.locator('article', { hasText: recipient }).filter({ hasText: expectedText }).first().innerText();
  } finally {
    await mailbox.close();
  }
}

async function signIn(page: Page, url: string, email: string, password: string): Promise<void> {
  await page.goto(`${url}/login`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
}

async function addAdministrator(
  admin: Admin,
  name: string,
  role: { needsFactor?: boolean; grants?: string[] } = {},
): Promise<AdministratorRow> {
  await admin.signIn('all', '/permissions/administrator');
  const {
    done: [createdRole],
  } = await admin.run('roles.add', {
    params: { name, description: 'x', grants: ['/', '/news', 'news.add'], needsFactor: false, ...role },
  });
  const { done } = await admin.run('administrators.add', {
    params: { email: `${name}@example.com`, password: colleaguePassword, roles: [createdRole.id], description: 'New' },
  });
  return done[0];
}

test('a password set by a colleague must be replaced before anything else opens, by keyboard', async ({
  admin,
  browser,
  server,
}) => {
  const { email } = await addAdministrator(admin, 'keyboard-first');
  const context = await browser.newContext({ locale: 'en-US' });
  const page = await context.newPage();
  await signIn(page, server.url, email, colleaguePassword);
  await page.waitForURL(`${server.url}/account`);
  await expect(page.getByText('An administrator set your password.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add passkey' })).toHaveCount(0);
  await expect(page.getByRole('navigation').getByRole('link', { name: 'News' })).toHaveCount(0);
  const newAdministrator = new Admin(page, server.url);
  await newAdministrator.ready();
  await expect(newAdministrator.runAny('news.add')).rejects.toMatchObject({ code: 'NOT_PERMITTED' });
  await page.goto(`${server.url}/news`);
  await page.waitForURL(`${server.url}/404`);
  await newAdministrator.open('/account');
  await newAdministrator.palette('session.changePassword');
  const dialog = page.getByRole('dialog', { name: 'Change Password' });
  const [currentPassword, newPassword] = [dialog.getByLabel(/^Current password/), dialog.getByLabel(/^New password/)];
  await expect(currentPassword).toBeFocused();
  await expect(currentPassword).toHaveAttribute('autocomplete', 'current-password');
  await expect(newPassword).toHaveAttribute('autocomplete', 'new-password');
  await expect(newPassword).toHaveAccessibleDescription(/At least 15 characters/);
  await page.keyboard.insertText(colleaguePassword);
  await newPassword.focus();
  await page.keyboard.insertText(colleaguePassword); // it must not stay
  await dialog.getByRole('button', { name: 'Get Verification Code' }).focus();
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('Sent Successfully')).toBeVisible();
  await page.keyboard.type(/code (\d{6})/.exec(await readMail(page, server.url, email, 'Verification code'))?.[1] ?? '');
  await page.keyboard.press('Control+Enter');
  await expect(dialog.getByText('New password isn’t valid')).toBeVisible();
  await newPassword.fill(ownPassword);
  await page.keyboard.press('Control+Enter');
  await expect(dialog).toBeHidden();
  await expect(page.getByText('An administrator set your password.')).toBeHidden();
  await expect(page.getByRole('button', { name: 'Add passkey' })).toBeVisible();
  await page.getByRole('navigation').getByRole('link', { name: 'News' }).click();
  await page.waitForURL(`${server.url}/news`);
  await context.close();
});

test(
  'the invitation link sets a password once and leaves no trace in the address',
  { tag: '@long' },
  async ({ admin, browser, server }) => {
    const { email } = await addAdministrator(admin, 'by-link');
    const context = await browser.newContext({ locale: 'en-US' });
    const page = await context.newPage();
    const invitationLink = await readMail(page, server.url, email, 'created an Admin Panel account for you');
    const link = /http\S+#set-password=[\w-]+/.exec(invitationLink)?.[0] ?? '';
    expect(link).not.toBe('');
    const path = link.slice(link.indexOf('/login'));
    await page.goto(`${server.url}${path}`);
    const password = page.getByLabel(/^New password/);
    await expect(password).toBeFocused();
    await expect(password).toHaveAttribute('autocomplete', 'new-password');
    await expect(password).toHaveAccessibleDescription(/At least 15 characters/);
    await expect(page).toHaveURL(`${server.url}/login`);
    await password.fill('basketballbasketball');
    await page.keyboard.press('Enter');
    await expect(page.getByText('New password isn’t valid')).toBeVisible();
    await password.fill(ownPassword);
    await page.keyboard.press('Enter');
    await expect(page.getByText('Password changed. Sign in with your new password.')).toBeVisible();
    await signIn(page, server.url, email, colleaguePassword);
    await expect(page.getByText('Incorrect email or password. Try again.')).toBeVisible();
    await signIn(page, server.url, email, ownPassword);
    await page.waitForURL(`${server.url}/`);
    await new Admin(page, server.url).ready();
    await page.evaluate(() => window.admin?.run('session.signOut', { confirm: true }));
    await page.waitForURL(`${server.url}/login`);
    await page.goto(`${server.url}/healthz`);
    await page.goto(`${server.url}${path}`);
    await page.getByLabel(/^New password/).fill('another lantern of mine');
    await page.keyboard.press('Enter');
    await expect(page.getByText('This link has been used or has expired. Ask for a new one.')).toBeVisible();
    await context.close();
  },
);

test('a person whose role requires a second factor must set it up after signing in before opening another screen', async ({
  admin,
  browser,
  server,
  db,
}) => {
  const { id, email } = await addAdministrator(admin, 'must-enrol', { needsFactor: true });
  await db.query('update administrators set password_expires_at = null where id = $1', [id]);
  const context = await browser.newContext({ locale: 'en-US' });
  const page = await context.newPage();
  await signIn(page, server.url, email, colleaguePassword);
  await page.waitForURL(`${server.url}/account`);
  await expect(page.getByText('Your role requires a second factor.')).toBeVisible();
  const dialog = page.getByRole('dialog', { name: 'Set up authenticator app' });
  await expect(dialog.locator('[data-totp-secret]')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await page.waitForURL(`${server.url}/account`);
  const newAdministrator = new Admin(page, server.url);
  await newAdministrator.ready();
  await expect(newAdministrator.runAny('news.add')).rejects.toMatchObject({ code: 'NOT_PERMITTED' });

  await db.query(`update sessions set password_at = now() - interval '1 hour' where administrator_id = $1`, [id]);
  await newAdministrator.palette('account.addTotp');
  const confirmDialog = page.getByRole('dialog', { name: 'Confirm it’s you' });
  const password = confirmDialog.getByLabel(/^Current password/);
  await expect(password).toBeFocused();
  await expect(password).toHaveAttribute('autocomplete', 'current-password');
  await page.keyboard.type('not the password');
  await page.keyboard.press('Enter');
  await expect(confirmDialog.getByText('Current password isn’t valid')).toBeVisible();
  await password.fill(colleaguePassword);
  await page.keyboard.press('Enter');
  await expect(confirmDialog).toBeHidden();
  const secret = (await dialog.locator('[data-totp-secret]').innerText()).replace(/\s/g, '');
  await dialog.getByLabel(/^Code from the authenticator app/).fill(new TOTP({ secret: Secret.fromBase32(secret) }).generate());
  await page.keyboard.press('Enter');
  const recoveryDialog = page.getByRole('alertdialog', { name: 'Recovery codes' });
  await recoveryDialog.getByRole('button', { name: 'I’ve saved my codes' }).click();
  await page.getByRole('navigation').getByRole('link', { name: 'News' }).click();
  await page.waitForURL(`${server.url}/news`);
  expect(await newAdministrator.assess('news.add')).toMatchObject({ state: 'ok' });
  await context.close();
});

test('a person without a second factor who publishes is offered to set one up, and can then publish', async ({
  admin,
  browser,
  server,
  db,
}) => {
  const { id, email } = await addAdministrator(admin, 'publisher', { grants: ['/', '/news', 'news.add', 'news.show'] });
  await db.query('update administrators set password_expires_at = null where id = $1', [id]);
  const context = await browser.newContext({ locale: 'en-US' });
  const page = await context.newPage();
  await signIn(page, server.url, email, colleaguePassword);
  await page.waitForURL(`${server.url}/`);
  const newAdministrator = new Admin(page, server.url);
  await newAdministrator.open('/news');
  const {
    done: [item],
  } = await newAdministrator.run('news.add', { params: build.newsFields({ title: 'Ready to publish' }) });
  await newAdministrator.open(`/news?open=${item.id}`);
  const publish = async () => {
    await newAdministrator.key('news.show');
    await page.getByRole('alertdialog').getByRole('button').last().click();
  };
  await publish();
  await page.getByRole('button', { name: 'Set up authenticator app' }).click();
  const dialog = page.getByRole('dialog', { name: 'Set up authenticator app' });
  const secret = (await dialog.locator('[data-totp-secret]').innerText()).replace(/\s/g, '');
  await dialog.getByLabel(/^Code from the authenticator app/).fill(new TOTP({ secret: Secret.fromBase32(secret) }).generate());
  await page.keyboard.press('Enter');
  await page.getByRole('alertdialog', { name: 'Recovery codes' }).getByRole('button', { name: 'I’ve saved my codes' }).click();
  await publish();
  const isShown = async () => (await db.query('select shown from news where id = $1', [item.id])).rows;
  await expect.poll(isShown).toEqual([{ shown: true }]);
  await context.close();
});
