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
import { assertMayManage } from './giving.ts';
import { newId } from '../../core/ids.ts';
import { enrollTotp } from '../../../testing/factor.ts';
import { apiOf, send, testApp, type TestSession, type TestApp } from '../../../testing/support.ts';
import { hashPassword } from '../sign-in/password.ts';
import { storeIn } from '../../../../testing/factories/store.ts';

const password = 'correct horse battery staple';
let app: TestApp;
let passwordHash: string;
beforeAll(async () => {
  app = await testApp({ SIGN_IN_FREE: '10000', WRITES_PER_MINUTE: '0', READS_PER_MINUTE: '0' });
  passwordHash = await hashPassword(password);
});

const at = new Date();

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

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: Error & { code?: string }) => error.code ?? error.message,
  );

async function addRole(tx: Tx, nodeIds: readonly string[]): Promise<string> {
  return (await storeIn(tx).role({ nodeIds })).id;
}

async function addAdministrator(tx: Tx, roleIds: readonly string[]): Promise<Person> {
  const { id, email } = await storeIn(tx).person({ passwordHash, roleIds });
  return { kind: 'person', id, email, sessionId: '', granted: new Set() };
}

describe('granting in any permission tree', () => {
  const size = 10;
  const subset = fc.uniqueArray(fc.nat(size - 1), { maxLength: size });
  const world = fc.record({
    parents: fc.array(fc.nat(size), { minLength: size, maxLength: size }),
    roles: fc.array(subset, { minLength: 1, maxLength: 6 }),
    own: fc.uniqueArray(fc.nat(5), { maxLength: 3 }),
    theirs: fc.uniqueArray(fc.nat(5), { maxLength: 3 }),
    given: subset,
  });

  test('allows exactly the grants within the actor’s permissions, and managing exactly the people within them', async () => {
    await fc.assert(
      fc.asyncProperty(world, async ({ parents, roles: grants, own, theirs, given }) => {
        await trying(async (tx) => {
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
              createdAt: at,
              updatedAt: at,
            });
          const roleIds: string[] = [];
          for (const set of grants)
            roleIds.push(
              await addRole(
                tx,
                set.map((index) => nodeIds[index] ?? ''),
              ),
            );
          const some = (indexes: readonly number[]) => [...new Set(indexes.map((index) => index % grants.length))];
          const held = (indexes: readonly number[]) => new Set(some(indexes).flatMap((index) => grants[index] ?? []));
          const actor = await addAdministrator(
            tx,
            some(own).map((index) => roleIds[index] ?? ''),
          );
          const other = await addAdministrator(
            tx,
            some(theirs).map((index) => roleIds[index] ?? ''),
          );

          const beyond = given.filter((index) => !held(own).has(index)).map((index) => identifiers[index]);
          const granted = await assertMayGrant(
            tx,
            actor,
            given.map((index) => identifiers[index] ?? ''),
          ).then(
            () => [],
            (error: { code: string; data: { identifiers: string[] } }) => [error.code, ...error.data.identifiers],
          );
          expect(granted).toEqual(beyond.length === 0 ? [] : ['GRANT_BEYOND_OWN', ...beyond.toSorted()]);
          const isWithin = [...held(theirs)].every((index) => held(own).has(index));
          expect(await codeOf(assertMayManage(tx, actor, other.id))).toBe(isWithin ? 'done' : 'HOLDS_MORE');
        });
      }),
      { seed: 20_260_301, numRuns: 60 },
    );
  });

  test('never lets people change their own access', async () => {
    const actor: Person = { kind: 'person', id: newId(), email: '', sessionId: '', granted: new Set() };
    expect(await codeOf(Promise.resolve().then(() => assertNotSelf(actor, actor.id)))).toBe('OWN_ACCESS');
    expect(await codeOf(Promise.resolve().then(() => assertNotSelf(actor, newId())))).toBe('done');
  });
});

describe('keeping a person who can manage access', () => {
  const stored = (tx: Tx, production = false) =>
    codeOf(assertAccessKept(tx, { services: { config: { ...app.config, demo: !production } } as never }));
  const roleOf = (seed: string) => sql`(select id from ${roles} where seed = ${seed})`;
  const node = (identifier: string) => sql`(select id from ${permissionNodes} where identifier = ${identifier})`;

  test('allows the seeded state, and removing one of two such people', () =>
    trying(async (tx) => {
      expect(await stored(tx)).toBe('done');
      await tx.update(administrators).set({ enabled: false }).where(eq(administrators.email, 'admin@demo.local'));
      expect(await stored(tx)).toBe('done');
    }));

  const losses: [string, (tx: Tx) => Promise<unknown>][] = [
    ['disabled', (tx) => tx.update(administrators).set({ enabled: false })],
    ['deleted', (tx) => tx.update(administrators).set({ deletedAt: at })],
    ['unable to sign in', (tx) => tx.update(administrators).set({ passwordHash: null, walletAddress: null })],
    ['new, with no password of their own yet', (tx) => tx.update(administrators).set({ passwordExpiresAt: at })],
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
        await tx.delete(roleNodes).where(and(eq(roleNodes.roleId, roleOf('all')), eq(roleNodes.nodeId, node('roles.edit'))));
        await tx.delete(administratorRoles).where(eq(administratorRoles.roleId, roleOf('access')));
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
  test.each(losses)('refuses a state in which all of them are %s', (_, lose) =>
    trying(async (tx) => {
      await lose(tx);
      expect(await stored(tx)).toBe('LAST_ACCESS');
    }),
  );

  test('counts a demo account in development only', () =>
    trying(async (tx) => {
      expect(await stored(tx, true)).toBe('LAST_ACCESS');
      await tx.update(administrators).set({ demo: false }).where(eq(administrators.email, 'access@demo.local'));
      expect(await stored(tx, true)).toBe('done');
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
  let lesser: string;

  async function signIn(email: string): Promise<TestSession> {
    const response = await send(app, 'POST', '/api/session', { email, password });
    const { authorization } = (await response.json()) as { authorization: string };
    const cookie = response.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ');
    return { headers: { authorization, cookie }, api: apiOf(app, { authorization, cookie }) };
  }

  beforeAll(async () => {
    const { db } = app.database;
    await db.update(administrators).set({ enabled: false });
    grantIds = (await db.select({ id: permissionNodes.id }).from(permissionNodes)).map(({ id }) => id);
    lesser = await db.transaction((tx) => addRole(tx, grantIds.slice(0, 1)));
    const person = async (): Promise<Person> => {
      const { roleId, id, email } = await db.transaction(async (tx) => {
        const role = await addRole(tx, grantIds);
        return { roleId: role, ...(await addAdministrator(tx, [role])) };
      });
      const session = await signIn(email);
      await enrollTotp(app, session.api);
      const [stored] = await db.select().from(administrators).where(eq(administrators.id, id));
      return { id, roleId, totpSecret: stored?.totpSecret ?? null, ...session };
    };
    people = [await person(), await person()];
  });

  beforeEach(restore);

  async function restore(): Promise<void> {
    const { db } = app.database;
    const ids = people.map(({ id }) => id);
    for (const { id, totpSecret } of people)
      await db
        .update(administrators)
        .set({ enabled: true, deletedAt: null, passwordHash, totpSecret })
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

  const rowOf = async ({ id }: Person, by: Person): Promise<AdministratorRow> => {
    const [row] = await by.api.administrators.many({ ids: [id] });
    if (!row) throw new Error('gone');
    return row;
  };
  const item = ({ id, version }: { id: string; version: number }) => ({ id, version });

  const attacks: Record<string, (by: Person, on: Person) => Promise<() => Promise<unknown>>> = {
    disable: async (by, on) => {
      const items = [item(await rowOf(on, by))];
      return () => by.api.administrators.disable({ items });
    },
    delete: async (by, on) => {
      const items = [item(await rowOf(on, by))];
      return () => by.api.administrators.remove({ items });
    },
    strip: async (by, on) => {
      const row = await rowOf(on, by);
      return () => by.api.administrators.edit({ ...item(row), email: row.email, description: 'less', roles: [lesser] });
    },
    'edit the role of': async (by, on) => {
      const [role] = await by.api.roles.many({ ids: [on.roleId] });
      if (!role) throw new Error('no role');
      const { name, needsFactor } = role;
      return () => by.api.roles.edit({ ...item(role), name, description: 'less', needsFactor, grants: grantIds.slice(0, 1) });
    },
  };
  const names = Object.keys(attacks);

  test('always leaves exactly one of them', { timeout: 300_000 }, async () => {
    const [a, b] = people;
    for (let round = 0; round < raceRounds; round++) {
      const how = [names[round % names.length] ?? '', names[Math.floor(round / names.length) % names.length] ?? ''] as const;
      const ready = await Promise.all([attacks[how[0]]?.(a, b), attacks[how[1]]?.(b, a)]);
      const outcomes = await Promise.all(ready.map((go) => codeOf(go?.() ?? Promise.reject(new Error('not ready')))));
      expect(
        outcomes.filter((code) => code === 'done'),
        `${round}: ${how.join(', ')}: ${outcomes.join(', ')}`,
      ).toHaveLength(1);
      expect(['UNAUTHORIZED', 'FORBIDDEN', 'CONFLICT', 'NOT_FOUND'], String(outcomes)).toContain(
        outcomes.find((code) => code !== 'done'),
      );
      expect(await managers(), `${round}: ${how.join(', ')}`).toHaveLength(1);
      await restore();
    }
  });

  async function managers(): Promise<string[]> {
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
      const [all, limited] = people;
      const extra = (await db.select().from(permissionNodes).where(eq(permissionNodes.identifier, 'news.add')))[0]?.id ?? '';
      const without = grantIds.filter((id) => id !== extra);
      const seen = new Set<string>();
      for (let round = 0; round < raceRounds; round++) {
        await db.delete(roleNodes).where(and(eq(roleNodes.roleId, limited.roleId), eq(roleNodes.nodeId, extra)));
        const [roleId, target] = await db.transaction(
          async (tx) => [await addRole(tx, without), await addAdministrator(tx, [lesser])] as const,
        );
        const [role] = await all.api.roles.many({ ids: [roleId] });
        if (!role) throw new Error('no role');
        const give = { id: target.id, version: 1, email: target.email, description: 'x', roles: [roleId] };
        const grow = { ...item(role), name: role.name, description: 'x', needsFactor: false, grants: grantIds };
        const giving = () => codeOf(limited.api.administrators.edit(give));
        const growing = () => codeOf(all.api.roles.edit(grow));
        const order = round % 2 === 0 ? [giving, growing] : [growing, giving];
        const codes: string[] = [];
        if (round < 2) for (const act of order) codes.push(await act());
        else codes.push(...(await Promise.all(order.map((act) => act()))));
        const [given, grown] = round % 2 === 0 ? codes : codes.toReversed();
        expect(grown).toBe('done');
        seen.add(given ?? '');
        expect(['done', 'GRANT_BEYOND_OWN']).toContain(given);
        const [edit] = await db
          .select()
          .from(audit)
          .where(and(eq(audit.entityId, roleId), eq(audit.result, 'done')));
        const [gift] = await db
          .select()
          .from(audit)
          .where(and(eq(audit.entityId, target.id), eq(audit.result, 'done')));
        if (given === 'done') expect(gift?.seq).toBeLessThan(edit?.seq ?? 0);
        else expect(gift).toBeUndefined();
      }
      expect([...seen].toSorted()).toEqual(['GRANT_BEYOND_OWN', 'done']);
    },
  );
});
