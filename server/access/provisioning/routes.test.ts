import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { createStore, type Store } from '../../../testing/factories/store.ts';
import { audit } from '../../platform/audit/tables.ts';
import {
  accountChanges,
  administratorRoles,
  administrators,
  permissionNodes,
  provisioned,
  provisioningConflicts,
  sessions,
} from '../../platform/auth/tables.ts';
import { mails } from '../../platform/content/tables.ts';
import { createPeer, createTestApp, send, signInAs, type TestApp } from '../../testing/support.ts';
import { entra, google, okta } from './fixtures.ts';

let app: TestApp;
let store: Store;
let bearer: Record<string, string>;

beforeAll(async () => {
  app = await createTestApp({ SCIM: 'on' }, { jobs: false });
  store = createStore(app.database.db);
  bearer = { authorization: `Bearer ${(await store.provisioningToken()).text}` };
});

interface UserBody {
  id: string;
  userName: string;
  active: boolean;
  displayName: string;
  externalId?: string;
  emails: { value: string }[];
  groups: { value: string }[];
  meta: { location: string };
}
interface Answer<Body> {
  status: number;
  body: Body;
}
interface ListBody<Resource> {
  totalResults: number;
  startIndex: number;
  itemsPerPage: number;
  Resources: Resource[];
}

async function call<Body = UserBody>(method: string, path: string, body?: unknown, headers = bearer): Promise<Answer<Body>> {
  const response = await send(app, method, `/scim/v2${path}`, body, {
    ...headers,
    ...(body !== undefined && { 'content-type': 'application/scim+json' }),
  });
  const text = await response.text();
  return { status: response.status, body: (text === '' ? null : JSON.parse(text)) as Body };
}

let made = 0;
const newPerson = () => {
  const externalId = `ext-${++made}`;
  return { email: `person-${made}@example.com`, externalId };
};
async function addUser(body: object = okta.newUser(newPerson())) {
  const { status, body: user } = await call('POST', '/Users', body);
  expect(status).toBe(201);
  return user;
}
async function addGroup(name = `Group ${++made}`) {
  const { status, body } = await call<{ id: string; displayName: string }>('POST', '/Groups', okta.newGroup(name));
  expect(status).toBe(201);
  return body;
}
const rowOf = async (id: string) => {
  const [row] = await app.database.db.select().from(administrators).where(eq(administrators.id, id));
  if (!row) throw new Error('no such account');
  return row;
};
const rolesOf = async (id: string) =>
  (await app.database.db.select().from(administratorRoles).where(eq(administratorRoles.administratorId, id))).map(
    ({ roleId, givenBy }) => `${givenBy} ${roleId}`,
  );
const roleWith = async (...identifiers: string[]) => {
  const nodes = await app.database.db.select().from(permissionNodes);
  const nodeIds = nodes.filter(({ identifier }) => identifiers.includes(identifier)).map(({ id }) => id);
  return (await store.role({ nodeIds })).id;
};
const mailsTo = async (recipient: string) =>
  (await app.database.db.select().from(mails).where(eq(mails.recipient, recipient))).map(
    ({ subject }) => subject.split(' / ')[1],
  );
const auditOf = async (id: string) =>
  (await app.database.db.select().from(audit).where(eq(audit.entityId, id))).map(({ action, result, actorEmail }) =>
    [action, result, actorEmail].join(' '),
  );
const signInOf = (id: string) =>
  app.database.db.insert(sessions).values({
    id: crypto.randomUUID(),
    administratorId: id,
    tokenHash: crypto.randomUUID(),
    halfHash: 'x',
    createdAt: new Date(app.clock.now),
    lastSeenAt: new Date(app.clock.now),
    expiresAt: new Date(app.clock.now + 3_600_000),
    ip: '127.0.0.1',
    userAgent: 'test',
  });
const liveSessionsOf = async (id: string) =>
  (await app.database.db.select().from(sessions).where(eq(sessions.administratorId, id))).filter(
    ({ revokedAt }) => revokedAt === null,
  ).length;

describe('the token', () => {
  test('opens the routes only if it is a provisioning token, which opens nothing else', async () => {
    const person = await signInAs(app, 'all');
    const { text } = await store.serviceToken({ owners: [], scopes: [] });
    for (const headers of [
      {},
      person.headers,
      { authorization: `Bearer ${text}` },
      { authorization: `Bearer ${text.replace('svc', 'scim')}` },
    ])
      expect((await call('GET', '/Users', undefined, headers)).status).toBe(401);
    for (const [method, path] of [
      ['GET', '/api/session'],
      ['POST', '/api/administrators/list'],
      ['GET', '/api/events'],
    ] as const)
      expect((await send(app, method, path, method === 'POST' ? {} : undefined, bearer)).status).toBe(401);
    // A person's cookie adds nothing to the token.
    expect(
      (await send(app, 'GET', '/api/session', undefined, { ...bearer, cookie: person.headers['cookie'] ?? '' })).status,
    ).toBe(401);
  });

  test('that is revoked, expired or used from another network is refused and audited', async () => {
    const past = new Date(app.clock.now - 1_000);
    for (const overrides of [
      { revokedAt: past, revokedReason: 'person' as const },
      { expiresAt: past },
      { networks: ['203.0.113.0/24'] },
    ]) {
      const { text, token } = await store.provisioningToken(overrides);
      expect((await call('GET', '/Users', undefined, { authorization: `Bearer ${text}` })).status).toBe(401);
      expect(await auditOf(token.id)).toEqual([expect.stringMatching(/ refused scim:Okta$/)]);
    }
  });

  test('works from an IPv6 address with a zone, and not from there if it has networks', async () => {
    const from = async (overrides: Parameters<Store['provisioningToken']>[0]) => {
      const headers = { authorization: `Bearer ${(await store.provisioningToken(overrides)).text}` };
      const request = new Request('http://localhost/scim/v2/Users?count=0', { headers });
      return (await app.http.fetch(request, createPeer('fe80::1%eth0'))).status;
    };
    expect([await from({}), await from({ networks: ['203.0.113.0/24'] })]).toEqual([200, 401]);
    expect(await from({ networks: ['fe80::/64'] })).toBe(200);
  });

  test('records when and from where it was used', async () => {
    const { text, token } = await store.provisioningToken({ name: 'used' });
    expect((await call('GET', '/Users?count=0', undefined, { authorization: `Bearer ${text}` })).status).toBe(200);
    expect(await auditOf(token.id)).toEqual(['firstUse done scim:used']);
  });

  test('has 1,500 calls a minute', async () => {
    const { text } = await store.provisioningToken();
    const headers = { authorization: `Bearer ${text}` };
    const statuses = new Set<number>();
    for (let at = 0; at < 1_500; at++) statuses.add((await call('GET', '/ResourceTypes/User', undefined, headers)).status);
    expect([...statuses]).toEqual([200]);
    const response = await send(app, 'GET', '/scim/v2/ResourceTypes/User', undefined, headers);
    expect(response.status).toBe(429);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(response.headers.get('content-type')).toBe('application/scim+json');
  });
});

test('without SCIM=on there are no such routes', async () => {
  const other = await createTestApp({}, { jobs: false });
  const { text } = await createStore(other.database.db).provisioningToken();
  expect((await send(other, 'GET', '/scim/v2/Users', undefined, { authorization: `Bearer ${text}` })).status).toBe(404);
});

describe('discovery', () => {
  test('describes what is kept, as Google reads it', async () => {
    const { body: config } = await call<{ patch: object; bulk: { supported: boolean } }>('GET', '/ServiceProviderConfig');
    expect(config).toMatchObject({ patch: { supported: true }, bulk: { supported: false }, filter: { maxResults: 200 } });
    const { body: schemas } = await call<ListBody<{ id: string; attributes: { name: string }[] }>>('GET', '/Schemas');
    expect(schemas.Resources.map(({ attributes }) => attributes.map(({ name }) => name))).toEqual([
      ['userName', 'externalId', 'name', 'displayName', 'active', 'emails', 'groups'],
      ['displayName', 'externalId', 'members'],
    ]);
    for (const { id } of schemas.Resources) expect((await call('GET', `/Schemas/${id}`)).status).toBe(200);
    expect((await call('GET', '/Bogus')).body).toMatchObject({ status: '404', schemas: [expect.stringContaining('Error')] });
  });
});

describe('Okta’s specification test', () => {
  test('lists users, finds none, creates and reads one, refuses it a second time, and deactivates it', async () => {
    const person = newPerson();
    const first = await call<ListBody<UserBody>>('GET', '/Users?count=1&startIndex=1');
    expect(first.body).toMatchObject({ startIndex: 1, schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'] });
    const missing = await call<{ detail: string }>('GET', `/Users/${crypto.randomUUID()}`);
    expect(missing).toMatchObject({ status: 404, body: { status: '404', detail: expect.any(String) } });
    const filter = encodeURIComponent(`userName eq "${person.email.toUpperCase()}"`);
    expect((await call<ListBody<UserBody>>('GET', `/Users?filter=${filter}&startIndex=1&count=100`)).body).toMatchObject({
      totalResults: 0,
      Resources: [],
    });
    const user = await addUser(okta.newUser(person));
    expect(user).toMatchObject({ userName: person.email, active: true, externalId: person.externalId, groups: [] });
    expect(user.meta.location).toBe(`${app.config.publicUrl}/scim/v2/Users/${user.id}`);
    expect((await call('GET', `/Users/${user.id}`)).body).toEqual(user);
    expect((await call<ListBody<UserBody>>('GET', `/Users?filter=${filter}`)).body.Resources).toEqual([user]);
    const again = await call<{ scimType: string }>('POST', '/Users', okta.newUser(person));
    expect(again).toMatchObject({ status: 409, body: { scimType: 'uniqueness' } });
    expect((await call('GET', `/Users/${user.id}`)).body).toEqual(user);
    expect((await call('PATCH', `/Users/${user.id}`, okta.setActive(false))).body.active).toBe(false);
    expect((await call('PUT', `/Users/${user.id}`, { ...okta.newUser(person), id: user.id, active: true })).body.active).toBe(
      true,
    );
  });
});

describe('a user', () => {
  test('starts without password and role, cools down, and gets a normalized email', async () => {
    const user = await addUser(entra.newUser({ email: 'Mixed.Case@Example.com', externalId: 'entra-mixed' }));
    expect(await rowOf(user.id)).toMatchObject({ email: 'mixed.case@example.com', passwordHash: null, enabled: true });
    expect(await rolesOf(user.id)).toEqual([]);
    const [change] = await app.database.db.select().from(accountChanges).where(eq(accountChanges.administratorId, user.id));
    expect(change).toMatchObject({ what: 'created', changedBy: null, byIdp: true });
    expect(await auditOf(user.id)).toEqual(['create done scim:Okta']);
  });

  test.each([
    ['Entra, as text', () => entra.setActiveText('False')],
    ['Okta, without a path', () => okta.setActive(false)],
    ['Google', () => google.suspend()],
  ])('deactivated by %s is signed out and can’t do anything when the answer arrives', async (_, body) => {
    const user = await addUser();
    await signInOf(user.id);
    expect((await call('PATCH', `/Users/${user.id}`, body())).body.active).toBe(false);
    expect(await rowOf(user.id)).toMatchObject({ enabled: false, disabledBy: 'idp' });
    expect(await liveSessionsOf(user.id)).toBe(0);
    expect((await call('PATCH', `/Users/${user.id}`, entra.setActiveText('True'))).body.active).toBe(true);
    expect(await rowOf(user.id)).toMatchObject({ enabled: true, disabledBy: null });
    expect(await liveSessionsOf(user.id)).toBe(0);
    const changes = await app.database.db.select().from(accountChanges).where(eq(accountChanges.administratorId, user.id));
    expect(changes.map(({ what, byIdp }) => `${what} ${byIdp}`).toSorted()).toEqual(['created true', 'enabled true']);
    expect(await mailsTo((await rowOf(user.id)).email)).toEqual(['Your identity provider enabled your account again']);
  });

  test('disabled in the panel stays disabled, whatever the provider says', async () => {
    const user = await addUser();
    await app.database.db
      .update(administrators)
      .set({ enabled: false, disabledBy: 'panel' })
      .where(eq(administrators.id, user.id));
    await call('PATCH', `/Users/${user.id}`, okta.setActive(false));
    await call('PATCH', `/Users/${user.id}`, okta.setActive(true));
    expect(await rowOf(user.id)).toMatchObject({ enabled: false, disabledBy: 'panel' });
  });

  test('that is deleted is disabled and invisible to the provider, and a POST of the same person is refused and listed', async () => {
    const person = newPerson();
    const user = await addUser(okta.newUser(person));
    await signInOf(user.id);
    expect((await call('DELETE', `/Users/${user.id}`)).status).toBe(204);
    expect(await rowOf(user.id)).toMatchObject({ enabled: false, deletedAt: null });
    expect(await liveSessionsOf(user.id)).toBe(0);
    expect((await call('GET', `/Users/${user.id}`)).status).toBe(404);
    expect((await call('DELETE', `/Users/${user.id}`)).status).toBe(404);
    expect((await call('POST', '/Users', okta.newUser({ ...person, email: 'another-name@example.com' }))).status).toBe(409);
    const [conflict] = await app.database.db
      .select()
      .from(provisioningConflicts)
      .where(eq(provisioningConflicts.administratorId, user.id));
    expect(conflict).toMatchObject({ reason: 'deleted', externalId: person.externalId });
  });

  test('is not created with the email of an account in the panel, nor of one deleted in the last 90 days', async () => {
    const count = () => app.database.db.$count(administrators);
    const before = await count();
    expect((await call('POST', '/Users', okta.newUser({ email: 'editor@demo.local', externalId: 'taken' }))).status).toBe(409);
    expect((await call('POST', '/Users', okta.newUser({ email: 'еditor@demo.local', externalId: 'look-alike' }))).status).toBe(
      400,
    );
    expect(await count()).toBe(before);
    const user = await addUser();
    const { email } = await rowOf(user.id);
    await app.database.db.delete(provisioned).where(eq(provisioned.administratorId, user.id));
    const deletedAt = new Date(app.clock.now - 89 * 86_400_000);
    await app.database.db.update(administrators).set({ deletedAt, enabled: false }).where(eq(administrators.id, user.id));
    expect((await call('POST', '/Users', okta.newUser({ email, externalId: 'again' }))).status).toBe(409);
    await app.database.db
      .update(administrators)
      .set({ deletedAt: new Date(app.clock.now - 91 * 86_400_000) })
      .where(eq(administrators.id, user.id));
    await addUser(okta.newUser({ email, externalId: 'again' }));
  });

  test('that the provider doesn’t manage is invisible', async () => {
    const [editor] = await app.database.db.select().from(administrators).where(eq(administrators.email, 'editor@demo.local'));
    const id = editor?.id ?? '';
    for (const [method, body] of [
      ['GET', undefined],
      ['PUT', okta.newUser(newPerson())],
      ['PATCH', okta.setActive(false)],
      ['DELETE', undefined],
    ] as const)
      expect((await call(method, `/Users/${id}`, body)).status).toBe(404);
    const filter = encodeURIComponent('userName eq "editor@demo.local"');
    expect((await call<ListBody<UserBody>>('GET', `/Users?filter=${filter}`)).body.totalResults).toBe(0);
    expect(await rowOf(id)).toMatchObject({ enabled: true });
  });

  test('gets the provider’s email, and both addresses are notified', async () => {
    const user = await addUser();
    const before = (await rowOf(user.id)).email;
    const email = `renamed-${made}@example.com`;
    expect((await call('PATCH', `/Users/${user.id}`, entra.changeEmail(email))).body.emails[0]?.value).toBe(email);
    expect((await rowOf(user.id)).email).toBe(email);
    for (const address of [before, email])
      expect(await mailsTo(address)).toEqual(['Your identity provider changed the email of your account']);
  });

  test('with guarded permissions keeps its email, and the provider’s sync does not fail', async () => {
    const user = await addUser();
    const before = (await rowOf(user.id)).email;
    const roleId = await roleWith('deposits.confirm');
    await app.database.db.insert(administratorRoles).values({ administratorId: user.id, roleId });
    const email = `guarded-${made}@example.com`;
    expect((await call('PATCH', `/Users/${user.id}`, entra.changeEmail(email))).body.emails[0]?.value).toBe(email);
    expect((await rowOf(user.id)).email).toBe(before);
    expect((await call('PATCH', `/Users/${user.id}`, okta.setActive(false))).body.active).toBe(false);
    expect(await rowOf(user.id)).toMatchObject({ enabled: false, email: before });
  });

  test('is unchanged if the last operation of a request is wrong', async () => {
    const user = await addUser();
    const body = entra.changeNames('Half', 'Made');
    const { status } = await call('PATCH', `/Users/${user.id}`, {
      ...body,
      Operations: [...body.Operations, { op: 'replace', path: 'active', value: 'maybe' }],
    });
    expect(status).toBe(400);
    expect((await call('GET', `/Users/${user.id}`)).body).toEqual(user);
    expect(await auditOf(user.id)).toEqual(['create done scim:Okta']);
  });

  test('can’t take the user name, external ID or email of another', async () => {
    const [one, two] = [await addUser(), await addUser()];
    for (const change of [{ userName: one.userName.toUpperCase() }, { externalId: one.externalId }, { emails: one.emails }])
      expect((await call('PATCH', `/Users/${two.id}`, { Operations: [{ op: 'replace', value: change }] })).status).toBe(409);
    const change = { Operations: [{ op: 'replace', path: 'emails', value: [{ value: 'editor@demo.local' }] }] };
    expect((await call('PATCH', `/Users/${two.id}`, change)).status).toBe(409);
  });

  test('is found by each supported filter, in pages', async () => {
    const user = await addUser();
    for (const filter of [
      `id eq "${user.id.toUpperCase()}"`,
      `externalId eq "${user.externalId}"`,
      `emails.value eq "${user.emails[0]?.value}"`,
      `emails[type eq "work"].value eq "${user.emails[0]?.value.toUpperCase()}"`,
      `active eq "True" and userName eq "${user.userName}"`,
    ]) {
      const { body } = await call<ListBody<UserBody>>('GET', `/Users?filter=${encodeURIComponent(filter)}`);
      expect(body.Resources.map(({ id }) => id)).toEqual([user.id]);
    }
    const found: string[] = [];
    const { totalResults } = (await call<ListBody<UserBody>>('GET', '/Users?count=0')).body;
    for (let startIndex = 1; startIndex <= totalResults; startIndex += 3)
      found.push(
        ...(await call<ListBody<UserBody>>('GET', `/Users?count=3&startIndex=${startIndex}`)).body.Resources.map(({ id }) => id),
      );
    expect(found).toHaveLength(totalResults);
    expect(new Set(found).size).toBe(totalResults);
    for (const query of ['filter=userName%20sw%20%22a%22', 'count=x', 'startIndex=1e3', 'filter='])
      expect((await call('GET', `/Users?${query}`)).status).toBe(400);
  });
});

test.each([
  [String.raw`\u0000`, 400],
  [String.raw`a\u0000b`, 400],
  [String.raw`\ud800`, 200],
  ['%', 200],
])('a filter with the text %s answers %i and finds no one', async (text, expected) => {
  for (const [path, attributes] of [
    ['/Users', ['userName', 'externalId', 'displayName', 'emails.value', 'id', 'emails[type eq "work"].value']],
    ['/Groups', ['displayName', 'externalId', 'id']],
  ] as const)
    for (const attribute of attributes) {
      const query = encodeURIComponent(`${attribute} eq "${text}"`);
      const { status, body } = await call<ListBody<object>>('GET', `${path}?filter=${query}`);
      expect([path, attribute, status, body.totalResults ?? 0]).toEqual([path, attribute, expected, 0]);
    }
});

describe('a group', () => {
  test('gives its mapped role to members immediately, and takes it back when they leave', async () => {
    const [user, group, roleId] = [await addUser(), await addGroup(), await roleWith('/news', 'news.add')];
    await store.groupRole(group.id, roleId);
    expect((await call('PATCH', `/Groups/${group.id}`, entra.addMember(user.id))).status).toBe(204);
    expect(await rolesOf(user.id)).toEqual([`idp ${roleId}`]);
    expect((await call('GET', `/Users/${user.id}`)).body.groups).toMatchObject([{ value: group.id }]);
    await call('PATCH', `/Groups/${group.id}`, entra.addMember(user.id));
    await call('PATCH', `/Groups/${group.id}`, entra.removeMemberByList(user.id));
    expect(await rolesOf(user.id)).toEqual([]);
    await call('PATCH', `/Groups/${group.id}`, okta.replaceMembers([user.id]));
    await call('PATCH', `/Users/${user.id}`, okta.setActive(false));
    expect(await rolesOf(user.id)).toEqual([]);
    await call('PATCH', `/Users/${user.id}`, okta.setActive(true));
    expect(await rolesOf(user.id)).toEqual([`idp ${roleId}`]);
    expect((await call('DELETE', `/Groups/${group.id}`)).status).toBe(204);
    expect(await rolesOf(user.id)).toEqual([]);
  });

  test('never gives a guarded role, and leaves roles of the panel alone', async () => {
    const [user, group] = [await addUser(), await addGroup()];
    const [guarded, plain] = [await roleWith('news.add', 'administrators.edit'), await roleWith('/news')];
    await store.groupRole(group.id, guarded);
    await store.groupRole(group.id, plain);
    await app.database.db.insert(administratorRoles).values({ administratorId: user.id, roleId: plain });
    await call('PATCH', `/Groups/${group.id}`, okta.addMember(user.id, 'x'));
    expect((await rolesOf(user.id)).toSorted()).toEqual([`idp ${plain}`, `panel ${plain}`]);
    await call('PATCH', `/Groups/${group.id}`, okta.removeMember(user.id));
    expect(await rolesOf(user.id)).toEqual([`panel ${plain}`]);
  });

  test('accepts only provisioned users as members', async () => {
    const group = await addGroup();
    const [editor] = await app.database.db.select().from(administrators).where(eq(administrators.email, 'editor@demo.local'));
    for (const id of [editor?.id ?? '', crypto.randomUUID(), 'not-an-id'])
      expect((await call('PATCH', `/Groups/${group.id}`, okta.addMember(id, 'x'))).status).toBe(400);
  });

  test('can be found by name, listed without members and renamed, and has a unique name', async () => {
    const [user, group] = [await addUser(), await addGroup('Renamed')];
    await call('PATCH', `/Groups/${group.id}`, okta.addMember(user.id, 'x'));
    const filter = encodeURIComponent('displayName eq "renamed"');
    const { body } = await call<ListBody<object>>('GET', `/Groups?excludedAttributes=members&filter=${filter}`);
    expect(body.Resources).toHaveLength(1);
    expect(body.Resources[0]).not.toHaveProperty('members');
    expect((await call<{ members: object[] }>('GET', `/Groups/${group.id}`)).body.members).toHaveLength(1);
    expect((await call('POST', '/Groups', okta.newGroup('RENAMED'))).status).toBe(409);
    await call('PATCH', `/Groups/${group.id}`, okta.renameGroup(group.id, 'Other'));
    expect((await call<{ displayName: string }>('GET', `/Groups/${group.id}`)).body.displayName).toBe('Other');
    const put = await call<{ members: object[] }>('PUT', `/Groups/${group.id}`, { displayName: 'Other', members: [] });
    expect(put.body.members).toEqual([]);
  });
});

test('concurrent requests of two clients and a person leave a consistent account', async () => {
  const [user, group, roleId] = [await addUser(), await addGroup(), await roleWith('/news')];
  await store.groupRole(group.id, roleId);
  const second = { authorization: `Bearer ${(await store.provisioningToken({ name: 'second' })).text}` };
  const access = await signInAs(app, 'access');
  for (let round = 0; round < 8; round++) {
    const [row] = await access.api.administrators.many({ ids: [user.id] });
    const person = access.api.administrators
      .endSessions({ items: [{ id: user.id, version: row?.version ?? 0 }] })
      .catch((error: unknown) => error);
    const answers = await Promise.all([
      call('PATCH', `/Users/${user.id}`, okta.setActive(round % 2 === 0)),
      call('PATCH', `/Users/${user.id}`, entra.changeNames(`Name ${round}`, 'X'), second),
      call('PATCH', `/Groups/${group.id}`, round % 2 === 0 ? okta.addMember(user.id, 'x') : okta.removeMember(user.id), second),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 204]);
    expect(await person).not.toMatchObject({ code: 'INTERNAL' });
    const expected = round % 2 === 0 ? [`idp ${roleId}`] : [];
    expect(await rolesOf(user.id)).toEqual(expected);
    expect((await rowOf(user.id)).enabled).toBe(round % 2 === 0);
  }
});

test('invalid bodies and media types are refused with SCIM errors', async () => {
  const user = await addUser();
  const answer = (body: string, type: string) =>
    send(app, 'PATCH', `/scim/v2/Users/${user.id}`, body, { ...bearer, 'content-type': type });
  for (const [body, type, status] of [
    ['{', 'application/scim+json', 400],
    ['{}', 'text/plain', 415],
    ['{}', 'application/scim+json; charset=utf-8', 400],
    [`{"Operations": [], "x": "${'x'.repeat(1024 * 1024)}"}`, 'application/json', 413],
    ['{"Operations": []}', 'application/json; charset=utf-8', 200],
  ] as const) {
    const response = await answer(body, type);
    expect([body.slice(0, 20), response.status]).toEqual([body.slice(0, 20), status]);
    expect(response.headers.get('content-type')).toBe('application/scim+json');
  }
  expect((await app.http.fetch(new Request('http://localhost/scim/v2/Users'), createPeer('127.0.0.1'))).status).toBe(401);
});
