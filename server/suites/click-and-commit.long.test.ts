import { and, eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import type { DepositRow } from '../../api/deposits/contract.ts';
import { newId } from '../platform/core/ids.ts';
import type { Queries } from '../platform/db/db.ts';
import { chainEnv } from '../testing/crsm.ts';
import { apiOf, signInAs, testApp, type TestSession } from '../testing/support.ts';
import { fakeEsplora, tipHeight } from '../testing/esplora.ts';
import { oneWaits } from '../testing/process.ts';
import { testWallet } from '../testing/wallet.ts';
import { deposits } from '../deposits/tables.ts';
import { mints } from '../mints/tables.ts';
import { savedViews } from '../saved-views/tables.ts';
import { administratorRoles, administrators, permissionNodes, roleNodes, roles, sessions } from '../platform/auth/tables.ts';

// A person loses access between a click and its commit: nothing may be committed.

const { url, outputs } = await fakeEsplora();
const coboAddress = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
// Signing needs a configured chain, though nothing asks it.
const chain = chainEnv('http://127.0.0.1:9');
const app = await testApp(
  { ...chain, ESPLORA_URLS: url, CUSTODY_ADDRESSES: coboAddress, WRITES_PER_MINUTE: '0', READS_PER_MINUTE: '0' },
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

let made = 0;
const record = (): Promise<DepositRow> => {
  const txid = (++made).toString(16).padStart(64, '5');
  outputs.set(txid, { address: coboAddress, value: 500_000_000, height: tipHeight - 9 });
  const typed = { type: 'cobo', vout: 0, lockTime: null, remarks: '', coboAddress, txid } as const;
  return operator.api.deposits.add({ ...typed, userAddress: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', amount: '500000000' });
};
const confirm = ({ id, version, hash }: DepositRow) =>
  apiOf(app, { ...approver.headers, 'idempotency-key': newId() })
    .deposits.confirm({ id, version, hash })
    .then(
      () => 'done',
      (error: { code?: string }) => error.code ?? 'broken',
    );
const mintsOf = ({ id }: DepositRow) => db.$count(mints, eq(mints.depositId, id));

/** Confirms while another transaction locks the row, and runs `meanwhile` before releasing it. */
async function confirmWhile(row: DepositRow, meanwhile: () => Promise<unknown>): Promise<string> {
  let answer: Promise<string> | undefined;
  await db.transaction(async (tx) => {
    await tx.select().from(deposits).where(eq(deposits.id, row.id)).for('update');
    answer = confirm(row);
    await oneWaits(app.database); // past the guard, waiting for the row
    await meanwhile();
  });
  return (await answer) ?? '';
}

beforeEach(async () => {
  await db.update(administrators).set({ enabled: true, deletedAt: null }).where(eq(administrators.id, approverId));
  await db.insert(administratorRoles).values({ administratorId: approverId, roleId }).onConflictDoNothing();
  await db.insert(roleNodes).values({ roleId, nodeId }).onConflictDoNothing();
  await db.update(permissionNodes).set({ identifier: 'deposits.confirm' }).where(eq(permissionNodes.id, nodeId));
  approver = await signInAs(app, 'approver');
});

const own = eq(administrators.id, approverId);
const grant = and(eq(roleNodes.roleId, roleId), eq(roleNodes.nodeId, nodeId));
const stops: [what: string, code: string, stop: (queries: Queries) => Promise<unknown>][] = [
  ['disabled', 'UNAUTHORIZED', (queries) => queries.update(administrators).set({ enabled: false }).where(own)],
  ['deleted', 'UNAUTHORIZED', (queries) => queries.update(administrators).set({ deletedAt: new Date() }).where(own)],
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
  ['of a role without the right', 'FORBIDDEN', (queries) => queries.delete(roleNodes).where(grant)],
  [
    'without the right, since its node became another',
    'FORBIDDEN',
    (queries) => queries.update(permissionNodes).set({ identifier: 'x.y' }).where(eq(permissionNodes.id, nodeId)),
  ],
];

test.each(stops)('a person who is %s between click and commit confirms nothing', async (_what, code, stop) => {
  const row = await record();
  expect(await confirmWhile(row, () => stop(db))).toBe(code);
  expect(await mintsOf(row)).toBe(0);
});

test.each(stops)('a person who is being %s concurrently confirms nothing', async (_what, code, stop) => {
  const row = await record();
  let answer: Promise<string> | undefined;
  await db.transaction(async (tx) => {
    await stop(tx);
    answer = confirm(row);
    await oneWaits(app.database); // checking whether the person still may
  });
  expect(await answer).toBe(code);
  expect(await mintsOf(row)).toBe(0);
});

test.each(stops)('a person who is %s is refused with the next request', async (_what, code, stop) => {
  const nowhere = { ...(await record()), id: newId() };
  expect(await confirm(nowhere)).toBe('NOT_FOUND');
  await stop(db);
  expect(await confirm(nowhere)).toBe(code);
});

test('a granted permission works with the next request', async () => {
  const nowhere = { ...(await record()), id: newId() };
  await db.delete(roleNodes).where(grant);
  expect(await confirm(nowhere)).toBe('FORBIDDEN');
  await db.insert(roleNodes).values({ roleId, nodeId });
  expect(await confirm(nowhere)).toBe('NOT_FOUND');
});

test('a change of the description does not stop a confirmation', async () => {
  const row = await record();
  const again = async () => {
    await db.update(administrators).set({ description: 'Nights' }).where(own);
    await db.delete(administratorRoles).where(eq(administratorRoles.administratorId, approverId));
    await db.insert(administratorRoles).values({ administratorId: approverId, roleId });
  };
  expect(await confirmWhile(row, again)).toBe('done');
  expect(await mintsOf(row)).toBe(1);
});

// Routes that only need a session: own views and own credentials.

const codeIn = (answer: Promise<unknown>): Promise<string> =>
  answer.then(
    () => 'done',
    (error: { code?: string }) => error.code ?? 'broken',
  );

/** Runs `act` against a locked table, and `meanwhile` before releasing it. */
async function whileHeld(table: 'saved_views' | 'mails', act: () => Promise<unknown>, meanwhile: () => Promise<unknown>) {
  let answer: Promise<string> | undefined;
  await db.transaction(async (tx) => {
    await tx.execute(`lock table ${table} in share mode`);
    answer = codeIn(act());
    await oneWaits(app.database); // past the guard, waiting for the table
    await meanwhile();
  });
  return (await answer) ?? '';
}

test.each(stops)('a person who is %s concurrently keeps a view only while their account exists', async (_what, code, stop) => {
  const { views } = approver.api;
  const before = await db.$count(savedViews);
  const save = () => views.save({ place: '/selfCustody/deposit', name: `Approver's ${before}`, query: '' });
  const isThere = code === 'FORBIDDEN';
  expect(await whileHeld('saved_views', save, () => stop(db))).toBe(isThere ? 'done' : code);
  expect(await db.$count(savedViews)).toBe(before + (isThere ? 1 : 0));
});

test('a session that is being ended cannot link a wallet', async () => {
  const wallet = testWallet();
  const { id, message } = await approver.api.wallet.bindChallenge({ address: wallet.address });
  const bind = () => approver.api.wallet.bindAddress({ id, signature: wallet.sign(message) });
  const current = (await approver.api.account.get()).sessions.find((session) => session.current);
  const end = () =>
    db
      .update(sessions)
      .set({ revokedAt: new Date() })
      .where(eq(sessions.id, current?.id ?? ''));
  expect(await whileHeld('mails', bind, end)).toBe('UNAUTHORIZED');
  expect(await db.select({ walletAddress: administrators.walletAddress }).from(administrators).where(own)).toEqual([
    { walletAddress: null },
  ]);
});

test('a session can end itself, and of two that end each other one remains', async () => {
  const { api } = await signInAs(app, 'approver');
  const itself = (await api.account.get()).sessions.find(({ current }) => current);
  expect(await codeIn(api.account.endSession({ id: itself?.id ?? '' }))).toBe('done');
  expect(await codeIn(api.account.get())).toBe('UNAUTHORIZED');

  const pair = [await signInAs(app, 'approver'), await signInAs(app, 'approver')];
  const ended = await Promise.all(pair.map((one) => codeIn(one.api.account.endOtherSessions())));
  expect(ended.toSorted()).toEqual(['UNAUTHORIZED', 'done']);
});
