import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@admin-panel/qa/pageless';

// Run with PANEL_TOKEN only (server/suites/qa-token.test.ts).

const unknownId = '00000000-0000-4000-8000-000000000000';

test('a guarded command, and one that asks for a second factor, need a person', async ({ admin, make }) => {
  await admin.signIn('/news');
  const news = await make.news();
  const refusal = { code: 'NOT_FOR_SERVICES', message: expect.stringContaining('Only a person can do this') };
  await expect(admin.run('news.show', { targets: [news], confirm: true })).rejects.toMatchObject(refusal);
  await expect(admin.runAny('deposits.confirm', { targets: [unknownId], confirm: true })).rejects.toMatchObject(refusal);
  await expect(admin.runAny('session.signOut', { confirm: true })).rejects.toMatchObject({ code: 'NOT_FOR_SERVICES' });
  await expect(admin.environment.reset()).rejects.toMatchObject({ code: 'NOT_FOR_SERVICES' });
  await expect(admin.signIn('/news', { email: 'a@example.com', password: 'x' })).rejects.toMatchObject({
    code: 'NOT_FOR_SERVICES',
    message: expect.stringContaining('a@example.com'),
  });
  expect(await admin.get('news', news.id)).toMatchObject({ shown: false, version: news.version });
});

test('a command that opens, copies or lists needs a page', async ({ admin, make }) => {
  await admin.signIn('/news');
  const news = await make.news();
  const refusal = { code: 'NEEDS_PAGE', message: expect.stringContaining('a page needs a person') };
  for (const id of ['news.open', 'news.copyImage'] as const)
    await expect(admin.run(id, { targets: [news] }), id).rejects.toMatchObject(refusal);
  for (const id of ['go.news', 'list.selectAll', 'history.undo', 'sidebar.toggle'])
    await expect(admin.runAny(id), id).rejects.toMatchObject(refusal);
  const page = admin as unknown as Record<'palette' | 'open', (name: string) => Promise<void>>;
  await expect(page.palette('news.add')).rejects.toMatchObject(refusal);
  await expect(page.open('/news')).rejects.toMatchObject(refusal);
});

test('the command list has what the token may run, with schemas', async ({ admin }) => {
  const commands = await admin.list();
  const ids = commands.map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining(['news.add', 'news.delete', 'notices.add']));
  for (const id of ['news.show', 'airdrops.add', 'deposits.confirm']) expect(ids).not.toContain(id);
  expect(commands.find(({ id }) => id === 'news.add')).toMatchObject({
    permission: 'news.add',
    params: expect.arrayContaining([expect.objectContaining({ name: 'title', required: true })]),
    schema: expect.objectContaining({ type: 'object' }),
  });
  expect(await admin.assess('news.add')).toEqual({ state: 'ok' });
  expect(await admin.assess('airdrops.add')).toEqual({ state: 'hidden' });
  expect(await admin.assess('news.edit')).toMatchObject({ state: 'blocked' });
});

test('an export saves its file in the folder of the test', async ({ admin }) => {
  const { value } = await admin.run('visits.export');
  expect(value).toMatchObject({ rows: expect.any(Number) });
  const [file = ''] = readdirSync(test.info().outputDir).filter((name) => name.endsWith('.csv'));
  expect(file).toMatch(/^visits-\d{4}-\d{2}-\d{2}\.csv$/);
  expect(readFileSync(test.info().outputPath(file), 'utf8').trim().split('\n').length).toBeGreaterThan(1);
});

test('commands of one test run side by side', async ({ admin, make }) => {
  await admin.signIn('/notices');
  const notices = await Promise.all([1, 2, 3, 4].map((number) => make.notice({ content: `Side by side ${number}` })));
  expect(new Set(notices.map(({ id }) => id)).size).toBe(4);
  const rows = await admin.read('notices', { filter: { q: 'Side by side' }, sort: 'createdAt', limit: 3 });
  expect(rows).toHaveLength(3);
});
