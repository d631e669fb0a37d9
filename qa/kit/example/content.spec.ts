import { expect, test } from '@admin-panel/qa/pageless';

// With PANEL_TOKEN: the scopes /news, news.add, news.edit, news.delete, /notices, notices.add, notices.edit and notices.delete.

test('an added news item is found by its title and read by its ID', async ({ admin, make }) => {
  await admin.signIn('/news');
  const news = await make.news();
  expect(await admin.read('news', { filter: { q: news.title } })).toMatchObject([{ id: news.id, shown: false }]);
  expect(await admin.get('news', news.id)).toEqual(news);
});

test('an edit of an outdated news item is a conflict, with the current item', async ({ admin, make }) => {
  await admin.signIn('/news');
  const news = await make.news();
  const { done } = await admin.run('news.edit', { targets: [news], params: { title: 'Theirs' } });
  expect(done).toMatchObject([{ id: news.id, title: 'Theirs', version: news.version + 1 }]);
  await expect(admin.run('news.edit', { targets: [news], params: { title: 'Mine' } })).rejects.toMatchObject({
    name: 'PanelError',
    code: 'CONFLICT',
    current: { id: news.id, title: 'Theirs' },
  });
});

test('a news item with an unsafe link is rejected by its field', async ({ admin }) => {
  await admin.signIn('/news');
  const params = { title: 'Unsafe', description: 'd', image: 'https://example.com/a.png', link: 'javascript:alert(1)' };
  await expect(admin.run('news.add', { params })).rejects.toMatchObject({
    code: 'INVALID',
    issues: [{ path: 'link', rule: 'url' }],
  });
  expect(await admin.read('news', { filter: { q: 'Unsafe' } })).toEqual([]);
});

test('a deletion needs a confirmation', async ({ admin, make }) => {
  await admin.signIn('/notices');
  const notice = await make.notice();
  await expect(admin.run('notices.delete', { targets: [notice.id] })).rejects.toMatchObject({ code: 'UNCONFIRMED' });
  const { done, failed } = await admin.run('notices.delete', { targets: [notice.id], confirm: true });
  expect([done.length, failed.length]).toEqual([1, 0]);
  expect(await admin.get('notices', notice.id)).toBeNull();
});

test('the website has no hidden notice', async ({ admin, make, request }) => {
  await admin.signIn('/notices');
  const notice = await make.notice();
  const response = await request.get(`${admin.url}/public/notices`);
  expect(response.ok()).toBe(true);
  expect(await response.text()).not.toContain(notice.content);
});
