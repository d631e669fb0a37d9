import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { decodeFunctionData, type Hex } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { weiOfSatoshi } from '../../api/money.ts';
import type { WithdrawalRow } from '../../api/withdrawals/contract.ts';
import { custodyBridgeAbi } from '../../chain/abi/custody-bridge.ts';
import { devnetAccounts, devnetContracts } from '../../chain/deploy.ts';
import { startTestChain, type TestChain } from '../../chain/test-chain.ts';
import { newId } from '../platform/core/ids.ts';
import { chainEnv } from '../testing/crsm.ts';
import { apiOf, signInAs, testApp, type TestSession, type TestApi, type TestApp } from '../testing/support.ts';
import { moneyFreezes } from '../custody/tables.ts';
import { depositBlocks, deposits } from '../deposits/tables.ts';
import { bridgeRefunds, refundIntents, withdrawals } from './tables.ts';
import { storeIn } from '../../testing/factories/store.ts';

const user = devnetAccounts.operators[0]?.address ?? '0x';
const receiver = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
const { custodyBridge } = devnetContracts;

let chain: TestChain;
let app: TestApp;
let operator: TestApi;
let headers: Record<string, string>;
let approver: TestSession;
let all: TestSession;
const keyed = (who: Pick<TestSession, 'headers'> = { headers }) =>
  apiOf(app, { ...who.headers, 'idempotency-key': randomUUID() });

beforeAll(async () => {
  chain = await startTestChain();
  app = await testApp({ ...chainEnv(chain.url), BITCOIN_NETWORK: 'regtest' }, { jobs: false });
  ({ api: operator, headers } = await signInAs(app, 'operator'));
  [approver, all] = [await signInAs(app, 'approver'), await signInAs(app, 'all')];
  const entry = { address: user, institution: 'Alpha Bank', custody: [], payout: [receiver] };
  const { id } = await keyed(all).authority.addReceiver(entry);
  await keyed(approver).authority.sign({ id });
});
afterAll(() => chain.stop());

async function addDeposit(change: Partial<typeof deposits.$inferInsert> = {}): Promise<string> {
  const store = storeIn(app.database.db);
  const minted = { userAddress: user, amount: 5_000n, status: 'confirmed', mintStatus: 'done' } as const;
  return (await store.deposit({ ...minted, createdAt: new Date(app.clock.now), ...change })).id;
}
const add = async () => keyed().withdrawals.add({ depositId: await addDeposit(), receiver });
const seen = ({ id, version }: Pick<WithdrawalRow, 'id' | 'version'>) => ({ id, version });
async function addSigned(): Promise<WithdrawalRow> {
  return keyed(approver).withdrawals.signRefund(seen(await add()));
}
const request = ({ txid, amount }: WithdrawalRow): Promise<Hex> =>
  chain.as(devnetAccounts.operators[0] as never).writeContract({
    address: custodyBridge,
    abi: custodyBridgeAbi,
    functionName: 'requestRefund',
    args: [`0x${txid}`, receiver, weiOfSatoshi(BigInt(amount))],
    gas: 500_000n,
  });
const stateOf = async (id: string) => {
  const [row] = await app.database.db.select().from(deposits).where(eq(deposits.id, id));
  return row?.withdrawStatus;
};

test('a withdrawal takes account, amount and output from its deposit', async () => {
  const row = await add();
  const [deposit] = await app.database.db.select().from(deposits).where(eq(deposits.id, row.depositId));
  expect(row).toMatchObject({ address: user, amount: '5000', txid: deposit?.txid, receiver, status: 'todo', nonce: null });
  expect(deposit?.withdrawStatus).toBe('requested');
  expect((await operator.withdrawals.history({ id: row.id })).entries).toHaveLength(1);
});

test('ten concurrent requests for a deposit add one withdrawal', async () => {
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

test('a receiver that is not a payout address of the institution is refused, whatever the permissions', async () => {
  const depositId = await addDeposit();
  const other = 'bcrt1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qzf4jry';
  for (const who of [{ headers }, all])
    await expect(keyed(who).withdrawals.add({ depositId, receiver: other })).rejects.toMatchObject({
      code: 'MONEY_REFUSED',
      data: { reason: 'PAYOUT' },
    });
  const stray = await addDeposit({ userAddress: devnetAccounts.operators[1]?.address ?? '0x' }); // not in the address book
  await expect(keyed(all).withdrawals.add({ depositId: stray, receiver })).rejects.toMatchObject({ data: { reason: 'PAYOUT' } });
  expect(await operator.withdrawals.payouts({ depositId })).toEqual({ institution: 'Alpha Bank', addresses: [receiver] });
  expect(await operator.withdrawals.payouts({ depositId: stray })).toEqual({ institution: null, addresses: [] });
  expect(await stateOf(depositId)).toBe('default');
});

test('candidates are found by hash, address, institution or id, and withdrawals by the hash of the deposit', async () => {
  const [one, other] = [await addDeposit(), await addDeposit()];
  const found = async (requested: Parameters<typeof operator.withdrawals.candidates>[0]) =>
    (await operator.withdrawals.candidates(requested)).map(({ id }) => id);
  const candidate = (await operator.withdrawals.candidates({ id: one }))[0];
  expect(candidate?.id).toBe(one);
  expect(await found({ q: candidate?.txid.slice(0, 20).toUpperCase() })).toEqual([one]);
  expect(await found({ q: user })).toEqual(expect.arrayContaining([one, other]));
  expect(candidate?.institution).toBe('Alpha Bank');
  expect(await found({ q: 'alpha' })).toEqual(expect.arrayContaining([one, other]));
  expect(await found({ q: 'alphabet' })).toEqual([]);
  expect(await found({ q: 'ff'.repeat(32), id: one })).toEqual([]);

  const { id, txid } = await keyed().withdrawals.add({ depositId: one, receiver });
  const list = (hash: string) =>
    operator.withdrawals.list({ sort: 'createdAt', direction: 'desc', filter: { hash }, cursor: null, limit: 5 });
  for (const hash of [txid, `0x${txid.toUpperCase()}`]) expect((await list(hash)).rows.map((row) => row.id)).toEqual([id]);
  expect((await list('ff'.repeat(32))).rows).toEqual([]);
  expect((await list(`!${'ff'.repeat(32)}`)).rows.map((row) => row.id)).toContain(id);
  expect((await list(`!${txid}`)).rows.map((row) => row.id)).not.toContain(id);
});

test('an unminted deposit is not a candidate and cannot be withdrawn', async () => {
  const depositId = await addDeposit({ mintStatus: 'sent' });
  expect((await operator.withdrawals.candidates()).map(({ id }) => id)).not.toContain(depositId);
  await expect(keyed().withdrawals.add({ depositId, receiver })).rejects.toMatchObject({
    data: { issues: [{ path: 'depositId', rule: 'withdrawn' }] },
  });
});

test('voiding frees the deposit, and a withdrawal with a sent request can’t be voided, requested or signed', async () => {
  const first = await add();
  await keyed().withdrawals.cancel(seen(first));
  expect(await stateOf(first.depositId)).toBe('default');
  await expect(keyed().withdrawals.cancel(seen(first))).rejects.toMatchObject({ code: 'CONFLICT' });

  const second = await keyed(all).withdrawals.add({ depositId: first.depositId, receiver });
  const hash = await request(second);
  const sent = await keyed().withdrawals.requestRefund({ id: second.id, hash });
  expect(sent).toMatchObject({ status: 'todo', requestHash: hash }); // only the chain moves it
  const now = seen(sent);
  for (const act of ['cancel', 'prepareRequest'] as const)
    await expect(keyed(all).withdrawals[act](now)).rejects.toMatchObject({ code: 'CONFLICT' });
  await expect(keyed(approver).withdrawals.signRefund(now)).rejects.toMatchObject({ code: 'CONFLICT' });
  expect(await stateOf(first.depositId)).toBe('requested');
});

test('an unknown or different transaction is not recorded and blocks nothing', async () => {
  const [row, other] = [await addSigned(), await addSigned()];
  const unknown = { code: 'MONEY_REFUSED', data: { reason: 'UNKNOWN_TRANSACTION' } };
  for (const hash of [`0x${'a'.repeat(64)}`, await request(other)])
    await expect(keyed().withdrawals.requestRefund({ id: row.id, hash })).rejects.toMatchObject(unknown);
  expect((await operator.withdrawals.many({ ids: [row.id] }))[0]).toMatchObject({ ...seen(row), requestHash: null });
  await keyed().withdrawals.prepareRequest(seen(row));
  await keyed().withdrawals.cancel(seen(row));
}, 30_000);

const refused = (reason: string, data: object = {}) => ({ code: 'MONEY_REFUSED', data: { reason, ...data } });
const intentsOf = ({ id }: WithdrawalRow) =>
  app.database.db.select().from(refundIntents).where(eq(refundIntents.withdrawalId, id));

test('an unsigned refund is not offered to a wallet', async () => {
  const row = await add();
  expect(row).toMatchObject({
    missing: 1,
    approvals: [],
    rule: { approvals: 1 },
    refusal: { reason: 'UNSIGNED', missing: ['1'] },
  });
  for (const who of [{ headers }, all])
    await expect(keyed(who).withdrawals.prepareRequest(seen(row))).rejects.toMatchObject(refused('UNSIGNED', { missing: ['1'] }));
  expect(await intentsOf(row)).toEqual([]);
});

test('the recorder of a withdrawal cannot sign its refund, even after a colleague recorded it again', async () => {
  const first = await keyed(all).withdrawals.add({ depositId: await addDeposit(), receiver });
  expect((await all.api.withdrawals.many({ ids: [first.id] }))[0]).toMatchObject({ own: true, recorded: true });
  await expect(keyed(all).withdrawals.signRefund(seen(first))).rejects.toMatchObject(refused('REFUND_AUTHOR'));
  await expect(keyed(all).withdrawals.propose(seen(first))).rejects.toMatchObject(refused('REFUND_AUTHOR'));
  await keyed(all).withdrawals.cancel(seen(first));
  const second = await keyed().withdrawals.add({ depositId: first.depositId, receiver });
  expect((await all.api.withdrawals.many({ ids: [second.id] }))[0]).toMatchObject({ own: true, recorded: false });
  await expect(keyed(all).withdrawals.signRefund(seen(second))).rejects.toMatchObject(refused('REFUND_AUTHOR'));
  await expect(keyed().withdrawals.signRefund(seen(second))).rejects.toMatchObject({ code: 'FORBIDDEN' });
  expect(await keyed(approver).withdrawals.signRefund(seen(second))).toMatchObject({ missing: 0, refusal: null });
});

test('a large refund needs two people, a repeated signature counts once, and the review names the last one', async () => {
  const row = await keyed().withdrawals.add({ depositId: await addDeposit({ amount: 1_500_000_000n }), receiver });
  const first = await keyed(approver).withdrawals.signRefund({ ...seen(row), onlySigns: true });
  expect(first).toMatchObject({ version: row.version, missing: 1, approvals: [{ email: 'approver@demo.local', own: true }] });
  await expect(keyed(approver).withdrawals.signRefund(seen(row))).rejects.toMatchObject(
    refused('SIGNATURES', { missing: ['1'] }),
  );
  await expect(keyed().withdrawals.prepareRequest(seen(row))).rejects.toMatchObject(refused('UNSIGNED'));
  await expect(keyed(all).withdrawals.signRefund({ ...seen(row), onlySigns: true })).rejects.toMatchObject(refused('CHANGED'));
  expect((await operator.withdrawals.many({ ids: [row.id] }))[0]).toMatchObject({ missing: 1 });
  expect(await keyed(all).withdrawals.signRefund({ ...seen(row), onlySigns: false })).toMatchObject({
    missing: 0,
    refusal: null,
  });
  await keyed().withdrawals.prepareRequest(seen(row));
});

test('two concurrent signatures both count, and a repeated request signs once', async () => {
  const row = await keyed().withdrawals.add({ depositId: await addDeposit({ amount: 1_200_000_000n }), receiver });
  const key = randomUUID();
  const again = apiOf(app, { ...approver.headers, 'idempotency-key': key });
  const presses = [...Array.from({ length: 10 }, () => again), keyed(all)].map((one) => one.withdrawals.signRefund(seen(row)));
  for (const one of await Promise.allSettled(presses))
    if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'IN_PROGRESS' });
  const [now] = await operator.withdrawals.many({ ids: [row.id] });
  expect(now?.approvals.map(({ email }) => email).toSorted()).toEqual(['admin@demo.local', 'approver@demo.local']);
  const { entries } = await operator.withdrawals.history({ id: row.id });
  expect(entries.filter(({ action }) => action === 'sign')).toHaveLength(2);
});

test('an outdated form signs nothing', async () => {
  const row = await add();
  const stale = { id: row.id, version: row.version + 1 };
  await expect(keyed(approver).withdrawals.signRefund(stale)).rejects.toMatchObject({ code: 'CONFLICT' });
  await keyed().withdrawals.cancel(seen(row));
  await expect(keyed(approver).withdrawals.signRefund(seen(row))).rejects.toMatchObject({ code: 'CONFLICT' });
});

test('a withdrawal changed in the database after signing is not offered to a wallet', async () => {
  const row = await addSigned();
  const other = 'bcrt1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qzf4jry';
  await app.database.db.update(withdrawals).set({ receiver: other }).where(eq(withdrawals.id, row.id));
  await expect(keyed().withdrawals.prepareRequest(seen(row))).rejects.toMatchObject(refused('CHANGED'));
  expect(await intentsOf(row)).toEqual([]);
});

test('signatures of an earlier withdrawal of the deposit do not count for a later one', async () => {
  const first = await addSigned();
  await keyed().withdrawals.cancel(seen(first));
  const second = await keyed().withdrawals.add({ depositId: first.depositId, receiver });
  await expect(keyed().withdrawals.prepareRequest(seen(second))).rejects.toMatchObject(refused('UNSIGNED'));
});

test('a signer who lost the permission, or whose account a colleague changed, does not count', async () => {
  const row = await addSigned();
  await app.database.db.execute(sql`update administrators set enabled = false where email = 'approver@demo.local'`);
  await expect(keyed().withdrawals.prepareRequest(seen(row))).rejects.toMatchObject(refused('UNSIGNED'));
  await app.database.db.execute(sql`update administrators set enabled = true where email = 'approver@demo.local'`);
  await keyed().withdrawals.prepareRequest(seen(row));
  await storeIn(app.database.db).accountChange({
    of: 'approver@demo.local',
    by: 'access@demo.local',
    at: new Date(app.clock.now),
  });
  await expect(keyed().withdrawals.prepareRequest(seen(row))).rejects.toMatchObject(refused('COOLING'));
  await app.database.db.execute(sql`delete from account_changes where what = 'email'`);
});

test('expired signatures can be given again', async () => {
  const row = await addSigned();
  app.clock.now += 8 * 86_400_000;
  [operator, headers, approver, all] = await signInAgain();
  await expect(keyed().withdrawals.prepareRequest(seen(row))).rejects.toMatchObject(refused('EXPIRED'));
  await keyed(approver).withdrawals.signRefund(seen(row));
  await keyed().withdrawals.prepareRequest(seen(row));
});

async function signInAgain(): Promise<[TestApi, Record<string, string>, TestSession, TestSession]> {
  const [one, two, three] = [await signInAs(app, 'operator'), await signInAs(app, 'approver'), await signInAs(app, 'all')];
  return [one.api, one.headers, two, three];
}

test('voiding a colleague’s withdrawal needs consent of its recorder or an approver', async () => {
  const row = await add();
  const requested = await keyed(all).withdrawals.cancel(seen(row));
  expect(requested).toMatchObject({ status: 'todo', cancelAsked: { email: 'admin@demo.local', own: true } });
  await expect(keyed(all).withdrawals.cancel(seen(requested))).rejects.toMatchObject(refused('CANCEL_ASKED'));
  expect(await stateOf(row.depositId)).toBe('requested');
  expect(await keyed(approver).withdrawals.cancel(seen(requested))).toMatchObject({ status: 'canceled' });

  const other = await add();
  const again = await keyed(approver).withdrawals.cancel(seen(other));
  expect(await keyed().withdrawals.cancel(seen(again))).toMatchObject({ status: 'canceled' });

  // Without the permission to sign refunds, a third person's consent does not count.
  const third = await keyed(all).withdrawals.add({ depositId: await addDeposit(), receiver });
  const asking = await keyed(approver).withdrawals.cancel(seen(third));
  await expect(keyed().withdrawals.cancel(seen(asking))).rejects.toMatchObject(refused('CANCEL_ASKED'));
});

test('a person who changed the requester’s account cannot consent', async () => {
  const row = await add();
  const requested = await keyed(approver).withdrawals.cancel(seen(row));
  await storeIn(app.database.db).accountChange({
    of: 'approver@demo.local',
    by: 'admin@demo.local',
    at: new Date(app.clock.now),
  });
  await expect(keyed(all).withdrawals.cancel(seen(requested))).rejects.toMatchObject({ code: 'MONEY_REFUSED' });
  await app.database.db.execute(sql`delete from account_changes where what = 'email'`);
  expect(await keyed(all).withdrawals.cancel(seen(requested))).toMatchObject({ status: 'canceled' });
});

test('a refund is prepared only for the reviewed row, and confirmed only after cooling and as signed', async () => {
  const row = await addSigned();
  await expect(keyed().withdrawals.prepareRequest({ id: row.id, version: 9 })).rejects.toMatchObject({ code: 'CONFLICT' });
  const prepared = await keyed().withdrawals.prepareRequest(seen(row));
  expect(prepared).toMatchObject({ ...seen(row), status: 'todo', missing: 0 });
  const [intent] = await intentsOf(row);
  expect(intent).toMatchObject({ ...prepared.call, action: 'request', depositId: row.depositId, receiver, amount: 5_000n });
  const { args } = decodeFunctionData({ abi: custodyBridgeAbi, data: prepared.call.data as Hex });
  expect(args).toEqual([`0x${row.txid}`, receiver, weiOfSatoshi(5_000n)]);
  const coolsUntil = new Date(app.clock.now + 60_000);
  const { db } = app.database;
  await db.update(withdrawals).set({ status: 'doing', nonce: 7, coolsUntil }).where(eq(withdrawals.id, row.id));
  await expect(keyed().withdrawals.prepareConfirm(seen(row))).rejects.toMatchObject({ code: 'CONFLICT' });
  app.clock.now += 60_000;
  await expect(keyed().withdrawals.prepareConfirm(seen(row))).rejects.toMatchObject({ code: 'CONFLICT' }); // the nonce may belong to another
  await db.insert(bridgeRefunds).values({
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
  await db
    .update(withdrawals)
    .set({ statement: 'f'.repeat(64) })
    .where(eq(withdrawals.id, row.id));
  await expect(keyed().withdrawals.prepareConfirm(seen(row))).rejects.toMatchObject(refused('UNCOVERED'));
  const [{ statement } = { statement: null }] = await db
    .execute<{ statement: string }>(
      sql`select id as statement from authority_statements where kind = 'refund.approve' order by position desc limit 1`,
    )
    .then(({ rows }) => rows);
  await db.update(withdrawals).set({ statement }).where(eq(withdrawals.id, row.id));
  await db.update(bridgeRefunds).set({ alarming: true }).where(eq(bridgeRefunds.nonce, 7));
  await expect(keyed().withdrawals.prepareConfirm(seen(row))).rejects.toMatchObject(refused('UNCOVERED'));
  await db.update(bridgeRefunds).set({ alarming: false }).where(eq(bridgeRefunds.nonce, 7));
  expect(await keyed().withdrawals.prepareConfirm(seen(row))).toMatchObject({ status: 'doing', nonce: 7 });
});

test('nothing begins while deposits and supply differ', async () => {
  const row = await add();
  const id = newId();
  await app.database.db.insert(moneyFreezes).values({ id, figures: '{}', at: new Date(app.clock.now) });
  await expect(add()).rejects.toMatchObject({ code: 'MONEY_FROZEN' });
  await expect(keyed().withdrawals.prepareRequest(seen(row))).rejects.toMatchObject({ code: 'MONEY_FROZEN' });
  await expect(keyed(approver).withdrawals.signRefund(seen(row))).rejects.toMatchObject({ code: 'MONEY_FROZEN' });
  await app.database.db.delete(moneyFreezes).where(eq(moneyFreezes.id, id));
});

async function block(depositId: string): Promise<() => Promise<unknown>> {
  const { db } = app.database;
  const [deposit] = await db.select().from(deposits).where(eq(deposits.id, depositId));
  if (!deposit) throw new Error('no such deposit');
  const { network, txid, vout } = deposit;
  const id = newId();
  const blockedAt = new Date(app.clock.now);
  await db.insert(depositBlocks).values({ id, network, txid, vout, transaction: id, reason: 'RejectedByCoboKYT', blockedAt });
  return () => db.update(depositBlocks).set({ liftedAt: blockedAt }).where(eq(depositBlocks.id, id));
}
const blocked = refused('BLOCKED', { said: ['RejectedByCoboKYT'] });

test('a refund of a blocked deposit cannot be signed or requested', async () => {
  const [unsigned, signed] = [await add(), await addSigned()];
  const lifts = [await block(unsigned.depositId), await block(signed.depositId)];
  for (const act of ['signRefund', 'propose'] as const)
    await expect(keyed(approver).withdrawals[act](seen(unsigned))).rejects.toMatchObject(blocked);
  await expect(keyed().withdrawals.prepareRequest(seen(signed))).rejects.toMatchObject(blocked);
  const shown = await operator.withdrawals.many({ ids: [unsigned.id, signed.id] });
  for (const row of shown) expect(row).toMatchObject({ block: 'RejectedByCoboKYT', refusal: blocked.data });
  expect(shown[0]).toMatchObject({ approvals: [], missing: 1 });
  expect(await intentsOf(signed)).toEqual([]);
  for (const lift of lifts) await lift();
  expect(await keyed(approver).withdrawals.signRefund(seen(unsigned))).toMatchObject({ missing: 0, block: null, refusal: null });
  await keyed().withdrawals.prepareRequest(seen(signed));
});

test('a refund whose deposit is blocked during cooling cannot be confirmed', async () => {
  const row = await addSigned();
  const { db } = app.database;
  const [known] = await db.select({ statement: withdrawals.statement }).from(withdrawals).where(eq(withdrawals.id, row.id));
  const cooled = { status: 'doing', nonce: 21, coolsUntil: new Date(app.clock.now), ...known } as const;
  await db.update(withdrawals).set(cooled).where(eq(withdrawals.id, row.id));
  await db.insert(bridgeRefunds).values({
    chainId: 31_337,
    bridge: custodyBridge,
    nonce: 21,
    srcHash: `0x${row.txid}`,
    from: user,
    receiver,
    amount: weiOfSatoshi(5_000n),
    withdrawalId: row.id,
    seenAt: new Date(app.clock.now),
  });
  const lift = await block(row.depositId);
  await expect(keyed().withdrawals.prepareConfirm(seen(row))).rejects.toMatchObject(blocked);
  expect((await intentsOf(row)).filter(({ action }) => action === 'confirm')).toEqual([]);
  await lift();
  expect(await keyed().withdrawals.prepareConfirm(seen(row))).toMatchObject({ status: 'doing', nonce: 21 });
});

test('a blocked deposit takes no withdrawal, and an earlier one can be voided', async () => {
  const [depositId, row] = [await addDeposit(), await add()];
  const lift = await block(depositId);
  await block(row.depositId);
  expect((await operator.withdrawals.candidates()).map(({ id }) => id)).not.toContain(depositId);
  await expect(keyed().withdrawals.add({ depositId, receiver })).rejects.toMatchObject(blocked);
  expect(await keyed().withdrawals.cancel(seen(row))).toMatchObject({ status: 'canceled' });
  await lift();
  expect(await keyed().withdrawals.add({ depositId, receiver })).toMatchObject({ status: 'todo', block: null });
});

test('home counts the refunds that need the viewer’s signature, and its link lists only those', async () => {
  const { db } = app.database;
  await db.update(withdrawals).set({ status: 'canceled' }).where(eq(withdrawals.status, 'todo'));
  const waiting = async ({ api }: Pick<TestSession, 'api'>) => {
    const found = (await api.home.waiting()).find(({ kind }) => kind === 'refunds')?.count ?? 0;
    const page = { sort: 'createdAt', direction: 'asc', cursor: null, limit: 50 } as const;
    const listed = await Promise.all(
      ['true', 'false'].map((toSign) => api.withdrawals.list({ ...page, filter: { toSign, status: 'todo' } })),
    );
    const [mine = [], others = []] = listed.map(({ rows }) => rows.map(({ id }) => id));
    expect(mine).toHaveLength(found);
    expect(mine.filter((id) => others.includes(id))).toEqual([]);
    return mine.toSorted();
  };
  const small = await add();
  const own = await keyed(all).withdrawals.add({ depositId: await addDeposit(), receiver });
  const large = await keyed().withdrawals.add({ depositId: await addDeposit({ amount: 1_100_000_000n }), receiver });
  const rejected = await add();
  await block(rejected.depositId);
  const ids = (...rows: WithdrawalRow[]) => rows.map(({ id }) => id).toSorted();
  expect(await waiting(approver)).toEqual(ids(small, own, large));
  expect(await waiting(all)).toEqual(ids(small, large));
  expect(await waiting({ api: operator })).toEqual([]);

  await keyed(approver).withdrawals.signRefund(seen(small));
  await keyed(approver).withdrawals.signRefund(seen(large));
  expect(await waiting(approver)).toEqual(ids(own));
  expect(await waiting(all)).toEqual(ids(large));
  await keyed(all).withdrawals.signRefund(seen(large));
  expect(await waiting(all)).toEqual([]);
  await db
    .update(withdrawals)
    .set({ requestHash: `0x${'1'.repeat(64)}` })
    .where(eq(withdrawals.id, own.id));
  expect(await waiting(approver)).toEqual([]);
});

test('the list is filtered by address, receiver and status, and sorted by amount', async () => {
  const base = { sort: 'amount', direction: 'asc', cursor: null, limit: 50 } as const;
  const listed = await operator.withdrawals.list({ ...base, filter: {} });
  const found = await operator.withdrawals.list({
    ...base,
    filter: { address: user.slice(0, 8).toLowerCase(), receiver: receiver.toUpperCase(), status: 'todo' },
  });
  const expected = listed.rows.filter((row) => row.status === 'todo' && row.receiver === receiver);
  expect(found.rows.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
  expect((await operator.withdrawals.list({ ...base, filter: { receiver: 'other' } })).rows).toEqual([]);
});

test('a withdrawal with an amount changed in the database is neither signed nor offered to a wallet', async () => {
  const row = await addSigned();
  await app.database.db.update(withdrawals).set({ amount: 5_001n }).where(eq(withdrawals.id, row.id));
  await expect(keyed().withdrawals.prepareRequest(seen(row))).rejects.toMatchObject({ code: 'CONFLICT' });
  await expect(keyed(all).withdrawals.signRefund(seen(row))).rejects.toMatchObject({ code: 'CONFLICT' });
  expect(await intentsOf(row)).toEqual([]);
});

test('only a person can offer a missing request again, and it can’t be signed, requested or voided before', async () => {
  const row = await addSigned();
  await app.database.db.update(withdrawals).set({ status: 'gone', nonce: 3 }).where(eq(withdrawals.id, row.id));
  for (const act of ['prepareRequest', 'cancel'] as const)
    await expect(keyed().withdrawals[act](seen(row))).rejects.toMatchObject({ code: 'CONFLICT' });
  await expect(keyed(all).withdrawals.signRefund(seen(row))).rejects.toMatchObject({ code: 'CONFLICT' });
});

test('nothing is signed, recorded or offered again without an answer from the chain', async () => {
  const [row, gone] = [await add(), await add()];
  await app.database.db.update(withdrawals).set({ status: 'gone', nonce: 3 }).where(eq(withdrawals.id, gone.id));
  await chain.stop();
  const unavailable = { code: 'UNAVAILABLE' };
  await expect(keyed(approver).withdrawals.signRefund(seen(row))).rejects.toMatchObject(unavailable);
  await expect(keyed().withdrawals.requestRefund({ id: row.id, hash: `0x${'b'.repeat(64)}` })).rejects.toMatchObject(unavailable);
  await expect(keyed().withdrawals.offerAgain(seen(gone))).rejects.toMatchObject(unavailable);
});
