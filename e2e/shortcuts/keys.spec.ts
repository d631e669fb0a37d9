import type { Page } from 'playwright/test';
import type { CommandId } from '../../api/names.ts';
import { expect, pressKeys, test, type Admin } from '../fixtures.ts';
import { openForm } from '../../qa/kit/visitor.ts';
import { readCursorIndex, readPageState } from '../support/page-state.ts';

// Covers reloads and the server. src/commands/ui/keys/*.component.test.ts covers what keys do.

const rows = (page: Page) => page.locator('[role="row"][aria-rowindex]:not([aria-rowindex="1"])');

async function openNews(admin: Admin): Promise<void> {
  await admin.open('/news');
  await expect(rows(admin.page).first()).toBeVisible();
}

type KeyEffect = (effectContext: { page: Page; admin: Admin; press: () => Promise<void> }) => Promise<void>;

const effectsByCommand: Partial<Record<CommandId, KeyEffect>> = {
  'panel.reload': async ({ page, admin, press }) => {
    await openNews(admin);
    let loadCount = 0;
    page.on('load', () => loadCount++);
    await Promise.all([page.waitForEvent('load'), press()]);
    await admin.ready();
    expect(loadCount).toBe(1);
  },
  'language.switch': async ({ page, admin, press }) => {
    await openNews(admin);
    let loadCount = 0;
    page.on('load', () => loadCount++);
    await press();
    await expect(page.getByRole('heading', { level: 1, name: 'News Manage' })).toBeVisible();
    expect(loadCount).toBe(1);
    await page.evaluate(() => localStorage.setItem('locale', 'zh-CN'));
  },
  'list.arrivals': async ({ page, admin, press }) => {
    const formPromise = openForm(admin);
    await admin.open('/feedback');
    await expect(rows(page).first()).toBeVisible();
    const token = await formPromise;
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
  const commandsWithKeys = (await admin.list()).filter(({ id, keys }) => effectsByCommand[id] && keys.length > 0);
  expect(commandsWithKeys).toHaveLength(Object.keys(effectsByCommand).length);
  for (const { id, keys } of commandsWithKeys) {
    for (const keyText of keys)
      await test.step(`${keyText}: ${id}`, () => effectsByCommand[id]?.({ page, admin, press: () => pressKeys(page, keyText) }));
  }
});

test(
  'single keys are switched off and on in the sheet by mouse, and the choice is kept',
  { tag: '@long' },
  async ({ page, admin }) => {
    await admin.signIn('all', '/news');
    const shortcutSheet = page.getByRole('dialog', { name: '键盘快捷键' });
    const openWithMouse = async () => {
      await page.getByRole('button', { name: /^账户/ }).click();
      await page.getByRole('menuitem', { name: '查看快捷键' }).click();
      await expect(shortcutSheet).toBeVisible();
    };
    await openWithMouse();
    await shortcutSheet.getByLabel('单键快捷键').uncheck();
    await shortcutSheet.getByRole('button', { name: '关闭' }).click();
    await page.reload();
    await admin.ready();
    await openNews(admin);
    await page.getByRole('heading', { level: 1 }).click();

    const stateBefore = await page.evaluate(readPageState);
    for (const keys of ['j', 'c', 'x', 'g h', '?', '/', '.', 'shift+j']) {
      await pressKeys(page, keys);
      expect(await page.evaluate(readPageState), keys).toEqual(stateBefore);
    }
    await page.keyboard.press('ArrowDown');
    expect(await page.evaluate(readCursorIndex)).toBe(0);
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('dialog', { name: '命令面板' })).toBeVisible();
    await page.keyboard.press('Escape');

    await openWithMouse();
    await shortcutSheet.getByLabel('单键快捷键').check();
    await shortcutSheet.getByRole('button', { name: '关闭' }).click();
    await page.keyboard.press('j');
    expect(await page.evaluate(readCursorIndex)).toBe(1);
  },
);
