import { Secret, TOTP } from 'otpauth';
import type { BrowserContext, Locator, Page, Request } from 'playwright/test';
import { demoPassword } from '../../server/seed/roles.ts';
import { Admin, expect, test } from '../fixtures.ts';
import { addAuthenticator } from '../support/authenticator.ts';
import { axeViolations } from '../support/axe.ts';
import { createOwnProvider, forgetProvider, signInAtProvider } from '../support/identity-provider.ts';

const provider = createOwnProvider();
test.use({ serverEnv: async ({}, provide) => provide(await provider.serverEnv()) });
test.afterAll(() => provider.stop());

const email = 'analyst@demo.local';
const subject = 'idp-wei';

const texts = {
  'zh-CN': {
    button: '使用 Test provider 登录',
    compare: '确定关联这两个账户？',
    link: '关联账户',
    linked: '已关联 Test provider',
    totp: /^动态验证码/,
    saved: '我已保存',
    unlink: '解除关联',
    unlinked: '已解除单点登录关联',
    notInvited: '没有账户与该登录关联，请联系权限管理员邀请您。',
    denied: 'Test provider 未允许本次登录，请重试或联系 Test provider 的管理员。',
    noAnswer: 'Test provider 无响应，请稍后重试。',
    gone: '本次登录已使用、已过期或由其他浏览器发起，请重新登录。',
    back: '返回登录',
    email: '邮箱',
  },
  'en-US': {
    button: 'Continue with Test provider',
    compare: 'Link these two accounts?',
    link: 'Link accounts',
    linked: 'Test provider linked',
    totp: /^Code from the authenticator app/,
    saved: 'I’ve saved my codes',
    unlink: 'Turn off single sign-on',
    unlinked: 'Single sign-on turned off',
    notInvited: 'No account is linked to this sign-in. Ask an access administrator for an invitation.',
    denied: 'Test provider didn’t allow the sign-in. Try again, or ask the administrator of Test provider.',
    noAnswer: 'Test provider isn’t responding. Try again in a minute.',
    gone: 'This sign-in was used, has expired or began in another browser. Start again.',
    back: 'Back to sign in',
    email: 'Email',
  },
} as const;

const providerButton = (page: Page, locale: keyof typeof texts = 'en-US') =>
  page.getByRole('button', { name: texts[locale].button });
const refusal = (page: Page) => page.locator('[data-flow="sso"] [role="alert"]');

async function tabUntilFocused(page: Page, target: Locator, key = 'Tab'): Promise<void> {
  for (let pressCount = 0; pressCount < 80; pressCount++) {
    await page.keyboard.press(key);
    if (await target.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error('80 presses of Tab did not reach the target');
}

/** By the sign-in page's first button, with the keyboard alone. */
async function openProvider(page: Page, url: string, locale: keyof typeof texts = 'en-US'): Promise<void> {
  await page.goto(`${url}/login`);
  await expect(page.getByLabel(texts[locale].email)).toBeFocused();
  await tabUntilFocused(page, providerButton(page, locale), 'Shift+Tab');
  await page.keyboard.press('Enter');
}

async function linkInDatabase(
  db: { query: (text: string, values?: string[]) => Promise<unknown> },
  account: string = email,
): Promise<void> {
  const { issuer } = await provider.start();
  await db.query(
    `insert into identity_links (id, administrator_id, issuer, subject, origin, created_at)
     select gen_random_uuid(), id, $1, $2, 'self', now() from administrators where email = $3 on conflict do nothing`,
    [issuer, subject, account],
  );
}

/** Every `fetch` of the panel's pages, with the query that the address bar had. */
const recordFetches = (page: Page) =>
  page.addInitScript(() => {
    const send = window.fetch;
    window.fetch = (...request) => {
      sessionStorage.setItem('addresses', `${sessionStorage.getItem('addresses') ?? ''}${location.href}\n`);
      return send(...request);
    };
  });

function createSignal() {
  let give = () => {};
  const given = new Promise<void>((resolve) => (give = resolve));
  return { given, give: () => give() };
}

/** The provider's answer, as the browser requests it from the panel. */
const waitForReturn = (page: Page): Promise<Request> =>
  page.waitForRequest((request) => request.isNavigationRequest() && /\/login\?.*(code|error)=/.test(request.url()));

test.beforeEach(async ({ db }) => {
  await db.query('delete from identity_links');
  await db.query(`update administrators set totp_secret = null, totp_last_step = null where email = $1`, [email]);
  await db.query('delete from recovery_codes using administrators where administrator_id = administrators.id and email = $1', [
    email,
  ]);
});

for (const locale of ['zh-CN', 'en-US'] as const)
  test.describe(`in ${locale}`, () => {
    test.use({ locale });
    const text = texts[locale];

    test('a person links the account, signs in at the provider with an own second factor, and unlinks, by keyboard alone', async ({
      page,
      server,
      db,
    }) => {
      const { keyboard } = page;
      await recordFetches(page);
      await page.addInitScript(() =>
        addEventListener('click', (event) => event.detail > 0 && sessionStorage.setItem('mouse', 'used'), true),
      );
      await page.goto(`${server.url}/login`);
      await expect(page.getByLabel(text.email)).toBeFocused();
      await expect(page.locator('main button').first()).toHaveText(text.button);
      await keyboard.insertText(email);
      await keyboard.press('Tab');
      await keyboard.insertText(demoPassword);
      await keyboard.press('Enter');
      await page.waitForURL(`${server.url}/`);
      const admin = new Admin(page, server.url);
      await admin.ready();

      await admin.palette('account.linkSso');
      await signInAtProvider(page, 'Wei Zhang');
      await expect(page.getByRole('heading', { name: text.compare })).toBeFocused();
      await expect(page.locator('[data-flow="sso"]')).toContainText('wei@example.com');
      await expect(page.locator('[data-flow="sso"]')).toContainText(email);
      expect(await axeViolations(page)).toEqual([]);
      await tabUntilFocused(page, page.getByRole('button', { name: text.link }));
      await keyboard.press('Enter');
      await expect(page).toHaveURL(`${server.url}/account`);
      await expect(page.getByText(text.linked)).toBeVisible();
      await expect(page.locator('[data-sso="linked"]')).toContainText('wei@example.com');

      await admin.palette('account.addTotp');
      const dialog = page.getByRole('dialog');
      const secret = (await dialog.locator('[data-totp-secret]').innerText()).replace(/\s/g, '');
      const totp = new TOTP({ secret: Secret.fromBase32(secret) });
      await dialog.getByLabel(text.totp).focus();
      await keyboard.type(totp.generate());
      await keyboard.press('Enter');
      await page.getByRole('button', { name: text.saved }).press('Enter');

      await admin.run('session.signOut', { confirm: true });
      await forgetProvider(page);
      await openProvider(page, server.url, locale);
      const returning = waitForReturn(page);
      await signInAtProvider(page, 'Wei Zhang');
      const { cookie = '' } = await (await returning).allHeaders();
      expect(cookie, 'the strict cookies stay at home').toBe('');
      await expect(page.getByLabel(text.totp)).toBeFocused();
      await expect(page).toHaveURL(`${server.url}/login`);
      await keyboard.type(totp.generate({ timestamp: Date.now() + 30_000 }));
      await keyboard.press('Enter');
      await page.waitForURL(`${server.url}/`);
      const addresses = (await page.evaluate(() => sessionStorage.getItem('addresses'))) ?? '';
      expect(addresses.split('\n').filter((address) => /[?&](code|state|iss)=/.test(address))).toEqual([]);
      expect(addresses).toContain(`${server.url}/login\n`);

      await admin.ready();
      await admin.palette('account.unlinkSso');
      await tabUntilFocused(page, page.getByRole('button', { name: text.unlink, exact: true }));
      await keyboard.press('Enter');
      await expect(page.getByText(text.unlinked)).toBeVisible();
      expect((await db.query('select from identity_links')).rowCount).toBe(0);
      expect(await page.evaluate(() => sessionStorage.getItem('mouse'))).toBeNull();
    });

    test('a refused sign-in says why, and the person can start again', { tag: '@long' }, async ({ page, server }) => {
      await openProvider(page, server.url, locale);
      await signInAtProvider(page, null);
      await expect(refusal(page)).toContainText(text.denied);
      await expect(providerButton(page, locale)).toBeFocused();
      expect(await axeViolations(page)).toEqual([]);

      await page.keyboard.press('Enter');
      await signInAtProvider(page, 'Noor Haddad');
      await expect(refusal(page)).toContainText(text.notInvited);

      // The provider goes down after the person has signed in there.
      await forgetProvider(page);
      await page.route('**/rpc/session/answerSso', async (route) => {
        await provider.stop();
        await route.continue();
      });
      await page.keyboard.press('Enter');
      await signInAtProvider(page, 'Noor Haddad');
      await expect(refusal(page)).toContainText(text.noAnswer);
      await page.unrouteAll();
      await provider.start();
      await forgetProvider(page);
      await page.keyboard.press('Enter');
      await signInAtProvider(page, 'Noor Haddad');
      await expect(refusal(page)).toContainText(text.notInvited);
      await page.getByRole('button', { name: text.back }).press('Enter');
      await expect(page.getByLabel(text.email)).toBeVisible();
    });
  });

test.describe('in two places', () => {
  test.use({ locale: 'en-US' });

  const isSignedIn = (context: BrowserContext) => context.cookies().then((all) => all.some(({ name }) => name === 'half'));

  test('two tabs at the same time both sign in', { tag: '@long' }, async ({ page, server, db, context }) => {
    await linkInDatabase(db);
    const otherPage = await context.newPage();
    const tabs = [page, otherPage];
    const startBoth = createSignal();
    await context.route('**/rpc/session/startSso', (route) => startBoth.given.then(() => route.continue()));
    let answerCount = 0;
    const answerBoth = createSignal();
    await context.route('**/rpc/session/answerSso', async (route) => {
      if (++answerCount === tabs.length) answerBoth.give();
      await answerBoth.given;
      await route.continue();
    });

    for (const tab of tabs) {
      await openProvider(tab, server.url);
      await expect(tab.getByText('Opening Test provider…')).toBeVisible();
    }
    startBoth.give();
    for (const tab of tabs) await signInAtProvider(tab, 'Wei Zhang');
    for (const tab of tabs) {
      await tab.waitForURL(`${server.url}/`);
      await new Admin(tab, server.url).ready();
    }
    expect(answerCount).toBe(tabs.length);
    await context.unrouteAll();
    for (const tab of tabs) {
      await tab.reload();
      await new Admin(tab, server.url).ready();
    }
    await otherPage.close();
  });

  test(
    'an answer that is opened in another browser, or twice, does nothing',
    { tag: '@long' },
    async ({ page, server, db, browser }) => {
      await linkInDatabase(db);
      const otherContext = await browser.newContext({ locale: 'en-US' });
      const otherPage = await otherContext.newPage();
      const returning = waitForReturn(page);
      const release = createSignal();
      await page.route('**/rpc/session/answerSso', (route) => release.given.then(() => route.continue()));
      await openProvider(page, server.url);
      await signInAtProvider(page, 'Wei Zhang');
      const address = (await returning).url();
      await otherPage.goto(address);
      await expect(refusal(otherPage)).toContainText(texts['en-US'].gone);
      release.give();
      await page.waitForURL(`${server.url}/`);
      expect(await isSignedIn(otherContext)).toBe(false);
      await otherContext.close();

      const { rows: before } = await db.query('select count(*)::int as n from sessions');
      await page.goto(address);
      await expect(refusal(page)).toContainText(texts['en-US'].gone);
      await expect(page).toHaveURL(`${server.url}/login`);
      expect((await db.query('select count(*)::int as n from sessions')).rows).toEqual(before);
      await page.getByRole('button', { name: 'Back to My account' }).press('Enter');
      await expect(page).toHaveURL(`${server.url}/account`);
    },
  );
});

test.describe('in another tab', () => {
  test.use({ locale: 'en-US' });

  /** Opened by a link of this page that has the focus. */
  async function openByEnter(page: Page): Promise<Page> {
    const opened = page.context().waitForEvent('page');
    await page.keyboard.press('Enter');
    return await opened;
  }

  test('a person whose session ended signs in at the provider, and what was typed is still there and is saved', async ({
    admin,
    page,
    server,
    db,
  }) => {
    await linkInDatabase(db, 'editor@demo.local');
    await admin.signIn('editor', '/news');
    await admin.palette('news.add');
    const form = page.getByRole('dialog', { name: 'Add news' });
    await form.getByLabel(/^Title/).focus();
    await page.keyboard.insertText('Half a title');
    for (const [label, value] of [
      [/^Description/, 'And a text that took a while'],
      [/^Image/, 'https://pictures.example.com/a.png'],
      [/^Link/, 'https://blog.example.com/a'],
    ] as const) {
      await form.getByLabel(label).focus();
      await page.keyboard.insertText(value);
    }
    await db.query(`update sessions set last_seen_at = now() - interval '1 day'`);
    await page.keyboard.press('Control+Enter');
    const overlay = page.getByRole('alertdialog', { name: 'Sign in again to continue' });
    await expect(overlay.getByRole('link', { name: 'Continue with Test provider' })).toBeFocused();
    expect(await axeViolations(page)).toEqual([]);

    const otherTab = await openByEnter(page);
    await signInAtProvider(otherTab, 'Wei Zhang');
    await otherTab.waitForURL(`${server.url}/`);
    await otherTab.close();
    await expect(overlay).toBeHidden();
    await expect(form.getByLabel(/^Title/)).toHaveValue('Half a title');
    await form.getByLabel(/^Title/).focus();
    await page.keyboard.press('Control+Enter');
    await expect(form).toBeHidden();
    const { rows } = await db.query(`select description from news where title = 'Half a title'`);
    expect(rows).toEqual([{ description: 'And a text that took a while' }]);
  });

  test(
    'an invited person proves the sign-in at the provider again, adds a passkey with an enrollment code, and signs in with both',
    { tag: '@long' },
    async ({ admin, page, browser, server, db }) => {
      test.setTimeout(120_000);
      const invited = 'joins@example.com';
      await admin.signIn('all', '/permissions/administrator');
      const {
        done: [role],
      } = await admin.run('roles.add', {
        params: { name: 'Publisher', description: 'x', grants: ['/', '/news', 'news.add', 'news.show'], needsFactor: false },
      });
      await admin.run('administrators.invite', { params: { email: invited, roles: [role?.id ?? ''], description: 'x' } });
      const {
        rows: [account],
      } = await db.query<{ id: string }>('select id from administrators where email = $1', [invited]);
      const {
        rows: [mail],
      } = await db.query<{ text: string }>(`select body as text from mails where recipient = $1 order by created_at desc`, [
        invited,
      ]);
      const link = /http\S+#link-sso=\S+/.exec(mail?.text ?? '')?.[0] ?? '';

      const context = await browser.newContext({ locale: 'en-US' });
      const person = await context.newPage();
      await addAuthenticator(person);
      await person.goto(link);
      await expect(person.getByRole('heading', { name: 'Link Test provider' })).toBeFocused();
      expect(person.url()).not.toContain('link-sso');
      await tabUntilFocused(person, providerButton(person));
      await person.keyboard.press('Enter');
      await signInAtProvider(person, 'Noor Haddad');
      await expect(person.locator('[data-flow="sso"]')).toContainText('noor@example.com');
      await expect(person.locator('[data-flow="sso"]')).toContainText(invited);
      await tabUntilFocused(person, person.getByRole('button', { name: 'Link accounts' }));
      await person.keyboard.press('Enter');
      await person.waitForURL(`${server.url}/account`);
      const owner = new Admin(person, server.url);
      await owner.ready();

      await admin.open('/permissions/administrator');
      await page.getByRole('row', { name: invited }).click();
      await page.keyboard.press('Shift+E');
      await page.getByRole('alertdialog').getByRole('button', { name: 'Give enrollment code' }).press('Enter');
      const code = await page.locator('[data-enrollment-code]').innerText();

      // Nothing else is available yet, so the setup of an app opens without a press.
      await expect(person.locator('[data-totp-secret]')).toBeVisible();
      await person.keyboard.press('Escape');
      await expect(person.locator('[data-totp-secret]')).toHaveCount(0);
      await db.query(`update sessions set sso_at = now() - interval '1 hour' where administrator_id = $1`, [account?.id]);
      await owner.palette('account.addPasskey');
      const dialog = person.getByRole('dialog', { name: 'Add passkey' });
      await dialog.getByLabel(/^Passkey name/).focus();
      await person.keyboard.type('My laptop');
      await dialog.getByRole('textbox', { name: /^Enrollment code/ }).focus();
      await person.keyboard.type(code);
      await person.keyboard.press('Enter');
      const proof = person.getByRole('dialog', { name: 'Confirm it’s you' });
      await expect(proof.getByRole('link', { name: 'Continue with Test provider' })).toBeFocused();
      expect(await axeViolations(person)).toEqual([]);

      // Another person at the provider proves nothing. Signed out there before, because changing the person would end this session.
      await forgetProvider(person);
      const otherTab = await openByEnter(person);
      await signInAtProvider(otherTab, 'Wei Zhang');
      await expect(refusal(otherTab)).toContainText('You signed in with Test provider as another person.');
      await expect(proof).toBeVisible();
      await expect(providerButton(otherTab)).toBeFocused();
      await forgetProvider(person);
      await otherTab.keyboard.press('Enter');
      await signInAtProvider(otherTab, 'Noor Haddad');
      await expect(otherTab.getByRole('heading', { name: 'Identity confirmed' })).toBeFocused();
      await otherTab.close();

      await expect(proof).toBeHidden();
      await person.getByRole('button', { name: 'I’ve saved my codes' }).press('Enter');
      await expect(person.getByText('My laptop')).toBeVisible();
      await owner.run('session.signOut', { confirm: true });
      await forgetProvider(person);
      await openProvider(person, server.url);
      await signInAtProvider(person, 'Noor Haddad');
      await expect(person.getByRole('button', { name: 'Use a passkey' })).toBeFocused();
      await person.keyboard.press('Enter');
      await person.waitForURL(`${server.url}/`);
      await owner.ready();
      await person.goto(`${server.url}/news`);
      await owner.ready();
      expect(await owner.assess('news.add')).toMatchObject({ state: 'ok' });
      await context.close();
    },
  );
});
