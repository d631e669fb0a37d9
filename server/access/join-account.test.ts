import { eq } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { createStore, type Store } from '../../testing/factories/store.ts';
import { audit } from '../platform/audit/tables.ts';
import { accountChanges, administratorRoles, administrators, identityLinks, permissionNodes } from '../platform/auth/tables.ts';
import { startTestProvider, type IdentityProvider } from '../testing/identity-provider.ts';
import { answerSignIn, startSignIn } from '../testing/single-sign-on.ts';
import { createTestApp, send, type TestApp } from '../testing/support.ts';
import { okta } from './provisioning/fixtures.ts';

let idp: IdentityProvider;
let groupsApp: TestApp;
let store: Store;
let made = 0;

beforeAll(async () => {
  idp = await startTestProvider();
  groupsApp = await createTestApp({ ...idp.env, SSO_JOIN: 'groups', SSO_GROUPS_CLAIM: 'groups', SCIM: 'on' }, { jobs: false });
  store = createStore(groupsApp.database.db);
});

/** Returns the reason of a refusal, or null. */
async function signIn(app: TestApp, subject: string, claims: object): Promise<string | null> {
  await idp.setPeople({ [subject]: { name: 'A Person', ...claims } });
  const { url, headers } = await startSignIn(app);
  const response = await answerSignIn(app, await idp.signIn(url, subject), headers);
  if (response.status === 200) return null;
  const { data } = (await response.json()) as { data?: { reason?: string } };
  return data?.reason ?? String(response.status);
}

const newPerson = (groups: string[] = []) => ({ email: `joiner-${++made}@example.com`, email_verified: true, groups });
const roleWith = async (...identifiers: string[]) => {
  const nodes = await groupsApp.database.db.select().from(permissionNodes);
  return (await store.role({ nodeIds: nodes.filter(({ identifier }) => identifiers.includes(identifier)).map(({ id }) => id) }))
    .id;
};
const findAccount = async (email: string) => {
  const [row] = await groupsApp.database.db.select().from(administrators).where(eq(administrators.email, email));
  return row;
};
const rolesOf = async (id: string) =>
  (await groupsApp.database.db.select().from(administratorRoles).where(eq(administratorRoles.administratorId, id)))
    .map(({ roleId, givenBy }) => `${givenBy} ${roleId}`)
    .toSorted();

test('a person whose group has a role joins without a password, and roles follow the groups at each sign-in', async () => {
  const [editors, readers] = [await roleWith('/news', 'news.add'), await roleWith('/notices')];
  await store.groupRole('join-editors', editors, 'claim');
  await store.groupRole('join-readers', readers, 'claim');
  const person = newPerson(['join-editors', 'unknown']);
  expect(await signIn(groupsApp, 'join-1', person)).toBeNull();
  const account = await findAccount(person.email);
  const id = account?.id ?? '';
  expect(account).toMatchObject({ passwordHash: null, enabled: true });
  expect(await rolesOf(id)).toEqual([`idp ${editors}`]);
  const [signedIn] = await groupsApp.database.db.select().from(audit).where(eq(audit.action, 'signIn'));
  expect(JSON.parse(signedIn?.after ?? '{}')).toMatchObject({ method: 'sso', groups: ['join-editors'] });
  const changes = await groupsApp.database.db.select().from(accountChanges).where(eq(accountChanges.administratorId, id));
  expect(changes).toMatchObject([{ what: 'created', byIdp: true, changedBy: null }]);
  const [link] = await groupsApp.database.db.select().from(identityLinks).where(eq(identityLinks.administratorId, id));
  expect(link).toMatchObject({ origin: 'groups', subject: 'join-1', linkedBy: null });
  expect(await signIn(groupsApp, 'join-1', { ...person, groups: ['join-readers'] })).toBeNull();
  expect(await rolesOf(id)).toEqual([`idp ${readers}`]);
  expect(await signIn(groupsApp, 'join-1', { ...person, groups: [] })).toBe('NO_ROLE');
  expect(await rolesOf(id)).toEqual([]);
  // Roles of the panel are not the provider's to take.
  await groupsApp.database.db.insert(administratorRoles).values({ administratorId: id, roleId: readers });
  expect(await signIn(groupsApp, 'join-1', { ...person, groups: [] })).toBeNull();
  expect(await rolesOf(id)).toEqual([`panel ${readers}`]);
});

test('two tabs in which a new person signs in at the same time both succeed', async () => {
  await store.groupRole('join-tabs', await roleWith('/news'), 'claim');
  const person = newPerson(['join-tabs']);
  await idp.setPeople({ 'join-tabs': { name: 'A Person', ...person } });
  const tabs = await Promise.all(
    [1, 2].map(async () => {
      const { url, headers } = await startSignIn(groupsApp);
      return { query: await idp.signIn(url, 'join-tabs'), headers };
    }),
  );
  const blocker = await groupsApp.database.connect();
  await blocker.query('begin');
  await blocker.query('select pg_advisory_xact_lock(42800004)');
  const answers = Promise.all(tabs.map(({ query, headers }) => answerSignIn(groupsApp, query, headers)));
  const lockQuery = `select from pg_locks where locktype = 'advisory' and not granted`;
  await expect.poll(async () => (await blocker.query(lockQuery)).rowCount, { timeout: 10_000 }).toBe(2);
  await blocker.query('commit');
  await blocker.end();
  expect((await answers).map(({ status }) => status)).toEqual([200, 200]);
  expect(await findAccount(person.email)).toMatchObject({ factorVouchedAt: null });
});

test('a mapped role that became guarded is not given, at joining and afterwards', async () => {
  const [guarded, plain] = [await roleWith('/news', 'deposits.confirm'), await roleWith('/news')];
  await store.groupRole('join-guarded', guarded, 'claim');
  await store.groupRole('join-plain', plain, 'claim');
  expect(await signIn(groupsApp, 'join-2', newPerson(['join-guarded']))).toBe('NO_ROLE');
  const person = newPerson(['join-guarded', 'join-plain']);
  expect(await signIn(groupsApp, 'join-3', person)).toBeNull();
  expect(await rolesOf((await findAccount(person.email))?.id ?? '')).toEqual([`idp ${plain}`]);
});

test('no one joins without a verified email, with the email of an account, or without a group that has a role', async () => {
  await store.groupRole('join-any', await roleWith('/news'), 'claim');
  const count = () => groupsApp.database.db.$count(administrators);
  const before = await count();
  const groups = ['join-any'];
  for (const [subject, claims, reason] of [
    ['join-4', { email: 'x4@example.com', groups }, 'EMAIL'],
    ['join-5', { email: 'x5@example.com', email_verified: 'true', groups }, 'EMAIL'],
    ['join-6', { groups }, 'EMAIL'],
    ['join-7', { email: 'editor@demo.local', email_verified: true, groups }, 'EMAIL_TAKEN'],
    ['join-8', { ...newPerson([]), groups: [] }, 'NO_ROLE'],
  ] as const)
    expect([subject, await signIn(groupsApp, subject, claims)]).toEqual([subject, reason]);
  expect(await count()).toBe(before);
});

test('a provisioned user signs in by external ID, but not into an account that is disabled or has guarded permissions', async () => {
  const bearer = { authorization: `Bearer ${(await store.provisioningToken()).text}` };
  const scim = async (method: string, path: string, body: unknown) =>
    (await (await send(groupsApp, method, `/scim/v2${path}`, body, bearer)).json()) as { id: string };
  const announce = (externalId: string) => scim('POST', '/Users', okta.newUser({ email: newPerson().email, externalId }));
  const role = await roleWith('/news');
  const plain = await announce('join-9');
  await groupsApp.database.db.insert(administratorRoles).values({ administratorId: plain.id, roleId: role });
  expect(await signIn(groupsApp, 'join-9', newPerson())).toBeNull();
  const [link] = await groupsApp.database.db.select().from(identityLinks).where(eq(identityLinks.administratorId, plain.id));
  expect(link).toMatchObject({ origin: 'scim', subject: 'join-9' });
  const guarded = await announce('join-10');
  await groupsApp.database.db
    .insert(administratorRoles)
    .values({ administratorId: guarded.id, roleId: await roleWith('deposits.confirm') });
  expect(await signIn(groupsApp, 'join-10', newPerson())).toBe('NOT_INVITED');
  const leaver = await announce('join-11');
  await scim('PATCH', `/Users/${leaver.id}`, okta.setActive(false));
  expect(await signIn(groupsApp, 'join-11', newPerson())).toBe('DISABLED');
  await scim('PATCH', `/Users/${plain.id}`, okta.setActive(false));
  expect(await signIn(groupsApp, 'join-9', newPerson())).toBe('DISABLED');
});

test('with SSO_JOIN=invited no one joins by groups or SCIM', async () => {
  const app = await createTestApp({ ...idp.env, SSO_GROUPS_CLAIM: 'groups' }, { jobs: false });
  const nodes = await app.database.db.select().from(permissionNodes);
  const news = nodes.filter(({ identifier }) => identifier === '/news').map(({ id }) => id);
  const other = createStore(app.database.db);
  await other.groupRole('join-editors', (await other.role({ nodeIds: news })).id, 'claim');
  expect(await signIn(app, 'join-12', newPerson(['join-editors']))).toBe('NOT_INVITED');
});
