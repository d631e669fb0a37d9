import { beforeAll, expect, test } from 'vitest';
import { maxViews } from '../../api/saved-views/contract.ts';
import { signInAs, createTestApp, type TestSession, type TestApp } from '../testing/support.ts';

let app: TestApp;
let editorSession: TestSession;
let analystSession: TestSession;
beforeAll(async () => {
  app = await createTestApp();
  [editorSession, analystSession] = [await signInAs(app, 'editor'), await signInAs(app, 'analyst')];
});

const createNewsView = (name: string, query = 'shown=false') => ({ place: '/news', name, query });

test('a view can be saved, renamed and deleted, and each is audited', async () => {
  const savedView = await editorSession.api.views.save(createNewsView('Waiting', 'shown=false&sort=createdAt'));
  const renamedView = await editorSession.api.views.rename({ id: savedView.id, version: savedView.version, name: 'Not shown' });
  expect(await editorSession.api.views.list()).toEqual([{ ...savedView, name: 'Not shown', version: 2 }]);
  await expect(editorSession.api.views.remove({ id: savedView.id, version: 1 })).rejects.toMatchObject({ code: 'CONFLICT' });
  await editorSession.api.views.remove({ id: savedView.id, version: renamedView.version });
  expect(await editorSession.api.views.list()).toEqual([]);
  const { rows } = await app.database.pool.query(
    `select action from audit where entity = 'view' and entity_id = $1 order by seq`,
    [savedView.id],
  );
  expect(rows.map(({ action }) => action)).toEqual(['save', 'rename', 'remove']);
});

test('another person’s view is NOT_FOUND for every request', async () => {
  const { id, version } = await editorSession.api.views.save(createNewsView('Mine'));
  expect(await analystSession.api.views.list()).toEqual([]);
  await expect(analystSession.api.views.rename({ id, version, name: 'x' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(analystSession.api.views.remove({ id, version })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect((await editorSession.api.views.list()).map(({ name }) => name)).toEqual(['Mine']);
});

test('a view needs a permitted screen and a valid query', async () => {
  await expect(editorSession.api.views.save({ place: '/permissions/role', name: 'x', query: '' })).rejects.toMatchObject({
    code: 'FORBIDDEN',
  });
  for (const invalidView of [
    { place: '/nowhere' },
    { place: 'https://evil.example/' },
    { query: 'a b' },
    { query: 'x'.repeat(2001) },
    { name: ' ' },
  ])
    await expect(editorSession.api.views.save({ ...createNewsView('x'), ...invalidView })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
  await editorSession.api.views.save({ place: '/notices', name: 'Live', query: 'phase=live' });
  await app.database.pool.query(
    `delete from role_nodes using roles r, permission_nodes n
     where role_id = r.id and node_id = n.id and r.seed = 'editor' and n.identifier = '/notices'`,
  );
  expect((await (await signInAs(app, 'editor')).api.views.list()).map(({ place }) => place)).toEqual(['/news']);
});

test('view names are unique per list, and their number is limited', async () => {
  await analystSession.api.views.save(createNewsView('Same'));
  const nameTakenError = { code: 'BAD_REQUEST', data: { issues: [{ path: 'name', rule: 'taken' }] } };
  await expect(analystSession.api.views.save(createNewsView('Same'))).rejects.toMatchObject(nameTakenError);
  const otherView = await analystSession.api.views.save(createNewsView('Other'));
  await expect(analystSession.api.views.rename({ ...otherView, name: 'Same' } as never)).rejects.toBeDefined();
  await expect(
    analystSession.api.views.rename({ id: otherView.id, version: otherView.version, name: 'Same' }),
  ).rejects.toMatchObject(nameTakenError);
  // Concurrent requests must not exceed the limit.
  const outcomes = await Promise.allSettled(
    Array.from({ length: 25 }, (_, n) => analystSession.api.views.save(createNewsView(`View ${n}`))),
  );
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(maxViews.place - 2);
});
