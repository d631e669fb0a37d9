import { Secret, TOTP } from 'otpauth';
import type { Locator, Page } from 'playwright/test';
import { Admin, expect, test } from '../fixtures.ts';

const password = 'correct horse battery staple';

test.beforeEach(async ({ db }) => void (await db.query('delete from rate_limits')));

async function readTotp(dialog: Locator): Promise<string> {
  const secret = (await dialog.locator('[data-totp-secret]').innerText()).replace(/\s/g, '');
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate();
}

async function giveCodeByKey(admin: Admin, page: Page, email: string, act: string, kept: string): Promise<string> {
  await admin.open('/permissions/administrator');
  await page.getByRole('row', { name: email }).click();
  await page.keyboard.press('Shift+E');
  await page.getByRole('alertdialog').getByRole('button', { name: act }).press('Enter');
  const code = await page.locator('[data-enrollment-code]').innerText();
  expect(code).toMatch(/^[2-9a-z]{5}-[2-9a-z]{5}$/);
  await page.keyboard.press('Escape');
  await expect(page.locator('[data-enrollment-code]')).toBeVisible();
  await page.getByRole('button', { name: kept }).press('Enter');
  await expect(page.locator('[data-enrollment-code]')).toHaveCount(0);
  return code;
}

const words = {
  'en-US': {
    act: 'Give enrollment code',
    kept: 'I’ve noted the code',
    code: /^Enrollment code/,
    totp: /^Code from the authenticator app/,
    saved: 'I’ve saved my codes',
    first: 'Before you set up your second factor',
    later: 'No colleague has vouched for your second factor yet',
    wrong: 'This code is wrong or has expired',
    use: 'Use enrollment code',
  },
  'zh-CN': {
    act: '生成登记码',
    kept: '我已记下登记码',
    code: /^登记码/,
    totp: /^动态验证码/,
    saved: '我已保存',
    first: '启用双重验证前',
    later: '您的双重验证尚未经管理员确认',
    wrong: '登记码有误或已失效',
    use: '使用登记码',
  },
} as const;

for (const locale of ['en-US', 'zh-CN'] as const) {
  const text = words[locale];
  test.describe(locale, () => {
    test.use({ locale });

    test('a colleague gives a code, and the person uses it for the first second factor, by keyboard', async ({
      admin,
      page,
      browser,
      server,
      db,
    }, testInfo) => {
      await admin.signIn('all', '/permissions/administrator');
      const {
        done: [role],
      } = await admin.run('roles.add', {
        params: {
          name: `Vouched ${locale}`,
          description: 'x',
          grants: ['/', '/news', 'news.add', 'news.show'],
          needsFactor: false,
        },
      });
      const email = `vouched-${locale.toLowerCase()}@example.com`;
      const {
        done: [row],
      } = await admin.run('administrators.add', { params: { email, password, roles: [role?.id ?? ''], description: 'x' } });
      const id = row?.id ?? '';
      await db.query('update administrators set password_expires_at = null where id = $1', [id]);

      const context = await browser.newContext({ locale });
      const person = await context.newPage();
      await person.goto(`${server.url}/login`);
      await person.locator('input').nth(0).fill(email);
      await person.locator('input').nth(1).fill(password);
      await person.keyboard.press('Enter');
      await person.waitForURL(`${server.url}/`);
      // From here on the account is one that signs in elsewhere.
      await db.query('update administrators set password_hash = null where id = $1', [id]);
      await person.goto(`${server.url}/account`);
      await expect(person.getByText(text.first)).toBeVisible();
      await person.screenshot({ path: testInfo.outputPath('first.png') });

      const owner = new Admin(person, server.url);
      await owner.ready();
      // Nothing else is available, so the setup opens automatically.
      const dialog = person.getByRole('dialog');
      const codeField = dialog.getByRole('textbox', { name: text.code });
      await expect(codeField).toBeVisible();
      await person.screenshot({ path: testInfo.outputPath('set-up.png') });
      await dialog.getByLabel(text.totp).fill(await readTotp(dialog));
      await codeField.fill('aaaaa-aaaaa');
      await person.keyboard.press('Enter');
      await expect(dialog.getByText(text.wrong)).toBeVisible();
      await codeField.fill('');
      await person.keyboard.press('Enter');
      await person.getByRole('button', { name: text.saved }).press('Enter');
      await expect(person.getByText(text.later)).toBeVisible();
      await person.screenshot({ path: testInfo.outputPath('unvouched.png') });

      await admin.open('/permissions/administrator');
      await page.getByRole('row', { name: email }).click();
      await page.screenshot({ path: testInfo.outputPath('record.png') });
      const code = await giveCodeByKey(admin, page, email, text.act, text.kept);
      await owner.palette('account.useEnrollmentCode');
      await expect(dialog.getByRole('combobox')).toBeFocused();
      await person.keyboard.type(code);
      await person.screenshot({ path: testInfo.outputPath('use.png') });
      await person.keyboard.press('Enter');
      await expect(person.getByText(text.later)).toHaveCount(0);
      await person.goto(`${server.url}/news`);
      await owner.ready();
      expect(await owner.assess('news.add')).toMatchObject({ state: 'ok' });
      await context.close();
    });
  });
}

test.use({ locale: 'en-US' });

test('a script gives and uses codes, and a command refused without a code names the next step', async ({ admin, db }) => {
  await admin.signIn('all', '/permissions/administrator');
  const { rows } = await db.query<{ id: string }>(`select id from administrators where email = 'analyst@demo.local'`);
  const id = rows[0]?.id ?? '';
  await expect(admin.run('administrators.giveEnrollmentCode', { targets: [id] })).rejects.toMatchObject({ code: 'BLOCKED' });
  await db.query(`update administrators set totp_secret = 'sealed', factor_vouched_at = null where id = $1`, [id]);
  await admin.run('administrators.giveEnrollmentCode', { targets: [id], confirm: true });
  expect((await db.query('select from enrollment_codes where administrator_id = $1 and used_at is null', [id])).rowCount).toBe(1);
  await db.query('update administrators set totp_secret = null, factor_vouched_at = now() where id = $1', [id]);
  await expect(admin.run('account.useEnrollmentCode', { params: { enrollmentCode: 'aaaaa-aaaaa' } })).rejects.toMatchObject({
    code: expect.stringMatching(/FACTOR|BAD_REQUEST/),
  });
});
