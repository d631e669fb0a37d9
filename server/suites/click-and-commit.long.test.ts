import { and, eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import type { DepositRow } from '../../api/deposits/contract.ts';
import { newId } from '../platform/core/ids.ts';
import type { Queries } from '../platform/db/db.ts';
import { buildChainEnv } from '../testing/crsm.ts';
import { createApi, signInAs, createTestApp, send, type TestSession } from '../testing/support.ts';
import { startFakeEsplora, tipHeight } from '../testing/esplora.ts';
import { isOneQueryWaiting } from '../testing/process.ts';
import { createTestWallet } from '../testing/wallet.ts';
import { deposits } from '../deposits/tables.ts';
import { mints } from '../mints/tables.ts';
import { savedViews } from '../saved-views/tables.ts';
import { okta } from '../access/provisioning/fixtures.ts';
import { createStore } from '../../testing/factories/store.ts';
import {
  accountChanges,
  administratorRoles,
  administrators,
  permissionNodes,
  provisioned,
  roleNodes,
  roles,
  sessions,
} from '../platform/auth/tables.ts';

// A person loses access between a click and its commit: nothing may be committed.

const { url, outputs } = await startFakeEsplora();
const coboAddress = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
// Signing needs a configured chain, though nothing asks it.
const chainVariables = buildChainEnv('http://127.0.0.1:9');
const app = await createTestApp(
  {
    ...chainVariables,
    ESPLORA_URLS: url,
    CUSTODY_ADDRESSES: coboAddress,
    WRITES_PER_MINUTE: '0',
    READS_PER_MINUTE: '0',
    SCIM: 'on',
  },
  { jobs: false },
);
const { db } = app.database;
const operator = await signInAs(app, 'operator');
let approver: TestSession;
const [{ id: approverId } = { id: '' }] = await db
  .select()
  .from(administrators)
  .where(eq(administrators.email, 'approver@demo.local'));
const [{ id: roleId } = { id: '' }] = await db.select().from(roles).where(eq(roles.seed, 'approver'));
const [{ id: nodeId } = { id: '' }] = await db
  .select()
  .from(permissionNodes)
  .where(eq(permissionNodes.identifier, 'deposits.confirm'));

let depositCount = 0;
const addDeposit = (): Promise<DepositRow> => {
  const txid = (++depositCount).toString(16).padStart(64, '5');
  outputs.set(txid, { address: coboAddress, value: 500_000_000, height: tipHeight - 9 });
  const depositInput = { type: 'cobo', vout: 0, lockTime: null, remarks: '', coboAddress, txid } as const;
  return operator.api.deposits.add({
    ...depositInput,
    userAddress: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    amount: '500000000',
  });
};
const confirmDeposit = ({ id, version, hash }: DepositRow) =>
  createApi(app, { ...approver.headers, 'idempotency-key': newId() })
    .deposits.confirm({ id, version, hash })
    .then(
      () => 'done',
      (error: { code?: string }) => error.code ?? 'broken',
    );
const countMints = ({ id }: DepositRow) => db.$count(mints, eq(mints.depositId, id));

/** Confirms while another transaction locks the row, and runs `runMeanwhile` before releasing it. */
async function confirmDuring(row: DepositRow, runMeanwhile: () => Promise<unknown>): Promise<string> {
  let pendingCode: Promise<string> | undefined;
  await db.transaction(async (tx) => {
    await tx.select().from(deposits).where(eq(deposits.id, row.id)).for('update');
    pendingCode = confirmDeposit(row);
    await isOneQueryWaiting(app.database); // past the guard, waiting for the row
    await runMeanwhile();
  });
  return (await pendingCode) ?? '';
}

beforeEach(async () => {
  await db.update(administrators).set({ enabled: true, deletedAt: null }).where(eq(administrators.id, approverId));
  await db.insert(administratorRoles).values({ administratorId: approverId, roleId }).onConflictDoNothing();
  await db.insert(roleNodes).values({ roleId, nodeId }).onConflictDoNothing();
  await db.update(permissionNodes).set({ identifier: 'deposits.confirm' }).where(eq(permissionNodes.id, nodeId));
  approver = await signInAs(app, 'approver');
});

const approverCondition = eq(administrators.id, approverId);
const grantCondition = and(eq(roleNodes.roleId, roleId), eq(roleNodes.nodeId, nodeId));
const revocations: [what: string, code: string, stop: (queries: Queries) => Promise<unknown>][] = [
  ['disabled', 'UNAUTHORIZED', (queries) => queries.update(administrators).set({ enabled: false }).where(approverCondition)],
  [
    'deleted',
    'UNAUTHORIZED',
    (queries) => queries.update(administrators).set({ deletedAt: new Date() }).where(approverCondition),
  ],
  [
    'signed out by a colleague',
    'UNAUTHORIZED',
    (queries) => queries.update(sessions).set({ revokedAt: new Date() }).where(eq(sessions.administratorId, approverId)),
  ],
  [
    'without the role',
    'FORBIDDEN',
    (queries) => queries.delete(administratorRoles).where(eq(administratorRoles.administratorId, approverId)),
  ],
  ['of a role without the right', 'FORBIDDEN', (queries) => queries.delete(roleNodes).where(grantCondition)],
  [
    'without the right, since its node became another',
    'FORBIDDEN',
    (queries) => queries.update(permissionNodes).set({ identifier: 'x.y' }).where(eq(permissionNodes.id, nodeId)),
  ],
];

test.each(revocations)('a person who is %s between click and commit confirms nothing', async (_what, code, revoke) => {
  const row = await addDeposit();
  expect(await confirmDuring(row, () => revoke(db))).toBe(code);
  expect(await countMints(row)).toBe(0);
});

test('a person whom the identity provider disables between click and commit confirms nothing', async () => {
  const { text } = await createStore(db).provisioningToken();
  const email = 'approver@demo.local';
  const createdAt = new Date();
  await db
    .insert(provisioned)
    .values({ administratorId: approverId, userName: email, email, createdAt, updatedAt: createdAt })
    .onConflictDoNothing();
  const setActive = async (active: boolean) => {
    const headers = { authorization: `Bearer ${text}` };
    const response = await send(app, 'PATCH', `/scim/v2/Users/${approverId}`, okta.setActive(active), headers);
    expect(response.status).toBe(200);
  };
  const row = await addDeposit();
  expect(await confirmDuring(row, () => setActive(false))).toBe('UNAUTHORIZED');
  expect(await countMints(row)).toBe(0);
  expect(await confirmDeposit({ ...row, id: newId() })).toBe('UNAUTHORIZED');
  await setActive(true);
  expect(await confirmDeposit({ ...row, id: newId() })).toBe('UNAUTHORIZED');
  await db.delete(provisioned).where(eq(provisioned.administratorId, approverId));
  await db.delete(accountChanges).where(eq(accountChanges.administratorId, approverId));
});

test.each(revocations)('a person who is being %s concurrently confirms nothing', async (_what, code, revoke) => {
  const row = await addDeposit();
  let pendingCode: Promise<string> | undefined;
  await db.transaction(async (tx) => {
    await revoke(tx);
    pendingCode = confirmDeposit(row);
    await isOneQueryWaiting(app.database); // checking whether the person still may
  });
  expect(await pendingCode).toBe(code);
  expect(await countMints(row)).toBe(0);
});

test.each(revocations)('a person who is %s is refused with the next request', async (_what, code, revoke) => {
  const missingDeposit = { ...(await addDeposit()), id: newId() };
  expect(await confirmDeposit(missingDeposit)).toBe('NOT_FOUND');
  await revoke(db);
  expect(await confirmDeposit(missingDeposit)).toBe(code);
});

test('a granted permission works with the next request', async () => {
  const missingDeposit = { ...(await addDeposit()), id: newId() };
  await db.delete(roleNodes).where(grantCondition);
  expect(await confirmDeposit(missingDeposit)).toBe('FORBIDDEN');
  await db.insert(roleNodes).values({ roleId, nodeId });
  expect(await confirmDeposit(missingDeposit)).toBe('NOT_FOUND');
});

test('a change of the description does not stop a confirmation', async () => {
  const row = await addDeposit();
  const repeatEdit = async () => {
    await db.update(administrators).set({ description: 'Nights' }).where(approverCondition);
    await db.delete(administratorRoles).where(eq(administratorRoles.administratorId, approverId));
    await db.insert(administratorRoles).values({ administratorId: approverId, roleId });
  };
  expect(await confirmDuring(row, repeatEdit)).toBe('done');
  expect(await countMints(row)).toBe(1);
});

// Routes that only need a session: own views and own credentials.

const responseCodeOf = (pendingCall: Promise<unknown>): Promise<string> =>
  pendingCall.then(
    () => 'done',
    (error: { code?: string }) => error.code ?? 'broken',
  );

/** Runs `runAction` against a locked table, and `runMeanwhile` before releasing it. */
async function runWhileLocked(
  table: 'saved_views' | 'mails',
  runAction: () => Promise<unknown>,
  runMeanwhile: () => Promise<unknown>,
) {
  let pendingCode: Promise<string> | undefined;
  await db.transaction(async (tx) => {
    await tx.execute(`lock table ${table} in share mode`);
    pendingCode = responseCodeOf(runAction());
    await isOneQueryWaiting(app.database); // past the guard, waiting for the table
    await runMeanwhile();
  });
  return (await pendingCode) ?? '';
}

test.each(revocations)(
  'a person who is %s concurrently keeps a view only while their account exists',
  async (_what, code, revoke) => {
    const { views } = approver.api;
    const viewsBefore = await db.$count(savedViews);
    const saveView = () => views.save({ place: '/selfCustody/deposit', name: `Approver's ${viewsBefore}`, query: '' });
    const isPresent = code === 'FORBIDDEN';
    expect(await runWhileLocked('saved_views', saveView, () => revoke(db))).toBe(isPresent ? 'done' : code);
    expect(await db.$count(savedViews)).toBe(viewsBefore + (isPresent ? 1 : 0));
  },
);

test('a session that is being ended cannot link a wallet', async () => {
  const wallet = createTestWallet();
  const { id, message } = await approver.api.wallet.bindChallenge({ address: wallet.address });
  const bindAddress = () => approver.api.wallet.bindAddress({ id, signature: wallet.sign(message) });
  const currentSession = (await approver.api.account.get()).sessions.find((session) => session.current);
  const endSession = () =>
    db
      .update(sessions)
      .set({ revokedAt: new Date() })
      .where(eq(sessions.id, currentSession?.id ?? ''));
  expect(await runWhileLocked('mails', bindAddress, endSession)).toBe('UNAUTHORIZED');
  expect(await db.select({ walletAddress: administrators.walletAddress }).from(administrators).where(approverCondition)).toEqual([
    { walletAddress: null },
  ]);
});

test('a session can end itself, and of two that end each other one remains', async () => {
  const { api } = await signInAs(app, 'approver');
  const currentSession = (await api.account.get()).sessions.find(({ current }) => current);
  expect(await responseCodeOf(api.account.endSession({ id: currentSession?.id ?? '' }))).toBe('done');
  expect(await responseCodeOf(api.account.get())).toBe('UNAUTHORIZED');

  const sessionPair = [await signInAs(app, 'approver'), await signInAs(app, 'approver')];
  const endResults = await Promise.all(
    sessionPair.map((testSession) => responseCodeOf(testSession.api.account.endOtherSessions())),
  );
  expect(endResults.toSorted()).toEqual(['UNAUTHORIZED', 'done']);
});
