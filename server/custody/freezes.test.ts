import { eq, isNull, sql } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { newId } from '../platform/core/ids.ts';
import { apiOf, signInAs, testApp, type TestSession } from '../testing/support.ts';
import { moneyFreezes } from './tables.ts';
import { deposits } from '../deposits/tables.ts';
import { audit } from '../platform/audit/tables.ts';
import { administrators } from '../platform/auth/tables.ts';
import { storeIn } from '../../testing/factories/store.ts';

const app = await testApp({}, { jobs: false });
const { db } = app.database;
const operator = await signInAs(app, 'operator');
const approver = await signInAs(app, 'approver');
const all = await signInAs(app, 'all');

beforeEach(() => db.execute(sql`truncate mints, deposits, money_freezes cascade`));

const keyed = ({ headers }: TestSession, key: string = newId()) => apiOf(app, { ...headers, 'idempotency-key': key });
const freeze = (by: TestSession, key?: string) => keyed(by, key).dataPanel.freezeMoney({ reason: 'A stranger at the keyboard' });
const lift = (by: TestSession, id?: string) =>
  keyed(by).dataPanel.resolve({ reason: 'Looked at', ...(id ? { freeze: id } : {}) });
const own = { code: 'MONEY_REFUSED', data: { reason: 'OWN_FREEZE' } };
const open = () => db.select().from(moneyFreezes).where(isNull(moneyFreezes.resolvedAt));

test('anyone in custody can freeze money immediately with a public reason, and no one else can', async () => {
  for (const role of ['analyst', 'editor', 'access'] as const)
    await expect(freeze(await signInAs(app, role)), role).rejects.toMatchObject({ code: 'FORBIDDEN' });
  await expect(keyed(operator).dataPanel.freezeMoney({ reason: ' ' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  const key = newId();
  const { id } = await freeze(operator, key);
  expect(await Promise.all([freeze(operator, key), freeze(operator), freeze(approver)])).toEqual([{ id }, { id }, { id }]);
  const editor = await signInAs(app, 'editor');
  expect(await editor.api.dataPanel.freeze()).toMatchObject({
    open: { id, kind: 'manual', by: 'operator@demo.local', reason: 'A stranger at the keyboard', lifting: null },
  });
  expect(await all.api.dataPanel.freeze()).toMatchObject({ open: { kind: 'manual' } });
  const [row] = await db.select().from(audit).where(eq(audit.entityId, id));
  expect(row).toMatchObject({ actorEmail: 'operator@demo.local' });
});

test('two concurrent freezes open one', async () => {
  await Promise.all([operator, approver, all, operator, approver, all].map((by) => freeze(by)));
  expect(await open()).toHaveLength(1);
});

test('the person who froze money cannot lift the freeze; someone else can', async () => {
  const { id } = await freeze(approver);
  await expect(lift(approver)).rejects.toMatchObject(own);
  await expect(lift(operator)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  await expect(keyed(all).dataPanel.resolve({ reason: 'Looked at', onlySigns: true })).rejects.toMatchObject({
    data: { reason: 'CHANGED' },
  });
  expect(await lift(all)).toEqual({ id, missing: 0, others: { ledger: 0, log: 0 } });
  expect(await open()).toEqual([]);
});

test('lifting a freeze by hand accepts no difference, and lifting a difference keeps the freeze by hand', async () => {
  const difference = { id: newId(), figures: '{}', at: new Date(), supplyOff: 5n };
  await db.insert(moneyFreezes).values(difference);
  const { id } = await freeze(operator);
  expect(await open()).toHaveLength(2);
  await lift(approver, difference.id);
  expect(await all.api.dataPanel.freeze()).toMatchObject({ open: { id, kind: 'manual' } });
  await lift(approver, id);
  const standing = await db.select().from(moneyFreezes).where(eq(moneyFreezes.standing, true));
  expect(standing).toMatchObject([{ id: difference.id, supplyOff: 5n }]); // the earlier acceptance remains
});

test('a freeze over refunds lists each with the stranger’s receiver shortened and cleaned', async () => {
  const refund = { nonce: 7, from: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC', amount: '50000000000000', transaction: null };
  const receiver = `bc1q\u202e\n${'x'.repeat(200)}`;
  const figures = JSON.stringify({ refunds: [{ ...refund, srcHash: '0x1', receiver }, { nonce: 'old' }] });
  await db.insert(moneyFreezes).values({ id: newId(), figures, at: new Date(), supplyOff: 5n });
  const shown = `bc1q\uFFFD\uFFFD${'x'.repeat(93)}…`;
  const { freeze: reported } = await all.api.dataPanel.reconciliation();
  expect(reported).toMatchObject({ kind: 'difference', aliens: [], refunds: [{ ...refund, receiver: shown }] });
  expect(reported?.refunds).toHaveLength(1);
});

test('a person who alone recorded and confirmed the mints of a difference cannot lift it', async () => {
  const idOf = async (email: string) =>
    (await db.select().from(administrators).where(eq(administrators.email, email)))[0]?.id ?? '';
  const [one, other] = [await idOf('admin@demo.local'), await idOf('operator@demo.local')];
  const at = new Date();
  const people = { createdBy: one, modifiedBy: one, confirmedBy: one, confirmedAt: at, modifiedEmail: 'admin@demo.local' };
  const store = storeIn(db);
  const deposit = await store.deposit({ ...people, status: 'confirmed', mintStatus: 'failed' });
  const { depositHash: hash, recipient: userAddress } = await store.mint(deposit, { state: 'failed' });
  const alien = { transaction: '0x1', depositHash: hash, to: userAddress, amount: '1', block: '1' };
  const figures = JSON.stringify({ aliens: [alien] });
  await db.insert(moneyFreezes).values({ id: newId(), figures, at, supplyOff: 1n });
  await expect(lift(all)).rejects.toMatchObject(own);
  await db.update(deposits).set({ createdBy: other }); // another person was involved
  await lift(all);
  expect(await open()).toEqual([]);
});
