import { eq, inArray } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import type { RoleRow } from '../../api/access/roles.ts';
import { raceRounds } from '../../scripts/suite/tier.ts';
import { newId } from '../platform/core/ids.ts';
import { signInAs, testApp, type TestSession, type TestApp } from '../testing/support.ts';
import { administrators, permissionNodes, roleNodes, roles } from '../platform/auth/tables.ts';
import { storeIn } from '../../testing/factories/store.ts';

let app: TestApp;
let all: TestSession;
let access: TestSession;
beforeAll(async () => {
  app = await testApp({ WRITES_PER_MINUTE: '0', READS_PER_MINUTE: '0' });
  all = await signInAs(app, 'all');
  access = await signInAs(app, 'access');
});

let made = 0;
const fields = (grants: string[] = ['/']) => ({ name: `Role ${++made}`, description: 'd', needsFactor: false, grants });
const itemOf = ({ id, version }: { id: string; version: number }) => ({ id, version });
const seeded = async (name: string): Promise<RoleRow> => {
  const [row] = await app.database.db.select().from(roles).where(eq(roles.seed, name));
  const [role] = await all.api.roles.many({ ids: [row?.id ?? ''] });
  if (!role) throw new Error(`no role ${name}`);
  return role;
};
const identifiersOf = async ({ grants }: Pick<RoleRow, 'grants'>) =>
  (await app.database.db.select().from(permissionNodes).where(inArray(permissionNodes.id, grants)))
    .map(({ identifier }) => identifier)
    .toSorted();
const holder = async (roleId: string): Promise<string> => (await storeIn(app.database.db).person({ roleIds: [roleId] })).id;

describe('a role', () => {
  test('is added, listed, found by a part of its name, edited and deleted', async () => {
    const added = await all.api.roles.add({ ...fields(['/', 'news.add', '/news']), name: 'Night 100%_shift' });
    expect(await identifiersOf(added)).toEqual(['/', '/news', 'news.add']);
    expect(added.administrators).toBe(0);
    const found = await all.api.roles.list({ sort: 'name', direction: 'asc', filter: { q: '0%_S' }, cursor: null, limit: 50 });
    expect(found.rows).toEqual([added]);

    const edited = await all.api.roles.edit({
      ...itemOf(added),
      name: 'Day shift',
      description: 'e',
      needsFactor: true,
      grants: ['/feedback'],
    });
    expect(edited).toMatchObject({ version: 2, name: 'Day shift', needsFactor: true });
    expect(await identifiersOf(edited)).toEqual(['/feedback']);
    await expect(all.api.roles.edit({ ...itemOf(added), ...fields() })).rejects.toMatchObject({
      code: 'CONFLICT',
      data: { current: { name: 'Day shift', version: 2 } },
    });
    expect(await all.api.roles.remove({ items: [itemOf(edited)] })).toEqual({ done: [{ id: added.id }] });
    expect(await all.api.roles.many({ ids: [added.id] })).toEqual([]);
    const { rows } = await app.database.pool.query<{ before: string; after: string | null }>(
      `select before, after from audit where entity = 'role' and entity_id = $1 order by seq`,
      [added.id],
    );
    expect(rows).toHaveLength(3);
    expect(JSON.parse(rows[1]?.before ?? '')).toMatchObject({ grants: ['/', '/news', 'news.add'] });
  });

  test('accepts grants by id and by identifier, and refuses unknown ones', async () => {
    const [node] = await app.database.db.select().from(permissionNodes).where(eq(permissionNodes.identifier, '/news'));
    const added = await all.api.roles.add(fields([node?.id ?? '', '/news', 'news.add']));
    expect(await identifiersOf(added)).toEqual(['/news', 'news.add']);
    for (const unknown of ['nothing.here', newId()])
      await expect(all.api.roles.add(fields([unknown]))).rejects.toMatchObject({
        code: 'BAD_REQUEST',
        data: { issues: [{ path: 'grants', rule: 'invalid' }] },
      });
  });

  test('needs a unique name', async () => {
    const first = await all.api.roles.add(fields());
    const second = await all.api.roles.add(fields());
    const used = { code: 'BAD_REQUEST', data: { issues: [{ path: 'name', rule: 'taken' }] } };
    await expect(all.api.roles.add({ ...fields(), name: first.name })).rejects.toMatchObject(used);
    await expect(all.api.roles.edit({ ...itemOf(second), ...fields(), name: first.name })).rejects.toMatchObject(used);
    await expect(all.api.roles.copy({ ...itemOf(second), name: first.name })).rejects.toMatchObject(used);
    expect((await all.api.roles.edit({ ...itemOf(second), ...fields(), name: second.name })).name).toBe(second.name);
  });

  test.each([
    ['a letter of another alphabet', 'Nіght watch', 'lookAlike'],
    ['another case', 'NIGHT WATCH', 'lookAlike'],
    ['a letter that is not seen', 'Night\u200b watch', 'unseen'],
    ['a mark that turns the text', 'Night\u202e watch', 'unseen'],
    ['the name of a built-in role in the other language', '托管操作员', 'lookAlike'],
  ])('refuses a name that could be taken for another role’s: %s', async (_how, name, rule) => {
    await all.api.roles.add({ ...fields(), name: 'Night watch' }).catch(() => null);
    const other = await all.api.roles.add(fields());
    const expected = { code: 'BAD_REQUEST', data: { issues: [{ path: 'name', rule }] } };
    await expect(all.api.roles.add({ ...fields(), name })).rejects.toMatchObject(expected);
    await expect(all.api.roles.edit({ ...itemOf(other), ...fields(), name })).rejects.toMatchObject(expected);
  });

  test('is copied with all grants, to no holder', async () => {
    const source = await seeded('editor');
    expect(source.administrators).toBe(1);
    const copy = await all.api.roles.copy({ ...itemOf(source), name: 'Second editor' });
    expect(copy).toMatchObject({ grants: source.grants, description: source.description, administrators: 0, version: 1 });
  });

  test('cannot be deleted while someone has it, and the error names them', async () => {
    const editor = await seeded('editor');
    const unused = await all.api.roles.add(fields());
    await expect(all.api.roles.remove({ items: [itemOf(unused), itemOf(editor)] })).rejects.toMatchObject({
      code: 'IN_USE',
      data: { by: ['editor@demo.local'] },
    });
    expect(await all.api.roles.many({ ids: [unused.id, editor.id] })).toHaveLength(2);
    expect(await all.api.roles.holders({ id: editor.id })).toMatchObject([{ email: 'editor@demo.local', enabled: true }]);
  });

  test('can be deleted if only deleted administrators had it', async () => {
    const role = await all.api.roles.add(fields());
    const id = await holder(role.id);
    await app.database.db.update(administrators).set({ deletedAt: new Date() }).where(eq(administrators.id, id));
    expect(await all.api.roles.remove({ items: [itemOf(role)] })).toEqual({ done: [{ id: role.id }] });
  });
});

describe('no one can grant more than they have', () => {
  test('refuses a new, edited, copied or deleted role beyond the caller’s permissions', async () => {
    const beyond = { code: 'GRANT_BEYOND_OWN' };
    await expect(access.api.roles.add(fields(['/', 'news.add']))).rejects.toMatchObject({
      ...beyond,
      data: { identifiers: ['news.add'] },
    });
    const own = await access.api.roles.add(fields(['/', 'roles.add']));
    await expect(access.api.roles.edit({ ...itemOf(own), ...fields(['/', '/news']) })).rejects.toMatchObject(beyond);
    const editor = await seeded('editor');
    await expect(access.api.roles.edit({ ...itemOf(editor), ...fields(['/']) })).rejects.toMatchObject(beyond);
    await expect(access.api.roles.copy({ ...itemOf(editor), name: 'My editor' })).rejects.toMatchObject(beyond);
    const unused = await all.api.roles.add(fields(['/news']));
    await expect(access.api.roles.remove({ items: [itemOf(unused)] })).rejects.toMatchObject(beyond);
    expect(await seeded('editor')).toEqual(editor);
  });

  test('shows in advance which permissions the caller can grant', async () => {
    const grantable = (await access.api.roles.tree()).filter((node) => node.grantable).map(({ identifier }) => identifier);
    expect(grantable).toContain('roles.edit');
    expect(grantable).not.toContain('news.add');
    expect((await all.api.roles.tree()).every((node) => node.grantable)).toBe(true);
  });
});

test('the permission to manage access cannot be edited away', async () => {
  // Both demo roles can manage access, so only one of them may lose it.
  const allRights = await seeded('all');
  const accessRole = await seeded('access');
  const without = async (role: RoleRow) => (await identifiersOf(role)).filter((identifier) => identifier !== 'roles.edit');
  const { name, description, needsFactor } = accessRole;
  const edited = await all.api.roles.edit({
    ...itemOf(accessRole),
    name,
    description,
    needsFactor,
    grants: await without(accessRole),
  });
  await expect(
    all.api.roles.edit({
      ...itemOf(allRights),
      name: allRights.name,
      description: allRights.description,
      needsFactor: false,
      grants: await without(allRights),
    }),
  ).rejects.toMatchObject({ code: 'LAST_ACCESS' });
  await all.api.roles.edit({ ...itemOf(edited), name, description, needsFactor, grants: accessRole.grants });
});

describe('concurrent changes of roles', () => {
  const settled = async (calls: Promise<unknown>[]) =>
    (await Promise.allSettled(calls)).map((result) =>
      result.status === 'fulfilled' ? 'done' : (result.reason as { code: string }).code,
    );

  test('two people who remove each other’s access: one keeps it, in every round', { timeout: 300_000 }, async () => {
    const start = { all: await seeded('all'), access: await seeded('access') };
    for (let round = 0; round < raceRounds; round++) {
      const roleOf = { all: await seeded('all'), access: await seeded('access') };
      const strip = (who: TestSession, role: RoleRow) =>
        who.api.roles.edit({
          ...itemOf(role),
          name: role.name,
          description: role.description,
          needsFactor: false,
          grants: role.grants.filter((id) => !rolesEdit.has(id)),
        });
      const rolesEdit = new Set(
        (await all.api.roles.tree()).filter(({ identifier }) => identifier === 'roles.edit').map(({ id }) => id),
      );
      const answers = await settled([strip(all, roleOf.access), strip(all, roleOf.all)]);
      expect(
        answers.filter((answer) => answer === 'done'),
        answers.join(' '),
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
      const role = await all.api.roles.add(fields());
      const give = app.database.db.transaction(async (tx) => {
        const [there] = await tx.select().from(roles).where(eq(roles.id, role.id)).for('key share');
        if (!there) throw Object.assign(new Error('gone'), { code: 'GONE' });
        await storeIn(tx).person({ roleIds: [role.id] });
      });
      const [edited, removed, given] = await settled([
        all.api.roles.edit({ ...itemOf(role), ...fields(['/news']) }),
        all.api.roles.remove({ items: [itemOf(role)] }),
        give,
      ]);
      const [left] = await all.api.roles.many({ ids: [role.id] });
      if (removed === 'done') {
        expect(left).toBeUndefined();
        expect(edited).toMatch(/NOT_FOUND|done/);
        expect(given).toBe('GONE');
      } else {
        expect(removed).toMatch(/CONFLICT|IN_USE/);
        expect(left).toBeDefined();
        expect(left?.administrators).toBe(given === 'done' ? 1 : 0);
      }
      expect(left?.version).toBe(removed === 'done' ? undefined : edited === 'done' ? 2 : 1);
    }
  });
});
