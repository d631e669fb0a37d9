import type { Page } from 'playwright/test';
import type { Panel } from '../../qa/kit/index.ts';
import type { RoleName } from '../../server/seed/roles.ts';
import { toPinyin } from '../../src/lib/pinyin/match.ts';
import { build } from '../../testing/factories/build.ts';
import { expect, pressKeys, test, type Admin } from '../fixtures.ts';

type CommandId = Parameters<Panel['key']>[0];

interface CrudLifecycle {
  add: string;
  edit?: { label: string; to: string };
  /** Two states and the words that the list shows for them. */
  toggle?: { verb: string; button: string; from: string; to: string };
  remove: string;
  isForGood?: true;
}
interface CrudKind {
  kind: string;
  path: string;
  hand: 'keyboard' | 'mouse';
  tag?: '@long';
  role: RoleName;
  /** Its menu entry by keyboard, or its name. */
  go: string;
  noun: string;
  /** The first field names the record. */
  fields: readonly (readonly [label: string, value: string])[];
  column: string;
  missing: readonly string[];
  wrong?: { label: string; value: string; says: string };
  lifecycle: CrudLifecycle;
  /** Where the record shows its history. */
  history: string | null;
  actions: readonly string[];
  /** Further commands that a viewer lacks. */
  more?: readonly string[];
  /** What the row says of a field or of the person. */
  shows?: readonly string[];
  viewerSends: (fields: typeof build) => object;
}

const address = `0x${'7'.repeat(40)}`;
const link = 'https://www.example.com/story';
const auditedLifecycle = ['add', 'show', 'hide', 'edit', 'edit', 'remove', 'restore', 'remove'];

const kinds: readonly CrudKind[] = [
  {
    kind: 'news',
    path: '/news',
    hand: 'keyboard',
    role: 'editor',
    go: 'g n',
    noun: '新闻',
    fields: [
      ['标题', '旅程新闻'],
      ['描述', '第一行\n第二行'],
      ['图片地址', 'https://www.example.com/picture.png'],
      ['链接', link],
    ],
    column: 'title',
    missing: ['请输入描述'],
    wrong: { label: '链接', value: 'javascript:alert(1)', says: '链接须为 http 或 https 链接' },
    lifecycle: {
      add: 'add',
      toggle: { verb: 'show', button: '展示', from: '不展示', to: '展示' },
      edit: { label: '描述', to: '改写' },
      remove: 'delete',
    },
    history: '[data-history]',
    actions: auditedLifecycle,
    more: ['get', 'hide'],
    viewerSends: ({ newsFields }) => newsFields(),
  },
  {
    kind: 'notices',
    path: '/notices',
    hand: 'mouse',
    role: 'editor',
    go: '公告管理',
    noun: '公告',
    fields: [
      ['公告内容', '旅程公告'],
      ['跳转链接', link],
      ['平台', '移动端'],
    ],
    column: 'content',
    missing: ['请输入跳转链接'],
    wrong: { label: '跳转链接', value: 'javascript:alert(1)', says: '跳转链接须为 http 或 https 链接' },
    lifecycle: {
      add: 'add',
      toggle: { verb: 'show', button: '展示', from: '不展示', to: '展示' },
      edit: { label: '跳转链接', to: 'https://www.example.com/other' },
      remove: 'delete',
    },
    history: '[data-history]',
    actions: auditedLifecycle,
    more: ['hide'],
    shows: ['移动端', 'editor@demo.local'],
    viewerSends: ({ noticeFields }) => noticeFields(),
  },
  {
    kind: 'administrators',
    path: '/permissions/administrator',
    hand: 'mouse',
    tag: '@long',
    role: 'all',
    go: '管理员',
    noun: '管理员',
    fields: [
      ['邮箱', 'journey@example.com'],
      ['密码', 'correct horse battery staple'],
      ['角色', '内容编辑'],
      ['描述', '写新闻的人'],
    ],
    column: 'email',
    missing: ['请输入密码', '请选择角色', '请输入描述'],
    lifecycle: {
      add: 'add',
      toggle: { verb: 'disable', button: '停用', from: '启用', to: '停用' },
      edit: { label: '描述', to: '换了岗位' },
      remove: 'delete',
      isForGood: true,
    },
    history: null,
    actions: ['add', 'disable', 'enable', 'edit', 'edit', 'remove'],
    shows: ['内容编辑'],
    viewerSends: () => ({ email: 'x@example.com', password: 'correct horse battery staple', roles: [], description: 'x' }),
  },
  {
    kind: 'roles',
    path: '/permissions/role',
    hand: 'keyboard',
    tag: '@long',
    role: 'all',
    go: 'g r',
    noun: '角色',
    fields: [
      ['角色名称', '旅程角色'],
      ['描述', '夜班'],
      ['权限', 'news.add'],
    ],
    column: 'name',
    missing: ['请输入描述'],
    lifecycle: { add: 'add', edit: { label: '描述', to: '白班' }, remove: 'delete', isForGood: true },
    history: null,
    actions: ['add', 'edit', 'edit', 'remove'],
    more: ['copy'],
    viewerSends: ({ roleFields }) => roleFields(),
  },
  {
    kind: 'airdrops',
    path: '/NFTAirdrop',
    hand: 'keyboard',
    role: 'all',
    go: 'g t',
    noun: '空投',
    fields: [
      ['地址', address],
      ['积分', '12,000'],
      ['NFT 数量', '3'],
      ['NFT 等级', '5'],
      ['阶段', '键盘阶段'],
    ],
    column: 'address',
    missing: ['请输入积分', '请输入 NFT 等级', '请输入阶段'],
    lifecycle: { add: 'add', edit: { label: '阶段', to: '第二阶段' }, remove: 'delete' },
    history: '[data-history]',
    actions: ['add', 'edit', 'edit', 'remove', 'restore', 'remove'],
    shows: ['12,000'],
    viewerSends: ({ airdropFields }) => airdropFields(),
  },
  {
    kind: 'points',
    path: '/points',
    hand: 'keyboard',
    tag: '@long',
    role: 'all',
    go: 'g p',
    noun: '积分',
    fields: [
      ['地址', address],
      ['积分', '1,500'],
      ['原因', '活动奖励'],
    ],
    column: 'address',
    missing: ['请输入积分', '请输入原因'],
    lifecycle: { add: 'adjust', remove: 'reverse', isForGood: true },
    history: '[data-record]',
    actions: ['adjust'],
    shows: ['+1,500'],
    viewerSends: ({ pointsFields }) => pointsFields(),
  },
];

const verbLabels: Record<string, string> = {
  get: '获取',
  hide: '隐藏',
  add: '新增',
  adjust: '调整',
  edit: '编辑',
  delete: '删除',
  reverse: '冲销',
  copy: '复制',
};

const submitLabels: Record<string, string> = { add: '新增', edit: '保存' };

const form = (page: Page) => page.getByRole('dialog');
const reviewDialog = (page: Page) => page.getByRole('alertdialog');
const resourceRows = (page: Page) =>
  page
    .getByRole('grid')
    .getByRole('row')
    .filter({ has: page.getByRole('gridcell') });

const readInitials = (text: string): string =>
  toPinyin(text)
    .map(([reading = '']) => reading.charAt(0))
    .join('');

/** The same steps by keyboard or by mouse. */
function createDriver({ hand, kind, noun, go, lifecycle }: CrudKind, admin: Admin, name: string) {
  const { page } = admin;
  const { keyboard } = page;
  const keyboardEvents = hand === 'keyboard';
  const row = resourceRows(page).filter({ hasText: name });
  const button = (verb: string) => new RegExp(`^${verbLabels[verb] ?? lifecycle.toggle?.button}${noun}`);
  const field = (label: string) =>
    form(page)
      .getByLabel(new RegExp(`^${label}`))
      .and(page.locator('textarea, input:not([type="file"])'));
  return {
    row,
    field,
    go: async () => {
      if (keyboardEvents) await pressKeys(page, go);
      else await page.getByRole('navigation').getByRole('link', { name: go, exact: true }).click();
    },
    open: async (verb: string) => {
      if (keyboardEvents) await admin.key(`${kind}.${verb}` as CommandId);
      else if (verb === lifecycle.add)
        await page
          .getByRole('button', { name: button(verb) })
          .first()
          .click();
      else {
        await row.getByRole('button', { name: /的操作/ }).click();
        await page.getByRole('menuitem', { name: button(verb) }).click();
      }
    },
    fill: async (verb: string, label: string, value: string) => {
      const params = (await admin.list()).find(({ id }) => id === `${kind}.${verb}`)?.params;
      const paramKind = params?.find((param) => param.label?.zh === label)?.kind;
      const option = form(page)
        .getByRole(paramKind === 'choice' ? 'radio' : paramKind === 'tree' ? 'treeitem' : 'option')
        .filter({ hasText: value });
      if (paramKind === 'tree') {
        await form(page).getByRole('searchbox').focus();
        await keyboard.type(value);
        await keyboard.press('Tab');
        await expect(form(page).getByRole('tree')).toBeFocused();
        await keyboard.press('End');
        await keyboard.press(' ');
        await expect(option).toHaveAttribute('aria-checked', 'true');
      } else if (paramKind === 'picks' && keyboardEvents) {
        await form(page).getByRole('combobox').focus();
        await keyboard.type(value);
        await expect(form(page).getByRole('option')).toHaveCount(1);
        await keyboard.press('Enter');
      } else if (paramKind === 'choice') await form(page).getByRole('radio', { name: value }).check();
      else if (paramKind === 'picks') await option.click();
      else if (keyboardEvents) {
        await field(label).focus();
        await keyboard.press('Control+a');
        await keyboard.insertText(value);
      } else await field(label).fill(value);
    },
    send: async (verb: string) => {
      if (keyboardEvents) await keyboard.press('Control+Enter');
      else
        await form(page)
          .getByRole('button', { name: submitLabels[verb] ?? button(verb) })
          .click();
    },
    confirm: async () => {
      if (!keyboardEvents) return reviewDialog(page).getByRole('button').last().click();
      if (lifecycle.isForGood) {
        await expect(reviewDialog(page).getByRole('button', { name: '取消' })).toBeFocused();
        await keyboard.press('Tab');
        await expect(reviewDialog(page).getByRole('button').last()).toBeFocused();
      }
      return keyboard.press('Enter');
    },
    undo: async () => {
      if (keyboardEvents) await keyboard.press('Control+z');
      else await page.locator('#toasts').getByRole('button', { name: '撤销' }).click();
    },
  };
}

for (const crudKind of kinds) {
  const { kind, path, role, fields, lifecycle, missing, wrong, column, history, actions, tag = [] } = crudKind;
  const [[, name] = ['', '']] = fields;

  test(
    `${kind}: a record is added, found, changed, deleted and read back by ${crudKind.hand}`,
    { tag },
    async ({ admin, page, db }) => {
      await page.addInitScript(() => {
        for (const event of ['mousedown', 'pointerdown', 'click'])
          addEventListener(
            event,
            (mouseEvent) =>
              mouseEvent instanceof MouseEvent &&
              mouseEvent.detail > 0 &&
              document.documentElement.setAttribute('data-mouse', event),
            true,
          );
      });
      await admin.signIn(role, '/');
      const driver = createDriver(crudKind, admin, name);
      await driver.go();
      await expect(page).toHaveURL(new RegExp(`${path}$`));
      await expect(page.getByRole('grid')).toBeVisible();

      await driver.open(lifecycle.add);
      await driver.fill(lifecycle.add, fields[0]?.[0] ?? '', name);
      await driver.send(lifecycle.add);
      for (const text of missing) await expect(form(page).getByText(text)).toBeVisible();
      await expect(driver.field(fields[0]?.[0] ?? '')).toHaveValue(name);
      for (const [label, value] of fields.slice(1)) await driver.fill(lifecycle.add, label, value);
      if (wrong) {
        await driver.fill(lifecycle.add, wrong.label, wrong.value);
        await driver.send(lifecycle.add);
        await expect(form(page).getByText(wrong.says)).toBeVisible();
        await driver.fill(lifecycle.add, wrong.label, fields.find(([label]) => label === wrong.label)?.[1] ?? '');
      }
      await driver.send(lifecycle.add);
      if (lifecycle.add === 'adjust') {
        await expect(reviewDialog(page)).toContainText(name);
        await expect(reviewDialog(page)).toContainText('余额 0 → 1,500');
        await driver.confirm();
      }
      await expect(form(page)).toHaveCount(0);
      await expect(page.getByText(/^操作成功/)).toBeVisible();
      const readStored = async () => (await db.query(`select * from ${kind} where ${column} = $1 order by id`, [name])).rows;
      await expect.poll(async () => (await readStored()).length).toBe(1);
      const id = String((await readStored())[0]?.id);

      await page.keyboard.press('Control+k');
      await page.locator('[data-palette-input]').fill(kind === 'points' ? id : name);
      await expect(page.locator(`[data-palette] [data-row="${kind}:${id}"]`)).toBeVisible();
      while (await page.locator('[data-palette-input]').isVisible()) await page.keyboard.press('Escape');
      await page.keyboard.press('/');
      await page.keyboard.insertText(name);
      await page.keyboard.press('Enter');
      await expect(resourceRows(page)).toHaveCount(1);
      await expect(driver.row).toBeVisible();
      for (const text of crudKind.shows ?? []) await expect(driver.row).toContainText(text);
      await page.keyboard.press('j');

      const { toggle, edit } = lifecycle;
      if (toggle) {
        await expect(driver.row.getByText(toggle.from, { exact: true })).toBeVisible();
        if (crudKind.hand === 'mouse') {
          await driver.row.getByRole('checkbox').check();
          await page.getByRole('button', { name: new RegExp(`^${toggle.button}${crudKind.noun}`) }).click();
        } else await driver.open(toggle.verb);
        await expect(reviewDialog(page)).toContainText(name);
        await driver.confirm();
        await expect(driver.row.getByText(toggle.to, { exact: true })).toBeVisible();
        await driver.undo();
        await expect(driver.row.getByText(toggle.from, { exact: true })).toBeVisible();
        if (crudKind.hand === 'mouse') await driver.row.getByRole('checkbox').uncheck();
      }
      if (edit) {
        const textBefore = fields.find(([label]) => label === edit.label)?.[1] ?? '';
        const isStored = async (text: string) => JSON.stringify(await readStored()).includes(JSON.stringify(text));
        await driver.open('edit');
        await expect(driver.field(edit.label)).toHaveValue(textBefore);
        await driver.fill('edit', edit.label, edit.to);
        await driver.send('edit');
        await expect(form(page)).toHaveCount(0);
        await expect.poll(() => isStored(edit.to)).toBe(true);
        await driver.undo();
        await expect.poll(() => isStored(textBefore)).toBe(true);
      }

      const changeCount = actions.indexOf('remove') < 0 ? actions.length : actions.indexOf('remove');
      if (history) {
        if (crudKind.hand === 'mouse') await driver.row.getByText(name, { exact: true }).click();
        else await page.keyboard.press('Enter');
        await expect(form(page).locator(`${history} [data-entry]`)).toHaveCount(changeCount);
        if (crudKind.hand === 'mouse') await form(page).getByRole('button', { name: '关闭' }).click();
        else await page.keyboard.press('Escape');
        await expect(form(page)).toHaveCount(0);
      }

      const removeRecord = async () => {
        await driver.open(lifecycle.remove);
        if (lifecycle.remove === 'reverse') {
          await driver.fill('reverse', '原因', '录入错误');
          await driver.send('reverse');
        }
        await expect(reviewDialog(page)).toContainText(lifecycle.remove === 'reverse' ? '余额 1,500 → 0' : name);
        if (crudKind.hand === 'mouse') {
          await reviewDialog(page).getByRole('button', { name: '取消' }).click();
          await expect(driver.row).toBeVisible();
          await driver.open(lifecycle.remove);
        }
        await driver.confirm();
        if (lifecycle.remove === 'reverse') await expect(resourceRows(page)).toHaveCount(2);
        else await expect(driver.row).toHaveCount(0);
      };
      await removeRecord();
      if (!lifecycle.isForGood) {
        await driver.undo();
        await expect(driver.row).toBeVisible();
        expect(await readStored()).toMatchObject([{ id }]);
        await page.keyboard.press('j');
        if (crudKind.hand === 'mouse') await removeRecord();
        else {
          await page.keyboard.press('Control+k');
          await page.keyboard.type(readInitials(`删除${crudKind.noun}`));
          await expect(page.locator('[data-palette] [role="option"]').first()).toHaveAttribute('data-row', `${kind}.delete`);
          await page.keyboard.press('Enter');
          await expect(page.locator('[data-palette]')).toContainText(name);
          await expect(page.locator('[data-palette]').getByRole('button', { name: /^删除/ })).toBeFocused();
          await page.keyboard.press('Enter');
          await expect(driver.row).toHaveCount(0);
        }
      }
      if (crudKind.hand === 'keyboard') expect(await page.locator('html').getAttribute('data-mouse')).toBeNull();

      const auditedActions = async () => {
        const { rows } = await db.query<{ action: string }>(
          `select action from audit where entity_id = $1 and result = 'done' order by seq`,
          [id],
        );
        return rows.map(({ action }) => action);
      };
      await expect.poll(auditedActions).toEqual(actions);
      await admin.signIn('all', `/audit?entityId=${id}`);
      await expect(resourceRows(page)).toHaveCount(actions.length);
    },
  );

  test(
    `${kind}: a viewer sees the list without commands that change it, and the server refuses`,
    { tag: '@long' },
    async ({ admin, page, db }) => {
      await admin.signIn('analyst', path);
      await expect(resourceRows(page).first()).toBeVisible();
      await page.keyboard.press('j');
      const verbs = [
        lifecycle.add,
        lifecycle.edit ? 'edit' : '',
        lifecycle.toggle?.verb ?? '',
        lifecycle.remove,
        ...(crudKind.more ?? []),
      ].filter(Boolean);
      const count = async () => (await db.query(`select count(*)::int as n from ${kind}`)).rows;
      const countBefore = await count();
      for (const verb of verbs) {
        const command = `${kind}.${verb}`;
        await expect(page.locator(`[data-command="${command}"]`)).toHaveCount(0);
        await expect(
          page.getByRole('button', { name: `${verbLabels[verb] ?? lifecycle.toggle?.button}${crudKind.noun}` }),
        ).toHaveCount(0);
        expect((await admin.assess(command)).state, command).toBe('hidden');
        const targets = verb === lifecycle.add || verb === 'get' ? {} : { targets: ['00000000-0000-7000-8000-000000000000'] };
        await expect(admin.runAny(command, { ...targets, confirm: true }), command).rejects.toMatchObject({
          code: 'NOT_PERMITTED',
        });
      }
      await resourceRows(page)
        .first()
        .getByRole('button', { name: /的操作/ })
        .click();
      await expect(page.getByRole('menuitem').first()).toBeVisible();
      await expect(page.getByRole('menuitem', { name: /删除|编辑|^展示|^停用|冲销/ })).toHaveCount(0);
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+k');
      await page.locator('[data-palette-input]').fill(`${kind}.${lifecycle.remove}`);
      await expect(page.locator(`[role="option"][data-row="${kind}.${lifecycle.remove}"]`)).toHaveCount(0);
      while (await page.locator('[data-palette-input]').isVisible()) await page.keyboard.press('Escape');
      await page.keyboard.press('c');
      await expect(form(page)).toHaveCount(0);
      const authorization = await page.evaluate(() => localStorage.getItem('Authorization') ?? '');
      const apiResponse = await page.request.post(`${admin.url}/api${path.startsWith('/permissions') ? `/${kind}` : path}`, {
        headers: { authorization },
        data: crudKind.viewerSends(build),
      });
      expect(apiResponse.status()).toBe(403);
      expect(await apiResponse.json()).toMatchObject({ code: 'FORBIDDEN', requestId: expect.any(String) });
      expect(await count()).toEqual(countBefore);
    },
  );
}
