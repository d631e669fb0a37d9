import { eq } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { createStore, type Store } from '../../../testing/factories/store.ts';
import { audit } from '../../platform/audit/tables.ts';
import { accountChanges, administrators, provisioned } from '../../platform/auth/tables.ts';
import { createTestApp, signInAs, type TestApp, type TestSession } from '../../testing/support.ts';
import { sendScim } from '../../testing/scim.ts';
import { entra, okta } from './fixtures.ts';

let app: TestApp;
let store: Store;
let access: TestSession;
let bearer: Record<string, string>;

beforeAll(async () => {
  app = await createTestApp({ SCIM: 'on' }, { jobs: false });
  store = createStore(app.database.db);
  access = await signInAs(app, 'all');
  bearer = { authorization: `Bearer ${(await store.provisioningToken()).text}` };
});

const scim = (method: string, path: string, body?: unknown) => sendScim(app, bearer, method, path, body);
let made = 0;
const newPerson = () => ({ email: `rehired-${++made}@example.com`, externalId: `rehired-${made}` });
const find = async (externalId: string) =>
  (await scim('GET', `/Users?filter=${encodeURIComponent(`externalId eq "${externalId}"`)}`)).body.totalResults;
const rowOf = async (id: string) => {
  const [row] = await app.database.db.select().from(administrators).where(eq(administrators.id, id));
  if (!row) throw new Error('no such account');
  return row;
};
const takeOver = async (id: string) =>
  access.api.administrators.letIdpManage({ items: [{ id, version: (await rowOf(id)).version }] });
const conflictsOf = async (id: string) =>
  (await access.api.identity.status()).provisioning.conflicts.filter(({ administratorId }) => administratorId === id);

test('a person who comes back is refused, listed, taken over by an access administrator, and then managed by the provider again', async () => {
  const person = newPerson();
  const { id } = (await scim('POST', '/Users', okta.newUser(person))).body;
  expect((await scim('DELETE', `/Users/${id}`)).status).toBe(204);
  expect((await scim('POST', '/Users', okta.newUser(person))).status).toBe(409);
  expect(await conflictsOf(id)).toMatchObject([{ reason: 'deleted', wantedEmail: person.email }]);
  expect(await find(person.externalId)).toBe(0);

  expect((await takeOver(id)).done).toMatchObject([{ id, managed: true, enabled: false }]);
  expect(await conflictsOf(id)).toEqual([]);
  expect(await find(person.externalId)).toBe(1);
  expect((await scim('POST', '/Users', okta.newUser(person))).status).toBe(409);

  expect((await scim('PATCH', `/Users/${id}`, entra.setActiveText('True'))).status).toBe(200);
  expect(await rowOf(id)).toMatchObject({ enabled: true, disabledBy: null });
  const changes = await app.database.db.select().from(accountChanges).where(eq(accountChanges.administratorId, id));
  expect(changes.map(({ what, byIdp }) => `${what} ${byIdp}`).toSorted()).toEqual(['created true', 'enabled true']);
});

test('a person who comes back with another external ID is found by it after the takeover', async () => {
  const person = newPerson();
  const { id } = (await scim('POST', '/Users', okta.newUser(person))).body;
  await scim('DELETE', `/Users/${id}`);
  const again = { ...person, externalId: `${person.externalId}-again` };
  expect((await scim('POST', '/Users', okta.newUser(again))).status).toBe(409);
  await takeOver(id);
  expect([await find(again.externalId), await find(person.externalId)]).toEqual([1, 0]);
  const entries = await app.database.db.select().from(audit).where(eq(audit.entityId, id));
  expect(JSON.parse(entries.find(({ action }) => action === 'letIdpManage')?.payload ?? '{}')).toMatchObject({
    before: { externalId: person.externalId, managed: false },
    after: { externalId: again.externalId, managed: true },
  });
  expect((await scim('PATCH', `/Users/${id}`, okta.setActive(true))).status).toBe(200);
  expect(await rowOf(id)).toMatchObject({ enabled: true, email: person.email });
});

test('a person whose account was deleted in the panel comes back with a new account, and the refusal is no longer listed', async () => {
  const person = newPerson();
  const { id } = (await scim('POST', '/Users', okta.newUser(person))).body;
  await access.api.administrators.remove({ items: [{ id, version: (await rowOf(id)).version }] });
  expect((await scim('GET', `/Users/${id}`)).status).toBe(404);
  expect((await scim('POST', '/Users', okta.newUser(person))).status).toBe(409);
  expect(await conflictsOf(id)).toMatchObject([{ reason: 'deleted' }]);

  const account = await store.person({ email: person.email });
  await takeOver(account.id);
  expect(await conflictsOf(id)).toEqual([]);
  expect(await find(person.externalId)).toBe(1);
  expect((await scim('PATCH', `/Users/${account.id}`, okta.setActive(false))).status).toBe(200);
  expect([(await rowOf(account.id)).disabledBy, (await rowOf(id)).enabled]).toEqual(['idp', false]);
});

test('a takeover whose identifiers belong to another account changes nothing', async () => {
  const [person, other] = [newPerson(), newPerson()];
  const { id } = (await scim('POST', '/Users', okta.newUser(person))).body;
  await scim('DELETE', `/Users/${id}`);
  const again = { ...person, externalId: `${person.externalId}-again` };
  await scim('POST', '/Users', okta.newUser(again));
  const user = (await scim('POST', '/Users', okta.newUser({ ...other, externalId: again.externalId }))).body;
  expect(user.id).toBeTruthy();
  await expect(takeOver(id)).rejects.toMatchObject({ code: 'IN_USE' });
  const [row] = await app.database.db.select().from(provisioned).where(eq(provisioned.administratorId, id));
  expect(row).toMatchObject({ externalId: person.externalId, deletedAt: expect.any(Date) });
});
