import { eq } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { createStore, type Store } from '../../../testing/factories/store.ts';
import { hashPassword } from '../../platform/auth/sign-in/password.ts';
import { readFactorGap } from '../../platform/auth/sign-in/vouching.ts';
import { administratorRoles, administrators, permissionNodes, provisioned } from '../../platform/auth/tables.ts';
import { mails } from '../../platform/content/tables.ts';
import { createTestApp, send, signInAs, type TestApp, type TestSession } from '../../testing/support.ts';
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
const newPerson = () => ({ email: `taken-${++made}@example.com`, externalId: `taken-${made}` });
const rowOf = async (id: string) => {
  const [row] = await app.database.db.select().from(administrators).where(eq(administrators.id, id));
  if (!row) throw new Error('no such account');
  return row;
};
const itemOf = async (id: string) => ({ id, version: (await rowOf(id)).version });
const handOver = async (id: string) => access.api.administrators.letIdpManage({ items: [await itemOf(id)] });
const mailsTo = async (recipient: string) =>
  (await app.database.db.select().from(mails).where(eq(mails.recipient, recipient))).map(
    ({ subject }) => subject.split(' / ')[1],
  );
const addLocal = async () => (await store.person({ passwordHash: await hashPassword('a password of one’s own') })).id;

test('the provider changes the email of an account that was handed over, and gets no password by email', async () => {
  const id = await addLocal();
  await handOver(id);
  const email = `of-the-provider-${id}@example.com`;
  expect((await scim('PATCH', `/Users/${id}`, entra.changeEmail(email))).status).toBe(200);
  expect((await rowOf(id)).email).toBe(email);
  expect((await send(app, 'POST', '/api/session/forgot', { email })).status).toBe(200);
  expect(await mailsTo(email)).toEqual(['Your identity provider changed the email of your account']);
  await expect(access.api.administrators.resetPassword(await itemOf(id))).rejects.toMatchObject({ code: 'IDP_MANAGED' });
});

test('a factor that is set up with the password of a managed account needs a colleague’s code', async () => {
  const id = await addLocal();
  expect(await readFactorGap(app.database.db, id)).toBeNull();
  await handOver(id);
  expect(await readFactorGap(app.database.db, id)).toBe('FACTOR');
});

test('the email of an account deleted in the last 90 days is not given to another one', async () => {
  const { id } = (await scim('POST', '/Users', okta.newUser(newPerson()))).body;
  const days = (count: number) => new Date(app.clock.now - count * 86_400_000);
  const { email } = await store.person({ email: 'gone.approver@example.com', enabled: false, deletedAt: days(89) });
  expect((await scim('PATCH', `/Users/${id}`, entra.changeEmail(email))).status).toBe(409);
  expect((await scim('PATCH', `/Users/${id}`, entra.changeEmail('gone.approvеr@example.com'))).status).toBe(400);
  expect((await scim('PATCH', `/Users/${id}`, entra.changeEmail('g0ne.approver@example.com'))).status).toBe(409);
  expect((await scim('POST', '/Users', okta.newUser({ ...newPerson(), email: 'g0ne.approver@example.com' }))).status).toBe(409);
  await app.database.db
    .update(administrators)
    .set({ deletedAt: days(91) })
    .where(eq(administrators.email, email));
  expect((await scim('PATCH', `/Users/${id}`, entra.changeEmail(email))).status).toBe(200);
});

test('a leaver is disabled although another account has the email that the provider wants for the leaver', async () => {
  const [node] = await app.database.db.select().from(permissionNodes).where(eq(permissionNodes.identifier, 'deposits.confirm'));
  const role = await store.role({ nodeIds: [node?.id ?? ''] });
  const { id } = (await scim('POST', '/Users', okta.newUser(newPerson()))).body;
  const own = (await rowOf(id)).email;
  await app.database.db.insert(administratorRoles).values({ administratorId: id, roleId: role.id });
  const email = `wanted-${made}@example.com`;
  expect((await scim('PATCH', `/Users/${id}`, entra.changeEmail(email))).status).toBe(200);
  await store.person({ email });
  expect((await scim('PATCH', `/Users/${id}`, okta.setActive(false))).status).toBe(200);
  expect(await rowOf(id)).toMatchObject({ enabled: false, email: own });
  await app.database.db.delete(administratorRoles).where(eq(administratorRoles.administratorId, id));
  expect((await scim('PATCH', `/Users/${id}`, okta.setActive(true))).status).toBe(200);
  expect(await rowOf(id)).toMatchObject({ enabled: true, email: own });
});

test('an account deleted in the panel gets no role from its groups', async () => {
  const { id } = (await scim('POST', '/Users', okta.newUser(newPerson()))).body;
  const group = (await scim('POST', '/Groups', okta.newGroup(`Taken ${++made}`))).body.id;
  await scim('PATCH', `/Groups/${group}`, okta.addMember(id, 'x'));
  await access.api.administrators.remove({ items: [await itemOf(id)] });
  const [node] = await app.database.db.select().from(permissionNodes).where(eq(permissionNodes.identifier, '/news'));
  const role = await store.role({ nodeIds: [node?.id ?? ''] });
  await access.api.identity.addMapping({ source: 'scim', value: group, role: role.id });
  expect(await app.database.db.$count(administratorRoles, eq(administratorRoles.administratorId, id))).toBe(0);
});

test('a leaver is disabled even while the panel has no access manager whom the provider can’t reach', async () => {
  const other = await createTestApp({ SCIM: 'on' }, { jobs: false });
  const { text } = await createStore(other.database.db).provisioningToken();
  const call = (method: string, path: string, body: unknown) =>
    send(other, method, `/scim/v2${path}`, body, { authorization: `Bearer ${text}` });
  const { id } = (await (await call('POST', '/Users', okta.newUser(newPerson()))).json()) as { id: string };
  await other.database.db.update(administrators).set({ passwordExpiresAt: new Date(other.clock.now + 60_000) });
  expect((await call('PATCH', `/Users/${id}`, okta.setActive(false))).status).toBe(200);
  const [row] = await other.database.db.select().from(administrators).where(eq(administrators.id, id));
  expect(row).toMatchObject({ enabled: false, disabledBy: 'idp' });
  const [state] = await other.database.db.select().from(provisioned).where(eq(provisioned.administratorId, id));
  expect(state).toMatchObject({ active: false });
});
