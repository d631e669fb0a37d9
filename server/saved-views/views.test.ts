import { beforeAll, expect, test } from 'vitest';
import { maxViews } from '../../api/saved-views/contract.ts';
import { signInAs, testApp, type TestSession, type TestApp } from '../testing/support.ts';

let app: TestApp;
let editor: TestSession;
let analyst: TestSession;
beforeAll(async () => {
  app = await testApp();
  [editor, analyst] = [await signInAs(app, 'editor'), await signInAs(app, 'analyst')];
});

const news = (name: string, query = 'shown=false') => ({ place: '/news', name, query });

test('a view can be saved, renamed and deleted, and each is audited', async () => {
  const saved = await editor.api.views.save(news('Waiting', 'shown=false&sort=createdAt'));
  const renamed = await editor.api.views.rename({ id: saved.id, version: saved.version, name: 'Not shown' });
  expect(await editor.api.views.list()).toEqual([{ ...saved, name: 'Not shown', version: 2 }]);
  await expect(editor.api.views.remove({ id: saved.id, version: 1 })).rejects.toMatchObject({ code: 'CONFLICT' });
  await editor.api.views.remove({ id: saved.id, version: renamed.version });
  expect(await editor.api.views.list()).toEqual([]);
  const { rows } = await app.database.pool.query(
    `select action from audit where entity = 'view' and entity_id = $1 order by seq`,
    [saved.id],
  );
  expect(rows.map(({ action }) => action)).toEqual(['save', 'rename', 'remove']);
});

test('another person’s view is NOT_FOUND for every request', async () => {
  const { id, version } = await editor.api.views.save(news('Mine'));
  expect(await analyst.api.views.list()).toEqual([]);
  await expect(analyst.api.views.rename({ id, version, name: 'x' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(analyst.api.views.remove({ id, version })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect((await editor.api.views.list()).map(({ name }) => name)).toEqual(['Mine']);
});

test('a view needs a permitted screen and a valid query', async () => {
  await expect(editor.api.views.save({ place: '/permissions/role', name: 'x', query: '' })).rejects.toMatchObject({
    code: 'FORBIDDEN',
  });
  for (const bad of [
    { place: '/nowhere' },
    { place: 'https://evil.example/' },
    { query: 'a b' },
    { query: 'x'.repeat(2001) },
    { name: ' ' },
  ])
    await expect(editor.api.views.save({ ...news('x'), ...bad })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  await editor.api.views.save({ place: '/notices', name: 'Live', query: 'phase=live' });
  await app.database.pool.query(
    `delete from role_nodes using roles r, permission_nodes n
     where role_id = r.id and node_id = n.id and r.seed = 'editor' and n.identifier = '/notices'`,
  );
  expect((await (await signInAs(app, 'editor')).api.views.list()).map(({ place }) => place)).toEqual(['/news']);
});

test('view names are unique per list, and their number is limited', async () => {
  await analyst.api.views.save(news('Same'));
  const used = { code: 'BAD_REQUEST', data: { issues: [{ path: 'name', rule: 'taken' }] } };
  await expect(analyst.api.views.save(news('Same'))).rejects.toMatchObject(used);
  const other = await analyst.api.views.save(news('Other'));
  await expect(analyst.api.views.rename({ ...other, name: 'Same' } as never)).rejects.toBeDefined();
  await expect(analyst.api.views.rename({ id: other.id, version: other.version, name: 'Same' })).rejects.toMatchObject(used);
  // Concurrent requests must not exceed the limit.
  const many = await Promise.allSettled(Array.from({ length: 25 }, (_, n) => analyst.api.views.save(news(`View ${n}`))));
  expect(many.filter(({ status }) => status === 'fulfilled')).toHaveLength(maxViews.place - 2);
});
