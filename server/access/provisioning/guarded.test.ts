import { eq, inArray } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createStore } from '../../../testing/factories/store.ts';
import { isGuarded } from '../../platform/auth/rights/guarded-rights.ts';
import {
  administratorRoles,
  administrators,
  groupRoles,
  permissionNodes,
  roleNodes,
  roles,
  serviceTokens,
} from '../../platform/auth/tables.ts';
import { createTestApp, send } from '../../testing/support.ts';
import { entra, okta } from './fixtures.ts';

/** Repeatable. */
function createRandom(seed: number) {
  let state = seed;
  return (limit: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

test('400 random requests of a provisioning client, with every role mapped, never give a guarded permission', async () => {
  const app = await createTestApp({ SCIM: 'on' }, { jobs: false });
  const { db } = app.database;
  const { text } = await createStore(db).provisioningToken();
  const random = createRandom(15);
  const pick = <T>(values: readonly T[], fallback: T): T => values[random(values.length)] ?? fallback;
  const readLocal = async () => ({
    people: await db.select().from(administrators).where(inArray(administrators.id, localIds)),
    roles: (await db.select().from(administratorRoles).where(inArray(administratorRoles.administratorId, localIds))).length,
    grants: (await db.select().from(roleNodes)).length,
    mappings: (await db.select().from(groupRoles).where(eq(groupRoles.source, 'claim'))).length,
    tokens: (await db.select().from(serviceTokens)).length,
  });
  const localIds = (await db.select({ id: administrators.id }).from(administrators)).map(({ id }) => id);
  const before = await readLocal();
  const users: string[] = [...localIds];
  const groups: string[] = [];
  const allRoles = await db.select().from(roles);
  const store = createStore(db);

  async function callOnce(): Promise<number> {
    const [user, group] = [pick(users, 'none'), pick(groups, 'none')];
    const number = random(60);
    const person = {
      email: number < 5 ? 'approver@demo.local' : `random-${number}@example.com`,
      externalId: `random-${random(60)}`,
    };
    const [method, path, body] = pick<[string, string, unknown]>(
      [
        ['POST', '/Users', okta.newUser(person)],
        ['POST', '/Users', { ...entra.newUser(person), groups: [{ value: group }], roles: ['all'], id: localIds[0] }],
        ['PUT', `/Users/${user}`, okta.newUser(person)],
        ['PATCH', `/Users/${user}`, okta.setActive(random(2) === 0)],
        ['PATCH', `/Users/${user}`, entra.changeEmail(person.email)],
        [
          'PATCH',
          `/Users/${user}`,
          { Operations: [{ op: 'replace', value: { externalId: person.externalId, roles: ['all'] } }] },
        ],
        ['DELETE', `/Users/${user}`, undefined],
        ['POST', '/Groups', okta.newGroup(`Random ${number}`)],
        ['PATCH', `/Groups/${group}`, okta.addMember(user, 'x')],
        ['PATCH', `/Groups/${group}`, okta.replaceMembers([user, pick(users, 'none')])],
        ['PATCH', `/Groups/${group}`, okta.renameGroup(group, `Random ${number}`)],
      ],
      ['GET', '/Users', undefined],
    );
    const response = await send(app, method, `/scim/v2${path}`, body, { authorization: `Bearer ${text}` });
    if (response.status === 201) {
      const { id } = (await response.json()) as { id: string };
      if (path === '/Users') users.push(id);
      else {
        groups.push(id);
        for (const { id: roleId } of allRoles) await store.groupRole(id, roleId);
      }
    }
    return response.status;
  }

  const statuses = new Map<number, number>();
  for (let round = 0; round < 400; round++) {
    const status = await callOnce();
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  expect([...statuses.keys()].filter((status) => status >= 500)).toEqual([]);
  expect(statuses.get(201)).toBeGreaterThan(10);
  expect(statuses.get(204)).toBeGreaterThan(5);
  expect(await readLocal()).toEqual(before);
  const held = await db
    .selectDistinct({ administratorId: administratorRoles.administratorId, identifier: permissionNodes.identifier })
    .from(administratorRoles)
    .innerJoin(roleNodes, eq(roleNodes.roleId, administratorRoles.roleId))
    .innerJoin(permissionNodes, eq(permissionNodes.id, roleNodes.nodeId))
    .where(eq(administratorRoles.givenBy, 'idp'));
  expect(held.filter(({ identifier }) => isGuarded(identifier))).toEqual([]);
  expect(held.length).toBeGreaterThan(0);
});
