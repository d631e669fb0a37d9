import { and, eq } from 'drizzle-orm';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { RoleFields, RoleRow } from '../../api/access/roles.ts';
import { inTier, raceRounds } from '../../scripts/suite/tier.ts';
import { newId } from '../platform/core/ids.ts';
import type { Tx } from '../platform/db/db.ts';
import { readGiving } from '../platform/auth/rights/giving.ts';
import { isGuarded } from '../platform/auth/rights/guarded-rights.ts';
import { grantedTo } from '../platform/auth/rights/permissions.ts';
import { grantableRoles, permissionNodes, roleNodes, roles } from '../platform/auth/tables.ts';
import { seed } from '../seed/seed.ts';
import { seeded } from '../seed/tables.ts';
import { signInAs, testApp, type TestSession, type TestApp } from '../testing/support.ts';
import { storeIn } from '../../testing/factories/store.ts';

let app: TestApp;
let all: TestSession;
let access: TestSession;
let second: TestSession;
beforeAll(async () => {
  app = await testApp({ WRITES_PER_MINUTE: '0', READS_PER_MINUTE: '0', SIGN_IN_FREE: '1000' });
  all = await signInAs(app, 'all');
  access = await signInAs(app, 'access');
  second = await signInAs(app, 'access');
});

let made = 0;
const fields = (changes: Partial<RoleFields> = {}): RoleFields => ({
  name: `Listed role ${++made}`,
  description: 'd',
  needsFactor: false,
  grants: ['/', '/news'],
  ...changes,
});
const item = ({ id, version }: { id: string; version: number }) => ({ id, version });
const seededRole = async (name: string): Promise<RoleRow> => {
  const [row] = await app.database.db.select().from(roles).where(eq(roles.seed, name));
  return role(row?.id ?? '');
};
const role = async (id: string): Promise<RoleRow> => {
  const [row] = await all.api.roles.many({ ids: [id] });
  if (!row) throw new Error('no role');
  return row;
};
const edit = (by: TestSession, row: RoleRow, changes: Partial<RoleFields>) =>
  by.api.roles.edit({
    ...item(row),
    name: row.name,
    description: row.description,
    needsFactor: row.needsFactor,
    grants: row.grants,
    ...changes,
  });
const person = (provided: string[]) => ({
  email: `person-${++made}@example.com`,
  password: 'a long enough passphrase',
  roles: provided,
  description: 'd',
});
const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: Error & { code?: string }) => error.code ?? error.message,
  );
const listOf = async (by: TestSession, id: string, mayGrant: string[]) => edit(by, await role(id), { mayGrant });

describe('the seeded access administrator', () => {
  test('adds, edits, disables and deletes an editor without holding the editor’s permissions', async () => {
    const editor = await seededRole('editor');
    const added = await access.api.administrators.add(person([editor.id]));
    expect(added).toMatchObject({ roles: [{ id: editor.id }], reach: 'within' });
    const edited = await access.api.administrators.edit({
      ...item(added),
      email: added.email,
      description: 'Night desk',
      roles: [editor.id],
    });
    const { done: disabled } = await access.api.administrators.disable({ items: [item(edited)] });
    expect(disabled).toMatchObject([{ enabled: false }]);
    expect(await codeOf(access.api.administrators.remove({ items: disabled.map(item) }))).toBe('done');
    const choices = await access.api.administrators.roles();
    expect(choices.find(({ id }) => id === editor.id)?.beyond).toBe(false);
  });

  test('can’t edit, copy or delete the editor role, nor add the editor’s permissions to another role', async () => {
    const editor = await seededRole('editor');
    expect(await codeOf(edit(access, editor, { description: 'mine' }))).toBe('GRANT_BEYOND_OWN');
    expect(await codeOf(access.api.roles.copy({ ...item(editor), name: 'Copied editor' }))).toBe('GRANT_BEYOND_OWN');
    expect(await codeOf(access.api.roles.remove({ items: [item(editor)] }))).toMatch(/IN_USE|GRANT_BEYOND_OWN/);
    expect(await codeOf(access.api.roles.add(fields({ grants: ['/', 'news.add'] })))).toBe('GRANT_BEYOND_OWN');
  });

  test.each(['operator', 'approver', 'all', 'analyst'] as const)('can’t give the role %s', async (name) => {
    const { id } = await seededRole(name);
    expect(await codeOf(access.api.administrators.add(person([id])))).toBe('GRANT_BEYOND_OWN');
  });
});

describe('the list of roles that a role may grant', () => {
  test('is stored, shown, copied, audited by name and kept by an edit that doesn’t mention it', async () => {
    const editor = await seededRole('editor');
    const added = await all.api.roles.add(fields({ mayGrant: [editor.id, editor.id] }));
    expect(added.mayGrant).toEqual([{ id: editor.id, name: editor.name }]);
    const copy = await all.api.roles.copy({ ...item(added), name: `Copy ${added.name}` });
    expect(copy.mayGrant).toEqual(added.mayGrant);
    const edited = await edit(all, added, { description: 'e' });
    expect(edited.mayGrant).toEqual(added.mayGrant);
    const { rows } = await app.database.pool.query<{ after: string }>(
      `select after from audit where entity = 'role' and entity_id = $1 order by seq desc limit 1`,
      [added.id],
    );
    expect(JSON.parse(rows[0]?.after ?? '')).toMatchObject({ mayGrant: [editor.name] });
    expect((await edit(all, edited, { mayGrant: [] })).mayGrant).toEqual([]);
  });

  test('forgets a deleted role, and refuses an unknown one', async () => {
    const listed = await all.api.roles.add(fields());
    const lists = await all.api.roles.add(fields({ mayGrant: [listed.id] }));
    await all.api.roles.remove({ items: [item(listed)] });
    expect((await role(lists.id)).mayGrant).toEqual([]);
    await expect(edit(all, lists, { mayGrant: [newId()] })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      data: { issues: [{ path: 'mayGrant' }] },
    });
  });

  test.each(['operator', 'approver', 'access', 'analyst', 'all'] as const)(
    'never takes the role %s, because of its guarded permissions',
    async (name) => {
      const guarded = await seededRole(name);
      await expect(all.api.roles.add(fields({ mayGrant: [guarded.id] }))).rejects.toMatchObject({
        code: 'BAD_REQUEST',
        data: { issues: [{ path: 'mayGrant', rule: 'guarded' }] },
      });
      const choices = await all.api.roles.choices();
      expect(choices.find(({ id }) => id === guarded.id)?.blocked).toBe('guarded');
    },
  );

  test('can’t be changed on your own role, in either direction', async () => {
    const own = await seededRole('access');
    const harmless = await all.api.roles.add(fields({ grants: ['/'] }));
    expect(await codeOf(edit(access, own, { mayGrant: [...own.mayGrant.map(({ id }) => id), harmless.id] }))).toBe('OWN_ACCESS');
    expect(await codeOf(edit(access, own, { mayGrant: [] }))).toBe('OWN_ACCESS');
    expect(await codeOf(edit(all, await seededRole('all'), { mayGrant: [harmless.id], needsFactor: true }))).toBe('OWN_ACCESS');
    expect(await seededRole('access')).toEqual(own);
  });

  test('takes only roles that the caller may give, on any role', async () => {
    const beyond = await all.api.roles.add(fields({ grants: ['/', 'points.adjust'] }));
    expect(await codeOf(access.api.roles.add(fields({ grants: ['/'], mayGrant: [beyond.id] })))).toBe('GRANT_BEYOND_OWN');
    const listing = await all.api.roles.add(fields({ grants: ['/'], mayGrant: [beyond.id] }));
    expect(await codeOf(edit(access, listing, { description: 'x' }))).toBe('GRANT_BEYOND_OWN');
    expect(await codeOf(edit(access, listing, { mayGrant: [] }))).toBe('GRANT_BEYOND_OWN');
    expect(await codeOf(access.api.roles.copy({ ...item(listing), name: `Copy of ${listing.name}` }))).toBe('GRANT_BEYOND_OWN');
    expect(await codeOf(access.api.roles.remove({ items: [item(listing)] }))).toBe('GRANT_BEYOND_OWN');
    const editor = await seededRole('editor');
    expect(await codeOf(access.api.roles.add(fields({ grants: ['/'], mayGrant: [editor.id] })))).toBe('done');
  });
});

describe('attacks through the list', () => {
  test('a chain of grants ends where the first person’s list ends', async () => {
    const far = await all.api.roles.add(fields({ grants: ['/', 'points.adjust'] }));
    const near = await all.api.roles.add(fields({ grants: ['/', '/feedback'], mayGrant: [far.id] }));
    const manager = await all.api.roles.add(
      fields({ grants: ['/', '/permissions/administrator', 'administrators.add'], mayGrant: [near.id] }),
    );
    // The access administrator may not give the manager role: it would hand out what they can't.
    expect(await codeOf(access.api.administrators.add(person([manager.id])))).toBe('GRANT_BEYOND_OWN');
    expect(await codeOf(access.api.administrators.add(person([near.id])))).toBe('GRANT_BEYOND_OWN');
    // Once the far role has money permissions, no link of the chain passes.
    await edit(all, await role(far.id), { grants: ['/', 'deposits.confirm'], needsFactor: true });
    const [holder] = await app.database.db.transaction(async (tx) => [await holderOf(tx, [manager.id])]);
    const beyondOf = await readGiving(app.database.db, {
      id: holder ?? '',
      granted: await grantedTo(app.database.db, holder ?? ''),
    });
    expect([beyondOf(near.id), beyondOf(far.id)]).toEqual([['deposits.confirm'], ['/', 'deposits.confirm'].filter(isGuarded)]);
  });

  test('a role that gains guarded permissions after it was listed can no longer be given, nor its holders managed', async () => {
    const growing = await all.api.roles.add(fields());
    const accessRole = await seededRole('access');
    const before = accessRole.mayGrant.map(({ id }) => id);
    await listOf(all, accessRole.id, [...before, growing.id]);
    const early = await access.api.administrators.add(person([growing.id]));
    await edit(all, await role(growing.id), { grants: ['/', '/news', 'deposits.confirm'], needsFactor: true });
    expect(await codeOf(access.api.administrators.add(person([growing.id])))).toBe('GRANT_BEYOND_OWN');
    const [now] = await access.api.administrators.many({ ids: [early.id] });
    expect(now?.reach).toBe('beyond');
    expect(await codeOf(access.api.administrators.resetPassword(item(now ?? early)))).toMatch(/HOLDS_MORE|MAIL_OFF/);
    expect(await codeOf(access.api.administrators.disable({ items: [item(now ?? early)] }))).toBe('HOLDS_MORE');
    const editor = await seededRole('editor');
    expect(
      await codeOf(
        access.api.administrators.edit({ ...item(now ?? early), email: early.email, description: 'x', roles: [editor.id] }),
      ),
    ).toBe('HOLDS_MORE');
    await listOf(all, accessRole.id, before);
  });

  test('two tabs: the second change of a list that was changed meanwhile is refused', async () => {
    const editor = await seededRole('editor');
    const lists = await all.api.roles.add(fields({ grants: ['/'] }));
    await edit(access, lists, { mayGrant: [editor.id] });
    await expect(edit(second, lists, { mayGrant: [] })).rejects.toMatchObject({
      code: 'CONFLICT',
      data: { current: { mayGrant: [{ id: editor.id }] } },
    });
  });

  test('a role is never given with guarded permissions that it gains at the same moment', { timeout: 300_000 }, async () => {
    const accessRole = await seededRole('access');
    const before = accessRole.mayGrant.map(({ id }) => id);
    const seen = new Set<string>();
    for (let round = 0; round < raceRounds; round++) {
      const growing = await all.api.roles.add(fields());
      await listOf(all, accessRole.id, [...before, growing.id]);
      const give = () => codeOf(access.api.administrators.add(person([growing.id])));
      const grow = () => codeOf(edit(all, growing, { grants: ['/', 'deposits.confirm'], needsFactor: true }));
      const unlist = async () => codeOf(listOf(all, accessRole.id, before));
      const acts = round % 3 === 0 ? [give, grow] : round % 3 === 1 ? [grow, give] : [unlist, give];
      const answers = round < 3 ? [await acts[0]?.(), await acts[1]?.()] : await Promise.all(acts.map((act) => act()));
      const provided = answers[round % 3 === 0 ? 0 : 1];
      seen.add(provided ?? '');
      expect(['done', 'GRANT_BEYOND_OWN'], String(answers)).toContain(provided);
      if (round < 3) expect(provided).toBe(round === 0 ? 'done' : 'GRANT_BEYOND_OWN');
      await listOf(all, accessRole.id, before);
    }
    expect(seen).toEqual(new Set(['done', 'GRANT_BEYOND_OWN']));
  });

  const identifiers = [
    '/',
    'news.add',
    'points.adjust',
    'feedback.process',
    'deposits.confirm',
    'roles.edit',
    'crsm.deposit',
    '/audit',
  ];
  const subset = (max: number) => fc.uniqueArray(fc.nat(max), { maxLength: 4 });
  const world = fc.record({
    grants: fc.array(subset(identifiers.length - 1), { minLength: 5, maxLength: 5 }),
    lists: fc.array(subset(4), { minLength: 5, maxLength: 5 }),
    own: fc.uniqueArray(fc.nat(4), { minLength: 1, maxLength: 2 }),
  });

  test('no chain of accomplices obtains a guarded permission, or a role outside all lists', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(world, async ({ grants, lists, own }) => {
        await trying(async (tx) => {
          const nodes = new Map((await tx.select().from(permissionNodes)).map(({ identifier, id }) => [identifier, id] as const));
          const roleIds: string[] = [];
          for (const set of grants) {
            const id = newId();
            const at = new Date();
            await tx.insert(roles).values({ id, name: `World ${id}`, createdAt: at, updatedAt: at });
            const ids = set.flatMap((index) => nodes.get(identifiers[index] ?? '') ?? []);
            if (ids.length > 0) await tx.insert(roleNodes).values(ids.map((nodeId) => ({ roleId: id, nodeId })));
            roleIds.push(id);
          }
          for (const [from, list] of lists.entries())
            for (const to of list)
              await tx.insert(grantableRoles).values({ roleId: roleIds[from] ?? '', grantableId: roleIds[to] ?? '' });
          const attacker = await holderOf(
            tx,
            own.map((index) => roleIds[index] ?? ''),
          );
          const start = await grantedTo(tx, attacker);
          const obtained = new Set<string>();
          // Each accomplice gets every role that the attacker or an earlier accomplice may give.
          for (let giver = attacker, grew = true; grew;) {
            const beyondOf = await readGiving(tx, { id: giver, granted: await grantedTo(tx, giver) });
            const before = obtained.size;
            for (const id of roleIds) if (beyondOf(id).length === 0) obtained.add(id);
            grew = obtained.size > before;
            if (grew) giver = await holderOf(tx, [...obtained]);
            const held = await grantedTo(tx, giver);
            if (giver !== attacker) expect([...held].filter((one) => isGuarded(one) && !start.has(one))).toEqual([]);
          }
          const reach = new Set(own);
          for (const from of reach) for (const to of lists[from] ?? []) reach.add(to);
          for (const id of obtained) {
            const index = roleIds.indexOf(id);
            const isWithin = (grants[index] ?? []).every(
              (at) => start.has(identifiers[at] ?? '') || !nodes.has(identifiers[at] ?? ''),
            );
            expect(isWithin || reach.has(index)).toBe(true);
          }
        });
      }),
      { seed: 20_261_128, numRuns: inTier(60, 600) },
    );
  });
});

describe('the default of an existing database', () => {
  const listed = async () => (await seededRole('access')).mayGrant.map(({ name }) => name);
  const again = async (change: (tx: Tx) => Promise<unknown>) => {
    await app.database.db.transaction(async (tx) => {
      await tx.delete(grantableRoles);
      await tx.delete(seeded).where(eq(seeded.key, 'mayGrant:access'));
      await tx.update(roles).set({ version: 1 });
      await change(tx);
    });
    await seed({ config: { ...app.config, demoNews: false }, database: app.database, now: () => app.clock.now } as never);
  };

  test('is added once, if people left both roles unchanged', async () => {
    await again(async () => {});
    const editor = await seededRole('editor');
    expect(await listed()).toEqual([editor.name]);
    await app.database.db.delete(grantableRoles);
    await seed({ config: { ...app.config, demoNews: false }, database: app.database, now: () => app.clock.now } as never);
    expect(await listed()).toEqual([]);
  });

  test.each(['access', 'editor'])('is not added once people edited the role %s', async (name) => {
    await again((tx) => tx.update(roles).set({ version: 2 }).where(eq(roles.seed, name)));
    expect(await listed()).toEqual([]);
  });

  test('is not added if people deleted a role', async () => {
    await again((tx) => tx.update(roles).set({ seed: null }).where(eq(roles.seed, 'editor')));
    expect(await listed()).toEqual([]);
    await app.database.db
      .update(roles)
      .set({ seed: 'editor' })
      .where(and(eq(roles.name, '内容编辑 Content editor')));
  });
});

async function holderOf(tx: Tx, roleIds: readonly string[]): Promise<string> {
  return (await storeIn(tx).person({ roleIds })).id;
}

/** Rolled back afterwards. */
async function trying(work: (tx: Tx) => Promise<void>): Promise<void> {
  const done = new Error('done');
  await app.database.db
    .transaction(async (tx) => {
      await work(tx);
      throw done;
    })
    .catch((error: unknown) => {
      if (error !== done) throw error;
    });
}
