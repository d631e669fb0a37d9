import { eq } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { createStore, type Store } from '../../testing/factories/store.ts';
import { accountChanges, administrators, identityLinks, permissionNodes } from '../platform/auth/tables.ts';
import { newId } from '../platform/core/ids.ts';
import { createTestApp, signInAs, type TestApp, type TestSession } from '../testing/support.ts';
import { sendScim } from '../testing/scim.ts';
import { entra, okta } from './provisioning/fixtures.ts';

const issuer = 'https://login.acme.example';

let app: TestApp;
let store: Store;
let access: TestSession;
let bearer: Record<string, string>;
let made = 0;

beforeAll(async () => {
  app = await createTestApp({ SCIM: 'on', SSO_ISSUER: issuer, SSO_CLIENT_ID: 'panel', SSO_NAME: 'Acme' }, { jobs: false });
  store = createStore(app.database.db);
  access = await signInAs(app, 'all');
  bearer = { authorization: `Bearer ${(await store.provisioningToken()).text}` };
});

const scim = async (method: string, path: string, body?: unknown) => (await sendScim(app, bearer, method, path, body)).body;
const newPerson = () => ({ email: `source-${++made}@example.com`, externalId: `source-${made}` });
const roleWith = async (...identifiers: string[]) => {
  const nodes = await app.database.db.select().from(permissionNodes);
  return store.role({ nodeIds: nodes.filter(({ identifier }) => identifiers.includes(identifier)).map(({ id }) => id) });
};
const identityOf = async (id: string) => (await access.api.administrators.details({ id })).identity;
const link = (administratorId: string, values: Partial<typeof identityLinks.$inferInsert> = {}) =>
  app.database.db.insert(identityLinks).values({
    id: newId(),
    administratorId,
    issuer,
    subject: newId(),
    origin: 'self',
    createdAt: new Date(app.clock.now),
    ...values,
  });
const recordCreation = (administratorId: string, values: Partial<typeof accountChanges.$inferInsert>) =>
  app.database.db
    .insert(accountChanges)
    .values({ id: newId(), administratorId, what: 'created', createdAt: new Date(app.clock.now), ...values });
const addColleague = async () => {
  const { email } = newPerson();
  const role = await roleWith('/news');
  return access.api.administrators.add({ email, password: 'lantern by the old harbour', description: 'x', roles: [role.id] });
};

test('an account says who added it: a colleague, the provider by SCIM or groups, or the server', async () => {
  const colleague = await addColleague();
  const me = (await access.api.session.current()).email;
  expect(await identityOf(colleague.id)).toMatchObject({ providerName: 'Acme', origin: { kind: 'colleague', by: me } });
  const { id: scimId } = await scim('POST', '/Users', okta.newUser(newPerson()));
  expect((await identityOf(scimId)).origin).toEqual({ kind: 'scim', by: null });
  // No longer managed, so nothing says whether SCIM or groups made the account.
  const [row] = await access.api.administrators.many({ ids: [scimId] });
  await access.api.administrators.stopIdpManaging({ items: [{ id: scimId, version: row?.version ?? 0 }] });
  expect((await identityOf(scimId)).origin).toEqual({ kind: 'provider', by: null });
  const joined = await store.person({ roleIds: [] });
  await recordCreation(joined.id, { byIdp: true });
  await link(joined.id, { origin: 'groups' });
  expect((await identityOf(joined.id)).origin).toEqual({ kind: 'groups', by: null });
  const fromServer = await store.person({ roleIds: [] });
  expect((await identityOf(fromServer.id)).origin).toEqual({ kind: 'server', by: null });
  await recordCreation(fromServer.id, {});
  expect((await identityOf(fromServer.id)).origin).toEqual({ kind: 'server', by: null });
});

test('every link is shown with issuer, subject and inviter, and one of an earlier provider as former', async () => {
  const { id } = await store.person({ roleIds: [] });
  const inviter = await store.person({ roleIds: [] });
  expect((await identityOf(id)).links).toEqual([]);
  const at = new Date(app.clock.now);
  await link(id, { subject: 'wei', email: 'wei@acme.example', origin: 'invitation', linkedBy: inviter.id, lastUsedAt: at });
  await link(id, { issuer: 'https://old.example', subject: 'old', createdAt: new Date(app.clock.now - 1000) });
  expect((await identityOf(id)).links).toEqual([
    {
      issuer,
      subject: 'wei',
      email: 'wei@acme.example',
      origin: 'invitation',
      linkedBy: inviter.email,
      linkedAt: at.toISOString(),
      lastUsedAt: at.toISOString(),
      isFormer: false,
    },
    expect.objectContaining({ issuer: 'https://old.example', email: null, linkedBy: null, lastUsedAt: null, isFormer: true }),
  ]);
});

test('a second factor is vouched for by its owner, by a colleague, or by no one', async () => {
  const { id } = await addColleague();
  const update = (values: Partial<typeof administrators.$inferInsert>) =>
    app.database.db.update(administrators).set(values).where(eq(administrators.id, id));
  expect((await identityOf(id)).vouched).toBeNull();
  const at = new Date(app.clock.now);
  await update({ totpSecret: 'sealed', factorVouchedAt: null });
  expect((await identityOf(id)).vouched).toBeNull();
  await update({ factorVouchedAt: at });
  expect((await identityOf(id)).vouched).toEqual({ at: at.toISOString(), by: null });
  const voucher = await store.person({ roleIds: [] });
  await recordCreation(id, { what: 'factor', changedBy: voucher.id, byEnrollmentCode: true, createdAt: at });
  expect((await identityOf(id)).vouched).toEqual({ at: at.toISOString(), by: voucher.email });
  // A later factor, after a reset, that the owner set up with the password.
  const later = new Date(app.clock.now + 1000);
  await update({ factorVouchedAt: later });
  expect((await identityOf(id)).vouched).toEqual({ at: later.toISOString(), by: null });
});

test('each role says who gave it, also if provider and colleague both did', async () => {
  const { id } = await scim('POST', '/Users', entra.newUser(newPerson()));
  const { id: group } = await scim('POST', '/Groups', okta.newGroup(`Source group ${++made}`));
  const [mapped, given] = [await roleWith('/news'), await roleWith('/notices')];
  await access.api.identity.addMapping({ source: 'scim', value: group, role: mapped.id });
  const [row] = await access.api.administrators.many({ ids: [id] });
  await access.api.administrators.edit({
    id,
    version: row?.version ?? 0,
    email: row?.email ?? '',
    description: 'x',
    roles: [given.id, mapped.id],
  });
  const sourcesOf = async () => Object.fromEntries((await identityOf(id)).roles.map((role) => [role.id, role.sources]));
  expect(await sourcesOf()).toEqual({ [mapped.id]: ['panel'], [given.id]: ['panel'] });
  await scim('PATCH', `/Groups/${group}`, okta.addMember(id, 'x'));
  expect(await sourcesOf()).toEqual({ [mapped.id]: ['idp', 'panel'], [given.id]: ['panel'] });
  expect((await access.api.administrators.details({ id })).provider).toMatchObject({ active: true, handedOverBy: null });
});
