import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import type { RoleRow } from '../../api/access/roles.ts';
import { newId } from '../platform/core/ids.ts';
import { demoPassword, type RoleName } from '../seed/roles.ts';
import { enrollTotp } from '../testing/factor.ts';
import { apiOf, send, signInAs, testApp, type TestSession, type TestApp } from '../testing/support.ts';
import { administrators, passkeys, roles, sessions } from '../platform/auth/tables.ts';

// The attacker has only a password, or a permission over roles, where money needs a second factor.

let app: TestApp;
let all: TestSession;
beforeAll(async () => {
  app = await testApp({ WRITES_PER_MINUTE: '0', READS_PER_MINUTE: '0' }, { jobs: false });
  all = await signInAs(app, 'all');
});

let made = 0;
const item = ({ id, version }: { id: string; version: number }) => ({ id, version });
const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: { code?: string }) => error.code ?? 'broken',
  );

/** Signed in by password alone. */
async function person(role: RoleName): Promise<TestSession & { id: string; roleId: string }> {
  const [seeded] = await app.database.db.select().from(roles).where(eq(roles.seed, role));
  const roleId = seeded?.id ?? '';
  const email = `person${made++}@example.com`;
  const fields = { email, password: 'lantern by the old harbour', description: 'x', roles: [roleId] };
  const { id } = await all.api.administrators.add(fields);
  await app.database.pool.query(
    'update administrators set password_expires_at = null, password_hash = (select password_hash from administrators where email = $1) where id = $2',
    ['admin@demo.local', id],
  );
  const response = await send(app, 'POST', '/api/session', { email, password: demoPassword });
  const { authorization } = (await response.json()) as { authorization: string };
  const headers = { authorization, cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '', 'idempotency-key': newId() };
  return { id, roleId, headers, api: apiOf(app, headers) };
}

async function addTotpTo({ id }: { id: string }, shown: Date | null): Promise<void> {
  const key = { id: newId(), administratorId: id, name: 'k', credentialId: newId(), publicKey: '', counter: 0, transports: '' };
  await app.database.db.insert(passkeys).values({ ...key, createdAt: new Date(app.clock.now) });
  await app.database.db.update(sessions).set({ factorAt: shown }).where(eq(sessions.administratorId, id));
}

describe('moving money requires a second factor', () => {
  const target = { id: newId(), version: 1, hash: '0'.repeat(64) };

  test('a stolen password alone cannot confirm, retry, lift a freeze or refund', async () => {
    const thief = await person('all');
    const { deposits, dataPanel, withdrawals } = thief.api;
    for (const [what, work] of Object.entries({
      confirm: () => deposits.confirm(target),
      retry: () => deposits.retryMint({ id: target.id, version: 1 }),
      resolve: () => dataPanel.resolve({ reason: 'Counted twice.' }),
      refund: () => withdrawals.prepareRequest({ id: target.id, version: 1 }),
    }))
      expect(await codeOf(work()), what).toBe('FACTOR_REQUIRED');
  });

  test('a stolen password alone cannot publish, give roles, reset people or export the audit', async () => {
    const thief = await person('all');
    const { administrators: people, roles: ofRoles, news, audit } = thief.api;
    const works = {
      publish: () => news.show({ items: [{ id: newId(), version: 1 }] }),
      add: () => people.add({ email: 'mine@example.com', password: 'lantern by the old harbour', description: 'x', roles: [] }),
      resetFactor: () => people.resetFactor({ id: newId(), version: 1 }),
      grant: () => ofRoles.add({ name: `R${made++}`, description: 'd', needsFactor: false, grants: [] }),
      export: () => audit.export({}),
    };
    for (const [what, work] of Object.entries(works)) expect(await codeOf(work()), what).toBe('FACTOR_REQUIRED');
    await enrollTotp(app, thief.api);
    for (const [what, work] of Object.entries(works)) expect(await codeOf(work()), what).not.toBe('FACTOR_REQUIRED');
  });

  test('is refused after a factor was confirmed and then removed', async () => {
    const approver = await person('approver');
    await addTotpTo(approver, new Date(app.clock.now));
    expect(await codeOf(approver.api.deposits.confirm(target))).toBe('NOT_FOUND');
    await app.database.db.delete(passkeys).where(eq(passkeys.administratorId, approver.id));
    expect(await codeOf(approver.api.deposits.confirm(target))).toBe('FACTOR_REQUIRED');
    await addTotpTo(approver, null);
    expect(await codeOf(approver.api.deposits.confirm(target))).toBe('FACTOR_STALE');
  });

  test('other work and the demo accounts of development need no second factor', async () => {
    const editor = await person('all');
    expect(await codeOf(editor.api.news.many({ ids: [] }))).toBe('done');
    const approver = await signInAs(app, 'approver', { 'idempotency-key': newId() });
    expect(await codeOf(approver.api.deposits.confirm(target))).toBe('NOT_FOUND');
  });
});

describe('a role’s requirement of a second factor', () => {
  const add = (grants: string[], needsFactor: boolean): Promise<RoleRow> =>
    all.api.roles.add({ name: `R${made++}`, description: 'd', needsFactor, grants });
  const edit = (by: TestSession, role: RoleRow, change: { grants?: string[]; needsFactor?: boolean }) =>
    by.api.roles.edit({
      ...item(role),
      name: role.name,
      description: 'd',
      needsFactor: role.needsFactor,
      grants: role.grants,
      ...change,
    });
  const needed = { code: 'BAD_REQUEST', data: { issues: [{ path: 'needsFactor', rule: 'required' }] } };

  test('cannot be removed from a role with money permissions, and those need it', async () => {
    const money = await add(['/selfCustody/deposit', 'deposits.confirm'], true);
    await expect(edit(all, money, { needsFactor: false })).rejects.toMatchObject(needed);
    await expect(add(['crsm.create'], false)).rejects.toMatchObject(needed);
    const plain = await add(['/news'], false);
    await expect(edit(all, plain, { grants: ['/news', 'withdrawals.requestRefund'] })).rejects.toMatchObject(needed);
    expect(await codeOf(edit(all, plain, { grants: ['/news', 'news.add'] }))).toBe('done');
  });

  test('is copied with the role', async () => {
    const [seeded] = await app.database.db.select().from(roles).where(eq(roles.seed, 'approver'));
    const copy = await all.api.roles.copy({ id: seeded?.id ?? '', version: seeded?.version ?? 0, name: `R${made++}` });
    expect(copy.needsFactor).toBe(true);
  });

  test('cannot be removed by a holder of the role', async () => {
    const keeper = await person('access');
    await addTotpTo(keeper, new Date(app.clock.now));
    await app.database.db.update(roles).set({ needsFactor: true }).where(eq(roles.id, keeper.roleId));
    const [role] = await all.api.roles.many({ ids: [keeper.roleId] });
    if (!role) throw new Error('gone');
    expect(await codeOf(edit(keeper, role, { needsFactor: false }))).toBe('OWN_ACCESS');
    expect(await codeOf(edit(all, role, { needsFactor: false }))).toBe('done');
  });
});

test('an unattended session cannot add, disable or delete anyone, or delete a role', async () => {
  const thief = await person('all');
  await addTotpTo(thief, null);
  const items = [{ id: newId(), version: 1 }];
  const { administrators: people, roles: rights } = thief.api;
  for (const [what, work] of Object.entries({
    enable: () => people.enable({ items }),
    disable: () => people.disable({ items }),
    remove: () => people.remove({ items }),
    role: () => rights.remove({ items }),
  }))
    expect(await codeOf(work()), what).toBe('FACTOR_STALE');
  expect(await codeOf(people.endSessions({ items }))).toBe('NOT_FOUND');
  await app.database.db.update(administrators).set({ enabled: false }).where(eq(administrators.id, thief.id));
});
