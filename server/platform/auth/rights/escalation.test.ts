import { and, eq, inArray, sql } from 'drizzle-orm';
import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AdministratorRow } from '../../../../api/access/administrators.ts';
import { raceRounds } from '../../../../scripts/suite/tier.ts';
import { audit } from '../../audit/tables.ts';
import { administratorRoles, administrators, permissionNodes, roleNodes, roles, sessions } from '../tables.ts';
import type { Person } from '../../services/context.ts';
import type { Tx } from '../../db/db.ts';
import { assertAccessKept, assertMayGrant, assertNotSelf } from './escalation.ts';
import { assertMayManage } from './role-granting.ts';
import { newId } from '../../core/ids.ts';
import { enrollTotp } from '../../../testing/factor.ts';
import { createApi, send, createTestApp, type TestSession, type TestApp } from '../../../testing/support.ts';
import { hashPassword } from '../sign-in/password.ts';
import { createStore } from '../../../../testing/factories/store.ts';

const password = 'correct horse battery staple';
let app: TestApp;
let passwordHash: string;
beforeAll(async () => {
  app = await createTestApp({ SIGN_IN_FREE: '10000', WRITES_PER_MINUTE: '0', READS_PER_MINUTE: '0' });
  passwordHash = await hashPassword(password);
});

const createdAt = new Date();

async function runRolledBack(task: (tx: Tx) => Promise<void>): Promise<void> {
  const rollbackError = new Error('done');
  await app.database.db
    .transaction(async (tx) => {
      await task(tx);
      throw rollbackError;
    })
    .catch((error: unknown) => {
      if (error !== rollbackError) throw error;
    });
}

const catchErrorCode = (task: Promise<unknown>): Promise<string> =>
  task.then(
    () => 'done',
    (error: Error & { code?: string }) => error.code ?? error.message,
  );

async function addRole(tx: Tx, nodeIds: readonly string[]): Promise<string> {
  return (await createStore(tx).role({ nodeIds })).id;
}

async function addAdministrator(tx: Tx, roleIds: readonly string[]): Promise<Person> {
  const { id, email } = await createStore(tx).person({ passwordHash, roleIds });
  return { kind: 'person', id, email, sessionId: '', granted: new Set() };
}

describe('granting in any permission tree', () => {
  const size = 10;
  const subsetArbitrary = fc.uniqueArray(fc.nat(size - 1), { maxLength: size });
  const worldArbitrary = fc.record({
    parents: fc.array(fc.nat(size), { minLength: size, maxLength: size }),
    roles: fc.array(subsetArbitrary, { minLength: 1, maxLength: 6 }),
    own: fc.uniqueArray(fc.nat(5), { maxLength: 3 }),
    theirs: fc.uniqueArray(fc.nat(5), { maxLength: 3 }),
    given: subsetArbitrary,
  });

  test('allows exactly the grants within the actor’s permissions, and managing exactly the people within them', async () => {
    await fc.assert(
      fc.asyncProperty(worldArbitrary, async ({ parents, roles: grants, own: ownRoles, theirs: targetRoles, given }) => {
        await runRolledBack(async (tx) => {
          const nodeIds = parents.map(() => newId());
          const identifiers = nodeIds.map((id) => `test.${id}`);
          for (const [index, parent] of parents.entries())
            await tx.insert(permissionNodes).values({
              id: nodeIds[index] ?? '',
              parentId: parent < index ? (nodeIds[parent] ?? null) : null,
              kind: 'function',
              identifier: identifiers[index] ?? '',
              nameZh: 'x',
              nameEn: 'x',
              position: index,
              createdAt,
              updatedAt: createdAt,
            });
          const roleIds: string[] = [];
          for (const nodeIndexes of grants)
            roleIds.push(
              await addRole(
                tx,
                nodeIndexes.map((index) => nodeIds[index] ?? ''),
              ),
            );
          const roleIndexes = (indexes: readonly number[]) => [...new Set(indexes.map((index) => index % grants.length))];
          const heldNodes = (indexes: readonly number[]) => new Set(roleIndexes(indexes).flatMap((index) => grants[index] ?? []));
          const actor = await addAdministrator(
            tx,
            roleIndexes(ownRoles).map((index) => roleIds[index] ?? ''),
          );
          const otherAdministrator = await addAdministrator(
            tx,
            roleIndexes(targetRoles).map((index) => roleIds[index] ?? ''),
          );

          const missingIdentifiers = given.filter((index) => !heldNodes(ownRoles).has(index)).map((index) => identifiers[index]);
          const grantResult = await assertMayGrant(
            tx,
            actor,
            given.map((index) => identifiers[index] ?? ''),
          ).then(
            () => [],
            (error: { code: string; data: { identifiers: string[] } }) => [error.code, ...error.data.identifiers],
          );
          expect(grantResult).toEqual(
            missingIdentifiers.length === 0 ? [] : ['GRANT_BEYOND_OWN', ...missingIdentifiers.toSorted()],
          );
          const isWithin = [...heldNodes(targetRoles)].every((index) => heldNodes(ownRoles).has(index));
          expect(await catchErrorCode(assertMayManage(tx, actor, otherAdministrator.id))).toBe(isWithin ? 'done' : 'HOLDS_MORE');
        });
      }),
      { seed: 20_260_301, numRuns: 60 },
    );
  });

  test('never lets people change their own access', async () => {
    const actor: Person = { kind: 'person', id: newId(), email: '', sessionId: '', granted: new Set() };
    expect(await catchErrorCode(Promise.resolve().then(() => assertNotSelf(actor, actor.id)))).toBe('OWN_ACCESS');
    expect(await catchErrorCode(Promise.resolve().then(() => assertNotSelf(actor, newId())))).toBe('done');
  });
});

describe('keeping a person who can manage access', () => {
  const checkAccessKept = (tx: Tx, production = false) =>
    catchErrorCode(assertAccessKept(tx, { services: { config: { ...app.config, demo: !production } } as never }));
  const roleIdOf = (seed: string) => sql`(select id from ${roles} where seed = ${seed})`;
  const node = (identifier: string) => sql`(select id from ${permissionNodes} where identifier = ${identifier})`;

  test('allows the seeded state, and removing one of two such people', () =>
    runRolledBack(async (tx) => {
      expect(await checkAccessKept(tx)).toBe('done');
      await tx.update(administrators).set({ enabled: false }).where(eq(administrators.email, 'admin@demo.local'));
      expect(await checkAccessKept(tx)).toBe('done');
    }));

  const accessLosses: [string, (tx: Tx) => Promise<unknown>][] = [
    ['disabled', (tx) => tx.update(administrators).set({ enabled: false })],
    ['deleted', (tx) => tx.update(administrators).set({ deletedAt: createdAt })],
    ['unable to sign in', (tx) => tx.update(administrators).set({ passwordHash: null, walletAddress: null })],
    [
      'holders of a second factor that no one vouched for',
      (tx) => tx.update(administrators).set({ totpSecret: 'sealed', factorVouchedAt: null }),
    ],
    [
      'without a second factor, and signed in by a wallet',
      (tx) => tx.update(administrators).set({ demo: false, passwordHash: null, walletAddress: sql`id::text` }),
    ],
    ['new, with no password of their own yet', (tx) => tx.update(administrators).set({ passwordExpiresAt: createdAt })],
    ['stripped of their roles', (tx) => tx.delete(administratorRoles)],
    ...['administrators.edit', 'administrators.enable', 'roles.edit', '/permissions/role', '/permissions/administrator'].map(
      (identifier): [string, (tx: Tx) => Promise<unknown>] => [
        `without ${identifier} in their roles`,
        (tx) => tx.delete(roleNodes).where(eq(roleNodes.nodeId, node(identifier))),
      ],
    ),
    [
      'of a role that lost the right, the other role gone',
      async (tx) => {
        await tx.delete(roleNodes).where(and(eq(roleNodes.roleId, roleIdOf('all')), eq(roleNodes.nodeId, node('roles.edit'))));
        await tx.delete(administratorRoles).where(eq(administratorRoles.roleId, roleIdOf('access')));
      },
    ],
    ['without the node in the tree', (tx) => tx.delete(permissionNodes).where(eq(permissionNodes.identifier, 'roles.edit'))],
    [
      'without a way to the screen',
      (tx) =>
        tx
          .update(permissionNodes)
          .set({ parentId: node('roles.edit') })
          .where(eq(permissionNodes.identifier, '/permissions/role')),
    ],
    [
      'without the identifier',
      (tx) => tx.update(permissionNodes).set({ identifier: 'roles.edited' }).where(eq(permissionNodes.identifier, 'roles.edit')),
    ],
  ];
  test.each(accessLosses)('refuses a state in which all of them are %s', (_, loseAccess) =>
    runRolledBack(async (tx) => {
      await loseAccess(tx);
      expect(await checkAccessKept(tx)).toBe('LAST_ACCESS');
    }),
  );

  test('counts a demo account in development only', () =>
    runRolledBack(async (tx) => {
      expect(await checkAccessKept(tx, true)).toBe('LAST_ACCESS');
      await tx.update(administrators).set({ demo: false }).where(eq(administrators.email, 'access@demo.local'));
      expect(await checkAccessKept(tx, true)).toBe('done');
    }));
});

describe('two people who manage access removing each other at the same moment', () => {
  interface Person extends TestSession {
    id: string;
    roleId: string;
    totpSecret: string | null;
  }
  let people: [Person, Person];
  let grantIds: string[];
  let limitedRoleId: string;

  async function signIn(email: string): Promise<TestSession> {
    const response = await send(app, 'POST', '/api/session', { email, password });
    const { authorization } = (await response.json()) as { authorization: string };
    const cookie = response.headers
      .getSetCookie()
      .map((cookieLine) => cookieLine.split(';')[0])
      .join('; ');
    return { headers: { authorization, cookie }, api: createApi(app, { authorization, cookie }) };
  }

  beforeAll(async () => {
    const { db } = app.database;
    await db.update(administrators).set({ enabled: false });
    grantIds = (await db.select({ id: permissionNodes.id }).from(permissionNodes)).map(({ id }) => id);
    limitedRoleId = await db.transaction((tx) => addRole(tx, grantIds.slice(0, 1)));
    const addPerson = async (): Promise<Person> => {
      const { roleId, id, email } = await db.transaction(async (tx) => {
        const role = await addRole(tx, grantIds);
        return { roleId: role, ...(await addAdministrator(tx, [role])) };
      });
      const session = await signIn(email);
      await enrollTotp(app, session.api);
      const [checkAccessKept] = await db.select().from(administrators).where(eq(administrators.id, id));
      return { id, roleId, totpSecret: checkAccessKept?.totpSecret ?? null, ...session };
    };
    people = [await addPerson(), await addPerson()];
  });

  beforeEach(restore);

  async function restore(): Promise<void> {
    const { db } = app.database;
    const ids = people.map(({ id }) => id);
    for (const { id, totpSecret } of people)
      await db
        .update(administrators)
        .set({ enabled: true, deletedAt: null, passwordHash, totpSecret, factorVouchedAt: new Date() })
        .where(eq(administrators.id, id));
    await db.update(sessions).set({ revokedAt: null }).where(inArray(sessions.administratorId, ids));
    await db.delete(administratorRoles).where(inArray(administratorRoles.administratorId, ids));
    await db.insert(administratorRoles).values(people.map(({ id, roleId }) => ({ administratorId: id, roleId })));
    for (const { roleId } of people)
      await db
        .insert(roleNodes)
        .values(grantIds.map((nodeId) => ({ roleId, nodeId })))
        .onConflictDoNothing();
  }

  const readRow = async ({ id }: Person, attacker: Person): Promise<AdministratorRow> => {
    const [row] = await attacker.api.administrators.many({ ids: [id] });
    if (!row) throw new Error('gone');
    return row;
  };
  const item = ({ id, version }: { id: string; version: number }) => ({ id, version });

  const attackBuilders: Record<string, (attacker: Person, victim: Person) => Promise<() => Promise<unknown>>> = {
    disable: async (attacker, victim) => {
      const items = [item(await readRow(victim, attacker))];
      return () => attacker.api.administrators.disable({ items });
    },
    delete: async (attacker, victim) => {
      const items = [item(await readRow(victim, attacker))];
      return () => attacker.api.administrators.remove({ items });
    },
    strip: async (attacker, victim) => {
      const row = await readRow(victim, attacker);
      return () =>
        attacker.api.administrators.edit({ ...item(row), email: row.email, description: 'less', roles: [limitedRoleId] });
    },
    'edit the role of': async (attacker, victim) => {
      const [role] = await attacker.api.roles.many({ ids: [victim.roleId] });
      if (!role) throw new Error('no role');
      const { name, needsFactor } = role;
      return () =>
        attacker.api.roles.edit({ ...item(role), name, description: 'less', needsFactor, grants: grantIds.slice(0, 1) });
    },
  };
  const names = Object.keys(attackBuilders);

  test('always leaves exactly one of them', { timeout: 300_000 }, async () => {
    const [a, b] = people;
    for (let roundNumber = 0; roundNumber < raceRounds; roundNumber++) {
      const attackNames = [
        names[roundNumber % names.length] ?? '',
        names[Math.floor(roundNumber / names.length) % names.length] ?? '',
      ] as const;
      const attackCalls = await Promise.all([attackBuilders[attackNames[0]]?.(a, b), attackBuilders[attackNames[1]]?.(b, a)]);
      const outcomes = await Promise.all(
        attackCalls.map((runAttack) => catchErrorCode(runAttack?.() ?? Promise.reject(new Error('not ready')))),
      );
      expect(
        outcomes.filter((code) => code === 'done'),
        `${roundNumber}: ${attackNames.join(', ')}: ${outcomes.join(', ')}`,
      ).toHaveLength(1);
      expect(['UNAUTHORIZED', 'FORBIDDEN', 'CONFLICT', 'NOT_FOUND'], String(outcomes)).toContain(
        outcomes.find((code) => code !== 'done'),
      );
      expect(await readManagers(), `${roundNumber}: ${attackNames.join(', ')}`).toHaveLength(1);
      await restore();
    }
  });

  async function readManagers(): Promise<string[]> {
    const { rows } = await app.database.pool.query<{ id: string }>(
      `select a.id from administrators a where a.enabled and a.deleted_at is null and 5 = (
         select count(distinct n.identifier) from administrator_roles ar join role_nodes rn on rn.role_id = ar.role_id
         join permission_nodes n on n.id = rn.node_id where ar.administrator_id = a.id and n.identifier in
         ('administrators.edit', 'administrators.enable', 'roles.edit', '/permissions/role', '/permissions/administrator'))`,
    );
    return rows.map(({ id }) => id);
  }

  test(
    'never grants a role that gains a permission the granting person lacks at the same moment',
    { timeout: 300_000 },
    async () => {
      const { db } = app.database;
      const [fullManager, limitedManager] = people;
      const extraGrantId =
        (await db.select().from(permissionNodes).where(eq(permissionNodes.identifier, 'news.add')))[0]?.id ?? '';
      const limitedGrantIds = grantIds.filter((id) => id !== extraGrantId);
      const outcomePairs = new Set<string>();
      for (let roundNumber = 0; roundNumber < raceRounds; roundNumber++) {
        await db.delete(roleNodes).where(and(eq(roleNodes.roleId, limitedManager.roleId), eq(roleNodes.nodeId, extraGrantId)));
        const [roleId, target] = await db.transaction(
          async (tx) => [await addRole(tx, limitedGrantIds), await addAdministrator(tx, [limitedRoleId])] as const,
        );
        const [role] = await fullManager.api.roles.many({ ids: [roleId] });
        if (!role) throw new Error('no role');
        const giveInput = { id: target.id, version: 1, email: target.email, description: 'x', roles: [roleId] };
        const growInput = { ...item(role), name: role.name, description: 'x', needsFactor: false, grants: grantIds };
        const giveRole = () => catchErrorCode(limitedManager.api.administrators.edit(giveInput));
        const growRole = () => catchErrorCode(fullManager.api.roles.edit(growInput));
        const calls = roundNumber % 2 === 0 ? [giveRole, growRole] : [growRole, giveRole];
        const codes: string[] = [];
        if (roundNumber < 2) for (const sendCall of calls) codes.push(await sendCall());
        else codes.push(...(await Promise.all(calls.map((sendCall) => sendCall()))));
        const [given, growCode] = roundNumber % 2 === 0 ? codes : codes.toReversed();
        expect(growCode).toBe('done');
        outcomePairs.add(given ?? '');
        expect(['done', 'GRANT_BEYOND_OWN']).toContain(given);
        const [roleEdit] = await db
          .select()
          .from(audit)
          .where(and(eq(audit.entityId, roleId), eq(audit.result, 'done')));
        const [roleGift] = await db
          .select()
          .from(audit)
          .where(and(eq(audit.entityId, target.id), eq(audit.result, 'done')));
        if (given === 'done') expect(roleGift?.seq).toBeLessThan(roleEdit?.seq ?? 0);
        else expect(roleGift).toBeUndefined();
      }
      expect([...outcomePairs].toSorted()).toEqual(['GRANT_BEYOND_OWN', 'done']);
    },
  );
});
