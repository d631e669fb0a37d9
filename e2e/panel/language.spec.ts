import type { Page, Response } from 'playwright/test';
import { expect, test } from '../fixtures.ts';

const readDocument = (page: Page) => page.evaluate(() => [document.documentElement.lang, document.documentElement.dir]);

/** First visits. locale.test.ts covers the whole rule. */
for (const [browserLocale, expectedLang, dir, welcomeText] of [
  ['fr-FR', 'zh-CN', 'ltr', '欢迎使用管理后台'],
  ['zh-TW', 'zh-CN', 'ltr', '欢迎使用管理后台'],
  ['en-US', 'en-US', 'ltr', 'Welcome to the Admin Panel'],
  ['en-GB', 'en-US', 'ltr', 'Welcome to the Admin Panel'],
  ['he-IL', 'zh-CN', 'rtl', '欢迎使用管理后台'],
  ['ar-EG', 'zh-CN', 'rtl', '欢迎使用管理后台'],
  ['fa-IR', 'zh-CN', 'rtl', '欢迎使用管理后台'],
  ['ku', 'zh-CN', 'rtl', '欢迎使用管理后台'],
] as const) {
  const kind = ['en-GB', 'he-IL'].includes(browserLocale) ? {} : { tag: '@long' };
  test.describe(`a browser in ${browserLocale}`, kind, () => {
    test.use({ locale: browserLocale });
    test(`gets ${expectedLang} text, ${dir}`, async ({ page, server }) => {
      await page.goto(`${server.url}/login`);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(welcomeText);
      expect(await readDocument(page)).toEqual([expectedLang, dir]);
    });
  });
}

test.describe('a saved language', () => {
  test.use({ locale: 'en-US' });
  test('takes precedence over the browser', async ({ page, server }) => {
    await page.goto(`${server.url}/login`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome to the Admin Panel');
    await page.evaluate(() => localStorage.setItem('locale', 'zh-CN'));
    await page.reload();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('欢迎使用管理后台');
  });

  test('is ignored when it is empty or unreadable', { tag: '@long' }, async ({ page, server }) => {
    await page.goto(`${server.url}/login`);
    await page.evaluate(() => localStorage.setItem('locale', ''));
    await page.reload();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome to the Admin Panel');
  });
});

test('language and direction are set before the first paint', { tag: '@long' }, async ({ page, server }) => {
  await page.goto(`${server.url}/login`);
  await page.evaluate(() => localStorage.setItem('locale', 'he'));
  // Blocks the program, so that only code before the first paint runs.
  await page.route(/\/assets\/(?!boot).*\.js$/, () => {});
  await page.goto(`${server.url}/login`, { waitUntil: 'commit' });
  await page.waitForSelector('#root', { state: 'attached' });
  expect(await readDocument(page)).toEqual(['zh-CN', 'rtl']);
});

test('the header button saves the other language and reloads, also on the sign-in page, where it keeps the typed email', async ({
  page,
  admin,
}) => {
  await page.goto(`${admin.url}/login`);
  await page.getByLabel('邮箱').fill('admin@demo.local');
  let loadCount = 0;
  page.on('load', () => loadCount++);
  await page.getByRole('button', { name: '切换为 English' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome to the Admin Panel');
  await expect(page.getByLabel('Email')).toHaveValue('admin@demo.local');
  expect(loadCount).toBe(1);
  expect(await page.evaluate(() => localStorage.getItem('locale'))).toBe('en-US');

  await admin.signIn('all', '/news?q=YBTC');
  await expect(page.getByRole('banner')).toContainText('Admin Panel');
  loadCount = 0;
  await page
    .getByRole('banner')
    .getByRole('button', { name: '切换' })
    .or(page.getByRole('button', { name: 'Switch to 中文' }))
    .click();
  await expect(page.getByRole('heading', { level: 1, name: '新闻管理' })).toBeVisible();
  expect(loadCount).toBe(1);
  expect(page.url()).toBe(`${admin.url}/news?q=YBTC`);
  expect(await page.evaluate(() => localStorage.getItem('locale'))).toBe('zh-CN');
});

test(
  'the language is switched from the palette by its name in the target language',
  { tag: '@long' },
  async ({ page, admin }) => {
    await admin.signIn('all');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('english');
    await expect(page.locator('[data-palette] [role="option"]').first()).toHaveAttribute('data-row', 'language.switch');
    await page.keyboard.press('Enter');
    await expect(page.locator('html')).toHaveAttribute('lang', 'en-US');
  },
);

test('only the dictionary of the current language is loaded', { tag: '@long' }, async ({ page, admin }) => {
  await admin.signIn('all');
  for (const [locale, ownDictionary, otherDictionary] of [
    ['zh-CN', '欢迎使用管理后台', 'Welcome to the Admin Panel'],
    ['en-US', 'Welcome to the Admin Panel', '欢迎使用管理后台'],
  ] as const) {
    let scripts: string[] = [];
    const recordScript = (response: Response) => {
      if (response.request().isNavigationRequest()) scripts = []; // ignore requests of the previous page
      else if (response.url().endsWith('.js')) scripts.push(response.url());
    };
    await page.evaluate((savedLocale) => localStorage.setItem('locale', savedLocale), locale);
    page.on('response', recordScript);
    await admin.open('/news');
    await expect(page.getByRole('row').nth(1)).toBeVisible();
    page.off('response', recordScript);
    const code = await page.evaluate(async (urls) => {
      const texts = await Promise.all(urls.map(async (url) => (await fetch(url)).text()));
      return texts.join('');
    }, scripts);
    expect(code.includes(ownDictionary)).toBe(true);
    expect(code.includes(otherDictionary)).toBe(false);
  }
});
