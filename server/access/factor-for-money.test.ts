import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import type { RoleRow } from '../../api/access/roles.ts';
import { newId } from '../platform/core/ids.ts';
import { demoPassword, type RoleName } from '../seed/roles.ts';
import { enrollTotp } from '../testing/factor.ts';
import { createApi, send, signInAs, createTestApp, type TestSession, type TestApp } from '../testing/support.ts';
import { administrators, passkeys, roles, sessions } from '../platform/auth/tables.ts';

// The attacker has only a password, or a permission over roles, where money needs a second factor.

let app: TestApp;
let adminSession: TestSession;
beforeAll(async () => {
  app = await createTestApp({ WRITES_PER_MINUTE: '0', READS_PER_MINUTE: '0' }, { jobs: false });
  adminSession = await signInAs(app, 'all');
});

let roleCount = 0;
const item = ({ id, version }: { id: string; version: number }) => ({ id, version });
const readErrorCode = (request: Promise<unknown>): Promise<string> =>
  request.then(
    () => 'done',
    (error: { code?: string }) => error.code ?? 'broken',
  );

/** Signed in by password alone. */
async function createPerson(role: RoleName): Promise<TestSession & { id: string; roleId: string }> {
  const [seededRole] = await app.database.db.select().from(roles).where(eq(roles.seed, role));
  const roleId = seededRole?.id ?? '';
  const email = `person${roleCount++}@example.com`;
  const fields = { email, password: 'lantern by the old harbour', description: 'x', roles: [roleId] };
  const { id } = await adminSession.api.administrators.add(fields);
  await app.database.pool.query(
    'update administrators set password_expires_at = null, password_hash = (select password_hash from administrators where email = $1) where id = $2',
    ['admin@demo.local', id],
  );
  const response = await send(app, 'POST', '/api/session', { email, password: demoPassword });
  const { authorization } = (await response.json()) as { authorization: string };
  const headers = { authorization, cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '', 'idempotency-key': newId() };
  return { id, roleId, headers, api: createApi(app, headers) };
}

async function addTotpTo({ id }: { id: string }, factorAt: Date | null): Promise<void> {
  const key = { id: newId(), administratorId: id, name: 'k', credentialId: newId(), publicKey: '', counter: 0, transports: '' };
  await app.database.db.insert(passkeys).values({ ...key, createdAt: new Date(app.clock.now) });
  await app.database.db.update(sessions).set({ factorAt }).where(eq(sessions.administratorId, id));
}

describe('moving money requires a second factor', () => {
  const target = { id: newId(), version: 1, hash: '0'.repeat(64) };

  test('a stolen password alone cannot confirm, retry, lift a freeze or refund', async () => {
    const attackerSession = await createPerson('all');
    const { deposits, dataPanel, withdrawals } = attackerSession.api;
    for (const [actionName, request] of Object.entries({
      confirm: () => deposits.confirm(target),
      retry: () => deposits.retryMint({ id: target.id, version: 1 }),
      resolve: () => dataPanel.resolve({ reason: 'Counted twice.' }),
      refund: () => withdrawals.prepareRequest({ id: target.id, version: 1 }),
    }))
      expect(await readErrorCode(request()), actionName).toBe('FACTOR_REQUIRED');
  });

  test('a stolen password alone cannot publish, give roles, reset people or export the audit', async () => {
    const attackerSession = await createPerson('all');
    const { administrators: administratorApi, roles: ofRoles, news, audit } = attackerSession.api;
    const works = {
      publish: () => news.show({ items: [{ id: newId(), version: 1 }] }),
      add: () =>
        administratorApi.add({ email: 'mine@example.com', password: 'lantern by the old harbour', description: 'x', roles: [] }),
      resetFactor: () => administratorApi.resetFactor({ id: newId(), version: 1 }),
      grant: () => ofRoles.add({ name: `R${roleCount++}`, description: 'd', needsFactor: false, grants: [] }),
      export: () => audit.export({}),
    };
    for (const [actionName, request] of Object.entries(works))
      expect(await readErrorCode(request()), actionName).toBe('FACTOR_REQUIRED');
    await enrollTotp(app, attackerSession.api);
    for (const [actionName, request] of Object.entries(works))
      expect(await readErrorCode(request()), actionName).not.toBe('FACTOR_REQUIRED');
  });

  test('is refused after a factor was confirmed and then removed', async () => {
    const approver = await createPerson('approver');
    await addTotpTo(approver, new Date(app.clock.now));
    expect(await readErrorCode(approver.api.deposits.confirm(target))).toBe('NOT_FOUND');
    await app.database.db.delete(passkeys).where(eq(passkeys.administratorId, approver.id));
    expect(await readErrorCode(approver.api.deposits.confirm(target))).toBe('FACTOR_REQUIRED');
    await addTotpTo(approver, null);
    expect(await readErrorCode(approver.api.deposits.confirm(target))).toBe('FACTOR_STALE');
  });

  test('other work and the demo accounts of development need no second factor', async () => {
    const editorSession = await createPerson('all');
    expect(await readErrorCode(editorSession.api.news.many({ ids: [] }))).toBe('done');
    const approver = await signInAs(app, 'approver', { 'idempotency-key': newId() });
    expect(await readErrorCode(approver.api.deposits.confirm(target))).toBe('NOT_FOUND');
  });
});

describe('a role’s requirement of a second factor', () => {
  const addRole = (grants: string[], needsFactor: boolean): Promise<RoleRow> =>
    adminSession.api.roles.add({ name: `R${roleCount++}`, description: 'd', needsFactor, grants });
  const editRole = (session: TestSession, role: RoleRow, change: { grants?: string[]; needsFactor?: boolean }) =>
    session.api.roles.edit({
      ...item(role),
      name: role.name,
      description: 'd',
      needsFactor: role.needsFactor,
      grants: role.grants,
      ...change,
    });
  const expectedRefusal = { code: 'BAD_REQUEST', data: { issues: [{ path: 'needsFactor', rule: 'required' }] } };

  test('cannot be removed from a role with money permissions, and those need it', async () => {
    const moneyRole = await addRole(['/selfCustody/deposit', 'deposits.confirm'], true);
    await expect(editRole(adminSession, moneyRole, { needsFactor: false })).rejects.toMatchObject(expectedRefusal);
    await expect(addRole(['crsm.create'], false)).rejects.toMatchObject(expectedRefusal);
    const plainRole = await addRole(['/news'], false);
    await expect(editRole(adminSession, plainRole, { grants: ['/news', 'withdrawals.requestRefund'] })).rejects.toMatchObject(
      expectedRefusal,
    );
    expect(await readErrorCode(editRole(adminSession, plainRole, { grants: ['/news', 'news.add'] }))).toBe('done');
  });

  test('is copied with the role', async () => {
    const [seededRole] = await app.database.db.select().from(roles).where(eq(roles.seed, 'approver'));
    const copiedRole = await adminSession.api.roles.copy({
      id: seededRole?.id ?? '',
      version: seededRole?.version ?? 0,
      name: `R${roleCount++}`,
    });
    expect(copiedRole.needsFactor).toBe(true);
  });

  test('cannot be removed by a holder of the role', async () => {
    const managerSession = await createPerson('access');
    await addTotpTo(managerSession, new Date(app.clock.now));
    await app.database.db.update(roles).set({ needsFactor: true }).where(eq(roles.id, managerSession.roleId));
    const [role] = await adminSession.api.roles.many({ ids: [managerSession.roleId] });
    if (!role) throw new Error('gone');
    expect(await readErrorCode(editRole(managerSession, role, { needsFactor: false }))).toBe('OWN_ACCESS');
    expect(await readErrorCode(editRole(adminSession, role, { needsFactor: false }))).toBe('done');
  });
});

test('an unattended session cannot add, disable or delete anyone, or delete a role', async () => {
  const attackerSession = await createPerson('all');
  await addTotpTo(attackerSession, null);
  const items = [{ id: newId(), version: 1 }];
  const { administrators: administratorApi, roles: roleApi } = attackerSession.api;
  for (const [actionName, request] of Object.entries({
    enable: () => administratorApi.enable({ items }),
    disable: () => administratorApi.disable({ items }),
    remove: () => administratorApi.remove({ items }),
    role: () => roleApi.remove({ items }),
  }))
    expect(await readErrorCode(request()), actionName).toBe('FACTOR_STALE');
  expect(await readErrorCode(administratorApi.endSessions({ items }))).toBe('NOT_FOUND');
  await app.database.db.update(administrators).set({ enabled: false }).where(eq(administrators.id, attackerSession.id));
});
