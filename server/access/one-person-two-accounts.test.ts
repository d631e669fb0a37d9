import { eq } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AdministratorRow } from '../../api/access/administrators.ts';
import type { DepositRow } from '../../api/deposits/contract.ts';
import { newId } from '../platform/core/ids.ts';
import { demoPassword, type RoleName } from '../seed/roles.ts';
import { createApi, send, signInAs, createTestApp, type TestSession, type TestApp } from '../testing/support.ts';
import { startFakeEsplora, tipHeight } from '../testing/esplora.ts';
import { deposits } from '../deposits/tables.ts';
import { accountChanges, administrators, passkeys, roles, sessions } from '../platform/auth/tables.ts';
import { mails } from '../platform/content/tables.ts';

// One person who manages accounts tries to act as two.

const hour = 3_600_000;
const { url, outputs } = await startFakeEsplora();
let app: TestApp;
let adminSession: TestSession;
let operator: TestSession;
let approver: TestSession;
let roleIds: Record<RoleName, string>;

beforeAll(async () => {
  app = await createTestApp(
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
  adminSession = await signInAs(app, 'all');
  operator = await signInAs(app, 'operator');
  approver = await signInAs(app, 'approver');
});

let administratorCount = 0;
const item = ({ id, version }: { id: string; version: number }) => ({ id, version });
const idempotentApi = ({ headers }: TestSession) => createApi(app, { ...headers, 'idempotency-key': newId() });

/** Created by a colleague. The person has since chosen a password. */
async function addAdministrator(role: RoleName, session: TestSession = adminSession): Promise<AdministratorRow> {
  const fields = {
    email: `colleague${administratorCount++}@example.com`,
    password: 'lantern by the old harbour',
    description: 'x',
  };
  const row = await session.api.administrators.add({ ...fields, roles: [roleIds[role]] });
  await app.database.pool.query(
    'update administrators set password_expires_at = null, password_hash = (select password_hash from administrators where email = $1) where id = $2',
    ['admin@demo.local', row.id],
  );
  return row;
}

/** With a recent second factor. */
async function signInAdministrator({ id }: { id: string }): Promise<TestSession> {
  await app.database.db.delete(passkeys).where(eq(passkeys.administratorId, id));
  const [{ email } = { email: '' }] = await app.database.db.select().from(administrators).where(eq(administrators.id, id));
  const response = await send(app, 'POST', '/api/session', { email, password: demoPassword });
  const { authorization } = (await response.json()) as { authorization: string };
  const headers = { authorization, cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '' };
  const key = { id: newId(), administratorId: id, name: 'k', credentialId: newId(), publicKey: '', counter: 0, transports: '' };
  await app.database.db.insert(passkeys).values({ ...key, createdAt: new Date(app.clock.now) });
  await app.database.db
    .update(administrators)
    .set({ factorVouchedAt: new Date(app.clock.now) })
    .where(eq(administrators.id, id));
  const factorFields = { factorAt: new Date(app.clock.now) };
  await app.database.db.update(sessions).set(factorFields).where(eq(sessions.administratorId, id));
  return { headers, api: createApi(app, headers) };
}

function signInLater(hours: number, administrator: { id: string }): Promise<TestSession> {
  app.clock.now += hours * hour;
  return signInAdministrator(administrator);
}

const recordDeposit = (session: TestSession = operator, amount = '500000000') =>
  session.api.deposits.add({
    userAddress: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    coboAddress: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    type: 'cobo',
    vout: 0,
    lockTime: null,
    remarks: '',
    amount,
    txid: (++administratorCount).toString(16).padStart(64, '7'),
  });
const depositVersion = ({ id, version, hash }: DepositRow) => ({ id, version, hash });
const readRefusalReason = (request: Promise<unknown>): Promise<string> =>
  request.then(
    () => 'done',
    (error: { code?: string; data?: { reason?: string } }) => error.data?.reason ?? error.code ?? 'broken',
  );
/** The reason of the refusal. By default evidence is missing, so a person who counts gets EVIDENCE. */
const confirmDeposit = (row: DepositRow, session: TestSession) =>
  readRefusalReason(idempotentApi(session).deposits.confirm(depositVersion(row)));

describe('an account that someone else created or changed does not count for money', () => {
  test('refuses a confirmation by a second account of the same person', async () => {
    const puppetAccount = await addAdministrator('approver');
    const row = await recordDeposit();
    expect(await confirmDeposit(row, await signInAdministrator(puppetAccount))).toBe('COOLING');
    const sessionAfterDay = await signInLater(24, puppetAccount);
    expect(await confirmDeposit(row, sessionAfterDay)).toBe('EVIDENCE');
  });

  test('names the account and the time limit in the refusal', async () => {
    const puppetAccount = await addAdministrator('approver');
    const waitingEnd = new Date(app.clock.now + 24 * hour).toISOString();
    await expect(
      idempotentApi(await signInAdministrator(puppetAccount)).deposits.confirm(depositVersion(await recordDeposit())),
    ).rejects.toMatchObject({
      code: 'MONEY_REFUSED',
      data: { reason: 'COOLING', who: [puppetAccount.email], until: [waitingEnd] },
    });
  });

  test('refuses a confirmation by the creator of the author’s account, and the reverse', async () => {
    const puppetAccount = await addAdministrator('operator');
    const secondPuppet = await addAdministrator('approver');
    await signInLater(1000, puppetAccount);
    [adminSession, operator] = [await signInAs(app, 'all'), await signInAs(app, 'operator')];
    expect(await confirmDeposit(await recordDeposit(await signInAdministrator(puppetAccount)), adminSession)).toBe('TOGETHER');
    const ownDeposit = await recordDeposit(adminSession);
    expect(await confirmDeposit(ownDeposit, await signInAdministrator(secondPuppet))).toBe('TOGETHER');
    expect(await confirmDeposit(await recordDeposit(), await signInAdministrator(secondPuppet))).toBe('EVIDENCE');
  });

  test('refuses a confirmation across a chain of created accounts', async () => {
    const firstAccount = await addAdministrator('all');
    const puppetAccount = await addAdministrator('approver', await signInAdministrator(firstAccount));
    const puppetSession = await signInLater(1000, puppetAccount);
    adminSession = await signInAs(app, 'all');
    expect(await confirmDeposit(await recordDeposit(adminSession), puppetSession)).toBe('TOGETHER');
  });

  test('counts an account whose creator was changed only afterwards', async () => {
    const firstAccount = await addAdministrator('all');
    const colleagueAccount = await addAdministrator('approver', await signInAdministrator(firstAccount));
    await app.database.db.delete(accountChanges).where(eq(accountChanges.administratorId, firstAccount.id));
    app.clock.now += hour;
    await adminSession.api.administrators.edit({ ...(await now(firstAccount)), roles: [roleIds.editor] });
    const puppetSession = await signInLater(1000, colleagueAccount);
    adminSession = await signInAs(app, 'all');
    expect(await confirmDeposit(await recordDeposit(adminSession), puppetSession)).toBe('EVIDENCE');
  });

  test('does not count an account after a colleague changed its email and took it over', async () => {
    const victimAccount = await addMatureAdministrator('approver');
    await adminSession.api.administrators.edit({
      ...(await now(victimAccount)),
      email: `taken${administratorCount++}@example.com`,
    });
    expect(await confirmDeposit(await recordDeposit(), await signInAdministrator(victimAccount))).toBe('COOLING');
  });

  test('does not count an account after a colleague reset a credential, or changed roles or status', async () => {
    const address = 'bc1pmfr3p9j00pfxjh0zmgp99y8zftmd3s5pmedqhyptwy6lm87hf5sspknck9';
    const accountTakeovers: Record<string, (row: AdministratorRow) => Promise<unknown>> = {
      factor: (row) => adminSession.api.administrators.resetFactor(item(row)),
      password: (row) => adminSession.api.administrators.resetPassword(item(row)),
      wallet: (row) => adminSession.api.administrators.bindWallet({ ...item(row), address }),
      roles: async (row) =>
        adminSession.api.administrators.edit({ ...(await now(row)), roles: [roleIds.approver, roleIds.editor] }),
      enabled: async (row) => {
        await adminSession.api.administrators.disable({ items: [item(row)] });
        const [disabledRow] = await adminSession.api.administrators.many({ ids: [row.id] });
        return adminSession.api.administrators.enable({ items: [item(disabledRow ?? row)] });
      },
    };
    for (const [changeName, applyChange] of Object.entries(accountTakeovers)) {
      const victimAccount = await addMatureAdministrator('approver');
      await signInAdministrator(victimAccount);
      const [row] = await adminSession.api.administrators.many({ ids: [victimAccount.id] });
      if (!row) throw new Error('gone');
      await applyChange(row);
      expect(await confirmDeposit(await recordDeposit(), await signInAdministrator(victimAccount)), changeName).toBe('COOLING');
      const sessionAfterDay = await signInLater(24, victimAccount);
      [adminSession, operator] = [await signInAs(app, 'all'), await signInAs(app, 'operator')];
      expect(await confirmDeposit(await recordDeposit(), sessionAfterDay), changeName).toBe('EVIDENCE');
    }
  });

  test('does not count an account after its role got a permission over money', async () => {
    const role = await adminSession.api.roles.add({
      name: `R${administratorCount++}`,
      description: 'd',
      needsFactor: true,
      grants: ['/news'],
    });
    const victimAccount = await addMatureAdministrator('editor');
    await adminSession.api.administrators.edit({ ...(await now(victimAccount)), roles: [role.id] });
    app.clock.now += 100 * hour;
    [adminSession, operator] = [await signInAs(app, 'all'), await signInAs(app, 'operator')];
    const grants = ['/selfCustody/deposit', 'deposits.confirm'];
    const [currentRole] = await adminSession.api.roles.many({ ids: [role.id] });
    if (!currentRole) throw new Error('gone');
    await adminSession.api.roles.edit({ ...item(currentRole), name: role.name, description: 'd', needsFactor: true, grants });
    expect(await confirmDeposit(await recordDeposit(), await signInAdministrator(victimAccount))).toBe('COOLING');
  });

  test('does not count a signature from before the account was changed', async () => {
    const victimAccount = await addMatureAdministrator('approver');
    const row = await recordDeposit(operator, '1200000000');
    outputs.set(row.txid, { address: row.coboAddress, value: Number(row.amount), height: tipHeight - 9 });
    expect(await confirmDeposit(row, await signInAdministrator(victimAccount))).toBe('done');
    await adminSession.api.administrators.edit({
      ...(await now(victimAccount)),
      email: `taken${administratorCount++}@example.com`,
    });
    expect(await confirmDeposit(row, approver)).toBe('done');
    expect(await confirmDeposit(row, approver)).toBe('COOLING');
    expect(await app.database.db.select().from(deposits).where(eq(deposits.id, row.id))).toMatchObject([{ status: 'created' }]);
  });

  test('counts an account whose description was changed or whose sessions were ended', async () => {
    const colleagueAccount = await addMatureAdministrator('approver');
    await adminSession.api.administrators.edit({ ...(await now(colleagueAccount)), description: 'Night shift' });
    const [row] = await adminSession.api.administrators.many({ ids: [colleagueAccount.id] });
    if (!row) throw new Error('gone');
    await adminSession.api.administrators.endSessions({ items: [item(row)] });
    expect(await confirmDeposit(await recordDeposit(), await signInAdministrator(colleagueAccount))).toBe('EVIDENCE');
  });
});

describe('people with money permissions are notified by mail', () => {
  const readReportedChanges = async (email: string) =>
    (await app.database.db.select().from(mails).where(eq(mails.recipient, email))).filter(({ subject }) =>
      subject.includes('money permissions'),
    );

  test('reports each new or changed account with money permissions by mail, not an editor’s', async () => {
    await app.database.db.delete(mails);
    const colleagueAccount = await addAdministrator('approver');
    for (const role of ['admin', 'operator', 'approver'])
      expect(await readReportedChanges(`${role}@demo.local`), role).toHaveLength(1);
    for (const role of ['editor', 'analyst']) expect(await readReportedChanges(`${role}@demo.local`), role).toHaveLength(0);
    const [firstReport] = await readReportedChanges('operator@demo.local');
    expect(firstReport?.body).toContain('admin@demo.local');
    expect(firstReport?.body).toContain(colleagueAccount.email);
    await addAdministrator('editor');
    expect(await readReportedChanges('operator@demo.local')).toHaveLength(1);
    await adminSession.api.administrators.edit({ ...(await now(colleagueAccount)), roles: [roleIds.editor] });
    expect(await readReportedChanges('operator@demo.local')).toHaveLength(2);
  });

  test('notifies the old address when an email changes', async () => {
    await app.database.db.delete(mails);
    const colleagueAccount = await addMatureAdministrator('approver');
    await adminSession.api.administrators.edit({
      ...(await now(colleagueAccount)),
      email: `moved${administratorCount++}@example.com`,
    });
    const colleagueMails = await app.database.db.select().from(mails).where(eq(mails.recipient, colleagueAccount.email));
    expect(colleagueMails.map(({ subject }) => subject).join('\n')).toContain('changed the email of your account');
  });
});

/** Created at the server and long unchanged. */
async function addMatureAdministrator(role: RoleName): Promise<AdministratorRow> {
  const row = await addAdministrator(role);
  await app.database.db.delete(accountChanges).where(eq(accountChanges.administratorId, row.id));
  return row;
}

async function now({ id }: { id: string }) {
  const [row] = await adminSession.api.administrators.many({ ids: [id] });
  if (!row) throw new Error('gone');
  return { ...item(row), email: row.email, description: row.description, roles: row.roles.map((role) => role.id) };
}

test('a new account may record deposits, because that decides nothing', async () => {
  const row = await recordDeposit(await signInAdministrator(await addAdministrator('operator')));
  expect(await app.database.db.$count(deposits, eq(deposits.id, row.id))).toBe(1);
});
