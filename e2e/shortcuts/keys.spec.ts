import type { Page } from 'playwright/test';
import type { CommandId } from '../../api/names.ts';
import { expect, pressKeys, test, type Admin } from '../fixtures.ts';
import { openForm } from '../../qa/kit/visitor.ts';
import { cursorAt, stateOf } from '../support/page-state.ts';

// Covers reloads and the server. src/commands/ui/keys/*.component.test.ts covers what keys do.

const rows = (page: Page) => page.locator('[role="row"][aria-rowindex]:not([aria-rowindex="1"])');

async function openNews(admin: Admin): Promise<void> {
  await admin.open('/news');
  await expect(rows(admin.page).first()).toBeVisible();
}

type Effect = (given: { page: Page; admin: Admin; press: () => Promise<void> }) => Promise<void>;

const effects: Partial<Record<CommandId, Effect>> = {
  'panel.reload': async ({ page, admin, press }) => {
    await openNews(admin);
    let loads = 0;
    page.on('load', () => loads++);
    await Promise.all([page.waitForEvent('load'), press()]);
    await admin.ready();
    expect(loads).toBe(1);
  },
  'language.switch': async ({ page, admin, press }) => {
    await openNews(admin);
    let loads = 0;
    page.on('load', () => loads++);
    await press();
    await expect(page.getByRole('heading', { level: 1, name: 'News Manage' })).toBeVisible();
    expect(loads).toBe(1);
    await page.evaluate(() => localStorage.setItem('locale', 'zh-CN'));
  },
  'list.arrivals': async ({ page, admin, press }) => {
    const opened = openForm(admin);
    await admin.open('/feedback');
    await expect(rows(page).first()).toBeVisible();
    const token = await opened;
    const data = { token, email: `${token.slice(9, 21)}@example.com`, content: `Came in ${token.slice(9, 21)}` };
    await page.request.post(`${admin.url}/public/feedback`, { data });
    await expect(page.locator('[data-arrivals]')).toBeVisible();
    await press();
    await expect(rows(page).first()).toContainText(data.content);
    await expect(page.locator('[data-arrivals]')).toHaveCount(0);
  },
};

test('keys that reload the page or show new rows act once', { tag: '@long' }, async ({ page, admin }) => {
  await admin.signIn('all', '/news');
  const keyed = (await admin.list()).filter(({ id, keys }) => effects[id] && keys.length > 0);
  expect(keyed).toHaveLength(Object.keys(effects).length);
  for (const { id, keys } of keyed) {
    for (const each of keys)
      await test.step(`${each}: ${id}`, () => effects[id]?.({ page, admin, press: () => pressKeys(page, each) }));
  }
});

test(
  'single keys are switched off and on in the sheet by mouse, and the choice is kept',
  { tag: '@long' },
  async ({ page, admin }) => {
    await admin.signIn('all', '/news');
    const sheet = page.getByRole('dialog', { name: '键盘快捷键' });
    const openByMouse = async () => {
      await page.getByRole('button', { name: /^账户/ }).click();
      await page.getByRole('menuitem', { name: '查看快捷键' }).click();
      await expect(sheet).toBeVisible();
    };
    await openByMouse();
    await sheet.getByLabel('单键快捷键').uncheck();
    await sheet.getByRole('button', { name: '关闭' }).click();
    await page.reload();
    await admin.ready();
    await openNews(admin);
    await page.getByRole('heading', { level: 1 }).click();

    const before = await page.evaluate(stateOf);
    for (const keys of ['j', 'c', 'x', 'g h', '?', '/', '.', 'shift+j']) {
      await pressKeys(page, keys);
      expect(await page.evaluate(stateOf), keys).toEqual(before);
    }
    await page.keyboard.press('ArrowDown');
    expect(await page.evaluate(cursorAt)).toBe(0);
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('dialog', { name: '命令面板' })).toBeVisible();
    await page.keyboard.press('Escape');

    await openByMouse();
    await sheet.getByLabel('单键快捷键').check();
    await sheet.getByRole('button', { name: '关闭' }).click();
    await page.keyboard.press('j');
    expect(await page.evaluate(cursorAt)).toBe(1);
  },
);
