import type { Page } from 'playwright/test';
import { build } from '../testing/factories/build.ts';
import { expect, test, type Admin } from './fixtures.ts';

const linkUrl = 'https://www.example.com/notice';
const findRow = (page: Page, content: string) => page.getByRole('row').filter({ hasText: content });
const form = (page: Page) => page.getByRole('dialog');
const buildFields = (content: string) => build.noticeFields({ content, link: linkUrl });
const timeInMinutes = (minutes: number) => new Date(Math.floor(Date.now() / 60_000 + minutes) * 60_000).toISOString();

async function readPublished(admin: Admin, id: string, platform = 'all') {
  const response = await admin.page.request.get(`${admin.url}/public/notices?limit=50&platform=${platform}`);
  const { rows } = (await response.json()) as { rows: { id: string; content: string; link: string; until: string | null }[] };
  return rows.find((row) => row.id === id);
}

test.describe('a notice', () => {
  test('has dates that are checked, cleared and previewed by keyboard', async ({ admin, page, db }) => {
    await admin.signIn('editor', '/notices');
    const { keyboard } = page;
    await keyboard.press('c');
    await expect(form(page).getByRole('heading', { name: '新增公告' })).toBeVisible();
    await keyboard.type('键盘公告');
    await keyboard.press('Control+Enter');
    await expect(form(page).getByText('请输入跳转链接')).toBeVisible();
    await expect(form(page).getByLabel('跳转链接')).toBeFocused();
    await keyboard.insertText(linkUrl);
    await form(page).getByLabel('开始展示时间').focus();
    await keyboard.type('2030-01-02 10:00');
    await form(page).getByLabel('结束展示时间').focus();
    await keyboard.type('2030-01-02 09:00');
    await keyboard.press('Control+Enter');
    await expect(form(page).getByText('结束展示时间须晚于开始时间')).toBeVisible();
    await keyboard.press('Control+a');
    await keyboard.type('2030-01-03 09:00');
    await keyboard.press('Control+Enter');
    await expect(form(page)).toHaveCount(0);
    await expect(page.getByText('操作成功')).toBeVisible();

    await expect(findRow(page, '键盘公告')).toContainText('不展示');
    await expect(page.locator('[data-cursor]')).toContainText('键盘公告');
    await keyboard.press('s');
    await expect(page.getByRole('alertdialog')).toContainText('键盘公告');
    await keyboard.press('Enter');
    await expect(findRow(page, '键盘公告').getByText('展示', { exact: true })).toBeVisible();
    await expect(findRow(page, '键盘公告')).toContainText('未开始');
    await keyboard.press('Control+z');
    await expect(findRow(page, '键盘公告')).toContainText('不展示');

    await keyboard.press('e');
    await form(page).getByLabel('开始展示时间').focus();
    await keyboard.press('Control+a');
    await keyboard.press('Delete');
    await form(page).getByLabel('结束展示时间').focus();
    await keyboard.press('Control+a');
    await keyboard.press('Delete');
    await keyboard.press('Control+Enter');
    await expect(form(page)).toHaveCount(0);
    const storedNotice = await db.query(`select starts_at, ends_at from notices where content = '键盘公告'`);
    expect(storedNotice.rows).toEqual([{ starts_at: null, ends_at: null }]);

    await keyboard.press('p');
    await expect(form(page).locator('[data-banner]')).toContainText('键盘公告');
    await keyboard.press('Escape');
    await expect(form(page)).toHaveCount(0);
  });

  test('works by script, and the website follows', { tag: '@long' }, async ({ admin, page }) => {
    await admin.signIn('editor', '/notices');
    const {
      done: [row],
    } = await admin.run('notices.add', { params: { ...buildFields('Scripted notice'), platform: 'desktop' } });
    expect(row).toMatchObject({ platform: 'desktop', shown: false, startsAt: null, endsAt: null, version: 1 });
    await expect(findRow(page, 'Scripted notice')).toBeVisible();
    expect(await readPublished(admin, row.id)).toBeUndefined();

    await admin.run('notices.show', { targets: [row.id], confirm: true });
    expect(await readPublished(admin, row.id, 'desktop')).toMatchObject({
      content: 'Scripted notice',
      link: linkUrl,
      until: null,
    });
    expect(await readPublished(admin, row.id, 'mobile')).toBeUndefined();

    const endsAt = timeInMinutes(-1);
    await admin.run('notices.edit', { targets: [row.id], params: { endsAt } });
    await expect(findRow(page, 'Scripted notice')).toContainText('已结束');
    expect(await readPublished(admin, row.id)).toBeUndefined();
    await admin.run('history.undo');
    expect(await readPublished(admin, row.id)).toMatchObject({ until: null });
    await admin.run('notices.edit', { targets: [row.id], params: { startsAt: timeInMinutes(60) } });
    await expect(findRow(page, 'Scripted notice')).toContainText('未开始');
    expect(await readPublished(admin, row.id)).toBeUndefined();

    await expect(
      admin.run('notices.edit', { targets: [row.id], params: { startsAt: timeInMinutes(60), endsAt: timeInMinutes(60) } }),
    ).rejects.toMatchObject({ code: 'INVALID', issues: [{ path: 'endsAt', rule: 'afterStart' }] });
    await expect(admin.runAny('notices.add', { params: { content: '' } })).rejects.toMatchObject({
      issues: expect.arrayContaining([
        { path: 'content', rule: 'required' },
        { path: 'link', rule: 'required' },
      ]),
    });
    await expect(admin.run('notices.delete', { targets: [row.id] })).rejects.toMatchObject({ code: 'UNCONFIRMED' });
    await admin.run('notices.delete', { targets: [row.id], confirm: true });
    await expect(admin.run('notices.delete', { targets: [row.id], confirm: true })).rejects.toMatchObject({ code: 'NOT_FOUND' });

    const { rows } = await admin.page.evaluate(
      async ([url, id]) => {
        const authorization = localStorage.getItem('Authorization') ?? '';
        const response = await fetch(`${url}/api/notices/history`, {
          method: 'POST',
          headers: { authorization, 'content-type': 'application/json' },
          body: JSON.stringify({ id }),
        });
        return { rows: ((await response.json()) as { entries: { id: string }[] }).entries };
      },
      [admin.url, row.id] as const,
    );
    await admin.run('notices.restore', { targets: [`notice:${rows[0]?.id}:before`], confirm: true });
    await expect(findRow(page, 'Scripted notice')).toContainText('不展示');
  });

  test('uses the specified words in English', { tag: '@long' }, async ({ admin, page }) => {
    await page.addInitScript(() => localStorage.setItem('locale', 'en-US'));
    await admin.signIn('editor', '/notices');
    await expect(page.getByRole('heading', { level: 1, name: 'Notice Manage' })).toBeVisible();
    for (const name of ['Created by', 'Notice content', 'Jump link', 'Status', 'Platform'])
      await expect(page.getByRole('columnheader', { name })).toBeVisible();
    await admin.key('notices.add');
    await form(page).getByLabel('Notice content').fill('English notice');
    await form(page).getByLabel('Jump link').fill(linkUrl);
    await form(page).getByLabel('Show from').fill('2030-01-02 10:00');
    await form(page).getByLabel('Show until').fill('2030-01-02 10:00');
    await page.keyboard.press('Control+Enter');
    await expect(form(page).getByText('Until must be later than the start')).toBeVisible();
    await form(page).getByLabel('Show until').fill('');
    await page.keyboard.press('Control+Enter');
    await expect(page.getByText('Operation Successful')).toBeVisible();
    await expect(findRow(page, 'English notice')).toContainText('Not Show');
  });
});

test(
  'the preview shows the notice as text at both widths, explains why the website hides it, and has no working link',
  { tag: '@long' },
  async ({ admin, page }) => {
    await admin.signIn('analyst', '/notices');
    await expect(page.getByRole('row').nth(1)).toBeVisible();
    await admin.signIn('editor', '/notices');
    const content = 'Line one\nLine <b>two</b> https://evil.example';
    const {
      done: [row],
    } = await admin.run('notices.add', { params: { ...buildFields(content), platform: 'mobile' } });
    await admin.open(`/notices?preview=${row.id}`);
    const previewElement = page.locator('[data-preview]');
    await expect(previewElement).toHaveAttribute('data-preview', 'mobile');
    expect(await previewElement.locator('[data-banner]').evaluate((bannerElement) => bannerElement.textContent)).toContain(
      content,
    );
    expect((await previewElement.locator('[data-banner]').boundingBox())?.width).toBeLessThanOrEqual(375);
    await expect(form(page)).toContainText('状态为“不展示”');
    await expect(previewElement.locator('a, b, img, iframe')).toHaveCount(0);
    await expect(previewElement).toContainText(linkUrl);
    await previewElement.getByRole('button', { name: '桌面端' }).click();
    await expect(previewElement).toContainText('该平台不展示此公告');
    await admin.run('notices.edit', { targets: [row.id], params: { platform: 'all', endsAt: timeInMinutes(-5) } });
    await admin.run('notices.show', { targets: [row.id], confirm: true });
    await expect(form(page)).toContainText('结束');
    expect((await previewElement.locator('[data-banner]').boundingBox())?.width).toBeGreaterThanOrEqual(900);
    const address = page.url();
    await previewElement.getByText('查看详情').click();
    await expect(page).toHaveURL(address);
    await page.keyboard.press('Escape');
    await expect(page).toHaveURL(`${admin.url}/notices`);
  },
);

test('filters find current, scheduled and past notices by platform', { tag: '@long' }, async ({ admin, page }) => {
  await admin.signIn('editor', '/notices');
  const uniqueWord = `Filter${Date.now()}`;
  for (const [name, changes] of Object.entries({
    current: { platform: 'desktop' as const },
    scheduled: { startsAt: timeInMinutes(60) },
    over: { endsAt: timeInMinutes(-60) },
  }))
    await admin.run('notices.add', { params: { ...buildFields(`${uniqueWord} ${name}`), ...changes } });
  for (const [query, expectedIds] of [
    ['phase=scheduled', ['scheduled']],
    ['phase=over', ['over']],
    ['phase=current', ['current']],
    ['platform=desktop', ['current']],
    ['shown=true', []],
  ] as const) {
    await admin.open(`/notices?q=${uniqueWord}&${query}`);
    await expect(findRow(page, uniqueWord), query).toHaveCount(expectedIds.length);
    for (const name of expectedIds) await expect(findRow(page, `${uniqueWord} ${name}`)).toBeVisible();
  }
  await page.goto(`${admin.url}/notices?q=${uniqueWord}&phase=over`);
  await findRow(page, uniqueWord).getByText('over').click();
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-record]')).toContainText(`${uniqueWord} over`);
  await expect(page.locator('[data-history] [data-entry]')).toHaveCount(1);
});

test('a viewer may preview a notice', { tag: '@long' }, async ({ admin, page }) => {
  await admin.signIn('analyst', '/notices');
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await page.keyboard.press('j');
  expect((await admin.assess('notices.preview')).state).toBe('ok');
});
