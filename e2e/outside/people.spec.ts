import { expect, test } from '@admin-panel/qa';
import { findAccount } from './accounts.ts';

test('a viewer has no commands that change anything', async ({ admin }) => {
  await admin.signIn('/news', findAccount('analyst'));
  expect(await admin.assess('news.add')).toEqual({ state: 'hidden' });
  await expect(
    admin.run('news.add', {
      params: { title: 't', description: 'd', image: 'https://example.com/a.png', link: 'https://example.com' },
    }),
  ).rejects.toMatchObject({ code: 'NOT_PERMITTED' });
});

test('a role grants only its own permissions', async ({ admin, make }) => {
  await admin.signIn('/permissions/role', findAccount('qa'));
  const writer = await make.account(['/', '/news', 'news.add']);
  await admin.signIn('/news', writer);
  const {
    done: [news],
  } = await admin.run('news.add', {
    params: { title: 'By the writer', description: 'd', image: 'https://example.com/a.png', link: 'https://example.com' },
  });
  await expect(admin.run('news.show', { targets: [news], confirm: true })).rejects.toMatchObject({ code: 'NOT_PERMITTED' });
  await expect(admin.open('/audit')).rejects.toMatchObject({ code: 'NOT_PERMITTED' });
  await admin.signIn('/news', findAccount('qa'));
  await admin.run('news.delete', { targets: [news], confirm: true });
});

test('a disabled person is signed out', async ({ admin, make }) => {
  await admin.signIn('/permissions/administrator', findAccount('qa'));
  const newAccount = await make.account(['/', '/news']);
  await admin.signIn('/news', newAccount);
  await admin.signIn('/permissions/administrator', findAccount('qa'));
  const [row] = await admin.read('administrators', { filter: { q: newAccount.email } });
  await admin.run('administrators.disable', { targets: [row?.id ?? ''], confirm: true });
  await expect(admin.signIn('/news', newAccount)).rejects.toMatchObject({ code: 'SIGN_IN_FAILED' });
  await admin.open('/permissions/administrator');
});

test('a person’s changes are in the audit', async ({ admin, make }) => {
  await admin.signIn('/news', findAccount('qa'));
  const news = await make.news();
  const rows = await admin.read('audit', { filter: { entityId: news.id } });
  expect(rows).toMatchObject([{ action: 'add', actorEmail: 'qa@demo.local' }]);
});

test('a saved view belongs to one person and opens its address', async ({ admin, make, page }) => {
  await admin.signIn('/news', findAccount('editor'));
  const view = await make.view({ name: 'Shown ones', place: '/news', query: 'shown=true' });
  await admin.run('views.open', { params: { view: view.id } });
  await expect(page).toHaveURL(/shown=true/);
});
