import { eq, inArray } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import type { RoleRow } from '../../api/access/roles.ts';
import { raceRounds } from '../../scripts/suite/tier.ts';
import { newId } from '../platform/core/ids.ts';
import { signInAs, createTestApp, type TestSession, type TestApp } from '../testing/support.ts';
import { administrators, permissionNodes, roleNodes, roles } from '../platform/auth/tables.ts';
import { createStore } from '../../testing/factories/store.ts';

let app: TestApp;
let adminSession: TestSession;
let accessSession: TestSession;
beforeAll(async () => {
  app = await createTestApp({ WRITES_PER_MINUTE: '0', READS_PER_MINUTE: '0' });
  adminSession = await signInAs(app, 'all');
  accessSession = await signInAs(app, 'access');
});

let roleCount = 0;
const createFields = (grants: string[] = ['/']) => ({
  name: `Role ${++roleCount}`,
  description: 'd',
  needsFactor: false,
  grants,
});
const toItem = ({ id, version }: { id: string; version: number }) => ({ id, version });
const readSeededRole = async (name: string): Promise<RoleRow> => {
  const [row] = await app.database.db.select().from(roles).where(eq(roles.seed, name));
  const [role] = await adminSession.api.roles.many({ ids: [row?.id ?? ''] });
  if (!role) throw new Error(`no role ${name}`);
  return role;
};
const readIdentifiers = async ({ grants }: Pick<RoleRow, 'grants'>) =>
  (await app.database.db.select().from(permissionNodes).where(inArray(permissionNodes.id, grants)))
    .map(({ identifier }) => identifier)
    .toSorted();
const createHolder = async (roleId: string): Promise<string> =>
  (await createStore(app.database.db).person({ roleIds: [roleId] })).id;

describe('a role', () => {
  test('is added, listed, found by a part of its name, edited and deleted', async () => {
    const addedRole = await adminSession.api.roles.add({ ...createFields(['/', 'news.add', '/news']), name: 'Night 100%_shift' });
    expect(await readIdentifiers(addedRole)).toEqual(['/', '/news', 'news.add']);
    expect(addedRole.administrators).toBe(0);
    const foundPage = await adminSession.api.roles.list({
      sort: 'name',
      direction: 'asc',
      filter: { q: '0%_S' },
      cursor: null,
      limit: 50,
    });
    expect(foundPage.rows).toEqual([addedRole]);

    const editedRole = await adminSession.api.roles.edit({
      ...toItem(addedRole),
      name: 'Day shift',
      description: 'e',
      needsFactor: true,
      grants: ['/feedback'],
    });
    expect(editedRole).toMatchObject({ version: 2, name: 'Day shift', needsFactor: true });
    expect(await readIdentifiers(editedRole)).toEqual(['/feedback']);
    await expect(adminSession.api.roles.edit({ ...toItem(addedRole), ...createFields() })).rejects.toMatchObject({
      code: 'CONFLICT',
      data: { current: { name: 'Day shift', version: 2 } },
    });
    expect(await adminSession.api.roles.remove({ items: [toItem(editedRole)] })).toEqual({ done: [{ id: addedRole.id }] });
    expect(await adminSession.api.roles.many({ ids: [addedRole.id] })).toEqual([]);
    const { rows } = await app.database.pool.query<{ before: string; after: string | null }>(
      `select before, after from audit where entity = 'role' and entity_id = $1 order by seq`,
      [addedRole.id],
    );
    expect(rows).toHaveLength(3);
    expect(JSON.parse(rows[1]?.before ?? '')).toMatchObject({ grants: ['/', '/news', 'news.add'] });
  });

  test('accepts grants by id and by identifier, and refuses unknown ones', async () => {
    const [node] = await app.database.db.select().from(permissionNodes).where(eq(permissionNodes.identifier, '/news'));
    const addedRole = await adminSession.api.roles.add(createFields([node?.id ?? '', '/news', 'news.add']));
    expect(await readIdentifiers(addedRole)).toEqual(['/news', 'news.add']);
    for (const unknownId of ['nothing.here', newId()])
      await expect(adminSession.api.roles.add(createFields([unknownId]))).rejects.toMatchObject({
        code: 'BAD_REQUEST',
        data: { issues: [{ path: 'grants', rule: 'invalid' }] },
      });
  });

  test('needs a unique name', async () => {
    const firstRole = await adminSession.api.roles.add(createFields());
    const secondRole = await adminSession.api.roles.add(createFields());
    const nameTakenError = { code: 'BAD_REQUEST', data: { issues: [{ path: 'name', rule: 'taken' }] } };
    await expect(adminSession.api.roles.add({ ...createFields(), name: firstRole.name })).rejects.toMatchObject(nameTakenError);
    await expect(
      adminSession.api.roles.edit({ ...toItem(secondRole), ...createFields(), name: firstRole.name }),
    ).rejects.toMatchObject(nameTakenError);
    await expect(adminSession.api.roles.copy({ ...toItem(secondRole), name: firstRole.name })).rejects.toMatchObject(
      nameTakenError,
    );
    expect((await adminSession.api.roles.edit({ ...toItem(secondRole), ...createFields(), name: secondRole.name })).name).toBe(
      secondRole.name,
    );
  });

  test.each([
    ['a letter of another alphabet', 'Nіght watch', 'lookAlike'],
    ['another case', 'NIGHT WATCH', 'lookAlike'],
    ['a letter that is not seen', 'Night\u200b watch', 'unseen'],
    ['a mark that turns the text', 'Night\u202e watch', 'unseen'],
    ['the name of a built-in role in the other language', '托管操作员', 'lookAlike'],
  ])('refuses a name that could be taken for another role’s: %s', async (_how, name, rule) => {
    await adminSession.api.roles.add({ ...createFields(), name: 'Night watch' }).catch(() => null);
    const otherRole = await adminSession.api.roles.add(createFields());
    const expectedError = { code: 'BAD_REQUEST', data: { issues: [{ path: 'name', rule }] } };
    await expect(adminSession.api.roles.add({ ...createFields(), name })).rejects.toMatchObject(expectedError);
    await expect(adminSession.api.roles.edit({ ...toItem(otherRole), ...createFields(), name })).rejects.toMatchObject(
      expectedError,
    );
  });

  test('is copied with all grants, to no holder', async () => {
    const source = await readSeededRole('editor');
    expect(source.administrators).toBe(1);
    const copiedRole = await adminSession.api.roles.copy({ ...toItem(source), name: 'Second editor' });
    expect(copiedRole).toMatchObject({ grants: source.grants, description: source.description, administrators: 0, version: 1 });
  });

  test('cannot be deleted while someone has it, and the error names them', async () => {
    const editorRole = await readSeededRole('editor');
    const unusedRole = await adminSession.api.roles.add(createFields());
    await expect(adminSession.api.roles.remove({ items: [toItem(unusedRole), toItem(editorRole)] })).rejects.toMatchObject({
      code: 'IN_USE',
      data: { by: ['editor@demo.local'] },
    });
    expect(await adminSession.api.roles.many({ ids: [unusedRole.id, editorRole.id] })).toHaveLength(2);
    expect(await adminSession.api.roles.holders({ id: editorRole.id })).toMatchObject([
      { email: 'editor@demo.local', enabled: true },
    ]);
  });

  test('can be deleted if only deleted administrators had it', async () => {
    const role = await adminSession.api.roles.add(createFields());
    const id = await createHolder(role.id);
    await app.database.db.update(administrators).set({ deletedAt: new Date() }).where(eq(administrators.id, id));
    expect(await adminSession.api.roles.remove({ items: [toItem(role)] })).toEqual({ done: [{ id: role.id }] });
  });
});

describe('no one can grant more than they have', () => {
  test('refuses a new, edited, copied or deleted role beyond the caller’s permissions', async () => {
    const beyondOwnError = { code: 'GRANT_BEYOND_OWN' };
    await expect(accessSession.api.roles.add(createFields(['/', 'news.add']))).rejects.toMatchObject({
      ...beyondOwnError,
      data: { identifiers: ['news.add'] },
    });
    const ownRole = await accessSession.api.roles.add(createFields(['/', 'roles.add']));
    await expect(accessSession.api.roles.edit({ ...toItem(ownRole), ...createFields(['/', '/news']) })).rejects.toMatchObject(
      beyondOwnError,
    );
    const editorRole = await readSeededRole('editor');
    await expect(accessSession.api.roles.edit({ ...toItem(editorRole), ...createFields(['/']) })).rejects.toMatchObject(
      beyondOwnError,
    );
    await expect(accessSession.api.roles.copy({ ...toItem(editorRole), name: 'My editor' })).rejects.toMatchObject(
      beyondOwnError,
    );
    const unusedRole = await adminSession.api.roles.add(createFields(['/news']));
    await expect(accessSession.api.roles.remove({ items: [toItem(unusedRole)] })).rejects.toMatchObject(beyondOwnError);
    expect(await readSeededRole('editor')).toEqual(editorRole);
  });

  test('shows in advance which permissions the caller can grant', async () => {
    const grantableIdentifiers = (await accessSession.api.roles.tree())
      .filter((node) => node.grantable)
      .map(({ identifier }) => identifier);
    expect(grantableIdentifiers).toContain('roles.edit');
    expect(grantableIdentifiers).not.toContain('news.add');
    expect((await adminSession.api.roles.tree()).every((node) => node.grantable)).toBe(true);
  });
});

test('the permission to manage access cannot be edited away', async () => {
  // Both demo roles can manage access, so only one of them may lose it.
  const allRole = await readSeededRole('all');
  const accessRole = await readSeededRole('access');
  const identifiersWithoutEdit = async (role: RoleRow) =>
    (await readIdentifiers(role)).filter((identifier) => identifier !== 'roles.edit');
  const { name, description, needsFactor } = accessRole;
  const editedRole = await adminSession.api.roles.edit({
    ...toItem(accessRole),
    name,
    description,
    needsFactor,
    grants: await identifiersWithoutEdit(accessRole),
  });
  await expect(
    adminSession.api.roles.edit({
      ...toItem(allRole),
      name: allRole.name,
      description: allRole.description,
      needsFactor: false,
      grants: await identifiersWithoutEdit(allRole),
    }),
  ).rejects.toMatchObject({ code: 'LAST_ACCESS' });
  await adminSession.api.roles.edit({ ...toItem(editedRole), name, description, needsFactor, grants: accessRole.grants });
});

describe('concurrent changes of roles', () => {
  const settleAll = async (requests: Promise<unknown>[]) =>
    (await Promise.allSettled(requests)).map((result) =>
      result.status === 'fulfilled' ? 'done' : (result.reason as { code: string }).code,
    );

  test('two people who remove each other’s access: one keeps it, in every round', { timeout: 300_000 }, async () => {
    const start = { all: await readSeededRole('all'), access: await readSeededRole('access') };
    for (let round = 0; round < raceRounds; round++) {
      const rolesByName = { all: await readSeededRole('all'), access: await readSeededRole('access') };
      const removeEditRight = (session: TestSession, role: RoleRow) =>
        session.api.roles.edit({
          ...toItem(role),
          name: role.name,
          description: role.description,
          needsFactor: false,
          grants: role.grants.filter((id) => !rolesEdit.has(id)),
        });
      const rolesEdit = new Set(
        (await adminSession.api.roles.tree()).filter(({ identifier }) => identifier === 'roles.edit').map(({ id }) => id),
      );
      const outcomes = await settleAll([
        removeEditRight(adminSession, rolesByName.access),
        removeEditRight(adminSession, rolesByName.all),
      ]);
      expect(
        outcomes.filter((outcome) => outcome === 'done'),
        outcomes.join(' '),
      ).toHaveLength(1);
      // Restores the winner's removal.
      for (const name of ['all', 'access'] as const)
        await app.database.db
          .insert(roleNodes)
          .values(start[name].grants.map((nodeId) => ({ roleId: start[name].id, nodeId })))
          .onConflictDoNothing();
    }
  });

  test('a role edited, deleted and granted concurrently never leaves a holder without a role', { timeout: 300_000 }, async () => {
    for (let round = 0; round < raceRounds; round++) {
      const role = await adminSession.api.roles.add(createFields());
      const assignRole = app.database.db.transaction(async (tx) => {
        const [lockedRole] = await tx.select().from(roles).where(eq(roles.id, role.id)).for('key share');
        if (!lockedRole) throw Object.assign(new Error('gone'), { code: 'GONE' });
        await createStore(tx).person({ roleIds: [role.id] });
      });
      const [editOutcome, removeOutcome, assignOutcome] = await settleAll([
        adminSession.api.roles.edit({ ...toItem(role), ...createFields(['/news']) }),
        adminSession.api.roles.remove({ items: [toItem(role)] }),
        assignRole,
      ]);
      const [left] = await adminSession.api.roles.many({ ids: [role.id] });
      if (removeOutcome === 'done') {
        expect(left).toBeUndefined();
        expect(editOutcome).toMatch(/NOT_FOUND|done/);
        expect(assignOutcome).toBe('GONE');
      } else {
        expect(removeOutcome).toMatch(/CONFLICT|IN_USE/);
        expect(left).toBeDefined();
        expect(left?.administrators).toBe(assignOutcome === 'done' ? 1 : 0);
      }
      expect(left?.version).toBe(removeOutcome === 'done' ? undefined : editOutcome === 'done' ? 2 : 1);
    }
  });
});
