import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import type { NodeRow } from '../../api/access/permissions.ts';
import { raceRounds } from '../../scripts/suite/tier.ts';
import { buildBuiltInTree } from '../platform/auth/rights/built-in-tree.ts';
import { newId } from '../platform/core/ids.ts';
import { planReset } from '../platform/auth/rights/tree-reset.ts';
import { readTree } from '../platform/auth/rights/permission-tree.ts';
import { signInAs, createTestApp, type TestSession, type TestApp } from '../testing/support.ts';
import { administrators, permissionNodes, roleNodes, roles, serviceTokenNodes } from '../platform/auth/tables.ts';
import { build } from '../../testing/factories/build.ts';
import { createStore } from '../../testing/factories/store.ts';

let app: TestApp;
let adminSession: TestSession;
beforeEach(async () => {
  app = await createTestApp({ WRITES_PER_MINUTE: '0', READS_PER_MINUTE: '0' });
  adminSession = await signInAs(app, 'all');
});

const readNode = async (identifier: string): Promise<NodeRow> => {
  const nodeRow = (await adminSession.api.permissions.tree()).find((row) => row.identifier === identifier);
  if (!nodeRow) throw new Error(`no node ${identifier}`);
  return nodeRow;
};
const toItem = ({ id, version }: { id: string; version: number }) => ({ id, version });
const readOrder = async (parent: string | null) => {
  const rows = await adminSession.api.permissions.tree();
  const parentId = parent === null ? null : (rows.find(({ identifier }) => identifier === parent)?.id ?? 'none');
  return rows.filter((row) => row.parentId === parentId).map(({ identifier }) => identifier);
};
const invalidPlaceError = { code: 'BAD_REQUEST', data: { issues: [{ path: 'place', rule: 'invalid' }] } };
const invalidTargetError = { code: 'BAD_REQUEST', data: { issues: [{ path: 'to', rule: 'invalid' }] } };

describe('the permission tree', () => {
  test('lists every node once, parents first, with the roles that grant it', async () => {
    const rows = await adminSession.api.permissions.tree();
    const visitedIds = new Set<string | null>([null]);
    for (const row of rows) {
      expect(visitedIds.has(row.parentId), row.identifier).toBe(true);
      visitedIds.add(row.id);
      expect(row.hasEffect, row.identifier).toBe(true);
    }
    expect((await readNode('news.delete')).roles.map(({ name }) => name)).toHaveLength(2);
    expect(await adminSession.api.permissions.changes()).toEqual({ changes: [] });
  });

  test('adds nodes under, before and after others, and marks those without effect', async () => {
    const groupNode = await adminSession.api.permissions.add({
      place: 'before',
      to: (await readNode('/news')).id,
      identifier: '/content',
      zh: '内容',
      en: 'Content',
    });
    expect(groupNode).toMatchObject({ parentId: null, hasEffect: false, roles: [] });
    expect((await readOrder(null)).slice(0, 3)).toEqual(['/', '/content', '/news']);
    const addedNode = await adminSession.api.permissions.add({
      place: 'under',
      to: groupNode.id,
      identifier: 'content.dream',
      zh: '梦',
      en: 'Dream',
    });
    expect(addedNode).toMatchObject({ parentId: groupNode.id, hasEffect: false });
    await expect(
      adminSession.api.permissions.add({ place: 'under', to: groupNode.id, identifier: 'news.add', zh: 'a', en: 'a' }),
    ).rejects.toMatchObject({ data: { issues: [{ path: 'identifier', rule: 'taken' }] } });
    // The identifier decides the kind permanently.
    expect([groupNode.kind, addedNode.kind]).toEqual(['menu', 'function']);
    for (const [row, identifier] of [
      [addedNode, '/path'],
      [groupNode, 'no.path'],
    ] as const)
      await expect(adminSession.api.permissions.edit({ ...toItem(row), identifier, zh: 'a', en: 'a' })).rejects.toMatchObject({
        data: { issues: [{ path: 'identifier', rule: 'invalid' }] },
      });
  });

  test('refuses functions outside menus, and menus inside screens and functions', async () => {
    const news = await readNode('/news');
    const addNode = await readNode('news.add');
    const feedback = toItem(await readNode('/feedback'));
    const { permissions } = adminSession.api;
    const refusedMoves = [
      () => permissions.add({ place: 'under', to: news.id, identifier: '/a', zh: 'a', en: 'a' }),
      () => permissions.add({ place: 'under', to: addNode.id, identifier: 'a.a', zh: 'a', en: 'a' }),
      () => permissions.add({ place: 'after', to: news.id, identifier: 'a.b', zh: 'a', en: 'a' }),
      () => permissions.move({ ...feedback, to: news.id, place: 'under' }),
      () => permissions.move({ ...toItem(addNode), to: news.id, place: 'before' }),
    ];
    for (const call of refusedMoves) await expect(call()).rejects.toMatchObject(invalidPlaceError);
    await expect(permissions.move({ ...toItem(addNode), to: newId(), place: 'under' })).rejects.toMatchObject(invalidTargetError);
  });

  test('refuses more than eight levels, when adding or moving', async () => {
    const { permissions } = adminSession.api;
    const tooDeepError = { code: 'BAD_REQUEST', data: { issues: [{ path: 'place', rule: 'tooDeep' }] } };
    const addUnder = (targetId: string, identifier: string) =>
      permissions.add({ place: 'under', to: targetId, identifier, zh: 'a', en: 'a' });
    const topNode = await permissions.add({ place: 'after', to: (await readNode('/')).id, identifier: '/1', zh: 'a', en: 'a' });
    let lastNode = topNode;
    for (let level = 2; level <= 7; level++) lastNode = await addUnder(lastNode.id, `/${level}`);
    const eighthNode = await addUnder(lastNode.id, 'deep.down');
    await expect(addUnder((await addUnder(lastNode.id, '/8')).id, 'deep.further')).rejects.toMatchObject(tooDeepError);
    expect(eighthNode.parentId).toBe(lastNode.id);
    // A moved node brings its descendants.
    const groupNode = await permissions.add({ place: 'after', to: topNode.id, identifier: '/group', zh: 'a', en: 'a' });
    await expect(permissions.move({ ...toItem(await readNode('/1')), to: groupNode.id, place: 'under' })).rejects.toMatchObject(
      tooDeepError,
    );
    await permissions.move({ ...toItem(await readNode('/2')), to: groupNode.id, place: 'under' });
  });

  test('refuses more than two thousand nodes', async () => {
    const fillerCount = 2_000 - (await adminSession.api.permissions.tree()).length;
    const currentTime = new Date(app.clock.now);
    const { id: targetId } = await readNode('/news');
    const fillerFields = {
      parentId: targetId,
      kind: 'function' as const,
      nameZh: 'a',
      nameEn: 'a',
      position: 9,
      createdAt: currentTime,
      updatedAt: currentTime,
    };
    const rows = Array.from({ length: fillerCount - 1 }, (_, n) => ({
      ...fillerFields,
      id: newId(),
      identifier: `filler.n${n}`,
    }));
    await app.database.db.insert(permissionNodes).values(rows);
    const addFillerNode = (identifier: string) =>
      adminSession.api.permissions.add({ place: 'before', to: targetId, identifier, zh: 'a', en: 'a' });
    await addFillerNode('/last');
    await expect(addFillerNode('/more')).rejects.toMatchObject({ data: { issues: [{ path: 'identifier', rule: 'tooMany' }] } });
  });

  test('never gets a cycle, even when two concurrent moves cross', { timeout: 300_000 }, async () => {
    const addGroup = (identifier: string, targetId: string) =>
      adminSession.api.permissions.add({ place: 'after', to: targetId, identifier, zh: 'a', en: 'a' });
    const homeNode = await readNode('/');
    const [firstGroup, secondGroup] = [await addGroup('/a', homeNode.id), await addGroup('/b', homeNode.id)];
    const movedGroup = await adminSession.api.permissions.move({ ...toItem(secondGroup), to: firstGroup.id, place: 'under' });
    for (const targetId of [firstGroup.id, secondGroup.id])
      await expect(
        adminSession.api.permissions.move({ ...toItem(firstGroup), to: targetId, place: 'under' }),
      ).rejects.toMatchObject(invalidTargetError);
    await adminSession.api.permissions.move({ ...toItem(movedGroup.row), ...movedGroup.was });
    for (let round = 0; round < raceRounds; round++) {
      const [left, right] = [await readNode('/a'), await readNode('/b')];
      const outcomes = await Promise.allSettled([
        adminSession.api.permissions.move({ ...toItem(left), to: right.id, place: 'under' }),
        adminSession.api.permissions.move({ ...toItem(right), to: left.id, place: 'under' }),
      ]);
      const succeededMoves = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
      expect(succeededMoves).toHaveLength(1);
      for (const { row, was } of succeededMoves) await adminSession.api.permissions.move({ ...toItem(row), ...was });
    }
    expect((await readOrder(null)).toSorted()).toEqual(expect.arrayContaining(['/a', '/b']));
  });

  test('moves a node and returns the input that undoes it', async () => {
    const orderBefore = await readOrder('/permissions');
    const lastNode = await readNode('/permissions/permission');
    const { row, was } = await adminSession.api.permissions.move({
      ...toItem(lastNode),
      to: (await readNode('/permissions/administrator')).id,
      place: 'before',
    });
    expect(await readOrder('/permissions')).toEqual([orderBefore[2], orderBefore[0], orderBefore[1], ...orderBefore.slice(3)]);
    await adminSession.api.permissions.move({ ...toItem(row), ...was });
    expect(await readOrder('/permissions')).toEqual(orderBefore);
  });

  test('defines the menu’s names, order and groups', async () => {
    const news = await readNode('/news');
    await adminSession.api.permissions.edit({ ...toItem(news), identifier: '/news', zh: '快讯', en: 'Bulletins' });
    await adminSession.api.permissions.move({
      ...toItem(await readNode('/notices')),
      to: (await readNode('/')).id,
      place: 'before',
    });
    const { permittedRoutes } = await (await signInAs(app, 'editor')).api.session.current();
    expect(permittedRoutes.map(({ path }) => path)).toEqual(['/notices', '/', '/news', '/feedback', '/account']);
    expect(permittedRoutes).toContainEqual({ path: '/news', zh: '快讯', en: 'Bulletins' });
  });
});

describe('permission identifiers and grants', () => {
  test('a deleted and recreated identifier starts with no grants', async () => {
    const editorSession = await signInAs(app, 'editor');
    await adminSession.api.permissions.remove(toItem(await readNode('news.add')));
    expect((await editorSession.api.session.current()).codes).not.toContainEqual({ code: 'news.add' });
    const restoredNode = await adminSession.api.permissions.add({
      place: 'under',
      to: (await readNode('/news')).id,
      identifier: 'news.add',
      zh: '新增',
      en: 'Add',
    });
    expect(restoredNode).toMatchObject({ roles: [], hasEffect: true });
    await expect(editorSession.api.news.add(build.newsFields())).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const accessSession = await signInAs(app, 'access');
    const role = build.roleFields({ grants: ['news.add'] });
    await expect(accessSession.api.roles.add(role)).rejects.toMatchObject({ code: 'GRANT_BEYOND_OWN' });
    expect((await adminSession.api.roles.add(role)).grants).toEqual([restoredNode.id]);
  });

  test('a node with another identifier is no longer in the scopes of a token', async () => {
    const { db } = app.database;
    const [owner] = await db.select({ id: administrators.id }).from(administrators).limit(1);
    const { token } = await createStore(db).serviceToken({ owners: [owner?.id ?? ''], scopes: ['/news', 'news.add'] });
    const node = await readNode('news.add');
    await db.delete(roleNodes).where(eq(roleNodes.nodeId, node.id));
    await adminSession.api.permissions.edit({ ...toItem(node), identifier: 'news.addByHand', zh: '加', en: 'Add' });
    const kept = await db
      .select({ identifier: permissionNodes.identifier })
      .from(serviceTokenNodes)
      .innerJoin(permissionNodes, eq(permissionNodes.id, serviceTokenNodes.nodeId))
      .where(eq(serviceTokenNodes.tokenId, token.id));
    expect(kept).toEqual([{ identifier: '/news' }]);
  });

  test('an identifier can be changed only by someone with both permissions', async () => {
    const accessSession = await signInAs(app, 'access');
    const copyNode = await readNode('roles.copy');
    for (const [target, identifier] of [
      [copyNode, 'rights.nobodyHasYet'],
      [await readNode('news.add'), 'anything'],
    ] as const)
      await expect(accessSession.api.permissions.edit({ ...toItem(target), identifier, zh: 'a', en: 'a' })).rejects.toMatchObject(
        {
          code: 'GRANT_BEYOND_OWN',
        },
      );
    expect(
      await accessSession.api.permissions.edit({
        ...toItem(await readNode('news.add')),
        identifier: 'news.add',
        zh: '加',
        en: 'Plus',
      }),
    ).toMatchObject({ zh: '加' });
  });

  test('deleting a menu removes its permissions from roles, named, and only those that the caller has', async () => {
    const accessSession = await signInAs(app, 'access');
    await expect(accessSession.api.permissions.remove(toItem(await readNode('/news')))).rejects.toMatchObject({
      code: 'GRANT_BEYOND_OWN',
    });
    const nodesBelow = (await adminSession.api.permissions.tree())
      .filter(({ identifier }) => /^\/?news\b/.test(identifier))
      .map(({ id }) => id);
    const [editorBefore] = await app.database.db.select().from(roles).where(eq(roles.seed, 'editor'));
    const { removed } = await adminSession.api.permissions.remove(toItem(await readNode('/news')));
    expect(removed.toSorted()).toEqual(nodesBelow.toSorted());
    const [editorAfter] = await app.database.db.select().from(roles).where(eq(roles.seed, 'editor'));
    expect(editorAfter?.version).toBe((editorBefore?.version ?? 0) + 1);
  });

  test('the permissions to manage access cannot be deleted, renamed or moved away', async () => {
    const lastAccessError = { code: 'LAST_ACCESS' };
    for (const identifier of ['/permissions', '/permissions/role', 'roles.edit'])
      await expect(adminSession.api.permissions.remove(toItem(await readNode(identifier))), identifier).rejects.toMatchObject(
        lastAccessError,
      );
    const freeNode = await adminSession.api.permissions.add({
      place: 'under',
      to: (await readNode('/news')).id,
      identifier: 'x.y',
      zh: 'a',
      en: 'a',
    });
    expect(await adminSession.api.permissions.edit({ ...toItem(freeNode), identifier: 'x.z', zh: 'a', en: 'a' })).toMatchObject({
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
    await adminSession.api.permissions.edit({ ...toItem(await readNode('x.z')), identifier: 'x.z', zh: 'b', en: 'b' });
    await expect(
      adminSession.api.permissions.edit({
        ...toItem(await readNode('roles.edit')),
        identifier: 'administrators.gone',
        zh: 'a',
        en: 'a',
      }),
    ).rejects.toMatchObject({ code: 'GRANT_BEYOND_OWN' });
  });
});

describe('resetting to the built-in tree', () => {
  test('restores names, positions and nodes, keeps existing grants, and previews all changes', async () => {
    await adminSession.api.permissions.edit({
      ...toItem(await readNode('/news')),
      identifier: '/news',
      zh: '快讯',
      en: 'Bulletins',
    });
    const groupNode = await adminSession.api.permissions.add({
      place: 'after',
      to: (await readNode('/')).id,
      identifier: '/own',
      zh: '自',
      en: 'Own',
    });
    await adminSession.api.permissions.move({ ...toItem(await readNode('/news')), to: groupNode.id, place: 'under' });
    await adminSession.api.permissions.remove(toItem(await readNode('news.get')));
    const { changes } = await adminSession.api.permissions.changes();
    expect(changes).toEqual([
      { what: 'renamed', identifier: '/news', zh: '新闻管理', en: 'News Manage', roles: [] },
      { what: 'moved', identifier: '/news', zh: '新闻管理', en: 'News Manage', roles: [] },
      { what: 'added', identifier: 'news.get', zh: '获取新闻', en: 'Get News', roles: [] },
      { what: 'removed', identifier: '/own', zh: '自', en: 'Own', roles: [] },
    ]);
    expect(await adminSession.api.permissions.reset()).toEqual({ changes });
    expect(planReset(await readTree(app.database.db), buildBuiltInTree())).toMatchObject({ removed: [] });
    expect(await adminSession.api.permissions.changes()).toEqual({ changes: [] });
    expect(await adminSession.api.permissions.reset()).toEqual({ changes: [] });
    expect((await readNode('/news')).roles.length).toBeGreaterThan(1);
    expect((await readNode('news.get')).roles).toEqual([]);
    expect((await readOrder(null)).slice(0, 2)).toEqual(['/', '/news']);
  });

  test('previews a moved node as one move', async () => {
    await adminSession.api.permissions.move({
      ...toItem(await readNode('/')),
      to: (await readNode('/audit')).id,
      place: 'after',
    });
    const { changes } = await adminSession.api.permissions.changes();
    expect(changes.map(({ what, identifier }) => [what, identifier])).toEqual([['moved', '/']]);
  });
});
