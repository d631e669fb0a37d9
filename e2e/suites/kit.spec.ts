import { demoPassword } from '../../server/seed/roles.ts';
import { expect, test } from '../fixtures.ts';
import { Admin as KitAdmin } from '../../qa/kit/index.ts';
import { logOf } from '../../qa/kit/log.ts';
import { build } from '../../testing/factories/build.ts';

test.use({ locale: 'en-US' });

const item = build.newsFields({ title: 'Of the kit' });

test('a failure has code, message, data and request, and a stale edit has the current record', async ({ admin }) => {
  await admin.signIn('editor', '/news');
  const {
    done: [news],
  } = await admin.run('news.add', { params: item });
  await admin.run('news.edit', { targets: [news], params: { title: 'Theirs' } });
  const outdatedError = await admin
    .run('news.edit', { targets: [news], params: { title: 'Mine' } })
    .catch((error: unknown) => error);
  expect(outdatedError).toMatchObject({
    name: 'PanelError',
    command: 'news.edit',
    code: 'CONFLICT',
    current: { id: news.id, title: 'Theirs', version: 2 },
    requestId: expect.stringMatching(/^\S{8,}$/),
  });
  expect((outdatedError as Error).message).toMatch(new RegExp(`^news\\.edit on ${news.id}@1: CONFLICT: .+ \\(request \\S+\\)$`));

  await expect(admin.runAny('news.add', { params: { ...item, titel: 'x' } })).rejects.toMatchObject({
    code: 'INVALID',
    message: expect.stringContaining('unknown parameter titel. news.add takes title, description, image, time, link'),
    issues: [{ path: 'titel' }],
  });
  await expect(admin.runAny('news.ad')).rejects.toThrow('news.ad: UNKNOWN_COMMAND: there is no command news.ad');
  await expect(admin.run('record.next')).rejects.toMatchObject({
    code: 'BLOCKED',
    message: expect.not.stringMatching(/palette\.blocked|[a-z]+\.[a-z]+\.[a-z]+/i),
  });
});

test('a refused sign-in keeps the current session of the page', { tag: '@long' }, async ({ admin, db, page }) => {
  await admin.signIn('editor', '/news');
  await db.query(`update administrators set password_expires_at = now() + interval '1 day' where email = 'analyst@demo.local'`);
  const otherAdmin = new KitAdmin(page, admin.url);
  const signInPromise = otherAdmin.signIn('/news', { email: 'analyst@demo.local', password: demoPassword });
  await expect(signInPromise).rejects.toMatchObject({ code: 'PASSWORD_REQUIRED' });
  await admin.open('/notices');
  const { done } = await admin.run('news.add', { params: { ...item, title: 'Still the editor' } });
  expect(done).toMatchObject([{ title: 'Still the editor' }]);
});

test(
  'reads return what the account may read, and every command is logged with its requests',
  { tag: '@long' },
  async ({ admin }, testInfo) => {
    await admin.signIn('editor', '/news');
    const {
      done: [news],
    } = await admin.run('news.add', { params: { ...item, title: 'To be read' } });
    const rows = await admin.read('news', { filter: { q: 'To be read', shown: 'false' }, sort: 'createdAt' });
    expect(rows.map(({ id, title }) => [id, title])).toEqual([[news.id, 'To be read']]);
    expect(await admin.get('news', news.id)).toMatchObject({ title: 'To be read', shown: false });
    expect(await admin.get('news', news.id.replace(/^./, 'f'))).toBeNull();
    await expect(admin.read('audit')).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(admin.environment.reset()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await admin.read('feedback', { limit: 3 })).length).toBe(3);
    const log = logOf(testInfo);
    expect(log.map(({ command, outcome }) => [command, outcome])).toEqual([
      ['news.add', 'done'],
      ['read news', 'done'],
      ['get news', 'done'],
      ['get news', 'done'],
      ['read audit', 'FORBIDDEN'],
      ['read feedback', 'done'],
    ]);
    expect(log[0]).toMatchObject({
      params: Object.keys(item),
      requests: expect.arrayContaining([{ route: 'news/add', status: 200, requestId: expect.stringMatching(/./) }]),
    });
    expect(JSON.stringify(log)).not.toContain('To be read');
  },
);

test(
  'a missing session, unknown screen, unused keys and an unavailable command are each reported',
  { tag: '@long' },
  async ({ admin, page }) => {
    await expect(admin.open('/news')).rejects.toMatchObject({
      code: 'SIGNED_OUT',
      message: expect.stringContaining('not signed in: /news'),
    });
    await expect(admin.signIn('editor', '/audit')).rejects.toMatchObject({ code: 'NOT_PERMITTED' });
    await admin.open('/feedback');
    await expect(admin.key('news.add')).rejects.toMatchObject({ code: 'BLOCKED', message: expect.stringContaining('/feedback') });
    await expect(admin.palette('permissions.reset')).rejects.toMatchObject({ code: 'NOT_PERMITTED' });
    await expect(admin.palette('news.edit')).rejects.toMatchObject({ code: 'BLOCKED' });
    await expect(page.locator('[data-palette-input]')).toBeHidden();
    await admin.open('/news');
    await admin.key('news.add');
    await expect(admin.key('news.add')).rejects.toMatchObject({ code: 'BLOCKED', message: expect.stringContaining('Add news') });
  },
);

test(
  'the log tells how a command from palette or key ended: opened, done, canceled, failed or partly done',
  { tag: '@long' },
  async ({ admin, page }, testInfo) => {
    await admin.signIn('editor', '/news');
    const {
      done: [news],
    } = await admin.run('news.add', { params: { ...item, title: 'To be given up' } });
    const readEvents = () =>
      logOf(testInfo)
        .filter(({ command }) => !['palette.open', 'news.open'].includes(command))
        .map(({ command, how, outcome }) => [command, how, outcome]);
    const readLastEvent = () => readEvents().at(-1);
    await admin.open(`/news?open=${news.id}`);
    await admin.palette('news.delete');
    expect(readLastEvent()).toEqual(['news.delete', 'palette', 'opened']);
    await page.keyboard.press('Escape');
    await expect.poll(readLastEvent).toEqual(['news.delete', 'palette', 'canceled']);

    await page.route('**/rpc/news/show', (route) => route.abort());
    await admin.key('news.show');
    await page.getByRole('alertdialog').getByRole('button').last().click();
    await expect.poll(readLastEvent).toEqual(['news.show', 'key', 'failed']);
    await page.unroute('**/rpc/news/show');
    await admin.key('news.show');
    await page.getByRole('alertdialog').getByRole('button').last().click();
    await expect.poll(readLastEvent).toEqual(['news.show', 'key', 'done']);

    const {
      done: [outdatedNews],
    } = await admin.run('news.add', { params: { ...item, title: 'Shown meanwhile' } });
    await admin.run('news.show', { targets: [outdatedNews.id], confirm: true });
    const { failed } = await admin.run('news.hide', { targets: [news.id, outdatedNews], confirm: true });
    expect(failed).toMatchObject([{ id: outdatedNews.id, code: 'CONFLICT' }]);
    expect(readLastEvent()).toEqual(['news.hide', 'script', 'partly']);
    expect(readEvents()).toHaveLength(7);

    const expectedEvent = { id: 'news.hide', source: 'menu', status: 'done', failed: 1 };
    await page.evaluate((detail) => void dispatchEvent(new CustomEvent('panel-command', { detail })), expectedEvent);
    await expect.poll(readLastEvent).toEqual(['news.hide', 'menu', 'partly']);
  },
);

test(
  'a command that reloads the page is done once the new page accepts commands',
  { tag: '@long' },
  async ({ admin, page }, testInfo) => {
    await admin.signIn('editor', '/news');
    const readTimeOrigin = () => page.evaluate(() => performance.timeOrigin);
    const reloadCommands = [
      () => admin.run('panel.reload'),
      () => admin.palette('panel.reload'),
      () => admin.key('panel.reload'),
      () => admin.run('language.switch'),
      () => admin.palette('language.switch'),
      () => admin.key('language.switch'),
      () => admin.key('language.switch'),
    ];
    for (const [index, runReload] of reloadCommands.entries()) {
      const originBefore = await readTimeOrigin();
      await runReload();
      expect(await admin.assess('news.add'), `round ${index}`).toEqual({ state: 'ok' });
      expect(await readTimeOrigin(), `round ${index}`).toBeGreaterThan(originBefore);
    }
    await page.reload({ waitUntil: 'commit' }); // commands wait until the page is back
    expect((await admin.read('news', { limit: 1 })).length).toBe(1);
    const log = logOf(testInfo).filter(({ command }) => command === 'panel.reload' || command === 'language.switch');
    await expect.poll(() => log.map(({ outcome }) => outcome)).toEqual(reloadCommands.map(() => 'done'));
  },
);

test('returns the options of a form field, for permitted commands only', { tag: '@long' }, async ({ admin }) => {
  await admin.signIn('all', '/permissions/administrator');
  const roles = await admin.options('administrators.add', 'roles');
  expect(roles).toContainEqual(
    expect.objectContaining({ value: expect.stringMatching(/^[0-9a-f-]{36}$/), label: 'Content editor' }),
  );
  expect(await admin.options('withdrawals.add', 'depositId')).toEqual([]); // the form shows a message instead of an empty list
  await expect(admin.options('administrators.add', 'email')).rejects.toThrow('administrators.add has no field email');
  await admin.signIn('editor', '/news');
  await expect(admin.options('administrators.add', 'roles')).rejects.toMatchObject({ code: 'UNKNOWN_COMMAND' });
});

test('a dialog opened by palette or key accepts typing immediately', { tag: '@long' }, async ({ admin, page }) => {
  await admin.signIn('editor', '/news');
  for (const open of [() => admin.palette('news.add'), () => admin.key('news.add')]) {
    await open();
    await page.keyboard.type('Typed at once');
    await expect(page.getByRole('dialog', { name: 'Add news' }).getByLabel('Title')).toHaveValue(/Typed at once$/);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Discard and close' }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
  }
  await admin.run('news.add', { params: item });
  await admin.palette('macros.add');
  await expect(page.locator('[role="dialog"]:visible')).toContainText('macro');
  expect(await page.evaluate(() => document.activeElement?.closest('[role="dialog"]') !== null)).toBe(true);
});

test('a script repeats the last command with its parameters without a form', async ({ admin, page, db }) => {
  await db.query('delete from command_history'); // other tests of the same person left theirs
  await admin.signIn('editor', '/news');
  await expect(admin.run('history.repeat')).rejects.toMatchObject({ code: 'BLOCKED' });
  await admin.run('news.add', { params: { ...item, title: 'Said twice' } });
  await admin.run('history.repeat');
  expect((await admin.read('news', { filter: { q: 'Said twice' } })).length).toBe(2);
  await expect(page.getByRole('dialog')).toHaveCount(0);
});
