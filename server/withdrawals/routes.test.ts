import { randomBytes, randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { decodeFunctionData, type Hex } from 'viem';
import { beforeAll, expect, test } from 'vitest';
import { weiOfSatoshi } from '../../api/money.ts';
import { custodyBridgeAbi } from '../../chain/abi/custody-bridge.ts';
import { devnetAccounts, devnetContracts } from '../../chain/deploy.ts';
import { newId } from '../platform/core/ids.ts';
import { apiOf, signInAs, testApp, type TestApi, type TestApp } from '../testing/support.ts';
import { moneyFreezes } from '../custody/tables.ts';
import { deposits } from '../deposits/tables.ts';
import { bridgeRefunds, refundIntents, withdrawals } from './tables.ts';

const user = devnetAccounts.operators[0]?.address ?? '0x';
const receiver = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
const { yu, ybtc, troveManager, stabilityPool, multiTroveGetters, custodyBridge } = devnetContracts;

let app: TestApp;
let operator: TestApi;
let headers: Record<string, string>;
/** The same person, each call with a key of its own. */
const keyed = () => apiOf(app, { ...headers, 'idempotency-key': randomUUID() });

beforeAll(async () => {
  app = await testApp(
    {
      EVM_RPC_URL: 'http://127.0.0.1:9',
      EVM_CHAIN_ID: '31337',
      YU_ADDRESS: yu,
      YBTC_ADDRESS: ybtc,
      TROVE_MANAGER_ADDRESS: troveManager,
      STABILITY_POOL_ADDRESS: stabilityPool,
      MULTI_TROVE_GETTERS_ADDRESS: multiTroveGetters,
      CUSTODY_BRIDGE_ADDRESS: custodyBridge,
    },
    { jobs: false },
  );
  ({ api: operator, headers } = await signInAs(app, 'operator'));
});

async function addDeposit(change: Partial<typeof deposits.$inferInsert> = {}): Promise<string> {
  const id = newId();
  const now = new Date(app.clock.now);
  await app.database.db.insert(deposits).values({
    id,
    userAddress: user,
    amount: 5_000n,
    coboAddress: receiver,
    network: 'regtest',
    txid: randomBytes(32).toString('hex'),
    vout: 0,
    status: 'confirmed',
    mintStatus: 'done',
    modifiedEmail: 'a@b.c',
    createdAt: now,
    updatedAt: now,
    ...change,
  });
  return id;
}
const add = async () => keyed().withdrawals.add({ depositId: await addDeposit(), receiver });
const stateOf = async (id: string) => {
  const [row] = await app.database.db.select().from(deposits).where(eq(deposits.id, id));
  return row?.withdrawStatus;
};

test('a withdrawal takes who, how much and which output from its deposit', async () => {
  const row = await add();
  const [deposit] = await app.database.db.select().from(deposits).where(eq(deposits.id, row.depositId));
  expect(row).toMatchObject({ address: user, amount: '5000', txid: deposit?.txid, receiver, status: 'todo', nonce: null });
  expect(deposit?.withdrawStatus).toBe('requested');
  expect((await operator.withdrawals.history({ id: row.id })).entries).toHaveLength(1);
});

test('ten at once for one deposit make one withdrawal', async () => {
  const depositId = await addDeposit();
  const api = Array.from({ length: 10 }, keyed);
  const results = await Promise.allSettled(api.map((one) => one.withdrawals.add({ depositId, receiver })));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await app.database.db.select().from(withdrawals).where(eq(withdrawals.depositId, depositId))).toHaveLength(1);
});

test.each([
  ['of another network', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
  ['mistyped', 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt081'],
  ['in mixed case', 'bcrt1Qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'],
  ['of Ethereum', user],
])('a receiving address %s is refused', async (_, wrong) => {
  const depositId = await addDeposit();
  await expect(keyed().withdrawals.add({ depositId, receiver: wrong })).rejects.toMatchObject({
    data: { issues: [{ path: 'receiver', rule: 'bitcoin' }] },
  });
});

test('a candidate is found by its hash or address, and by its id alone; a withdrawal by the hash of its deposit', async () => {
  const [one, other] = [await addDeposit(), await addDeposit()];
  const found = async (asked: Parameters<typeof operator.withdrawals.candidates>[0]) =>
    (await operator.withdrawals.candidates(asked)).map(({ id }) => id);
  const candidate = (await operator.withdrawals.candidates({ id: one }))[0];
  expect(candidate?.id).toBe(one);
  expect(await found({ q: candidate?.txid.slice(0, 20).toUpperCase() })).toEqual([one]);
  expect(await found({ q: user })).toEqual(expect.arrayContaining([one, other]));
  expect(await found({ q: 'ff'.repeat(32), id: one })).toEqual([]);

  const { id, txid } = await keyed().withdrawals.add({ depositId: one, receiver });
  const list = (hash: string) =>
    operator.withdrawals.list({ sort: 'createdAt', direction: 'desc', filter: { hash }, cursor: null, limit: 5 });
  for (const hash of [txid, `0x${txid.toUpperCase()}`]) expect((await list(hash)).rows.map((row) => row.id)).toEqual([id]);
  expect((await list('ff'.repeat(32))).rows).toEqual([]);
  // Of one that was not sent yet two of its hashes are not there.
  expect((await list(`!${'ff'.repeat(32)}`)).rows.map((row) => row.id)).toContain(id);
  expect((await list(`!${txid}`)).rows.map((row) => row.id)).not.toContain(id);
});

test('a deposit that is not minted is no candidate and takes no withdrawal', async () => {
  const depositId = await addDeposit({ mintStatus: 'sent' });
  expect((await operator.withdrawals.candidates()).map(({ id }) => id)).not.toContain(depositId);
  await expect(keyed().withdrawals.add({ depositId, receiver })).rejects.toMatchObject({
    data: { issues: [{ path: 'depositId', rule: 'withdrawn' }] },
  });
});

test('one that is given up frees its deposit; one whose request may be on its way is not given up', async () => {
  const first = await add();
  const seen = { id: first.id, version: first.version };
  await keyed().withdrawals.cancel(seen);
  expect(await stateOf(first.depositId)).toBe('default');
  await expect(keyed().withdrawals.cancel(seen)).rejects.toMatchObject({ code: 'CONFLICT' });

  const second = await keyed().withdrawals.add({ depositId: first.depositId, receiver });
  const sent = await keyed().withdrawals.requestRefund({ id: second.id, hash: `0x${'a'.repeat(64)}` });
  expect(sent).toMatchObject({ status: 'todo', requestHash: `0x${'a'.repeat(64)}` }); // said, not believed
  const now = { id: sent.id, version: sent.version };
  await expect(keyed().withdrawals.cancel(now)).rejects.toMatchObject({ code: 'CONFLICT' });
  await expect(keyed().withdrawals.prepareRequest(now)).rejects.toMatchObject({ code: 'CONFLICT' });
  expect(await stateOf(first.depositId)).toBe('requested');
});

test('a refund is prepared for who sees it as it is, and confirmed only when it has cooled', async () => {
  const row = await add();
  await expect(keyed().withdrawals.prepareRequest({ id: row.id, version: 9 })).rejects.toMatchObject({ code: 'CONFLICT' });
  const prepared = await keyed().withdrawals.prepareRequest({ id: row.id, version: row.version });
  expect(prepared).toMatchObject(row);
  const [intent] = await app.database.db.select().from(refundIntents).where(eq(refundIntents.withdrawalId, row.id));
  expect(intent).toMatchObject({ ...prepared.call, action: 'request', depositId: row.depositId, receiver, amount: 5_000n });
  const { args } = decodeFunctionData({ abi: custodyBridgeAbi, data: prepared.call.data as Hex });
  expect(args).toEqual([`0x${row.txid}`, receiver, weiOfSatoshi(5_000n)]);
  const coolsUntil = new Date(app.clock.now + 60_000);
  await app.database.db.update(withdrawals).set({ status: 'doing', nonce: 7, coolsUntil }).where(eq(withdrawals.id, row.id));
  const seen = { id: row.id, version: row.version };
  await expect(keyed().withdrawals.prepareConfirm(seen)).rejects.toMatchObject({ code: 'CONFLICT' });
  app.clock.now += 60_000;
  await expect(keyed().withdrawals.prepareConfirm(seen)).rejects.toMatchObject({ code: 'CONFLICT' }); // the nonce may be another's
  await app.database.db.insert(bridgeRefunds).values({
    chainId: 31_337,
    bridge: custodyBridge,
    nonce: 7,
    srcHash: `0x${row.txid}`,
    from: user,
    receiver,
    amount: weiOfSatoshi(5_000n),
    withdrawalId: row.id,
    seenAt: new Date(app.clock.now),
  });
  expect(await keyed().withdrawals.prepareConfirm(seen)).toMatchObject({ status: 'doing', nonce: 7 });
});

test('while deposits and supply disagree nothing is begun', async () => {
  const row = await add();
  const id = newId();
  await app.database.db.insert(moneyFreezes).values({ id, figures: '{}', at: new Date(app.clock.now) });
  await expect(add()).rejects.toMatchObject({ code: 'MONEY_FROZEN' });
  await expect(keyed().withdrawals.prepareRequest({ id: row.id, version: row.version })).rejects.toMatchObject({
    code: 'MONEY_FROZEN',
  });
  await app.database.db.delete(moneyFreezes).where(eq(moneyFreezes.id, id));
});

test('the list is filtered by address, receiver and status, and sorted by amount', async () => {
  const base = { sort: 'amount', direction: 'asc', cursor: null, limit: 50 } as const;
  const all = await operator.withdrawals.list({ ...base, filter: {} });
  const found = await operator.withdrawals.list({
    ...base,
    filter: { address: user.slice(0, 8).toLowerCase(), receiver: receiver.toUpperCase(), status: 'todo' },
  });
  expect(found.rows.map(({ id }) => id)).toEqual(all.rows.filter(({ status }) => status === 'todo').map(({ id }) => id));
  expect((await operator.withdrawals.list({ ...base, filter: { receiver: 'other' } })).rows).toEqual([]);
});

test('a withdrawal whose amount was changed in the database is put before no wallet', async () => {
  const row = await add();
  await app.database.db.update(withdrawals).set({ amount: 5_001n }).where(eq(withdrawals.id, row.id));
  await expect(keyed().withdrawals.prepareRequest({ id: row.id, version: row.version })).rejects.toMatchObject({
    code: 'CONFLICT',
  });
  expect(await app.database.db.select().from(refundIntents).where(eq(refundIntents.withdrawalId, row.id))).toEqual([]);
});

test('one whose request is gone is offered again by a person alone, and never while the chain cannot be asked', async () => {
  const row = await add();
  await app.database.db.update(withdrawals).set({ status: 'gone', nonce: 3 }).where(eq(withdrawals.id, row.id));
  const seen = { id: row.id, version: row.version };
  await expect(keyed().withdrawals.prepareRequest(seen)).rejects.toMatchObject({ code: 'CONFLICT' });
  await expect(keyed().withdrawals.cancel(seen)).rejects.toMatchObject({ code: 'CONFLICT' });
  await expect(keyed().withdrawals.offerAgain(seen)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
});
