import { demoPassword } from '../../server/seed/roles.ts';
import { expect, test } from '../fixtures.ts';
import { axeViolations } from '../support/axe.ts';
import { createOwnProvider, signInAtProvider } from '../support/identity-provider.ts';

const provider = createOwnProvider();
test.use({
  serverEnv: async ({}, provide) => provide({ ...(await provider.serverEnv()), SSO_REQUIRED: 'on' }),
});
test.afterAll(() => provider.stop());

const texts = {
  'zh-CN': {
    button: '使用 Test provider 登录',
    otherWays: '其他登录方式',
    email: '邮箱',
    wrong: '账户或密码不正确，请重新输入。',
    wallet: '连接钱包登录',
  },
  'en-US': {
    button: 'Continue with Test provider',
    otherWays: 'Other ways to sign in',
    email: 'Email',
    wrong: 'Incorrect email or password. Try again.',
    wallet: 'Connect wallet login',
  },
} as const;

for (const locale of ['zh-CN', 'en-US'] as const)
  test.describe(`in ${locale}`, () => {
    test.use({ locale });
    const text = texts[locale];

    test(
      'the provider’s button has the focus, and the password of a linked account opens nothing',
      { tag: '@long' },
      async ({ page, server, db }) => {
        const { issuer } = await provider.start();
        await db.query(
          `insert into identity_links (id, administrator_id, issuer, subject, origin, created_at)
         select gen_random_uuid(), id, $1, 'idp-wei', 'self', now() from administrators where email = 'analyst@demo.local'
         on conflict do nothing`,
          [issuer],
        );
        const { keyboard } = page;
        await page.goto(`${server.url}/login`);
        await expect(page.getByRole('button', { name: text.button })).toBeFocused();
        await expect(page.getByLabel(text.email)).toHaveCount(0);
        expect(await axeViolations(page)).toEqual([]);
        await keyboard.press('Tab');
        await expect(page.getByRole('button', { name: text.otherWays })).toBeFocused();
        await keyboard.press('Enter');
        await expect(page.getByLabel(text.email)).toBeFocused();
        await expect(page.getByRole('button', { name: text.wallet })).toBeVisible();
        await keyboard.insertText('analyst@demo.local');
        await keyboard.press('Tab');
        await keyboard.insertText(demoPassword);
        await keyboard.press('Enter');
        await expect(page.getByText(text.wrong)).toBeVisible();
        expect((await page.context().cookies(server.url)).filter(({ name }) => name === 'half')).toEqual([]);

        await page.goto(`${server.url}/login`);
        await page.getByRole('button', { name: text.button }).press('Enter');
        await signInAtProvider(page, 'Wei Zhang');
        await page.waitForURL(`${server.url}/`);
      },
    );
  });
