import { beforeAll, expect, test } from 'vitest';
import { createStore, type Store } from '../../testing/factories/store.ts';
import { okta } from '../access/provisioning/fixtures.ts';
import { permissionNodes } from '../platform/auth/tables.ts';
import type { Services } from '../platform/services/context.ts';
import { createTestApp, send, type TestApp } from '../testing/support.ts';
import { readEndingProvisioning, readGuardedMappings, readMassDisabling } from './provider-conditions.ts';

let app: TestApp;
let store: Store;
const day = 86_400_000;

beforeAll(async () => {
  app = await createTestApp({ SCIM: 'on' }, { jobs: false });
  store = createStore(app.database.db);
});

const now = () => new Date(app.clock.now);
const inTransaction = <T>(read: Parameters<typeof app.database.db.transaction<T>>[0]) => app.database.db.transaction(read);

test('five accounts disabled within ten minutes raise one alarm a day, and four raise none', async () => {
  const bearer = { authorization: `Bearer ${(await store.provisioningToken()).text}` };
  const scim = async (method: string, path: string, body: unknown) =>
    (await (await send(app, method, `/scim/v2${path}`, body, bearer)).json()) as { id: string };
  const ids: string[] = [];
  for (let at = 0; at < 30; at++) {
    const { id } = await scim('POST', '/Users', okta.newUser({ email: `mass-${at}@example.com`, externalId: `mass-${at}` }));
    ids.push(id);
  }
  for (const id of ids.slice(0, 4)) await scim('PATCH', `/Users/${id}`, okta.setActive(false));
  expect(await inTransaction((tx) => readMassDisabling(tx, now()))).toEqual([]);
  await scim('PATCH', `/Users/${ids[4]}`, okta.setActive(false));
  const alarms = await inTransaction((tx) => readMassDisabling(tx, now()));
  expect(alarms).toMatchObject([{ facts: { disabled: 5, managed: 30 } }]);
  expect(await inTransaction((tx) => readMassDisabling(tx, new Date(app.clock.now + 601_000)))).toEqual([]);
});

test('the last provisioning token raises an alarm 30 days before its end and after it', async () => {
  const services = () => ({ config: app.config, now: () => app.clock.now }) as unknown as Services;
  const read = () => inTransaction((tx) => readEndingProvisioning(tx, services()));
  const { token } = await store.provisioningToken({ name: 'last', expiresAt: new Date(app.clock.now + 200 * day) });
  expect(await read()).toEqual([]);
  app.clock.now += 171 * day;
  expect(await read()).toMatchObject([{ facts: { token: 'last', lastFour: token.lastFour } }]);
  app.clock.now += 40 * day;
  expect(await read()).toHaveLength(1);
  app.clock.now -= 211 * day;
});

test('a mapping to a guarded role raises an alarm with group and role', async () => {
  const nodes = await app.database.db.select().from(permissionNodes);
  const nodeIds = nodes.filter(({ identifier }) => identifier === 'deposits.confirm').map(({ id }) => id);
  const role = await store.role({ nodeIds });
  expect(await inTransaction(readGuardedMappings)).toEqual([]);
  await store.groupRole('everyone', role.id, 'claim');
  expect(await inTransaction(readGuardedMappings)).toMatchObject([{ facts: { group: 'everyone', role: role.name } }]);
});
