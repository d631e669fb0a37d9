import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import type { NodeRow } from '../../api/access/permissions.ts';
import { raceRounds } from '../../scripts/suite/tier.ts';
import { builtInTree } from '../platform/auth/rights/built-in-tree.ts';
import { newId } from '../platform/core/ids.ts';
import { planReset } from '../platform/auth/rights/tree-reset.ts';
import { readTree } from '../platform/auth/rights/permission-tree.ts';
import { signInAs, testApp, type TestSession, type TestApp } from '../testing/support.ts';
import { permissionNodes, roleNodes, roles } from '../platform/auth/tables.ts';
import { build } from '../../testing/factories/build.ts';

let app: TestApp;
let all: TestSession;
beforeEach(async () => {
  app = await testApp({ WRITES_PER_MINUTE: '0', READS_PER_MINUTE: '0' });
  all = await signInAs(app, 'all');
});

const node = async (identifier: string): Promise<NodeRow> => {
  const found = (await all.api.permissions.tree()).find((row) => row.identifier === identifier);
  if (!found) throw new Error(`no node ${identifier}`);
  return found;
};
const itemOf = ({ id, version }: { id: string; version: number }) => ({ id, version });
const order = async (parent: string | null) => {
  const rows = await all.api.permissions.tree();
  const parentId = parent === null ? null : (rows.find(({ identifier }) => identifier === parent)?.id ?? 'none');
  return rows.filter((row) => row.parentId === parentId).map(({ identifier }) => identifier);
};
const badPlace = { code: 'BAD_REQUEST', data: { issues: [{ path: 'place', rule: 'invalid' }] } };
const badTo = { code: 'BAD_REQUEST', data: { issues: [{ path: 'to', rule: 'invalid' }] } };

describe('the permission tree', () => {
  test('lists every node once, parents first, with the roles that grant it', async () => {
    const rows = await all.api.permissions.tree();
    const seen = new Set<string | null>([null]);
    for (const row of rows) {
      expect(seen.has(row.parentId), row.identifier).toBe(true);
      seen.add(row.id);
      expect(row.hasEffect, row.identifier).toBe(true);
    }
    expect((await node('news.delete')).roles.map(({ name }) => name)).toHaveLength(2);
    expect(await all.api.permissions.changes()).toEqual({ changes: [] });
  });

  test('adds nodes under, before and after others, and marks those without effect', async () => {
    const group = await all.api.permissions.add({
      place: 'before',
      to: (await node('/news')).id,
      identifier: '/content',
      zh: '内容',
      en: 'Content',
    });
    expect(group).toMatchObject({ parentId: null, hasEffect: false, roles: [] });
    expect((await order(null)).slice(0, 3)).toEqual(['/', '/content', '/news']);
    const made = await all.api.permissions.add({
      place: 'under',
      to: group.id,
      identifier: 'content.dream',
      zh: '梦',
      en: 'Dream',
    });
    expect(made).toMatchObject({ parentId: group.id, hasEffect: false });
    await expect(
      all.api.permissions.add({ place: 'under', to: group.id, identifier: 'news.add', zh: 'a', en: 'a' }),
    ).rejects.toMatchObject({ data: { issues: [{ path: 'identifier', rule: 'taken' }] } });
    // The identifier decides the kind permanently.
    expect([group.kind, made.kind]).toEqual(['menu', 'function']);
    for (const [row, identifier] of [
      [made, '/path'],
      [group, 'no.path'],
    ] as const)
      await expect(all.api.permissions.edit({ ...itemOf(row), identifier, zh: 'a', en: 'a' })).rejects.toMatchObject({
        data: { issues: [{ path: 'identifier', rule: 'invalid' }] },
      });
  });

  test('refuses functions outside menus, and menus inside screens and functions', async () => {
    const news = await node('/news');
    const add = await node('news.add');
    const feedback = itemOf(await node('/feedback'));
    const { permissions } = all.api;
    const refused = [
      () => permissions.add({ place: 'under', to: news.id, identifier: '/a', zh: 'a', en: 'a' }),
      () => permissions.add({ place: 'under', to: add.id, identifier: 'a.a', zh: 'a', en: 'a' }),
      () => permissions.add({ place: 'after', to: news.id, identifier: 'a.b', zh: 'a', en: 'a' }),
      () => permissions.move({ ...feedback, to: news.id, place: 'under' }),
      () => permissions.move({ ...itemOf(add), to: news.id, place: 'before' }),
    ];
    for (const call of refused) await expect(call()).rejects.toMatchObject(badPlace);
    await expect(permissions.move({ ...itemOf(add), to: newId(), place: 'under' })).rejects.toMatchObject(badTo);
  });

  test('refuses more than eight levels, when adding or moving', async () => {
    const { permissions } = all.api;
    const deep = { code: 'BAD_REQUEST', data: { issues: [{ path: 'place', rule: 'tooDeep' }] } };
    const under = (to: string, identifier: string) => permissions.add({ place: 'under', to, identifier, zh: 'a', en: 'a' });
    const top = await permissions.add({ place: 'after', to: (await node('/')).id, identifier: '/1', zh: 'a', en: 'a' });
    let last = top;
    for (let level = 2; level <= 7; level++) last = await under(last.id, `/${level}`);
    const eighth = await under(last.id, 'deep.down');
    await expect(under((await under(last.id, '/8')).id, 'deep.further')).rejects.toMatchObject(deep);
    expect(eighth.parentId).toBe(last.id);
    // A moved node brings its descendants.
    const group = await permissions.add({ place: 'after', to: top.id, identifier: '/group', zh: 'a', en: 'a' });
    await expect(permissions.move({ ...itemOf(await node('/1')), to: group.id, place: 'under' })).rejects.toMatchObject(deep);
    await permissions.move({ ...itemOf(await node('/2')), to: group.id, place: 'under' });
  });

  test('refuses more than two thousand nodes', async () => {
    const missing = 2_000 - (await all.api.permissions.tree()).length;
    const at = new Date(app.clock.now);
    const { id: to } = await node('/news');
    const own = { parentId: to, kind: 'function' as const, nameZh: 'a', nameEn: 'a', position: 9, createdAt: at, updatedAt: at };
    const rows = Array.from({ length: missing - 1 }, (_, n) => ({ ...own, id: newId(), identifier: `filler.n${n}` }));
    await app.database.db.insert(permissionNodes).values(rows);
    const add = (identifier: string) => all.api.permissions.add({ place: 'before', to, identifier, zh: 'a', en: 'a' });
    await add('/last');
    await expect(add('/more')).rejects.toMatchObject({ data: { issues: [{ path: 'identifier', rule: 'tooMany' }] } });
  });

  test('never gets a cycle, even when two concurrent moves cross', { timeout: 300_000 }, async () => {
    const group = (identifier: string, to: string) =>
      all.api.permissions.add({ place: 'after', to, identifier, zh: 'a', en: 'a' });
    const home = await node('/');
    const [a, b] = [await group('/a', home.id), await group('/b', home.id)];
    const c = await all.api.permissions.move({ ...itemOf(b), to: a.id, place: 'under' });
    for (const to of [a.id, b.id])
      await expect(all.api.permissions.move({ ...itemOf(a), to, place: 'under' })).rejects.toMatchObject(badTo);
    await all.api.permissions.move({ ...itemOf(c.row), ...c.was });
    for (let round = 0; round < raceRounds; round++) {
      const [left, right] = [await node('/a'), await node('/b')];
      const answers = await Promise.allSettled([
        all.api.permissions.move({ ...itemOf(left), to: right.id, place: 'under' }),
        all.api.permissions.move({ ...itemOf(right), to: left.id, place: 'under' }),
      ]);
      const won = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
      expect(won).toHaveLength(1);
      for (const { row, was } of won) await all.api.permissions.move({ ...itemOf(row), ...was });
    }
    expect((await order(null)).toSorted()).toEqual(expect.arrayContaining(['/a', '/b']));
  });

  test('moves a node and returns the input that undoes it', async () => {
    const before = await order('/permissions');
    const last = await node('/permissions/permission');
    const { row, was } = await all.api.permissions.move({
      ...itemOf(last),
      to: (await node('/permissions/administrator')).id,
      place: 'before',
    });
    expect(await order('/permissions')).toEqual([before[2], before[0], before[1]]);
    await all.api.permissions.move({ ...itemOf(row), ...was });
    expect(await order('/permissions')).toEqual(before);
  });

  test('defines the menu’s names, order and groups', async () => {
    const news = await node('/news');
    await all.api.permissions.edit({ ...itemOf(news), identifier: '/news', zh: '快讯', en: 'Bulletins' });
    await all.api.permissions.move({ ...itemOf(await node('/notices')), to: (await node('/')).id, place: 'before' });
    const { permittedRoutes } = await (await signInAs(app, 'editor')).api.session.current();
    expect(permittedRoutes.map(({ path }) => path)).toEqual(['/notices', '/', '/news', '/feedback', '/account']);
    expect(permittedRoutes).toContainEqual({ path: '/news', zh: '快讯', en: 'Bulletins' });
  });
});

describe('permission identifiers and grants', () => {
  test('a deleted and recreated identifier starts with no grants', async () => {
    const editor = await signInAs(app, 'editor');
    await all.api.permissions.remove(itemOf(await node('news.add')));
    expect((await editor.api.session.current()).codes).not.toContainEqual({ code: 'news.add' });
    const again = await all.api.permissions.add({
      place: 'under',
      to: (await node('/news')).id,
      identifier: 'news.add',
      zh: '新增',
      en: 'Add',
    });
    expect(again).toMatchObject({ roles: [], hasEffect: true });
    await expect(editor.api.news.add(build.newsFields())).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const access = await signInAs(app, 'access');
    const role = build.roleFields({ grants: ['news.add'] });
    await expect(access.api.roles.add(role)).rejects.toMatchObject({ code: 'GRANT_BEYOND_OWN' });
    expect((await all.api.roles.add(role)).grants).toEqual([again.id]);
  });

  test('an identifier can be changed only by someone with both permissions', async () => {
    const access = await signInAs(app, 'access');
    const own = await node('roles.copy');
    for (const [target, identifier] of [
      [own, 'rights.nobodyHasYet'],
      [await node('news.add'), 'anything'],
    ] as const)
      await expect(access.api.permissions.edit({ ...itemOf(target), identifier, zh: 'a', en: 'a' })).rejects.toMatchObject({
        code: 'GRANT_BEYOND_OWN',
      });
    expect(
      await access.api.permissions.edit({ ...itemOf(await node('news.add')), identifier: 'news.add', zh: '加', en: 'Plus' }),
    ).toMatchObject({ zh: '加' });
  });

  test('deleting a menu removes its permissions from roles, named, and only those that the caller has', async () => {
    const access = await signInAs(app, 'access');
    await expect(access.api.permissions.remove(itemOf(await node('/news')))).rejects.toMatchObject({ code: 'GRANT_BEYOND_OWN' });
    const below = (await all.api.permissions.tree())
      .filter(({ identifier }) => /^\/?news\b/.test(identifier))
      .map(({ id }) => id);
    const [editorBefore] = await app.database.db.select().from(roles).where(eq(roles.seed, 'editor'));
    const { removed } = await all.api.permissions.remove(itemOf(await node('/news')));
    expect(removed.toSorted()).toEqual(below.toSorted());
    const [editor] = await app.database.db.select().from(roles).where(eq(roles.seed, 'editor'));
    expect(editor?.version).toBe((editorBefore?.version ?? 0) + 1);
  });

  test('the permissions to manage access cannot be deleted, renamed or moved away', async () => {
    const lost = { code: 'LAST_ACCESS' };
    for (const identifier of ['/permissions', '/permissions/role', 'roles.edit'])
      await expect(all.api.permissions.remove(itemOf(await node(identifier))), identifier).rejects.toMatchObject(lost);
    const free = await all.api.permissions.add({
      place: 'under',
      to: (await node('/news')).id,
      identifier: 'x.y',
      zh: 'a',
      en: 'a',
    });
    expect(await all.api.permissions.edit({ ...itemOf(free), identifier: 'x.z', zh: 'a', en: 'a' })).toMatchObject({
      identifier: 'x.z',
    });
    await app.database.db
      .insert(roleNodes)
      .select(
        app.database.db
          .select({ roleId: roles.id, nodeId: permissionNodes.id })
          .from(roles)
          .innerJoin(permissionNodes, eq(permissionNodes.identifier, 'x.z'))
          .where(eq(roles.seed, 'all')),
      );
    await all.api.permissions.edit({ ...itemOf(await node('x.z')), identifier: 'x.z', zh: 'b', en: 'b' });
    await expect(
      all.api.permissions.edit({ ...itemOf(await node('roles.edit')), identifier: 'administrators.gone', zh: 'a', en: 'a' }),
    ).rejects.toMatchObject({ code: 'GRANT_BEYOND_OWN' });
  });
});

describe('resetting to the built-in tree', () => {
  test('restores names, positions and nodes, keeps existing grants, and previews all changes', async () => {
    await all.api.permissions.edit({ ...itemOf(await node('/news')), identifier: '/news', zh: '快讯', en: 'Bulletins' });
    const group = await all.api.permissions.add({
      place: 'after',
      to: (await node('/')).id,
      identifier: '/own',
      zh: '自',
      en: 'Own',
    });
    await all.api.permissions.move({ ...itemOf(await node('/news')), to: group.id, place: 'under' });
    await all.api.permissions.remove(itemOf(await node('news.get')));
    const { changes } = await all.api.permissions.changes();
    expect(changes).toEqual([
      { what: 'renamed', identifier: '/news', zh: '新闻管理', en: 'News Manage', roles: [] },
      { what: 'moved', identifier: '/news', zh: '新闻管理', en: 'News Manage', roles: [] },
      { what: 'added', identifier: 'news.get', zh: '获取新闻', en: 'Get News', roles: [] },
      { what: 'removed', identifier: '/own', zh: '自', en: 'Own', roles: [] },
    ]);
    expect(await all.api.permissions.reset()).toEqual({ changes });
    expect(planReset(await readTree(app.database.db), builtInTree())).toMatchObject({ removed: [] });
    expect(await all.api.permissions.changes()).toEqual({ changes: [] });
    expect(await all.api.permissions.reset()).toEqual({ changes: [] });
    expect((await node('/news')).roles.length).toBeGreaterThan(1);
    expect((await node('news.get')).roles).toEqual([]);
    expect((await order(null)).slice(0, 2)).toEqual(['/', '/news']);
  });

  test('previews a moved node as one move', async () => {
    await all.api.permissions.move({ ...itemOf(await node('/')), to: (await node('/audit')).id, place: 'after' });
    const { changes } = await all.api.permissions.changes();
    expect(changes.map(({ what, identifier }) => [what, identifier])).toEqual([['moved', '/']]);
  });
});
