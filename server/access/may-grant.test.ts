import { and, eq } from 'drizzle-orm';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { RoleFields, RoleRow } from '../../api/access/roles.ts';
import { inTier, raceRounds } from '../../scripts/suite/tier.ts';
import { newId } from '../platform/core/ids.ts';
import type { Tx } from '../platform/db/db.ts';
import { readRoleGranting } from '../platform/auth/rights/role-granting.ts';
import { isGuarded } from '../platform/auth/rights/guarded-rights.ts';
import { readGrantedIdentifiers } from '../platform/auth/rights/permissions.ts';
import { anyAddress } from '../platform/auth/rights/role-networks.ts';
import { grantableRoles, permissionNodes, roleNodes, roles } from '../platform/auth/tables.ts';
import { seedDatabase } from '../seed/seed.ts';
import { seeded } from '../seed/tables.ts';
import { signInAs, createTestApp, type TestSession, type TestApp } from '../testing/support.ts';
import { createStore } from '../../testing/factories/store.ts';

let app: TestApp;
let adminSession: TestSession;
let accessSession: TestSession;
let secondAccessSession: TestSession;
beforeAll(async () => {
  app = await createTestApp({ WRITES_PER_MINUTE: '0', READS_PER_MINUTE: '0', SIGN_IN_FREE: '1000' });
  adminSession = await signInAs(app, 'all');
  accessSession = await signInAs(app, 'access');
  secondAccessSession = await signInAs(app, 'access');
});

let roleCount = 0;
const createFields = (overrides: Partial<RoleFields> = {}): RoleFields => ({
  name: `Listed role ${++roleCount}`,
  description: 'd',
  needsFactor: false,
  grants: ['/', '/news'],
  ...overrides,
});
const item = ({ id, version }: { id: string; version: number }) => ({ id, version });
const seededRole = async (name: string): Promise<RoleRow> => {
  const [row] = await app.database.db.select().from(roles).where(eq(roles.seed, name));
  return role(row?.id ?? '');
};
const role = async (id: string): Promise<RoleRow> => {
  const [row] = await adminSession.api.roles.many({ ids: [id] });
  if (!row) throw new Error('no role');
  return row;
};
const editRole = (session: TestSession, row: RoleRow, overrides: Partial<RoleFields>) =>
  session.api.roles.edit({
    ...item(row),
    name: row.name,
    description: row.description,
    needsFactor: row.needsFactor,
    grants: row.grants,
    ...overrides,
  });
const createPersonFields = (assignedRoles: string[]) => ({
  email: `person-${++roleCount}@example.com`,
  password: 'a long enough passphrase',
  roles: assignedRoles,
  description: 'd',
});
const readErrorCode = (request: Promise<unknown>): Promise<string> =>
  request.then(
    () => 'done',
    (error: Error & { code?: string }) => error.code ?? error.message,
  );
const setGrantableRoles = async (session: TestSession, id: string, mayGrant: string[]) =>
  editRole(session, await role(id), { mayGrant });

describe('the seeded access administrator', () => {
  test('adds, edits, disables and deletes an editor without holding the editor’s permissions', async () => {
    const editorRole = await seededRole('editor');
    const addedRow = await accessSession.api.administrators.add(createPersonFields([editorRole.id]));
    expect(addedRow).toMatchObject({ roles: [{ id: editorRole.id }], reach: 'within' });
    const editedRow = await accessSession.api.administrators.edit({
      ...item(addedRow),
      email: addedRow.email,
      description: 'Night desk',
      roles: [editorRole.id],
    });
    const { done: disabledRows } = await accessSession.api.administrators.disable({ items: [item(editedRow)] });
    expect(disabledRows).toMatchObject([{ enabled: false }]);
    expect(await readErrorCode(accessSession.api.administrators.remove({ items: disabledRows.map(item) }))).toBe('done');
    const roleChoices = await accessSession.api.administrators.roles();
    expect(roleChoices.find(({ id }) => id === editorRole.id)?.beyond).toBe(false);
  });

  test('can’t edit, copy or delete the editor role, nor add the editor’s permissions to another role', async () => {
    const editorRole = await seededRole('editor');
    expect(await readErrorCode(editRole(accessSession, editorRole, { description: 'mine' }))).toBe('GRANT_BEYOND_OWN');
    expect(await readErrorCode(accessSession.api.roles.copy({ ...item(editorRole), name: 'Copied editor' }))).toBe(
      'GRANT_BEYOND_OWN',
    );
    expect(await readErrorCode(accessSession.api.roles.remove({ items: [item(editorRole)] }))).toMatch(/IN_USE|GRANT_BEYOND_OWN/);
    expect(await readErrorCode(accessSession.api.roles.add(createFields({ grants: ['/', 'news.add'] })))).toBe(
      'GRANT_BEYOND_OWN',
    );
  });

  test.each(['operator', 'approver', 'all', 'analyst'] as const)('can’t give the role %s', async (name) => {
    const { id } = await seededRole(name);
    expect(await readErrorCode(accessSession.api.administrators.add(createPersonFields([id])))).toBe('GRANT_BEYOND_OWN');
  });
});

describe('the list of roles that a role may grant', () => {
  test('is stored, shown, copied, audited by name and kept by an edit that doesn’t mention it', async () => {
    const editorRole = await seededRole('editor');
    const addedRow = await adminSession.api.roles.add(createFields({ mayGrant: [editorRole.id, editorRole.id] }));
    expect(addedRow.mayGrant).toEqual([{ id: editorRole.id, name: editorRole.name }]);
    const copiedRole = await adminSession.api.roles.copy({ ...item(addedRow), name: `Copy ${addedRow.name}` });
    expect(copiedRole.mayGrant).toEqual(addedRow.mayGrant);
    const editedRow = await editRole(adminSession, addedRow, { description: 'e' });
    expect(editedRow.mayGrant).toEqual(addedRow.mayGrant);
    const { rows } = await app.database.pool.query<{ after: string }>(
      `select after from audit where entity = 'role' and entity_id = $1 order by seq desc limit 1`,
      [addedRow.id],
    );
    expect(JSON.parse(rows[0]?.after ?? '')).toMatchObject({ mayGrant: [editorRole.name] });
    expect((await editRole(adminSession, editedRow, { mayGrant: [] })).mayGrant).toEqual([]);
  });

  test('forgets a deleted role, and refuses an unknown one', async () => {
    const listedRole = await adminSession.api.roles.add(createFields());
    const listingRole = await adminSession.api.roles.add(createFields({ mayGrant: [listedRole.id] }));
    await adminSession.api.roles.remove({ items: [item(listedRole)] });
    expect((await role(listingRole.id)).mayGrant).toEqual([]);
    await expect(editRole(adminSession, listingRole, { mayGrant: [newId()] })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      data: { issues: [{ path: 'mayGrant' }] },
    });
  });

  test.each(['operator', 'approver', 'access', 'analyst', 'all'] as const)(
    'never takes the role %s, because of its guarded permissions',
    async (name) => {
      const guardedRole = await seededRole(name);
      await expect(adminSession.api.roles.add(createFields({ mayGrant: [guardedRole.id] }))).rejects.toMatchObject({
        code: 'BAD_REQUEST',
        data: { issues: [{ path: 'mayGrant', rule: 'guarded' }] },
      });
      const roleChoices = await adminSession.api.roles.choices();
      expect(roleChoices.find(({ id }) => id === guardedRole.id)?.blocked).toBe('guarded');
    },
  );

  test('can’t be changed on your own role, in either direction', async () => {
    const accessRole = await seededRole('access');
    const harmlessRole = await adminSession.api.roles.add(createFields({ grants: ['/'] }));
    expect(
      await readErrorCode(
        editRole(accessSession, accessRole, { mayGrant: [...accessRole.mayGrant.map(({ id }) => id), harmlessRole.id] }),
      ),
    ).toBe('OWN_ACCESS');
    expect(await readErrorCode(editRole(accessSession, accessRole, { mayGrant: [] }))).toBe('OWN_ACCESS');
    expect(
      await readErrorCode(editRole(adminSession, await seededRole('all'), { mayGrant: [harmlessRole.id], needsFactor: true })),
    ).toBe('OWN_ACCESS');
    expect(await seededRole('access')).toEqual(accessRole);
  });

  test('takes only roles that the caller may give, on any role', async () => {
    const beyondRole = await adminSession.api.roles.add(createFields({ grants: ['/', 'points.adjust'] }));
    expect(await readErrorCode(accessSession.api.roles.add(createFields({ grants: ['/'], mayGrant: [beyondRole.id] })))).toBe(
      'GRANT_BEYOND_OWN',
    );
    const listingRole = await adminSession.api.roles.add(createFields({ grants: ['/'], mayGrant: [beyondRole.id] }));
    expect(await readErrorCode(editRole(accessSession, listingRole, { description: 'x' }))).toBe('GRANT_BEYOND_OWN');
    expect(await readErrorCode(editRole(accessSession, listingRole, { mayGrant: [] }))).toBe('GRANT_BEYOND_OWN');
    expect(await readErrorCode(accessSession.api.roles.copy({ ...item(listingRole), name: `Copy of ${listingRole.name}` }))).toBe(
      'GRANT_BEYOND_OWN',
    );
    expect(await readErrorCode(accessSession.api.roles.remove({ items: [item(listingRole)] }))).toBe('GRANT_BEYOND_OWN');
    const editorRole = await seededRole('editor');
    expect(await readErrorCode(accessSession.api.roles.add(createFields({ grants: ['/'], mayGrant: [editorRole.id] })))).toBe(
      'done',
    );
  });
});

describe('attacks through the list', () => {
  test('a chain of grants ends where the first person’s list ends', async () => {
    const indirectRole = await adminSession.api.roles.add(createFields({ grants: ['/', 'points.adjust'] }));
    const directRole = await adminSession.api.roles.add(
      createFields({ grants: ['/', '/feedback'], mayGrant: [indirectRole.id] }),
    );
    const managerRole = await adminSession.api.roles.add(
      createFields({ grants: ['/', '/permissions/administrator', 'administrators.add'], mayGrant: [directRole.id] }),
    );
    // The access administrator may not give the manager role: it would hand out what they can't.
    expect(await readErrorCode(accessSession.api.administrators.add(createPersonFields([managerRole.id])))).toBe(
      'GRANT_BEYOND_OWN',
    );
    expect(await readErrorCode(accessSession.api.administrators.add(createPersonFields([directRole.id])))).toBe(
      'GRANT_BEYOND_OWN',
    );
    // Once the far role has money permissions, no link of the chain passes.
    await editRole(adminSession, await role(indirectRole.id), { grants: ['/', 'deposits.confirm'], needsFactor: true });
    const [holderId] = await app.database.db.transaction(async (tx) => [await holderOf(tx, [managerRole.id])]);
    const grantsBeyondActor = await readRoleGranting(app.database.db, {
      id: holderId ?? '',
      granted: await readGrantedIdentifiers(app.database.db, holderId ?? '', anyAddress),
    });
    expect([grantsBeyondActor(directRole.id), grantsBeyondActor(indirectRole.id)]).toEqual([
      ['deposits.confirm'],
      ['/', 'deposits.confirm'].filter(isGuarded),
    ]);
  });

  test('a role that gains guarded permissions after it was listed can no longer be given, nor its holders managed', async () => {
    const growingRole = await adminSession.api.roles.add(createFields());
    const accessRole = await seededRole('access');
    const grantableBefore = accessRole.mayGrant.map(({ id }) => id);
    await setGrantableRoles(adminSession, accessRole.id, [...grantableBefore, growingRole.id]);
    const earlyAdministrator = await accessSession.api.administrators.add(createPersonFields([growingRole.id]));
    await editRole(adminSession, await role(growingRole.id), { grants: ['/', '/news', 'deposits.confirm'], needsFactor: true });
    expect(await readErrorCode(accessSession.api.administrators.add(createPersonFields([growingRole.id])))).toBe(
      'GRANT_BEYOND_OWN',
    );
    const [now] = await accessSession.api.administrators.many({ ids: [earlyAdministrator.id] });
    expect(now?.reach).toBe('beyond');
    expect(await readErrorCode(accessSession.api.administrators.resetPassword(item(now ?? earlyAdministrator)))).toMatch(
      /HOLDS_MORE|MAIL_OFF/,
    );
    expect(await readErrorCode(accessSession.api.administrators.disable({ items: [item(now ?? earlyAdministrator)] }))).toBe(
      'HOLDS_MORE',
    );
    const editorRole = await seededRole('editor');
    expect(
      await readErrorCode(
        accessSession.api.administrators.edit({
          ...item(now ?? earlyAdministrator),
          email: earlyAdministrator.email,
          description: 'x',
          roles: [editorRole.id],
        }),
      ),
    ).toBe('HOLDS_MORE');
    await setGrantableRoles(adminSession, accessRole.id, grantableBefore);
  });

  test('two tabs: the second change of a list that was changed meanwhile is refused', async () => {
    const editorRole = await seededRole('editor');
    const listingRole = await adminSession.api.roles.add(createFields({ grants: ['/'] }));
    await editRole(accessSession, listingRole, { mayGrant: [editorRole.id] });
    await expect(editRole(secondAccessSession, listingRole, { mayGrant: [] })).rejects.toMatchObject({
      code: 'CONFLICT',
      data: { current: { mayGrant: [{ id: editorRole.id }] } },
    });
  });

  test('a role is never given with guarded permissions that it gains at the same moment', { timeout: 300_000 }, async () => {
    const accessRole = await seededRole('access');
    const grantableBefore = accessRole.mayGrant.map(({ id }) => id);
    const observedOutcomes = new Set<string>();
    for (let round = 0; round < raceRounds; round++) {
      const growingRole = await adminSession.api.roles.add(createFields());
      await setGrantableRoles(adminSession, accessRole.id, [...grantableBefore, growingRole.id]);
      const assignRole = () => readErrorCode(accessSession.api.administrators.add(createPersonFields([growingRole.id])));
      const extendRole = () =>
        readErrorCode(editRole(adminSession, growingRole, { grants: ['/', 'deposits.confirm'], needsFactor: true }));
      const removeFromList = async () => readErrorCode(setGrantableRoles(adminSession, accessRole.id, grantableBefore));
      const concurrentActions =
        round % 3 === 0 ? [assignRole, extendRole] : round % 3 === 1 ? [extendRole, assignRole] : [removeFromList, assignRole];
      const outcomes =
        round < 3
          ? [await concurrentActions[0]?.(), await concurrentActions[1]?.()]
          : await Promise.all(concurrentActions.map((runAction) => runAction()));
      const assignOutcome = outcomes[round % 3 === 0 ? 0 : 1];
      observedOutcomes.add(assignOutcome ?? '');
      expect(['done', 'GRANT_BEYOND_OWN'], String(outcomes)).toContain(assignOutcome);
      if (round < 3) expect(assignOutcome).toBe(round === 0 ? 'done' : 'GRANT_BEYOND_OWN');
      await setGrantableRoles(adminSession, accessRole.id, grantableBefore);
    }
    expect(observedOutcomes).toEqual(new Set(['done', 'GRANT_BEYOND_OWN']));
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
  const subsetArbitrary = (max: number) => fc.uniqueArray(fc.nat(max), { maxLength: 4 });
  const worldArbitrary = fc.record({
    grants: fc.array(subsetArbitrary(identifiers.length - 1), { minLength: 5, maxLength: 5 }),
    lists: fc.array(subsetArbitrary(4), { minLength: 5, maxLength: 5 }),
    own: fc.uniqueArray(fc.nat(4), { minLength: 1, maxLength: 2 }),
  });

  test('no chain of accomplices obtains a guarded permission, or a role outside all lists', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(worldArbitrary, async ({ grants, lists, own }) => {
        await withRollback(async (tx) => {
          const nodes = new Map((await tx.select().from(permissionNodes)).map(({ identifier, id }) => [identifier, id] as const));
          const roleIds: string[] = [];
          for (const grantIndexes of grants) {
            const id = newId();
            const currentTime = new Date();
            await tx.insert(roles).values({ id, name: `World ${id}`, createdAt: currentTime, updatedAt: currentTime });
            const ids = grantIndexes.flatMap((index) => nodes.get(identifiers[index] ?? '') ?? []);
            if (ids.length > 0) await tx.insert(roleNodes).values(ids.map((nodeId) => ({ roleId: id, nodeId })));
            roleIds.push(id);
          }
          for (const [from, list] of lists.entries())
            for (const listedIndex of list)
              await tx.insert(grantableRoles).values({ roleId: roleIds[from] ?? '', grantableId: roleIds[listedIndex] ?? '' });
          const attackerId = await holderOf(
            tx,
            own.map((index) => roleIds[index] ?? ''),
          );
          const start = await readGrantedIdentifiers(tx, attackerId, anyAddress);
          const obtainedRoles = new Set<string>();
          // Each accomplice gets every role that the attacker or an earlier accomplice may give.
          for (let granterId = attackerId, hasGrown = true; hasGrown;) {
            const grantsBeyondActor = await readRoleGranting(tx, {
              id: granterId,
              granted: await readGrantedIdentifiers(tx, granterId, anyAddress),
            });
            const obtainedCount = obtainedRoles.size;
            for (const id of roleIds) if (grantsBeyondActor(id).length === 0) obtainedRoles.add(id);
            hasGrown = obtainedRoles.size > obtainedCount;
            if (hasGrown) granterId = await holderOf(tx, [...obtainedRoles]);
            const heldIdentifiers = await readGrantedIdentifiers(tx, granterId, anyAddress);
            if (granterId !== attackerId)
              expect([...heldIdentifiers].filter((identifier) => isGuarded(identifier) && !start.has(identifier))).toEqual([]);
          }
          // A role may be given by who holds its permissions, or a role that lists it.
          const reachableRoles = new Set(own);
          const heldByAccomplices = new Set(start);
          for (let previousSize = -1; previousSize !== reachableRoles.size;) {
            previousSize = reachableRoles.size;
            for (const [index, set] of grants.entries()) {
              const granted = set
                .flatMap((grantIndex) => identifiers[grantIndex] ?? [])
                .filter((identifier) => nodes.has(identifier));
              const isListed = [...reachableRoles].some((from) => lists[from]?.includes(index));
              if (!isListed && !granted.every((identifier) => heldByAccomplices.has(identifier))) continue;
              reachableRoles.add(index);
              for (const identifier of granted) heldByAccomplices.add(identifier);
            }
          }
          for (const id of obtainedRoles) expect(reachableRoles.has(roleIds.indexOf(id))).toBe(true);
        });
      }),
      { seed: 20_261_128, numRuns: inTier(60, 600) },
    );
  });
});

describe('the default of an existing database', () => {
  const readListedNames = async () => (await seededRole('access')).mayGrant.map(({ name }) => name);
  const repeatChange = async (applyChange: (tx: Tx) => Promise<unknown>) => {
    await app.database.db.transaction(async (tx) => {
      await tx.delete(grantableRoles);
      await tx.delete(seeded).where(eq(seeded.key, 'mayGrant:access'));
      await tx.update(roles).set({ version: 1 });
      await applyChange(tx);
    });
    await seedDatabase({ config: { ...app.config, demoNews: false }, database: app.database, now: () => app.clock.now } as never);
  };

  test('is added once, if people left both roles unchanged', async () => {
    await repeatChange(async () => {});
    const editorRole = await seededRole('editor');
    expect(await readListedNames()).toEqual([editorRole.name]);
    await app.database.db.delete(grantableRoles);
    await seedDatabase({ config: { ...app.config, demoNews: false }, database: app.database, now: () => app.clock.now } as never);
    expect(await readListedNames()).toEqual([]);
  });

  test.each(['access', 'editor'])('is not added once people edited the role %s', async (name) => {
    await repeatChange((tx) => tx.update(roles).set({ version: 2 }).where(eq(roles.seed, name)));
    expect(await readListedNames()).toEqual([]);
  });

  test('is not added if people deleted a role', async () => {
    await repeatChange((tx) => tx.update(roles).set({ seed: null }).where(eq(roles.seed, 'editor')));
    expect(await readListedNames()).toEqual([]);
    await app.database.db
      .update(roles)
      .set({ seed: 'editor' })
      .where(and(eq(roles.name, '内容编辑 Content editor')));
  });
});

async function holderOf(tx: Tx, roleIds: readonly string[]): Promise<string> {
  return (await createStore(tx).person({ roleIds })).id;
}

/** Rolled back afterwards. */
async function withRollback(runInTransaction: (tx: Tx) => Promise<void>): Promise<void> {
  const rollbackSignal = new Error('done');
  await app.database.db
    .transaction(async (tx) => {
      await runInTransaction(tx);
      throw rollbackSignal;
    })
    .catch((error: unknown) => {
      if (error !== rollbackSignal) throw error;
    });
}
