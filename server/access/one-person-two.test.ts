import { eq } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AdministratorRow } from '../../api/access/administrators.ts';
import type { DepositRow } from '../../api/deposits/contract.ts';
import { newId } from '../platform/core/ids.ts';
import { demoPassword, type RoleName } from '../seed/roles.ts';
import { apiOf, send, signInAs, testApp, type TestSession, type TestApp } from '../testing/support.ts';
import { fakeEsplora, tipHeight } from '../testing/esplora.ts';
import { deposits } from '../deposits/tables.ts';
import { accountChanges, administrators, passkeys, roles, sessions } from '../platform/auth/tables.ts';
import { mails } from '../platform/content/tables.ts';

// One person who manages accounts tries to act as two.

const hour = 3_600_000;
const { url, outputs } = await fakeEsplora();
let app: TestApp;
let all: TestSession;
let operator: TestSession;
let approver: TestSession;
let roleIds: Record<RoleName, string>;

beforeAll(async () => {
  app = await testApp(
    {
      ESPLORA_URLS: url,
      CUSTODY_ADDRESSES: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
      EVM_RPC_URL: 'http://127.0.0.1:9',
      EVM_CHAIN_ID: '31337',
      MINTER_KEY: `0x${'22'.repeat(32)}`,
      WRITES_PER_MINUTE: '0',
      READS_PER_MINUTE: '0',
      SESSION_HOURS: '72',
      SESSION_IDLE_MINUTES: '720',
      ...Object.fromEntries(
        ['YU', 'YBTC', 'TROVE_MANAGER', 'STABILITY_POOL', 'MULTI_TROVE_GETTERS', 'CUSTODY_BRIDGE'].map((name, index) => [
          `${name}_ADDRESS`,
          `0x${String(index + 1).repeat(40)}`,
        ]),
      ),
    },
    { jobs: false },
  );
  const rows = await app.database.db.select().from(roles);
  roleIds = Object.fromEntries(rows.map(({ seed, id }) => [seed ?? '', id])) as Record<RoleName, string>;
});

beforeEach(async () => {
  app.clock.now += 100 * hour; // older changes no longer matter
  all = await signInAs(app, 'all');
  operator = await signInAs(app, 'operator');
  approver = await signInAs(app, 'approver');
});

let made = 0;
const item = ({ id, version }: { id: string; version: number }) => ({ id, version });
const keyed = ({ headers }: TestSession) => apiOf(app, { ...headers, 'idempotency-key': newId() });

/** Created by a colleague. The person has since chosen a password. */
async function add(role: RoleName, by: TestSession = all): Promise<AdministratorRow> {
  const fields = { email: `colleague${made++}@example.com`, password: 'lantern by the old harbour', description: 'x' };
  const row = await by.api.administrators.add({ ...fields, roles: [roleIds[role]] });
  await app.database.pool.query(
    'update administrators set password_expires_at = null, password_hash = (select password_hash from administrators where email = $1) where id = $2',
    ['admin@demo.local', row.id],
  );
  return row;
}

/** With a recent second factor. */
async function enter({ id }: { id: string }): Promise<TestSession> {
  await app.database.db.delete(passkeys).where(eq(passkeys.administratorId, id));
  const [{ email } = { email: '' }] = await app.database.db.select().from(administrators).where(eq(administrators.id, id));
  const response = await send(app, 'POST', '/api/session', { email, password: demoPassword });
  const { authorization } = (await response.json()) as { authorization: string };
  const headers = { authorization, cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '' };
  const key = { id: newId(), administratorId: id, name: 'k', credentialId: newId(), publicKey: '', counter: 0, transports: '' };
  await app.database.db.insert(passkeys).values({ ...key, createdAt: new Date(app.clock.now) });
  const shown = { factorAt: new Date(app.clock.now) };
  await app.database.db.update(sessions).set(shown).where(eq(sessions.administratorId, id));
  return { headers, api: apiOf(app, headers) };
}

function later(hours: number, one: { id: string }): Promise<TestSession> {
  app.clock.now += hours * hour;
  return enter(one);
}

const record = (by: TestSession = operator, amount = '500000000') =>
  by.api.deposits.add({
    userAddress: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    coboAddress: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    type: 'cobo',
    vout: 0,
    lockTime: null,
    remarks: '',
    amount,
    txid: (++made).toString(16).padStart(64, '7'),
  });
const seen = ({ id, version, hash }: DepositRow) => ({ id, version, hash });
const reasonOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: { code?: string; data?: { reason?: string } }) => error.data?.reason ?? error.code ?? 'broken',
  );
/** The reason of the refusal. By default evidence is missing, so a person who counts gets EVIDENCE. */
const confirm = (row: DepositRow, by: TestSession) => reasonOf(keyed(by).deposits.confirm(seen(row)));

describe('an account that someone else created or changed does not count for money', () => {
  test('refuses a confirmation by a second account of the same person', async () => {
    const puppet = await add('approver');
    const row = await record();
    expect(await confirm(row, await enter(puppet))).toBe('COOLING');
    const hours24 = await later(24, puppet);
    expect(await confirm(row, hours24)).toBe('EVIDENCE');
  });

  test('names the account and the time limit in the refusal', async () => {
    const puppet = await add('approver');
    const until = new Date(app.clock.now + 24 * hour).toISOString();
    await expect(keyed(await enter(puppet)).deposits.confirm(seen(await record()))).rejects.toMatchObject({
      code: 'MONEY_REFUSED',
      data: { reason: 'COOLING', who: [puppet.email], until: [until] },
    });
  });

  test('refuses a confirmation by the creator of the author’s account, and the reverse', async () => {
    const puppet = await add('operator');
    const second = await add('approver');
    await later(1000, puppet);
    [all, operator] = [await signInAs(app, 'all'), await signInAs(app, 'operator')];
    expect(await confirm(await record(await enter(puppet)), all)).toBe('TOGETHER');
    const mine = await record(all);
    expect(await confirm(mine, await enter(second))).toBe('TOGETHER');
    expect(await confirm(await record(), await enter(second))).toBe('EVIDENCE');
  });

  test('refuses a confirmation across a chain of created accounts', async () => {
    const first = await add('all');
    const puppet = await add('approver', await enter(first));
    const own = await later(1000, puppet);
    all = await signInAs(app, 'all');
    expect(await confirm(await record(all), own)).toBe('TOGETHER');
  });

  test('counts an account whose creator was changed only afterwards', async () => {
    const first = await add('all');
    const colleague = await add('approver', await enter(first));
    await app.database.db.delete(accountChanges).where(eq(accountChanges.administratorId, first.id));
    app.clock.now += hour;
    await all.api.administrators.edit({ ...(await now(first)), roles: [roleIds.editor] });
    const own = await later(1000, colleague);
    all = await signInAs(app, 'all');
    expect(await confirm(await record(all), own)).toBe('EVIDENCE');
  });

  test('does not count an account after a colleague changed its email and took it over', async () => {
    const victim = await grown('approver');
    await all.api.administrators.edit({ ...(await now(victim)), email: `taken${made++}@example.com` });
    expect(await confirm(await record(), await enter(victim))).toBe('COOLING');
  });

  test('does not count an account after a colleague reset a credential, or changed roles or status', async () => {
    const address = 'bc1pmfr3p9j00pfxjh0zmgp99y8zftmd3s5pmedqhyptwy6lm87hf5sspknck9';
    const changes: Record<string, (row: AdministratorRow) => Promise<unknown>> = {
      factor: (row) => all.api.administrators.resetFactor(item(row)),
      password: (row) => all.api.administrators.resetPassword(item(row)),
      wallet: (row) => all.api.administrators.bindWallet({ ...item(row), address }),
      roles: async (row) => all.api.administrators.edit({ ...(await now(row)), roles: [roleIds.approver, roleIds.editor] }),
      enabled: async (row) => {
        await all.api.administrators.disable({ items: [item(row)] });
        const [disabled] = await all.api.administrators.many({ ids: [row.id] });
        return all.api.administrators.enable({ items: [item(disabled ?? row)] });
      },
    };
    for (const [what, change] of Object.entries(changes)) {
      const victim = await grown('approver');
      await enter(victim);
      const [row] = await all.api.administrators.many({ ids: [victim.id] });
      if (!row) throw new Error('gone');
      await change(row);
      expect(await confirm(await record(), await enter(victim)), what).toBe('COOLING');
      const after = await later(24, victim);
      [all, operator] = [await signInAs(app, 'all'), await signInAs(app, 'operator')];
      expect(await confirm(await record(), after), what).toBe('EVIDENCE');
    }
  });

  test('does not count an account after its role got a permission over money', async () => {
    const role = await all.api.roles.add({ name: `R${made++}`, description: 'd', needsFactor: true, grants: ['/news'] });
    const victim = await grown('editor');
    await all.api.administrators.edit({ ...(await now(victim)), roles: [role.id] });
    app.clock.now += 100 * hour;
    [all, operator] = [await signInAs(app, 'all'), await signInAs(app, 'operator')];
    const grants = ['/selfCustody/deposit', 'deposits.confirm'];
    const [current] = await all.api.roles.many({ ids: [role.id] });
    if (!current) throw new Error('gone');
    await all.api.roles.edit({ ...item(current), name: role.name, description: 'd', needsFactor: true, grants });
    expect(await confirm(await record(), await enter(victim))).toBe('COOLING');
  });

  test('does not count a signature from before the account was changed', async () => {
    const victim = await grown('approver');
    const row = await record(operator, '1200000000');
    outputs.set(row.txid, { address: row.coboAddress, value: Number(row.amount), height: tipHeight - 9 });
    expect(await confirm(row, await enter(victim))).toBe('done');
    await all.api.administrators.edit({ ...(await now(victim)), email: `taken${made++}@example.com` });
    expect(await confirm(row, approver)).toBe('done');
    expect(await confirm(row, approver)).toBe('COOLING');
    expect(await app.database.db.select().from(deposits).where(eq(deposits.id, row.id))).toMatchObject([{ status: 'created' }]);
  });

  test('counts an account whose description was changed or whose sessions were ended', async () => {
    const colleague = await grown('approver');
    await all.api.administrators.edit({ ...(await now(colleague)), description: 'Night shift' });
    const [row] = await all.api.administrators.many({ ids: [colleague.id] });
    if (!row) throw new Error('gone');
    await all.api.administrators.endSessions({ items: [item(row)] });
    expect(await confirm(await record(), await enter(colleague))).toBe('EVIDENCE');
  });
});

describe('people with money permissions are notified by mail', () => {
  const reported = async (email: string) =>
    (await app.database.db.select().from(mails).where(eq(mails.recipient, email))).filter(({ subject }) =>
      subject.includes('money permissions'),
    );

  test('reports each new or changed account with money permissions by mail, not an editor’s', async () => {
    await app.database.db.delete(mails);
    const colleague = await add('approver');
    for (const role of ['admin', 'operator', 'approver']) expect(await reported(`${role}@demo.local`), role).toHaveLength(1);
    for (const role of ['editor', 'analyst']) expect(await reported(`${role}@demo.local`), role).toHaveLength(0);
    const [first] = await reported('operator@demo.local');
    expect(first?.body).toContain('admin@demo.local');
    expect(first?.body).toContain(colleague.email);
    await add('editor');
    expect(await reported('operator@demo.local')).toHaveLength(1);
    await all.api.administrators.edit({ ...(await now(colleague)), roles: [roleIds.editor] });
    expect(await reported('operator@demo.local')).toHaveLength(2);
  });

  test('notifies the old address when an email changes', async () => {
    await app.database.db.delete(mails);
    const colleague = await grown('approver');
    await all.api.administrators.edit({ ...(await now(colleague)), email: `moved${made++}@example.com` });
    const sent = await app.database.db.select().from(mails).where(eq(mails.recipient, colleague.email));
    expect(sent.map(({ subject }) => subject).join('\n')).toContain('changed the email of your account');
  });
});

/** Created at the server and long unchanged. */
async function grown(role: RoleName): Promise<AdministratorRow> {
  const row = await add(role);
  await app.database.db.delete(accountChanges).where(eq(accountChanges.administratorId, row.id));
  return row;
}

async function now({ id }: { id: string }) {
  const [row] = await all.api.administrators.many({ ids: [id] });
  if (!row) throw new Error('gone');
  return { ...item(row), email: row.email, description: row.description, roles: row.roles.map((role) => role.id) };
}

test('a new account may record deposits, because that decides nothing', async () => {
  const row = await record(await enter(await add('operator')));
  expect(await app.database.db.$count(deposits, eq(deposits.id, row.id))).toBe(1);
});
