import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { createStore, type Store } from '../../testing/factories/store.ts';
import { isServiceToken } from '../platform/auth/service-accounts/token-format.ts';
import {
  administratorRoles,
  administrators,
  groupRoles,
  permissionNodes,
  provisioned,
  roleNodes,
  roles,
  serviceTokens,
} from '../platform/auth/tables.ts';
import { qaEmail } from '../platform/auth/qa.ts';
import { mails } from '../platform/content/tables.ts';
import { createTestApp, send, signInAs, type TestApp, type TestSession } from '../testing/support.ts';
import { sendScim } from '../testing/scim.ts';
import { entra, okta } from './provisioning/fixtures.ts';

let app: TestApp;
let store: Store;
let access: TestSession;
let bearer: Record<string, string>;
const day = 86_400_000;

beforeAll(async () => {
  app = await createTestApp({ SCIM: 'on' }, { jobs: false });
  store = createStore(app.database.db);
  access = await signInAs(app, 'all');
  bearer = { authorization: `Bearer ${(await store.provisioningToken()).text}` };
});

const scim = (method: string, path: string, body?: unknown) => sendScim(app, bearer, method, path, body);
let made = 0;
const newPerson = () => ({ email: `identity-${++made}@example.com`, externalId: `identity-${made}` });
const addUser = async (person = newPerson()) => (await scim('POST', '/Users', okta.newUser(person))).body.id;
const addGroup = async () => (await scim('POST', '/Groups', okta.newGroup(`Identity group ${++made}`))).body.id;
const roleWith = async (...identifiers: string[]) => {
  const nodes = await app.database.db.select().from(permissionNodes);
  const nodeIds = nodes.filter(({ identifier }) => identifiers.includes(identifier)).map(({ id }) => id);
  return (await store.role({ nodeIds })).id;
};
const rowOf = async (id: string) => {
  const [row] = await access.api.administrators.many({ ids: [id] });
  if (!row) throw new Error('no such administrator');
  return row;
};
const itemsOf = async (...ids: string[]) => ({
  items: await Promise.all(ids.map(async (id) => ({ id, version: (await rowOf(id)).version }))),
});
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'done',
    (error: unknown) => (error as { code: string }).code,
  );
const allRole = async () => {
  const [role] = await app.database.db.select().from(roles).where(eq(roles.seed, 'all'));
  return role?.id ?? '';
};
const rolesOf = async (id: string) =>
  (await app.database.db.select().from(administratorRoles).where(eq(administratorRoles.administratorId, id)))
    .map(({ roleId, givenBy }) => `${givenBy} ${roleId}`)
    .toSorted();

describe('a mapping', () => {
  test('gives its role to members immediately, follows an edit, and takes the role back when it is deleted', async () => {
    const [user, group, first, second] = [await addUser(), await addGroup(), await roleWith('/news'), await roleWith('/notices')];
    await scim('PATCH', `/Groups/${group}`, okta.addMember(user, 'x'));
    const mapping = await access.api.identity.addMapping({ source: 'scim', value: group, role: first });
    expect(mapping).toMatchObject({ group: expect.stringContaining('Identity group'), holders: 1, guarded: [] });
    expect(await rolesOf(user)).toEqual([`idp ${first}`]);
    expect((await rowOf(user)).roles).toMatchObject([{ id: first, givenBy: 'idp' }]);
    const edited = await access.api.identity.editMapping({ id: mapping.id, version: mapping.version, role: second });
    expect(await rolesOf(user)).toEqual([`idp ${second}`]);
    expect(await codeOf(access.api.identity.editMapping({ id: mapping.id, version: mapping.version, role: first }))).toBe(
      'CONFLICT',
    );
    await access.api.identity.deleteMapping({ items: [{ id: edited.id, version: edited.version }] });
    expect(await rolesOf(user)).toEqual([]);
    expect(await access.api.identity.mappings()).toEqual([]);
  });

  test('to a guarded role is refused, and a mapped role can’t become guarded', async () => {
    const [group, plain] = [await addGroup(), await roleWith('/news')];
    for (const right of ['deposits.confirm', 'administrators.edit', '/permissions/role', '/audit', 'crsm.updateData']) {
      const role = await roleWith('/news', right);
      await expect(access.api.identity.addMapping({ source: 'scim', value: group, role })).rejects.toMatchObject({
        code: 'GUARDED_ROLE',
        data: { identifiers: [right] },
      });
    }
    const mapping = await access.api.identity.addMapping({ source: 'claim', value: 'editors', role: plain });
    const [row] = await access.api.roles.many({ ids: [plain] });
    const edit = { id: plain, version: row?.version ?? 0, name: row?.name ?? '', description: 'x', needsFactor: true };
    expect(await codeOf(access.api.roles.edit({ ...edit, grants: ['/news', 'deposits.confirm'] }))).toBe('GUARDED_ROLE');
    await access.api.identity.deleteMapping({ items: [{ id: mapping.id, version: mapping.version }] });
    expect(await codeOf(access.api.roles.edit({ ...edit, grants: ['/news', 'deposits.confirm'] }))).toBe('done');
  });

  test('stops giving a role that became guarded outside the panel, and the list says why', async () => {
    const [user, group, role] = [await addUser(), await addGroup(), await roleWith('/news')];
    await access.api.identity.addMapping({ source: 'scim', value: group, role });
    await scim('PATCH', `/Groups/${group}`, okta.addMember(user, 'x'));
    expect(await rolesOf(user)).toEqual([`idp ${role}`]);
    const [node] = await app.database.db.select().from(permissionNodes).where(eq(permissionNodes.identifier, 'deposits.confirm'));
    await app.database.db.insert(roleNodes).values({ roleId: role, nodeId: node?.id ?? '' });
    expect((await access.api.identity.mappings()).find(({ value }) => value === group)?.guarded).toEqual(['deposits.confirm']);
    await scim('PATCH', `/Users/${user}`, entra.changeNames('Renamed', 'X'));
    expect(await rolesOf(user)).toEqual([]);
    await app.database.db.delete(groupRoles).where(eq(groupRoles.value, group));
  });

  test('needs a known group and role, and can be added only once', async () => {
    const role = await roleWith('/news');
    const fields = { source: 'claim' as const, value: 'writers', role };
    await access.api.identity.addMapping(fields);
    await expect(access.api.identity.addMapping(fields)).rejects.toMatchObject({
      data: { issues: [{ path: 'value', rule: 'taken' }] },
    });
    expect(await codeOf(access.api.identity.addMapping({ ...fields, source: 'scim' }))).toBe('BAD_REQUEST');
    expect(await codeOf(access.api.identity.addMapping({ ...fields, role: crypto.randomUUID() }))).toBe('BAD_REQUEST');
  });

  test('can’t be read or added without access permissions', async () => {
    const editor = await signInAs(app, 'editor');
    expect(await codeOf(editor.api.identity.status())).toBe('FORBIDDEN');
    expect(await codeOf(editor.api.identity.addMapping({ source: 'claim', value: 'x', role: await roleWith('/news') }))).toBe(
      'FORBIDDEN',
    );
  });
});

describe('a provisioning token', () => {
  test('is shown once, works until its revocation, and is reported to the access administrators by email', async () => {
    await app.database.db.delete(serviceTokens);
    const expiresAt = new Date(app.clock.now + 30 * day).toISOString();
    const added = await access.api.identity.addScimToken({ name: 'Okta prod', expiresAt, networks: '' });
    expect(isServiceToken(added.token)).toBe(true);
    expect(added.token).toMatch(/^apanel_scim_/);
    bearer = { authorization: `Bearer ${added.token}` };
    expect((await scim('GET', '/Users?count=0')).status).toBe(200);
    const { provisioning } = await access.api.identity.status();
    expect(provisioning).toMatchObject({
      isOn: true,
      lastRequestAt: expect.any(String),
      tokens: [{ name: 'Okta prod', state: 'live' }],
    });
    expect(JSON.stringify(provisioning)).not.toContain(added.token);
    await access.api.identity.addScimToken({ name: 'second', expiresAt });
    expect(await codeOf(access.api.identity.addScimToken({ name: 'third', expiresAt }))).toBe('BAD_REQUEST');
    const revoked = await access.api.identity.revokeScimToken({ token: added.id });
    expect(revoked).toMatchObject({ state: 'revoked', revokedReason: 'person' });
    expect((await scim('GET', '/Users?count=0')).status).toBe(401);
    const subjects = (await app.database.db.select().from(mails)).map(({ subject }) => subject);
    expect(subjects.some((subject) => subject.includes('A provisioning token was revoked'))).toBe(true);
    bearer = { authorization: `Bearer ${(await store.provisioningToken()).text}` };
  });

  test('can’t outlast the longest life of a token, and a leak report revokes it', async () => {
    const tooLate = new Date(app.clock.now + 366 * day).toISOString();
    expect(await codeOf(access.api.identity.addScimToken({ name: 'x', expiresAt: tooLate }))).toBe('BAD_REQUEST');
    const { text, token } = await store.provisioningToken();
    const response = await send(app, 'POST', '/public/leaked-tokens', { tokens: [text] });
    expect(response.status).toBe(202);
    const [row] = await app.database.db.select().from(serviceTokens).where(eq(serviceTokens.id, token.id));
    expect(row).toMatchObject({ revokedReason: 'leaked' });
  });
});

describe('an account handed to the provider', () => {
  const newLocal = async (...identifiers: string[]) => {
    const account = await store.person({ roleIds: [await roleWith(...identifiers)] });
    return account.id;
  };

  test('is visible to it, found by the identifiers of the refused request, and disabled by it', async () => {
    const id = await newLocal('/news');
    const { email } = await rowOf(id);
    expect((await scim('GET', `/Users/${id}`)).status).toBe(404);
    expect((await scim('POST', '/Users', okta.newUser({ email, externalId: 'wanted' }))).status).toBe(409);
    const { provisioning } = await access.api.identity.status();
    expect(provisioning.conflicts).toMatchObject([{ administratorId: id, email, wantedEmail: email, reason: 'email' }]);
    const { done } = await access.api.administrators.letIdpManage(await itemsOf(id));
    expect(done).toMatchObject([{ id, managed: true, enabled: true }]);
    expect((await access.api.identity.status()).provisioning.conflicts).toEqual([]);
    expect((await scim('GET', `/Users/${id}`)).body).toMatchObject({ id, externalId: 'wanted', userName: email });
    await scim('PATCH', `/Users/${id}`, entra.setActiveText('False'));
    expect(await rowOf(id)).toMatchObject({ enabled: false, disabledBy: 'idp' });
    const { provider } = await access.api.administrators.details({ id });
    expect(provider).toMatchObject({ active: false, handedOverBy: expect.stringContaining('@') });
  });

  test('can’t be enabled in the panel after the provider disabled it, and can once the panel manages it again', async () => {
    const id = await addUser();
    await scim('PATCH', `/Users/${id}`, okta.setActive(false));
    expect(await codeOf(access.api.administrators.enable(await itemsOf(id)))).toBe('IDP_MANAGED');
    await access.api.administrators.disable(await itemsOf(id));
    await scim('PATCH', `/Users/${id}`, okta.setActive(true));
    expect(await rowOf(id)).toMatchObject({ enabled: false, disabledBy: 'panel' });
    await access.api.administrators.stopIdpManaging(await itemsOf(id));
    await access.api.administrators.enable(await itemsOf(id));
    expect(await rowOf(id)).toMatchObject({ enabled: true, disabledBy: null, managed: false });
    expect((await scim('GET', `/Users/${id}`)).status).toBe(404);
  });

  test('keeps the provider’s roles and email when a person edits it', async () => {
    const [id, group, role] = [await addUser(), await addGroup(), await roleWith('/news')];
    const other = await roleWith('/notices');
    await access.api.identity.addMapping({ source: 'scim', value: group, role });
    await scim('PATCH', `/Groups/${group}`, okta.addMember(id, 'x'));
    const edit = async (changes: { email?: string; roles: string[] }) => {
      const { email, version } = await rowOf(id);
      return codeOf(access.api.administrators.edit({ id, version, email, description: 'x', ...changes }));
    };
    expect(await edit({ roles: [other] })).toBe('IDP_MANAGED');
    expect(await edit({ email: 'other@example.com', roles: [role] })).toBe('IDP_MANAGED');
    expect(await edit({ roles: [role, other] })).toBe('done');
    expect(await rolesOf(id)).toEqual([`idp ${role}`, `panel ${other}`]);
    await access.api.administrators.stopIdpManaging(await itemsOf(id));
    expect(await rolesOf(id)).toEqual([`panel ${other}`]);
  });

  test('with guarded permissions gets the provider’s email once a person accepts it', async () => {
    const id = await newLocal('deposits.confirm');
    const before = (await rowOf(id)).email;
    await access.api.administrators.letIdpManage(await itemsOf(id));
    await scim('PATCH', `/Users/${id}`, entra.changeEmail('accepted@example.com'));
    expect((await rowOf(id)).email).toBe(before);
    const { version } = await rowOf(id);
    expect(await access.api.administrators.acceptIdpEmail({ id, version })).toMatchObject({ email: 'accepted@example.com' });
  });

  test('can’t be the last local access manager', async () => {
    const idOf = async (email: string) => {
      const [row] = await app.database.db.select().from(administrators).where(eq(administrators.email, email));
      return row?.id ?? '';
    };
    const own = (await access.api.session.current()).email;
    await app.database.db.update(administrators).set({ enabled: false }).where(eq(administrators.email, qaEmail));
    const colleague = await signInAs(app, 'access');
    // Once the colleague is managed, the caller is the last one that the provider can't reach.
    expect(await codeOf(access.api.administrators.letIdpManage(await itemsOf(await idOf('access@demo.local'))))).toBe('done');
    const ownItem = { id: await idOf(own), version: (await rowOf(await idOf(own))).version };
    await app.database.db
      .insert(administratorRoles)
      .values({ administratorId: await idOf('access@demo.local'), roleId: await allRole() });
    expect(await codeOf(colleague.api.administrators.letIdpManage({ items: [ownItem] }))).toBe('LAST_ACCESS');
    expect(await codeOf(colleague.api.administrators.disable({ items: [ownItem] }))).toBe('LAST_ACCESS');
    for (const { id } of await app.database.db.select({ id: provisioned.administratorId }).from(provisioned))
      expect((await scim('DELETE', `/Users/${id}`)).status).toBeLessThan(405);
    expect((await access.api.session.current()).email).toBe(own);
    expect(await codeOf(colleague.api.session.current())).toBe('UNAUTHORIZED');
  });
});
