import type { AuditRow } from '../../api/audit/contract.ts';
import { allNames } from '../../api/all-names.ts';
import { expect, test, type Admin } from '../fixtures.ts';
import { build } from '../../testing/factories/build.ts';

// Audit and histories of a used panel. server/testing/recorded.ts checks that every recorded field
// has words.

test.describe.configure({ timeout: 240_000 });

/** JSON, an id, a UTC string, base units, a command's id. */
const rawPatterns = [
  /[{[]"|\[\]|\{\}|\[object |undefined|NaN/,
  /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-/,
  /\d{4}-\d\d-\d\dT\d\d:/,
  /(?<![\w.,…#])\d{9,}(?!\w)/,
  new RegExp(`(?<![\\w.])(${Object.keys(allNames).join('|').replaceAll('.', '\\.')})(?![\\w.])`),
];
const findRawText = (text: string): string[] => rawPatterns.flatMap((pattern) => pattern.exec(text)?.[0] ?? []);

async function rpc<T>(admin: Admin, route: string, input: unknown): Promise<T> {
  return admin.page.evaluate(
    async ([path, json]) => {
      const response = await fetch(`/rpc/${path}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'idempotency-key': crypto.randomUUID(),
          authorization: localStorage.getItem('Authorization') ?? '',
        },
        body: JSON.stringify({ json }),
      });
      return ((await response.json()) as { json: T }).json;
    },
    [route, input] as const,
  );
}

const newestFirst = { direction: 'desc', filter: {}, cursor: null, limit: 100 };

async function runCommands(admin: Admin): Promise<void> {
  const news = build.newsFields({ title: '主网上线 Mainnet', time: '2026-11-27T11:06:00.000Z' });
  const { done } = await admin.run('news.add', { params: news });
  await admin.run('news.edit', {
    targets: [done[0].id],
    params: { ...news, title: '主网已上线', time: '2026-11-28T11:06:00.000Z' },
  });
  await admin.run('news.show', { targets: [done[0].id], confirm: true });
  await admin.run('notices.add', {
    params: build.noticeFields({ content: '维护 Maintenance', platform: 'desktop' }),
  });
  const { rows } = await rpc<{ rows: { id: string }[] }>(admin, 'feedback/list', { ...newestFirst, sort: 'createdAt' });
  await admin.run('feedback.reply', { targets: [rows[0]?.id ?? ''], params: { content: '已收到', processed: true } });
  await admin.run('points.adjust', {
    params: { address: `0x${'a'.repeat(40)}`, berries: '1500', reason: '推荐' },
    confirm: true,
  });
  const { done: addedAirdrops } = await admin.run('airdrops.add', {
    params: { address: `0x${'b'.repeat(40)}`, berries: '25', nftNumber: 2, nftLevel: 3, stage: 'One' },
  });
  await admin.run('airdrops.setLevel', { targets: [addedAirdrops[0].id], params: { nftLevel: 5 } });
  const { done: roles } = await admin.run('roles.add', {
    params: { name: '夜班 Night', description: 'd', needsFactor: false, grants: ['/', '/news', 'news.add'] },
  });
  await admin.run('roles.delete', { targets: [roles[0].id], confirm: true });
  await rpc(admin, 'points/export', {
    sort: 'createdAt',
    direction: 'desc',
    locale: 'zh-CN',
    filter: { source: 'adjustment' },
  });
  await rpc(admin, 'dataPanel/freezeMoney', { reason: '核对' });
}

async function readEntries(admin: Admin): Promise<AuditRow[]> {
  const { rows } = await rpc<{ rows: AuditRow[] }>(admin, 'audit/list', { ...newestFirst, sort: 'time' });
  return [...new Map(rows.toReversed().map((row) => [`${row.entity} ${row.action} ${row.result}`, row])).values()];
}

const screenByEntity: Readonly<Record<string, string>> = {
  airdrop: '/NFTAirdrop',
  feedback: '/feedback',
  news: '/news',
  notice: '/notices',
};

const otherEntities = ['points', 'pointsExport', 'role', 'freeze', 'session'];

for (const locale of ['zh-CN', 'en-US'])
  test.describe(`in ${locale}`, () => {
    test.use({ locale });
    test('audit and histories show words, names and units, and no raw values', { tag: '@long' }, async ({ admin, page }) => {
      await admin.signIn('analyst', '/news');
      await rpc(admin, 'news/remove', { items: [{ id: '01a21e70-c146-7610-8794-03aef57a64c9', version: 1 }] });
      await admin.signIn('all', '/audit');
      await runCommands(admin);
      const auditEntries = await readEntries(admin);
      expect(auditEntries.map(({ entity }) => entity)).toEqual(
        expect.arrayContaining([...Object.keys(screenByEntity), ...otherEntities]),
      );
      const rawTexts: string[] = [];
      const checkTexts = async (location: string, texts: readonly string[]) => {
        for (const text of texts) rawTexts.push(...findRawText(text).map((rawText) => `${location}: ${rawText}`));
      };
      await admin.open('/audit');
      await checkTexts('the list', await page.getByRole('grid').allInnerTexts());
      for (const { id, entity, action } of auditEntries) {
        await admin.open(`/audit?open=${id}`);
        await expect(page.locator('[data-record]')).toBeVisible();
        await expect(page.locator('[data-technical]')).not.toHaveAttribute('open');
        await checkTexts(`${entity} ${action}`, await page.locator('[data-peek]').allInnerTexts());
        await checkTexts(`the breadcrumb of ${entity} ${action}`, await page.locator('header').allInnerTexts());
      }
      for (const [entity, screenPath] of Object.entries(screenByEntity)) {
        const row = auditEntries.find((rawText) => rawText.entity === entity && rawText.result === 'done');
        await admin.open(`${screenPath}?open=${row?.entityId}`);
        await expect(page.locator('[data-history] [data-entry]').first()).toBeVisible();
        await checkTexts(`the history of ${entity}`, await page.locator('[data-history]').allInnerTexts());
      }
      expect(rawTexts).toEqual([]);
    });
  });

test('an entry’s details for auditors open with one key', { tag: '@long' }, async ({ admin, page }) => {
  await admin.signIn('all', '/audit');
  const { done } = await admin.run('news.add', {
    params: build.newsFields(),
  });
  await admin.open(`/audit?entityId=${done[0].id}`);
  await page.getByRole('grid').getByRole('row').nth(1).click();
  const technicalDetails = page.locator('[data-technical]');
  await expect(technicalDetails.getByText(done[0].id).first()).toBeHidden();
  await technicalDetails.getByText('技术信息').click();
  await expect(technicalDetails.getByText(done[0].id).first()).toBeVisible();
  await expect(technicalDetails).toContainText('幂等键');
});
