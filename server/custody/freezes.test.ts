import { eq, isNull, sql } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { newId } from '../platform/core/ids.ts';
import { createApi, signInAs, createTestApp, type TestSession } from '../testing/support.ts';
import { moneyFreezes } from './tables.ts';
import { deposits } from '../deposits/tables.ts';
import { audit } from '../platform/audit/tables.ts';
import { administrators } from '../platform/auth/tables.ts';
import { createStore } from '../../testing/factories/store.ts';

const app = await createTestApp({}, { jobs: false });
const { db } = app.database;
const operatorSession = await signInAs(app, 'operator');
const approver = await signInAs(app, 'approver');
const adminSession = await signInAs(app, 'all');

beforeEach(() => db.execute(sql`truncate mints, deposits, money_freezes cascade`));

const idempotentApi = ({ headers }: TestSession, key: string = newId()) => createApi(app, { ...headers, 'idempotency-key': key });
const freezeMoney = (session: TestSession, key?: string) =>
  idempotentApi(session, key).dataPanel.freezeMoney({ reason: 'A stranger at the keyboard' });
const liftFreeze = (session: TestSession, id?: string) =>
  idempotentApi(session).dataPanel.resolve({ reason: 'Looked at', ...(id ? { freeze: id } : {}) });
const ownFreezeError = { code: 'MONEY_REFUSED', data: { reason: 'OWN_FREEZE' } };
const readOpenFreezes = () => db.select().from(moneyFreezes).where(isNull(moneyFreezes.resolvedAt));

test('anyone in custody can freeze money immediately with a public reason, and no one else can', async () => {
  for (const role of ['analyst', 'editor', 'access'] as const)
    await expect(freezeMoney(await signInAs(app, role)), role).rejects.toMatchObject({ code: 'FORBIDDEN' });
  await expect(idempotentApi(operatorSession).dataPanel.freezeMoney({ reason: ' ' })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
  });
  const key = newId();
  const { id } = await freezeMoney(operatorSession, key);
  expect(await Promise.all([freezeMoney(operatorSession, key), freezeMoney(operatorSession), freezeMoney(approver)])).toEqual([
    { id },
    { id },
    { id },
  ]);
  const editorSession = await signInAs(app, 'editor');
  expect(await editorSession.api.dataPanel.freeze()).toMatchObject({
    open: { id, kind: 'manual', by: 'operator@demo.local', reason: 'A stranger at the keyboard', lifting: null },
  });
  expect(await adminSession.api.dataPanel.freeze()).toMatchObject({ open: { kind: 'manual' } });
  const [row] = await db.select().from(audit).where(eq(audit.entityId, id));
  expect(row).toMatchObject({ actorEmail: 'operator@demo.local' });
});

test('two concurrent freezes open one', async () => {
  await Promise.all(
    [operatorSession, approver, adminSession, operatorSession, approver, adminSession].map((session) => freezeMoney(session)),
  );
  expect(await readOpenFreezes()).toHaveLength(1);
});

test('the person who froze money cannot lift the freeze; someone else can', async () => {
  const { id } = await freezeMoney(approver);
  await expect(liftFreeze(approver)).rejects.toMatchObject(ownFreezeError);
  await expect(liftFreeze(operatorSession)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  await expect(idempotentApi(adminSession).dataPanel.resolve({ reason: 'Looked at', onlySigns: true })).rejects.toMatchObject({
    data: { reason: 'CHANGED' },
  });
  expect(await liftFreeze(adminSession)).toEqual({ id, missing: 0, others: { ledger: 0, log: 0 } });
  expect(await readOpenFreezes()).toEqual([]);
});

test('lifting a freeze by hand accepts no difference, and lifting a difference keeps the freeze by hand', async () => {
  const differenceFreeze = { id: newId(), figures: '{}', at: new Date(), supplyOff: 5n };
  await db.insert(moneyFreezes).values(differenceFreeze);
  const { id } = await freezeMoney(operatorSession);
  expect(await readOpenFreezes()).toHaveLength(2);
  await liftFreeze(approver, differenceFreeze.id);
  expect(await adminSession.api.dataPanel.freeze()).toMatchObject({ open: { id, kind: 'manual' } });
  await liftFreeze(approver, id);
  const acceptedFreezes = await db.select().from(moneyFreezes).where(eq(moneyFreezes.standing, true));
  expect(acceptedFreezes).toMatchObject([{ id: differenceFreeze.id, supplyOff: 5n }]); // the earlier acceptance remains
});

test('a freeze over refunds lists each with the stranger’s receiver shortened and cleaned', async () => {
  const refund = { nonce: 7, from: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC', amount: '50000000000000', transaction: null };
  const receiver = `bc1q\u202e\n${'x'.repeat(200)}`;
  const figures = JSON.stringify({ refunds: [{ ...refund, srcHash: '0x1', receiver }, { nonce: 'old' }] });
  await db.insert(moneyFreezes).values({ id: newId(), figures, at: new Date(), supplyOff: 5n });
  const sanitizedReceiver = `bc1q\uFFFD\uFFFD${'x'.repeat(93)}…`;
  const { freeze: reportedFreeze } = await adminSession.api.dataPanel.reconciliation();
  expect(reportedFreeze).toMatchObject({ kind: 'difference', aliens: [], refunds: [{ ...refund, receiver: sanitizedReceiver }] });
  expect(reportedFreeze?.refunds).toHaveLength(1);
});

test('a person who alone recorded and confirmed the mints of a difference cannot lift it', async () => {
  const readId = async (email: string) =>
    (await db.select().from(administrators).where(eq(administrators.email, email)))[0]?.id ?? '';
  const [adminId, operatorId] = [await readId('admin@demo.local'), await readId('operator@demo.local')];
  const createdAt = new Date();
  const peopleFields = {
    createdBy: adminId,
    modifiedBy: adminId,
    confirmedBy: adminId,
    confirmedAt: createdAt,
    modifiedEmail: 'admin@demo.local',
  };
  const testStore = createStore(db);
  const deposit = await testStore.deposit({ ...peopleFields, status: 'confirmed', mintStatus: 'failed' });
  const { depositHash: hash, recipient: userAddress } = await testStore.mint(deposit, { state: 'failed' });
  const unknownMint = { transaction: '0x1', depositHash: hash, to: userAddress, amount: '1', block: '1' };
  const figures = JSON.stringify({ aliens: [unknownMint] });
  await db.insert(moneyFreezes).values({ id: newId(), figures, at: createdAt, supplyOff: 1n });
  await expect(liftFreeze(adminSession)).rejects.toMatchObject(ownFreezeError);
  await db.update(deposits).set({ createdBy: operatorId }); // another person was involved
  await liftFreeze(adminSession);
  expect(await readOpenFreezes()).toEqual([]);
});
